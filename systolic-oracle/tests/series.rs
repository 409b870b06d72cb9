//! Kernels as series of kernels: the members, run one after another, give the bits of the whole kernel.
//!
//! `SYSTOLIC_SERIES` is the number of random kernels, `SYSTOLIC_SEED` the first seed.
mod support;

use support::number;
use support::report::Report;
use support::seeds::{over_all, text_of};
use systolic_compiler::compile::compile;
use systolic_compiler::emit::Unit;
use systolic_compiler::evaluate::{EvaluateError, Input, Inputs, Tensor, evaluate, random_inputs};
use systolic_compiler::interpret::interpret;
use systolic_compiler::laws::Lawful;
use systolic_compiler::link::member_key;
use systolic_compiler::mapping::{Target, default_map};
use systolic_compiler::model::{Int, Kernel};
use systolic_compiler::search;
use systolic_compiler::series::{Series, line, partitions, read_line, split};
use systolic_compiler::syntax::{print_kernel, tree};
use systolic_compiler::target::GPU;
use systolic_compiler::{check, searched_units};
use systolic_oracle::few_sizes;

/// How a member is run.
type Run<'r> = &'r dyn Fn(&Lawful, &[Int], &Inputs) -> Result<Vec<Tensor>, String>;

fn by_evaluator(member: &Lawful, sizes: &[Int], inputs: &Inputs) -> Result<Vec<Tensor>, String> {
    evaluate(member.kernel(), sizes, inputs).map_err(|why| why.to_string())
}

/// By the program of the map that the rules choose, if there is one.
fn by_program(member: &Lawful, sizes: &[Int], inputs: &Inputs) -> Result<Vec<Tensor>, String> {
    let map = default_map(member, Target::Gpu);
    match map.and_then(|map| compile(member.kernel(), &map, Target::Gpu).ok()) {
        Some(program) => interpret(&program, member.kernel(), sizes, inputs, 1).map_err(|trap| trap.to_string()),
        None => by_evaluator(member, sizes, inputs),
    }
}

/// Runs the members in this order, as the runtime does. Arrays between them that nothing has stored are an error.
fn run(
    series: &Series,
    order: &[usize],
    outputs: usize,
    sizes: &[Int],
    inputs: &Inputs,
    run: Run<'_>,
) -> Result<Vec<Tensor>, String> {
    let mut all: Vec<Option<Tensor>> = vec![None; outputs];
    let mut between: Vec<Option<Tensor>> = vec![None; series.between.len()];
    for member in order.iter().map(|k| &series.members[*k]) {
        let mut inputs = inputs.clone();
        for k in &member.reads {
            inputs.parameters.push(Input::Array(between[*k].clone().ok_or("an array is read before it is stored")?));
        }
        let stored = run(&member.lawful, sizes, &inputs)?;
        let places = member.outputs.iter().map(|k| (true, *k)).chain(member.stores.iter().map(|k| (false, *k)));
        for ((is_output, k), tensor) in places.zip(stored) {
            let place = if is_output { &mut all[k] } else { &mut between[k] };
            *place = Some(tensor);
        }
    }
    all.into_iter().collect::<Option<Vec<Tensor>>>().ok_or("an output is not stored".to_string())
}

/// Compares a series with the whole kernel at a few sizes.
fn compare(series: &Series, kernel: &Kernel, member: Run<'_>) -> Result<usize, String> {
    let order: Vec<usize> = (0..series.members.len()).collect();
    let mut runs = 0;
    for (seed, sizes) in few_sizes(kernel, &[], 300, 5).into_iter().enumerate() {
        let inputs = random_inputs(kernel, &sizes, seed as u64);
        let expected = match evaluate(kernel, &sizes, &inputs) {
            Ok(outputs) => outputs,
            Err(EvaluateError::TooLarge) => continue,
            Err(why) => return Err(format!("at {sizes:?}: {why}")),
        };
        let found = run(series, &order, kernel.outputs.len(), &sizes, &inputs, member)
            .map_err(|why| format!("at {sizes:?}: {why}"))?;
        if !found.iter().zip(&expected).all(|(a, b)| a.same_bits(b)) {
            return Err(format!("at {sizes:?} the outputs differ"));
        }
        runs += 1;
    }
    Ok(runs)
}

