//! The clause `direct`: the kernel in which what variables only pass on is computed at every point gives the same bits, by the
//! evaluator; and maps with that clause, which the compiler chooses for kernels without a map, compute what the kernel means.
//!
//! `SYSTOLIC_PASSED` is the number of random systems, `SYSTOLIC_SEED` the first seed.
mod support;

use support::machine::{Effort, run_map};
use support::number;
use support::report::Report;
use support::seeds::{over_all, text_of};
use systolic_compiler::check;
use systolic_compiler::compile::default_by_rules;
use systolic_compiler::evaluate::{evaluate, random_inputs};
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::Target;
use systolic_compiler::model::Kernel;
use systolic_compiler::search::Search;
use systolic_compiler::syntax::tree;
use systolic_compiler::target::GPU;
use systolic_oracle::{Random, few_sizes};

/// The only instance of the kernel in a text, which the laws accept.
fn lawful(text: &str) -> (tree::Kernel, Lawful) {
    let checked = check(text.parse().expect("tokens"));
    assert!(checked.faults.is_empty(), "{:?}\n{text}", checked.faults.iter().map(|f| &f.fact).collect::<Vec<_>>());
    let (tree, instances) = checked.kernels.into_iter().next().expect("a kernel");
    (tree, instances.into_iter().next().expect("an instance"))
}

/// The first sizes at which two kernels have different outputs.
fn difference(written: &Kernel, direct: &Kernel, seed: u64) -> Option<String> {
    few_sizes(written, &[], 600, 8).into_iter().zip(seed..).find_map(|(sizes, seed)| {
        let inputs = random_inputs(written, &sizes, seed);
        let expected = evaluate(written, &sizes, &inputs).ok()?;
        match evaluate(direct, &sizes, &inputs) {
            Ok(found) if found.iter().zip(&expected).all(|(a, b)| a.same_bits(b)) => None,
            Ok(_) => Some(format!("other bits at {sizes:?}")),
            Err(why) => Some(format!("at {sizes:?}: {why}")),
        }
    })
}

/// Runs a map on the interpreter for every target.
fn runs(lawful: &Lawful, map: &LawfulMap, targets: &[Target], seed: u64, report: &mut Report) -> Result<(), String> {
    let effort = Effort { sizes: 5, work: 200_000, ..Effort::with_points(400) };
    targets.iter().try_for_each(|target| run_map(lawful.kernel(), map, *target, effort, seed, report).map(|_| ()))
}

