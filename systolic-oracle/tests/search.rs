//! The maps that the search finds for GPUs: each computes what the kernel means, by the evaluator, bit for bit; each is text that
//! gives the same program again; and the same kernel always gets the same map.
//!
//! `SYSTOLIC_SEARCHED` is the number of random kernels, `SYSTOLIC_OPENED` that of kernels with open maps, `SYSTOLIC_SEED` the
//! first seed.
mod support;

use support::files::workload_blocks;
use support::machine::{Effort, run_map};
use support::number;
use support::report::Report;
use support::seeds::{over_all, text_of};
use systolic_compiler::compile::{Which, compile};
use systolic_compiler::emit;
use systolic_compiler::fill::kept;
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::link::variant_key;
use systolic_compiler::mapping::{Target, default_map};
use systolic_compiler::model::taken_names;
use systolic_compiler::region::Name;
use systolic_compiler::report::map_text;
use systolic_compiler::search::{self, Search};
use systolic_compiler::syntax::tree::{ClauseKind, ExprKind};
use systolic_compiler::syntax::{self, print_kernel, print_map, tree};
use systolic_compiler::target::GPU;
use systolic_compiler::target::search::VARIANTS;
use systolic_compiler::{check, searched_units};
use systolic_oracle::Random;

/// Runs every map that the search returns for an instance.
fn judge(tree: &tree::Kernel, lawful: &Lawful, name: &str, effort: Effort, report: &mut Report) {
    let found = report.time("search", || Search::new(tree, lawful, &GPU).run());
    report.count(if found.is_empty() { "no map found" } else { "maps found" });
    for candidate in found {
        if let Err(why) = run_map(lawful.kernel(), &candidate.lawful, Target::Gpu, effort, 0, report) {
            report.wrong(format!("{name}\n{}{why}", print_map(&candidate.map)));
        }
    }
}

/// The default map, printed and read again, gives the same code.
fn is_text(tree: &tree::Kernel, lawful: &Lawful, name: &str, report: &mut Report) {
    let Some(map) = default_map(lawful, Target::Gpu) else { return };
    let text = map_text(lawful.kernel(), map.mapping(), &taken_names(tree));
    let code = |map: &LawfulMap| {
        let schedule = compile(lawful.kernel(), map, Target::Gpu).ok()?;
        Some(emit::unit(tree, lawful.kernel(), Which::Default, &schedule).source)
    };
    match kept(tree, lawful, Which::Default, &text) {
        Some(again) if code(&again) == code(&map) => report.count("printed maps"),
        Some(_) => report.wrong(format!("{name}\n{text}gives other code")),
        None => report.wrong(format!("{name}\n{text}is not lawful")),
    }
}

#[test]
fn random_kernels_with_found_maps_compute_what_they_mean() {
    let count = number("SYSTOLIC_SEARCHED", if cfg!(debug_assertions) { 40 } else { 200 });
    let first = number("SYSTOLIC_SEED", 0);
    let effort = Effort { sizes: 6, work: 200_000, ..Effort::with_points(500) };
    let report = over_all(first..first + count, |seed, report| {
        let text = text_of(seed);
        for (tree, instances) in &check(text.parse().expect("tokens")).kernels {
            for lawful in instances {
                let name = format!("seed {seed}\n{text}");
                judge(tree, lawful, &name, effort, report);
                is_text(tree, lawful, &name, report);
            }
        }
    });
    report.assert_nothing_wrong();
    let (found, none) = (report.counted("maps found"), report.counted("no map found"));
    println!("{found} kernels with a map, {none} without");
    assert!(report.counted("printed maps") > 0);
    assert!(found > none, "the search finds a map for {found} of {} kernels", found + none);
}

#[test]
fn workloads_with_found_maps_compute_what_they_mean() {
    // Every family of workloads; of each kernel the first instance, since a search takes a second.
    let mut report = Report::default();
    for (file, block) in workload_blocks() {
        for (tree, instances) in check(block).kernels.iter().step_by(3) {
            let Some(lawful) = instances.first() else { continue };
            judge(tree, lawful, &format!("{file}: {}", tree.name.text), Effort::with_points(400), &mut report);
        }
    }
    report.assert_nothing_wrong();
}