fn text(series: &Series) -> String {
    series.members.iter().map(|member| print_kernel(&member.tree)).collect()
}

/// Splits an instance in every way and compares.
fn judge(tree: &tree::Kernel, lawful: &Lawful, name: &str, ways: &[Run<'_>], report: &mut Report) {
    let kernel = lawful.kernel();
    for partition in partitions(kernel) {
        let written = line(kernel, &partition);
        if read_line(kernel, &format!("    map {{ }}\n{written}")).as_ref() != Some(&partition) {
            report.wrong(format!("{name}\n{written} is read as another partition"));
        }
        let Some(series) = report.time("split", || split(tree, kernel, &partition)) else {
            report.count("not split");
            continue;
        };
        report.count("split");
        for member in ways {
            match report.time("run", || compare(&series, kernel, *member)) {
                Ok(runs) => report.add("runs", runs),
                Err(why) => report.wrong(format!("{name}\n{}{why}", text(&series))),
            }
        }
    }
}

#[test]
fn random_kernels_as_series_compute_what_they_mean() {
    let count = number("SYSTOLIC_SERIES", if cfg!(debug_assertions) { 1000 } else { 20_000 });
    let first = number("SYSTOLIC_SEED", 0);
    let report = over_all(first..first + count, |seed, report| {
        let text = text_of(seed);
        for (tree, instances) in &check(text.parse().expect("tokens")).kernels {
            // Programs take much longer.
            let ways: &[Run<'_>] = if seed % 8 == 0 { &[&by_evaluator, &by_program] } else { &[&by_evaluator] };
            instances.iter().for_each(|lawful| judge(tree, lawful, &format!("seed {seed}\n{text}"), ways, report));
        }
    });
    report.assert_nothing_wrong();
    let (split, runs) = (report.counted("split"), report.counted("runs"));
    println!("{split} series, {} kernels that are not split, {runs} runs", report.counted("not split"));
    assert!(split > 0 && runs > split);
}

/// Kernels with the groups that they are cut into, by the first rule.
const CUT: &[(&str, &str)] = &[
    (
        "kernel table(x: [f32; R, C]) -> (z: [f32; R, C]) {
            for r in 0..R, c in 0..C {
                P[r, c] = x[r, c] + if c == 0 { 0.0 } else { P[r, c - 1] };
                S[r, c] = P[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
                z[r, c] = S[r, c];
            }
        }",
        "P | S, z",
    ),
    (
        "kernel both(x: [f32; R, C], a: f32) -> (z: [f32; R, C]) {
            for r in 0..R, c in 0..C {
                F[r, c] = x[r, c] + if c == 0 { 0.0 } else { a * F[r, c - 1] };
                B[r, c] = F[r, c] + if c == C - 1 { 0.0 } else { a * B[r, c + 1] };
                D[r, c] = B[r, c] + if r == 0 { 0.0 } else { a * D[r - 1, c] };
                U[r, c] = D[r, c] + if r == R - 1 { 0.0 } else { a * U[r + 1, c] };
                z[r, c] = U[r, c];
            }
        }",
        "F | B | D | U, z",
    ),
    (
        "kernel softmax(x: [f32; R, C]) -> (z: [f32; R, C]) {
            for r in 0..R, c in 0..C {
                M[r, c] = if c == 0 { x[r, c] } else { max(M[r, c - 1], x[r, c]) };
                T[r, c] = if c == C - 1 { M[r, c] } else { T[r, c + 1] };
                E[r, c] = exp(x[r, c] - T[r, c]);
                S[r, c] = E[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
                Q[r, c] = if c == C - 1 { S[r, c] } else { Q[r, c + 1] };
                z[r, c] = E[r, c] / Q[r, c];
            }
        }",
        "M | T, E | S | Q, z",
    ),
    (
        "kernel scanned(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
            for i in 0..M, j in 0..N, k in 0..K {
                C[i, j, k] = a[i, k] * b[k, j] + if k == 0 { 0.0 } else { C[i, j, k - 1] };
                S[i, j, k] = if k < K - 1 { 0.0 } else { C[i, j, k] + if j == 0 { 0.0 } else { S[i, j - 1, k] } };
                if k == K - 1 { c[i, j] = S[i, j, k]; }
            }
        }",
        "C | S, c",
    ),
    (
        "kernel triangle<type T in [f32, i16]>(x: [T; N, N]) -> (z: [T; N, N] rest 0) {
            for i in 0..N, j in i..N {
                X[i, j] = x[i, j] * x[i, j];
                P[i, j] = X[i, j] + if j == i { 0 as T } else { P[i, j - 1] };
                S[i, j] = P[i, j] + X[i, j] + if i == 0 { 0 as T } else { S[i - 1, j] };
                z[i, j] = S[i, j];
            }
        }",
        "P | S, z",
    ),
    (
        "kernel ragged(x: [i32; K, N, M], n: [u32; K] in 1..=N) -> (s: [i32; K]) {
            for k in 0..K, i in 0..n[k], j in 0..M {
                P[k, i, j] = x[k, i, j] + if j == 0 { 0 } else { P[k, i, j - 1] };
                S[k, i, j] = P[k, i, j] + if i == 0 { 0 } else { S[k, i - 1, j] };
                if i == n[k] - 1 && j == M - 1 { s[k] = S[k, i, j]; }
            }
        }",
        "P | S, s",
    ),
];