/// Kernels, and whether something is passed on in them that the compiler sees.
const KERNELS: [(&str, bool); 15] = [
    // Both operands of a product.
    (
        "kernel k(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
            for i in 0..M, j in 0..N, k in 0..K {
                A[i, j, k] = if j == 0 { a[i, k] } else { A[i, j - 1, k] };
                B[i, j, k] = if i == 0 { b[k, j] } else { B[i - 1, j, k] };
                C[i, j, k] = (if k == 0 { 0.0 } else { C[i, j, k - 1] }) + A[i, j, k] * B[i, j, k];
                if k == K - 1 { c[i, j] = C[i, j, k]; }
            } }",
        true,
    ),
    // A window that moves against the sum.
    (
        "kernel k(x: [f32; N + K - 1], w: [f32; K]) -> (y: [f32; N]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if n == 0 || k == K - 1 { x[n + k] } else { X[n - 1, k + 1] };
                Y[n, k] = (if k == 0 { 0.0 } else { Y[n, k - 1] }) + w[k] * X[n, k];
                if k == K - 1 { y[n] = Y[n, k]; }
            } }",
        true,
    ),
    // The same, with what the boundaries read written for the boundaries.
    (
        "kernel k(x: [f32; N + K - 1], w: [f32; K]) -> (y: [f32; N]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if n == 0 { x[k] } else if k == K - 1 { x[n + K - 1] } else { X[n - 1, k + 1] };
                Y[n, k] = (if k == 0 { 0.0 } else { Y[n, k - 1] }) + w[k] * X[n, k];
                if k == K - 1 { y[n] = Y[n, k]; }
            } }",
        true,
    ),
    // A history that begins with zeros: two sources.
    (
        "kernel k(x: [f32; N], w: [f32; K]) -> (y: [f32; N]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if k == 0 { x[n] } else if n == 0 { 0.0 } else { X[n - 1, k - 1] };
                Y[n, k] = (if k == 0 { 0.0 } else { Y[n, k - 1] }) + w[k] * X[n, k];
                if k == K - 1 { y[n] = Y[n, k]; }
            } }",
        true,
    ),
    // The other order of the sources: at the corner the zero is passed on.
    (
        "kernel k(x: [f32; N], w: [f32; K]) -> (y: [f32; N]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if n == 0 { 0.0 } else if k == 0 { x[n] } else { X[n - 1, k - 1] };
                Y[n, k] = (if k == 0 { 0.0 } else { Y[n, k - 1] }) + w[k] * X[n, k];
                if k == K - 1 { y[n] = Y[n, k]; }
            } }",
        true,
    ),
    // Expressions, guards the other way round, and what passes on what is passed on.
    (
        "kernel k(x: [i16; M], a: f32, y: [f32; M, N]) -> (z: [f32; M, N]) {
            for i in 0..M, j in 0..N {
                P[i, j] = if j > 0 { P[i, j - 1] } else { a * x[i] as f32 + i as f32 };
                Q[i, j] = if i < M - 1 { Q[i + 1, j] } else { P[i, j] * 0.0 + j as f32 };
                z[i, j] = y[i, j] - P[i, j] * Q[i, j];
            } }",
        true,
    ),
    (
        "kernel k(x: [i16; M], a: f32, y: [f32; M, N]) -> (z: [f32; M, N]) {
            for i in 0..M, j in 0..N {
                P[i, j] = if j > 0 { P[i, j - 1] } else { a * x[i] as f32 };
                Q[i, j] = if j <= 0 { P[i, j] + 1.0 } else { Q[i, j - 1] };
                z[i, j] = y[i, j] - Q[i, j] * (if i == 0 { 0.0 } else { P[i - 1, j] });
            } }",
        true,
    ),
    // A source that is an `if` itself.
    (
        "kernel k(x: [f32; N], w: [f32; K]) -> (y: [f32; N]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if n == 0 || k == 0 { if n < k { 0.0 } else { x[n - k] } } else { X[n - 1, k - 1] };
                Y[n, k] = (if k == 0 { 0.0 } else { Y[n, k - 1] }) + w[k] * X[n, k];
                if k == K - 1 { y[n] = Y[n, k]; }
            } }",
        true,
    ),
    // Three sources.
    (
        "kernel k(x: [i32; N], w: [i32; K]) -> (y: [i32; N]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if k == 0 { x[n] } else if n == 0 { 0 } else if n == 1 { 1 } else { X[n - 1, k - 1] };
                Y[n, k] = (if k == 0 { 0 } else { Y[n, k - 1] }) + w[k] * X[n, k];
                if k == K - 1 { y[n] = Y[n, k]; }
            } }",
        false,
    ),
    // A source in the middle of the points.
    (
        "kernel k(x: [i32; N]) -> (y: [i32; N]) where N > 4 {
            for n in 0..N {
                X[n] = if n == 0 { 5 } else if n == 3 { x[n] } else { X[n - 1] };
                y[n] = X[n];
            } }",
        false,
    ),
    // A part of the points at which the last source would be the nearest is given to another.
    (
        "kernel k(x: [i32; N], w: [i32; K]) -> (y: [i32; N, K]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if k == 0 && n > 2 { x[n] } else if n == 0 || k == 0 { 7 } else { X[n - 1, k - 1] };
                y[n, k] = X[n, k] + w[k];
            } }",
        false,
    ),
    // The same source again, after another one that is taken first where both are near.
    (
        "kernel k(x: [i32; N], w: [i32; K]) -> (y: [i32; N, K]) {
            for n in 0..N, k in 0..K {
                X[n, k] = if k == 0 && n > 2 { x[n] } else if n == 0 { 7 } else if k == 0 { x[n] } else { X[n - 1, k - 1] };
                y[n, k] = X[n, k] + w[k];
            } }",
        false,
    ),
    // What is dear is passed on.
    (
        "kernel k(x: [f32; M], y: [f32; N]) -> (z: [f32; M, N]) {
            for i in 0..M, j in 0..N {
                P[i, j] = if j == 0 { exp(x[i]) } else { P[i, j - 1] };
                z[i, j] = P[i, j] * y[j];
            } }",
        false,
    ),
    // A computed value.
    (
        "kernel k(x: [f32; M, N]) -> (z: [f32; M, N]) {
            for i in 0..M, j in 0..N {
                S[i, j] = x[i, j] + if i == 0 { 0.0 } else { S[i - 1, j] };
                P[i, j] = if j == 0 { S[i, j] } else { P[i, j - 1] };
                z[i, j] = P[i, j] + S[i, j];
            } }",
        false,
    ),
    // Two directions.
    (
        "kernel k(x: [i32; N, N]) -> (z: [i32; N, N]) {
            for i in 0..N, j in 0..N {
                P[i, j] = if j == 0 || i == 0 { x[i, j] } else if i > j { P[i - 1, j] } else { P[i, j - 1] };
                z[i, j] = P[i, j];
            } }",
        false,
    ),
];