/// Kernels of several structures: a stencil, a filter, a product, fused steps, a scan, an alignment.
const KERNELS: &str = "
    kernel star(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + x[r, c - 1] + x[r, c] + x[r, c + 1] + x[r + 1, c]; }
    }
    kernel filter(x: [f32; R + 2, C + 2], w: const [f32; 3, 3]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..3, q in 0..3 {
            Z[r, c, p, q] = x[r + p, c + q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + 2] } else { 0.0 };
            if p == 2 && q == 2 { z[r, c] = Z[r, c, p, q]; }
        }
    }
    kernel product(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            C[i, j, k] = a[i, k] * b[k, j] + if k == 0 { 0.0 } else { C[i, j, k - 1] };
            if k == K - 1 { c[i, j] = C[i, j, k]; }
        }
    }
    kernel steps(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N, t in 0..4 {
            U[n, t] = if t == 0 { x[n] } else {
                0.5 * ((if n == 0 { 0.0 } else { U[n - 1, t - 1] }) + if n == N - 1 { 0.0 } else { U[n + 1, t - 1] })
            };
            if t == 3 { y[n] = U[n, t]; }
        }
    }
    kernel rows(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
    }
    kernel common(a: [u8; B, N], b: [u8; B, M]) -> (l: [i32; B]) {
        for k in 0..B, i in 0..N, j in 0..M {
            L[k, i, j] = if a[k, i] == b[k, j] { 1 + if i == 0 || j == 0 { 0 } else { L[k, i - 1, j - 1] } }
                else { max(if i == 0 { 0 } else { L[k, i - 1, j] }, if j == 0 { 0 } else { L[k, i, j - 1] }) };
            if i == N - 1 && j == M - 1 { l[k] = L[k, i, j]; }
        }
    }";

/// Kernels whose values go further than one block, and one with lengths and several outputs per item, each with the clauses that its
/// map has to have.
const FAR: [(&str, &[&str]); 5] = [
    (
        "kernel ends(x: [i32; B, N], n: [u32; B] in 1..=N, y: [i32; B, M], m: [u32; B] in 1..=M) -> (s: [i32; B], c: [u32; B]) {
            for k in 0..B, i in 0..n[k], j in 0..m[k] {
                H[k, i, j] = x[k, i] + y[k, j]
                    + max(if i == 0 { 0 } else { H[k, i - 1, j] }, if j == 0 { 0 } else { H[k, i, j - 1] });
                R[k, i, j] = if j == 0 { H[k, i, j] } else { max(R[k, i, j - 1], H[k, i, j]) };
                C[k, i, j] = if j == 0 { 0 } else { if H[k, i, j] > R[k, i, j - 1] { j as u32 } else { C[k, i, j - 1] } };
                if i == n[k] - 1 && j == m[k] - 1 { s[k] = R[k, i, j]; c[k] = C[k, i, j]; }
            }
        }",
        &["blocks (k"],
    ),
    (
        "kernel table(x: [i32; R, C]) -> (z: [i32; R, C]) {
            for r in 0..R, c in 0..C {
                P[r, c] = x[r, c] + if c == 0 { 0 } else { P[r, c - 1] };
                S[r, c] = P[r, c] + if r == 0 { 0 } else { S[r - 1, c] };
                z[r, c] = S[r, c];
            }
        }",
        &["in order"],
    ),
    (
        "kernel warping(x: [f32; N], y: [f32; M]) -> (d: [f32; 1]) {
            for i in 0..N, j in 0..M {
                D[i, j] = abs(x[i] - y[j]) + (
                    if i == 0 && j == 0 { 0.0 } else if i == 0 { D[i, j - 1] } else if j == 0 { D[i - 1, j] }
                    else { min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]) });
                if i == N - 1 && j == M - 1 { d[0] = D[i, j]; }
            }
        }",
        &["in order"],
    ),
    (
        "kernel heat(x: [f32; N], steps: size) -> (z: [f32; N]) {
            for t in 0..steps + 1, n in 0..N {
                U[t, n] = if t == 0 { x[n] } else if n == 0 || n == N - 1 { U[t - 1, n] }
                    else { 0.5 * U[t - 1, n] + 0.25 * (U[t - 1, n - 1] + U[t - 1, n + 1]) };
                if t == steps { z[n] = U[t, n]; }
            }
        }",
        &["launches"],
    ),
    (
        "kernel sweeps(x: [f32; R, C], steps: size) -> (z: [f32; R, C]) {
            for t in 0..steps + 1, r in 0..R, c in 0..C {
                U[t, r, c] = if t == 0 { x[r, c] }
                    else if r == 0 || r == R - 1 || c == 0 || c == C - 1 { U[t - 1, r, c] }
                    else { 0.25 * (U[t, r - 1, c] + U[t - 1, r + 1, c] + U[t, r, c - 1] + U[t - 1, r, c + 1]) };
                if t == steps { z[r, c] = U[t, r, c]; }
            }
        }",
        &["launches", "in order"],
    ),
];