/// Kernels that one pass does.
const WHOLE: &[&str] = &[
    "kernel star(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + x[r, c - 1] + x[r, c] + x[r, c + 1] + x[r + 1, c]; }
    }",
    "kernel rows(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = 2.0 * S[r, c];
        }
    }",
    "kernel product(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            A[i, j, k] = if j == 0 { a[i, k] } else { A[i, j - 1, k] };
            B[i, j, k] = if i == 0 { b[k, j] } else { B[i - 1, j, k] };
            C[i, j, k] = A[i, j, k] * B[i, j, k] + if k == 0 { 0.0 } else { C[i, j, k - 1] };
            if k == K - 1 { c[i, j] = C[i, j, k]; }
        }
    }",
    "kernel warping(x: [f32; N], y: [f32; M]) -> (d: [f32; 1]) {
        for i in 0..N, j in 0..M {
            D[i, j] = abs(x[i] - y[j]) + (
                if i == 0 && j == 0 { 0.0 } else if i == 0 { D[i, j - 1] } else if j == 0 { D[i - 1, j] }
                else { min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]) });
            if i == N - 1 && j == M - 1 { d[0] = D[i, j]; }
        }
    }",
];

fn each(text: &str, mut visit: impl FnMut(&tree::Kernel, &Lawful)) {
    let checked = check(text.parse().expect("tokens"));
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    for (tree, instances) in &checked.kernels {
        instances.iter().for_each(|lawful| visit(tree, lawful));
    }
}

#[test]
fn what_is_carried_along_different_loops_is_cut() {
    let mut report = Report::default();
    for (text, groups) in CUT {
        each(text, |tree, lawful| {
            let first = partitions(lawful.kernel()).into_iter().next().unwrap_or_default();
            let line = line(lawful.kernel(), &first);
            assert!(line.trim_end().ends_with(&format!(": {groups}")), "{}: {line}", tree.name.text);
            assert!(split(tree, lawful.kernel(), &first).is_some(), "{}", tree.name.text);
            judge(tree, lawful, &tree.name.text, &[&by_evaluator, &by_program], &mut report);
        });
    }
    report.assert_nothing_wrong();
    for text in WHOLE {
        each(text, |tree, lawful| {
            assert_eq!(partitions(lawful.kernel()), Vec::<Vec<Vec<_>>>::new(), "{}", tree.name.text)
        });
    }
}