#[test]
fn what_is_passed_on_is_computed_directly() {
    let mut report = Report::default();
    for (text, is_direct) in KERNELS {
        let (_, lawful) = lawful(text);
        let direct = lawful.kernel().direct();
        assert_eq!(direct.is_some(), is_direct, "{text}");
        if let Some(wrong) = direct.and_then(|direct| difference(lawful.kernel(), &direct, 1)) {
            panic!("{wrong}\n{text}");
        }
        for target in [Target::Gpu, Target::Cpu] {
            let Some(map) = default_by_rules(&lawful, target) else { continue };
            assert_eq!(map.mapping().direct, is_direct, "{text}");
            if let Err(why) = runs(&lawful, &map, &[target], 3, &mut report) {
                panic!("{why}\n{text}");
            }
        }
    }
}

/// No wire of the direct kernel stands in the way of a map: the search finds one.
#[test]
fn a_window_that_moves_against_the_sum_has_a_map() {
    let (tree, lawful) = lawful(KERNELS[1].0);
    let found = Search::new(&tree, &lawful, &GPU).run();
    let best = found.first().expect("a map");
    assert!(best.lawful.mapping().direct);
    let mut report = Report::default();
    runs(&lawful, &best.lawful, &[Target::Gpu], 5, &mut report).expect("the evaluator's bits");
}

/// A map may say it, and the text of a map has it.
#[test]
fn a_map_says_it() {
    let end = "P[i - 1, j] });\n            }";
    let map = "map { tile j by 32 as (jb, ji); blocks (i, jb); lanes ji; direct; }";
    let text = KERNELS[6].0.replace(end, &format!("{end}\n{map}"));
    let (tree, lawful) = lawful(&text);
    let map = &lawful.maps()[0];
    assert!(map.mapping().direct && systolic_compiler::syntax::print_map(&tree.maps[0]).contains("    direct;\n"));
    assert!(map.kernel(lawful.kernel()).reads().iter().all(|read| read.distance.iter().all(|d| *d == 0)));
    let written = text.replace(" direct;", "");
    // Without it `P` comes from another block.
    assert!(!check(written.parse().expect("tokens")).faults.is_empty());
    let mut report = Report::default();
    runs(&lawful, map, &[Target::Gpu, Target::Cpu], 7, &mut report).expect("the evaluator's bits");
}