#[test]
fn maps_are_found_for_values_that_go_far_and_for_lengths() {
    let mut report = Report::default();
    for (text, clauses) in FAR {
        for (tree, instances) in &check(text.parse().expect("tokens")).kernels {
            let found = Search::new(tree, &instances[0], &GPU).run();
            let best = print_map(&found.first().expect("a map is found").map);
            assert!(
                clauses.iter().all(|clause| best.contains(clause)),
                "{}: no {clauses:?} in\n{best}",
                tree.name.text
            );
            judge(tree, &instances[0], &tree.name.text, Effort::with_points(2000), &mut report);
        }
    }
    report.assert_nothing_wrong();
}

/// Stages that read each other at later points, each with the clauses that its map has to have.
const STAGES: [(&str, &[&str]); 4] = [
    (
        "kernel separable(x: [f32; R, C] border clamp, w: const [f32; 3]) -> (y: [f32; R, C]) {
            for r in -1..R + 1, c in 0..C {
                H[r, c] = x[r, c - 1] * w[0] + x[r, c] * w[1] + x[r, c + 1] * w[2];
                if 0 <= r && r < R { y[r, c] = H[r - 1, c] * w[0] + H[r, c] * w[1] + H[r + 1, c] * w[2]; }
            }
        }",
        &["shift y by (1, 0)", "overlap r by (2, 0)"],
    ),
    (
        "kernel gradient(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
            for r in -1..R + 1, c in -1..C + 1 {
                B[r, c] = 0.25 * x[r - 1, c] + 0.5 * x[r, c] + 0.25 * x[r + 1, c];
                if 0 <= r && r < R && 0 <= c && c < C {
                    y[r, c] = abs(B[r + 1, c] - B[r - 1, c]) + abs(B[r, c + 1] - B[r, c - 1]);
                }
            }
        }",
        &["shift y by (1, 0)", "overlap r by (2, 0)", "overlap c"],
    ),
    (
        "kernel three(x: [i32; R, C] border reflect) -> (y: [i32; R, C]) {
            for r in -2..R + 2, c in 0..C {
                A[r, c] = x[r, c - 1] + x[r, c + 1];
                B[r, c] = if r < R + 1 && -2 < r { A[r - 1, c] + A[r + 1, c] } else { 0 };
                if 0 <= r && r < R { y[r, c] = B[r + 1, c] - B[r - 1, c] + A[r, c]; }
            }
        }",
        &["shift B by (1, 0)", "shift y by (2, 0)", "overlap r by (4, 0)"],
    ),
    (
        "kernel line(x: [f32; N] border clamp) -> (y: [f32; N]) {
            for n in -2..N + 2 {
                A[n] = 0.5 * (x[n - 1] + x[n + 1]);
                if 0 <= n && n < N { y[n] = A[n + 2] - A[n - 2]; }
            }
        }",
        &["overlap n"],
    ),
];

#[test]
fn stages_are_one_pass() {
    let mut report = Report::default();
    for (text, clauses) in STAGES {
        let units = |kept: search::Kept<'_>| {
            searched_units(text.parse().expect("tokens"), search::Effort { kept, search: true, machine: &GPU })
        };
        for (tree, instances) in &check(text.parse().expect("tokens")).kernels {
            let found = Search::new(tree, &instances[0], &GPU).run();
            let best = print_map(&found.first().expect("a map is found").map);
            assert!(clauses.iter().all(|clause| best.contains(clause)), "{}: {clauses:?} in\n{best}", tree.name.text);
            judge(tree, &instances[0], &tree.name.text, Effort::with_points(2000), &mut report);
        }
        // The map that is kept, read again, gives the same program.
        let first = units(&|_| None);
        let text_of = |key: &str| first.iter().find(|unit| unit.key == key).and_then(|unit| unit.map.clone());
        let again = units(&text_of);
        assert!(first.iter().zip(&again).all(|(a, b)| a.map.is_some() && (&a.source, &a.plan) == (&b.source, &b.plan)));
    }
    report.assert_nothing_wrong();
}