/// What is read at the last value of a loop alone has no axis for it, and its reader has only that iteration.
#[test]
fn arrays_have_no_axis_for_a_loop_of_which_one_value_is_read() {
    each(CUT[3].0, |tree, lawful| {
        let series = split(tree, lawful.kernel(), &partitions(lawful.kernel())[0]).expect("it is split");
        let text = text(&series);
        assert!(text.contains("C_kept: [f32; M, N]") && text.contains("k in K - 1..K {"), "{text}");
    });
}

/// A kernel that no map does in one launch.
const ALONE: &str = "kernel back(x: [i32; R, C]) -> (z: [i32; R, C]) {
    for r in 0..R, c in 0..C {
        F[r, c] = x[r, c] + if c == 0 { 0 } else { F[r, c - 1] };
        B[r, c] = F[r, c] + if c == C - 1 { 0 } else { B[r, c + 1] };
        z[r, c] = B[r, c];
    }
}";

/// The search takes a series where it is predicted to be much faster, or where there is no map. The text that is kept gives the same
/// programs without a search.
#[test]
fn series_are_searched_for_and_kept() {
    for (text, has_map) in [(CUT[0].0, true), (ALONE, false)] {
        let units = |kept: search::Kept<'_>, search: bool| {
            searched_units(text.parse().expect("tokens"), search::Effort { kept, search, machine: &GPU })
        };
        let first = units(&|_| None, true);
        let members: Vec<_> = first.iter().filter(|unit| unit.name.contains("(launch ")).collect();
        assert_eq!(members.len(), 2);
        let is_whole = |unit: &Unit| !members.iter().any(|m| m.key == unit.key) && !unit.is_variant;
        assert_eq!(first.iter().filter(|unit| is_whole(unit)).count(), usize::from(has_map));
        let key = members[0].key.strip_suffix("s1").expect("the first launch");
        assert_eq!(members[1].key, member_key(key, 2));
        assert!(members[0].series.is_some() && members[1].series.is_none());
        let text_of = |key: &str| first.iter().find(|unit| unit.key == key).and_then(|unit| unit.map.clone());
        let again = units(&text_of, false);
        assert_eq!(first.len(), again.len());
        for (a, b) in first.iter().zip(&again) {
            assert_eq!((&a.key, &a.source, &a.plan, &a.series), (&b.key, &b.source, &b.plan, &b.series), "{}", a.name);
            assert!(b.alternatives.is_empty() && a.map.is_some() && a.map == b.map);
            // Whoever launches the whole kernel compares its speed with that of the series.
            assert!(a.plan.contains("busy :"), "{}", a.plan);
        }
        // What was kept of another kernel is nothing.
        let other = |key: &str| text_of(key).map(|text| text.replace(": P |", ": Q |").replace(": F |", ": Q |"));
        assert!(units(&other, false).iter().all(|unit| unit.series.is_none()));
    }
    let units = searched_units(
        WHOLE[1].parse().expect("tokens"),
        search::Effort { kept: &|_| None, search: true, machine: &GPU },
    );
    assert!(units.iter().all(|unit| unit.series.is_none()));
}

/// Members in the wrong order, or an array that is too small, are noticed.
#[test]
fn wrong_series_are_noticed() {
    each(CUT[0].0, |tree, lawful| {
        let kernel = lawful.kernel();
        let series = split(tree, kernel, &partitions(kernel)[0]).expect("it is split");
        let inputs = random_inputs(kernel, &[5, 7], 0);
        assert!(run(&series, &[0, 1], 1, &[5, 7], &inputs, &by_program).is_ok());
        assert!(run(&series, &[1, 0], 1, &[5, 7], &inputs, &by_program).is_err());
        for member in &series.members {
            let small = print_kernel(&member.tree).replace("P_kept: [f32; R, C]", "P_kept: [f32; R, C - 1]");
            assert!(!check(small.parse().expect("tokens")).faults.is_empty(), "{small}");
        }
    });
}