/// A random kernel whose variable `V` passes values on: along a random direction, from the boundaries where that enters the box.
fn passing(seed: u64) -> String {
    let mut random = Random::new(seed);
    let loops: Vec<(&str, &str)> = vec![("i", "M"), ("j", "N"), ("k", "3")][..2 + random.below(2)].to_vec();
    let mut along: Vec<i64> = loops.iter().map(|_| random.within(-1, 1)).collect();
    if along.iter().all(|d| *d == 0) {
        along[random.below(loops.len())] = 1;
    }
    let term = |name: &str, d: i64| match d {
        0 => name.to_string(),
        d if d > 0 => format!("{name} - {d}"),
        d => format!("{name} + {}", -d),
    };
    let before: Vec<String> = loops.iter().zip(&along).map(|((name, _), d)| term(name, *d)).collect();
    let mut entries: Vec<(String, String)> = Vec::new();
    for ((name, size), d) in loops.iter().zip(&along).filter(|(_, d)| **d != 0) {
        entries.push(match d {
            1 => (format!("{name} == 0"), format!("{name} > 0")),
            _ => (format!("{name} == {size} - 1"), format!("{name} < {size} - 1")),
        });
    }
    random.shuffle(&mut entries);
    // The same element, which does not change along the way if the way allows it, or one per boundary.
    let invariant = || {
        let with = |l: usize, d: i64| format!("{} * {}", if d == 0 { 1 } else { d }, loops[l].0);
        match (along[0], along[1]) {
            (0, _) => "i".to_string(),
            (_, 0) => "j".to_string(),
            (a, b) => format!("{} - {}", with(0, b), with(1, a)),
        }
    };
    let source = |random: &mut Random| match random.below(6) {
        0 => format!("{}", random.below(5)),
        1 => "x[i, j] * a".to_string(),
        2 => "x[i, j] - y[j] as i32".to_string(),
        3 => format!("({}) as i32", invariant()),
        4 => format!("a - ({}) as i32", invariant()),
        _ => "x[i, j]".to_string(),
    };
    let own = format!("V[{}]", before.join(", "));
    let value = if random.chance(35) {
        let any = entries.iter().map(|(at, _)| at.clone()).collect::<Vec<_>>().join(" || ");
        format!("if {any} {{ {} }} else {{ {own} }}", source(&mut random))
    } else if entries.len() == 1 && random.chance(40) {
        format!("if {} {{ {own} }} else {{ {} }}", entries[0].1, source(&mut random))
    } else {
        let both = random.chance(25).then(|| source(&mut random));
        let each = entries.iter().map(|(at, _)| {
            let source = both.clone().unwrap_or_else(|| source(&mut random));
            (at.clone(), source)
        });
        let mut each: Vec<(String, String)> = each.collect();
        if random.chance(30) {
            // A part of one boundary comes first, with the value that is there or with another one.
            let (at, there) = random.pick(&each);
            let other = if random.chance(60) { there } else { source(&mut random) };
            each.insert(0, (format!("{at} && j > 1"), other));
        }
        let each = each.iter().map(|(at, source)| format!("if {at} {{ {source} }} else "));
        format!("{}{{ {own} }}", each.collect::<String>())
    };
    let heads: Vec<String> = loops.iter().map(|(name, size)| format!("{name} in 0..{size}")).collect();
    let here: Vec<&str> = loops.iter().map(|(name, _)| *name).collect();
    let (here, dims) = (here.join(", "), loops.iter().map(|(_, size)| *size).collect::<Vec<_>>().join(", "));
    format!(
        "kernel k(x: [i32; M, N], y: [u8; N], a: i32) -> (z: [i32; {dims}]) {{
            for {} {{
                V[{here}] = {value};
                S[{here}] = V[{here}] * 3 + if i == 0 {{ 0 }} else {{ S[{}] }};
                z[{here}] = S[{here}];
            }} }}",
        heads.join(", "),
        here.replacen('i', "i - 1", 1),
    )
}

#[test]
fn random_systems_that_pass_values_on() {
    let count = number("SYSTOLIC_PASSED", if cfg!(debug_assertions) { 400 } else { 3000 });
    let first = number("SYSTOLIC_SEED", 0);
    let report = over_all(first..first + count, |seed, report| {
        let text = passing(seed);
        let (_, lawful) = lawful(&text);
        let Some(direct) = lawful.kernel().direct() else { return report.count("passed on by wires") };
        let is_piecewise = direct.equations[0].value.children().len() == 2 && text.contains(" else if ");
        report.count(if is_piecewise { "from two sources" } else { "from one" });
        if let Some(wrong) = difference(lawful.kernel(), &direct, seed) {
            report.wrong(format!("seed {seed}: {wrong}\n{text}"));
        }
        if seed % 4 == 0 {
            for target in [Target::Gpu, Target::Cpu] {
                let Some(map) = default_by_rules(&lawful, target) else { continue };
                if let Err(why) = runs(&lawful, &map, &[target], seed, report) {
                    report.wrong(format!("seed {seed}: {why}\n{text}"));
                }
            }
        }
    });
    report.assert_nothing_wrong();
    let counts = ["passed on by wires", "from one", "from two sources"].map(|name| report.counted(name));
    println!("{count} systems: {} by wires, {} from one source, {} from two", counts[0], counts[1], counts[2]);
    assert!(counts.iter().all(|n| *n * 20 > count as usize), "{counts:?}");
}

#[test]
fn random_kernels_computed_directly_mean_the_same() {
    let count = number("SYSTOLIC_PASSED", if cfg!(debug_assertions) { 400 } else { 3000 });
    let first = number("SYSTOLIC_SEED", 0);
    let report = over_all(first..first + count, |seed, report| {
        for (_, instances) in &check(text_of(seed).parse().expect("tokens")).kernels {
            for lawful in instances {
                let Some(direct) = lawful.kernel().direct() else { continue };
                report.count("direct");
                if let Some(wrong) = difference(lawful.kernel(), &direct, seed) {
                    report.wrong(format!("seed {seed}: {wrong}\n{}", text_of(seed)));
                }
            }
        }
    });
    report.assert_nothing_wrong();
    assert!(report.counted("direct") > 0);
}