#[test]
fn a_found_map_is_text_that_gives_the_same_program() {
    let units = |kept: search::Kept<'_>| {
        searched_units(KERNELS.parse().expect("tokens"), search::Effort { kept, search: true, machine: &GPU })
    };
    let found = units(&|_| None);
    let is_variant = |key: &str| (1..=VARIANTS).any(|k| found.iter().any(|unit| variant_key(&unit.key, k) == key));
    assert_eq!(found.iter().filter(|unit| !is_variant(&unit.key)).count(), 6, "a unit per kernel");
    for unit in &found {
        let map = unit.map.as_deref().expect("a map was found");
        assert!(map.contains("lanes"), "{map}");
        assert!(unit.alternatives.iter().all(|other| other.key == unit.key && other.source != unit.source));
    }
    let text = |key: &str| found.iter().find(|unit| unit.key == key).and_then(|unit| unit.map.clone());
    let again = units(&text);
    for (first, second) in found.iter().zip(&again) {
        assert_eq!((&first.source, &first.plan), (&second.source, &second.plan), "{}", first.name);
        assert!(second.alternatives.is_empty(), "{} was searched again", first.name);
    }
    // The same kernel, the same map.
    let once_more = units(&|_| None);
    assert!(found.iter().zip(&once_more).all(|(a, b)| a.source == b.source && a.map == b.map));
}

/// A random kernel that is lawful, with its maps opened: some numbers are `_`, or the map is automatic and lacks some of its
/// clauses.
fn opened(seed: u64) -> Option<tree::Kernel> {
    if !check(text_of(seed).parse().ok()?).faults.is_empty() {
        return None;
    }
    let mut kernel = syntax::parse(text_of(seed).parse().ok()?).block.kernels.into_iter().next()?;
    let mut random = Random::new(seed);
    for map in &mut kernel.maps {
        map.auto = random.chance(50);
        if map.auto {
            map.name.get_or_insert_with(|| Name { text: "auto".to_string(), at: map.at });
            map.clauses.retain(|clause| match clause.kind {
                // The loops of a tile are named by other clauses.
                ClauseKind::Tile { .. } | ClauseKind::Shift { .. } => true,
                _ => random.chance(50),
            });
        }
        for number in map.clauses.iter_mut().filter_map(|clause| clause.kind.number_mut()) {
            if random.chance(50) {
                number.kind = ExprKind::Hole;
            }
        }
    }
    kernel.maps.iter().any(tree::Map::is_open).then_some(kernel)
}

#[test]
fn completed_maps_compute_what_they_mean() {
    let count = number("SYSTOLIC_OPENED", if cfg!(debug_assertions) { 100 } else { 600 });
    let first = number("SYSTOLIC_SEED", 0);
    let effort = Effort { sizes: 6, work: 200_000, ..Effort::with_points(400) };
    let report = over_all(first..first + count, |seed, report| {
        let Some(kernel) = opened(seed) else { return };
        let text = print_kernel(&kernel);
        let checked = check(text.parse().expect("tokens"));
        report.count(if checked.faults.is_empty() { "completed" } else { "refused" });
        for (tree, instances) in &checked.kernels {
            for (lawful, position) in instances.iter().flat_map(|l| l.kernel().open.iter().map(move |p| (l, *p))) {
                for target in [Target::Gpu, Target::Cpu] {
                    let Some(map) = lawful.map(position, target.device()) else { continue };
                    if let Err(why) = run_map(lawful.kernel(), map, target, effort, seed, report) {
                        report.wrong(format!("seed {seed}, {target:?}\n{text}{why}"));
                    }
                }
                // The search takes longer than all else.
                if seed % 16 == 0 {
                    for candidate in Search::within(tree, lawful, &GPU, position).run() {
                        let lawful = lawful.kernel();
                        if let Err(why) = run_map(lawful, &candidate.lawful, Target::Gpu, effort, seed, report) {
                            report.wrong(format!("seed {seed}, searched\n{text}{}{why}", print_map(&candidate.map)));
                        }
                    }
                }
            }
        }
    });
    report.assert_nothing_wrong();
    let (completed, refused) = (report.counted("completed"), report.counted("refused"));
    println!("{completed} kernels with completed maps, {refused} refused");
    assert!(completed > refused, "{completed} kernels have completed maps, {refused} are refused");
}
