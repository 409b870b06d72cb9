//! Programs of kernels whose form is known by hand.
use super::support::{checked, kernel, program, text};
use systolic_compiler::mapping::{Atom, Target};
use systolic_compiler::program::{Condition, Operation, range};
use systolic_compiler::schedule::{Line, Schedule, Section, Version, predicates, print};

/// The steady-state section of the innermost loop: of those that store, the one with the fewest lines.
fn steady(program: &Schedule) -> &Section {
    let storing = program.sections().filter(|p| !p.step.stores.is_empty());
    storing.min_by_key(|p| p.step.lines.len()).expect("a section that stores")
}

/// The first section of the first version.
fn first(schedule: &Schedule) -> &Section {
    &schedule.versions[0].sections[0]
}

fn loads(section: &Section) -> usize {
    section.step.lines.iter().filter(|l| matches!(l.inst.operation, Operation::Load { .. })).count()
}

#[test]
fn steady_loops_evaluate_no_guard() {
    let rows = kernel("conv2d.rs", "conv2d", "T = f32");
    let scan = kernel("scans.rs", "scan_rows", "");
    let columns = kernel("scans.rs", "scan_columns", "");
    let bsm = kernel("conv2d.rs", "conv2d_columns", "");
    let cases = [(rows, "rows"), (scan, ""), (columns, ""), (bsm, "sbm")];
    for (lawful, map) in cases {
        for target in [Target::Gpu, Target::Cpu] {
            let program = program(&lawful, map, target);
            if program.frame.loops.is_empty() {
                continue;
            }
            let found = predicates(&program, &steady(&program).step);
            assert_eq!(found, 0, "{} {map} {target:?}\n{}", lawful.kernel().name.text, print(&program));
        }
    }
}

/// Straight-line programs have no loop: the only comparisons are those that depend on lanes and blocks.
#[test]
fn the_array_of_one_line_has_one_store() {
    let sbm = program(&kernel("conv1d.rs", "conv1d_sbm", "Q = 5"), "", Target::Gpu);
    // The interior version and the boundary version.
    assert_eq!((sbm.frame.loops.len(), sbm.sections().count()), (0, 2));
    let step = &first(&sbm).step;
    assert_eq!(step.stores.len(), 1);
    assert_eq!(loads(first(&sbm)), 6, "one element a lane and five weights\n{}", print(&sbm));
    assert_eq!(sbm.count(|op| matches!(op, Operation::Shuffle { .. })), 4);
}

const STAR: &str = "
    kernel star(x: [f32; R, C] border clamp) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Z[r, c] = x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1] + x[r, c];
            z[r, c] = Z[r, c];
        }
        map { tile c by 32 as (cb, ci); tile r by 64 as (rb, ri); blocks (rb, cb);
              space_time (ci, ri) -> (s, t) = [[1, 0], [0, 1]]; lanes s; }
    }";

#[test]
fn a_stencil_in_its_natural_form_loads_a_point_once() {
    let star = program(&text(STAR), "", Target::Gpu);
    let section = steady(&star);
    let rims = section
        .step
        .lines
        .iter()
        .filter(|l| matches!(l.inst.operation, Operation::Load { .. }) && l.inst.needed.to_string() != "always");
    assert_eq!(loads(section) - rims.count(), 1, "{}", print(&star));
    assert_eq!(predicates(&star, &section.step), 0, "{}", print(&star));
    // On a CPU a second load is cheaper than a shuffle.
    let star = program(&text(STAR), "", Target::Cpu);
    assert_eq!(star.count(|op| matches!(op, Operation::Shuffle { .. })), 0);
    assert_eq!(loads(steady(&star)), 5);
}

#[test]
fn staged_arrays_are_read_from_their_box() {
    let staged = program(&kernel("stencils.rs", "star3d7", ""), "", Target::Gpu);
    assert_eq!(staged.stages.len(), 1, "{}", print(&staged));
    assert_eq!(staged.stages[0].extents[1..], [6, 34]);
    let from_memory = |op: &Operation| matches!(op, Operation::Load { array, .. } if staged.in_memory(*array));
    assert_eq!(staged.count(from_memory), 0);
    let plain = program(&kernel("stencils.rs", "star3d7", ""), "", Target::Cpu);
    assert!(plain.stages.is_empty());
}

const FILTER: &str = "
    kernel filter<const N: usize = 9>(x: [f32; R + N - 1, C + N - 1], w: const [f32; N, N]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..N, q in 0..N {
            X[r, c, p, q] = if q == 0 || c == C - 1 { x[r + p, c + q] } else { X[r, c + 1, p, q - 1] };
            Z[r, c, p, q] = X[r, c, p, q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + N - 1] } else { 0.0 };
            if p == N - 1 && q == N - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map { tile c by 128 as (cb, ci); tile r by 64 as (rb, ri); blocks (rb, cb);
              space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, -1, 0], [0, 0, 0, 1]];
              lanes s fold 4; unroll (u, v); }
    }";

#[test]
fn the_cpu_rolls_the_columns_of_a_large_filter() {
    let large = text(FILTER);
    let (gpu, cpu) = (program(&large, "", Target::Gpu), program(&large, "", Target::Cpu));
    let longest = |p: &Schedule| p.sections().map(|p| p.step.lines.len()).max().unwrap_or(0);
    // Loops for the fold, the rows and the columns of the filter; one sum per row of the filter.
    assert_eq!((gpu.frame.loops.len(), cpu.frame.loops.len()), (1, 3), "{}", print(&cpu));
    assert_eq!(cpu.registers.iter().map(|r| r.delay).sum::<i128>(), 9, "{}", print(&cpu));
    assert!(10 * longest(&cpu) < longest(&gpu), "{} against {}", longest(&cpu), longest(&gpu));
}

#[test]
fn neighbours_in_a_fold_are_one_access() {
    let rows = program(&kernel("conv2d.rs", "conv2d", "T = f32"), "rows", Target::Gpu);
    let step = &steady(&rows).step;
    assert_eq!((step.wide_loads.len(), step.wide_stores.len()), (2, 1), "{}", print(&rows));
    assert_eq!((step.wide_loads[0].members.len(), step.wide_stores[0].members.len()), (4, 4));
    // Eight elements are two wide loads, and so are the eight of the next lane.
    let natural = FILTER
        .replace("X[r, c, p, q] = if q == 0 || c == C - 1 { x[r + p, c + q] } else { X[r, c + 1, p, q - 1] };", "")
        .replace("X[r, c, p, q]", "x[r + p, c + q]")
        .replace("tile c by 128", "tile c by 256")
        .replace("fold 4", "fold 8");
    let eight = program(&text(&natural), "", Target::Gpu);
    let step = &eight.sections().max_by_key(|p| p.step.lines.len()).expect("a section").step;
    assert_eq!((step.wide_loads.len(), step.wide_stores.len()), (4, 2), "{}", print(&eight));
    let sent = |p: &Schedule| p.count(|op| matches!(op, Operation::Rotate { .. } | Operation::Shuffle { .. }));
    assert_eq!(sent(&eight), 0, "{}", print(&eight));
    // If the map keeps them in registers, they are exchanged by shuffles; those of the last lane are loaded by lanes at
    // the other end.
    let kept = natural.replace("lanes s", "stage x in registers at t; lanes s");
    let kept = program(&text(&kept), "", Target::Gpu);
    let step = &kept.sections().max_by_key(|p| p.step.lines.len()).expect("a section").step;
    assert_eq!(
        (step.wide_loads.len(), kept.count(|op| matches!(op, Operation::Rotate { .. }))),
        (4, 8),
        "{}",
        print(&kept)
    );
}

/// A single neighbour element is exchanged by a shuffle, because a wide load would bring unused elements too. If steps
/// are unrolled and need many neighbours, they are loaded, unless they are smaller than a word.
#[test]
fn a_single_neighbour_is_sent() {
    let reads = |ty: &str, from: &str, rows: usize| {
        program(
            &text(&format!(
                "kernel sums(x: [{ty}; R, C] border clamp) -> (z: [{ty}; R, C]) {{
                    for r in 0..R, c in 0..C {{ z[r, c] = x[r, c] + {from}; }}
                    map {{ tile c by 128 as (cb, ci); tile r by {rows} as (rb, ri); blocks (rb, cb);
                           space_time (ci, ri) -> (s, t) = [[1, 0], [0, 1]]; lanes s fold 4; }}
                }}"
            )),
            "",
            Target::Gpu,
        )
    };
    let rotations = |p: &Schedule| p.count(|op| matches!(op, Operation::Rotate { .. }));
    let (one, two) = ("x[r, c + 1]", "x[r, c + 1] + x[r, c + 2]");
    let cross = "x[r, c - 1] + x[r, c + 1] + x[r - 1, c - 1] + x[r + 1, c + 1] + x[r - 1, c + 1] + x[r + 1, c - 1]";
    // A loop, and one or two unrolled steps: there a cross takes six accesses per stored one, or four.
    let expected = [
        (one, [("f32", 64, 1), ("f32", 1, 1), ("f16", 1, 1)]),
        (two, [("f32", 64, 0), ("f32", 1, 0), ("f16", 1, 2)]),
        (cross, [("f32", 1, 0), ("f32", 2, 8), ("f16", 1, 6)]),
    ];
    for (from, cases) in expected {
        for (ty, rows, sent) in cases {
            let found = reads(ty, from, rows);
            assert_eq!(rotations(&found), sent, "{from}, {ty}, {rows}\n{}", print(&found));
        }
    }
}

const BORDERED: &str = "
    kernel blur(x: [f32; R, C] border BORDER) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C { z[r, c] = x[r - 1, c - 1] + x[r, c] + x[r + 1, c + 1]; }
        map { tile c by 128 as (cb, ci); tile r by 64 as (rb, ri); blocks (rb, cb);
              space_time (ci, ri) -> (s, t) = [[1, 0], [0, 1]]; lanes s fold 4; }
    }";

/// In interior blocks no lane compares, and no border is evaluated.
#[test]
fn blocks_away_from_edges_ask_nothing() {
    for border in ["reflect", "symmetric"] {
        let blur = program(&text(&BORDERED.replace("BORDER", border)), "", Target::Gpu);
        let step = &steady(&blur).step;
        let loads = || step.lines.iter().filter(|l| matches!(l.inst.operation, Operation::Load { .. }));
        let inside = |l: &Line| l.inst.inside.len() == 2 && l.inst.inside.iter().all(|c| *c == Condition::True);
        assert!(loads().all(inside), "{}", print(&blur));
        assert!(step.stores.iter().all(|s| s.condition.to_string() == "always"), "{}", print(&blur));
        assert!(blur.versions.len() > 1, "{}", print(&blur));
    }
}

const LAYERS: &str = "
    kernel layers(x: [f32; L, R, C] border clamp) -> (z: [f32; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C { z[l, r, c] = x[l - 1, r, c] + x[l, r - 1, c] + x[l + 1, r + 1, c]; }
        map { tile c by 128 as (cb, ci); tile l by 64 as (lb, li); blocks (lb, r, cb);
              space_time (ci, li) -> (s, t) = [[1, 0], [0, 1]]; lanes s fold 4; }
    }";

/// If only layers and rows lie outside, the border applies only along these, and neighbours are still loaded by wide
/// accesses.
#[test]
fn borders_of_layers_and_rows_leave_neighbours_together() {
    let layers = program(&text(LAYERS), "", Target::Gpu);
    let versions = &layers.versions;
    let led = |version: &Version| version.sections.iter().flat_map(|s| &s.step.wide_loads).any(|w| !w.back.is_empty());
    // The interior version, then the version that is interior only along the lanes.
    assert!(versions.len() > 2 && !led(&versions[0]) && led(&versions[1]), "{}", print(&layers));
    for section in versions[..2].iter().flat_map(|version| &version.sections) {
        let wide = &section.step.wide_loads;
        assert_eq!(wide.iter().map(|w| w.members.len()).sum::<usize>(), loads(section), "{}", print(&layers));
        assert!(wide.iter().all(|w| w.when == Condition::True), "{}", print(&layers));
    }
}

const WRITTEN_OUT: &str = "
    kernel cross(x: [f32; R, C] border BORDER) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C { z[r, c] = x[r - 1, c] + x[r, c - 4] + x[r, c] + x[r, c + 4] + x[r + 1, c]; }
        map { tile c by 128 as (cb, ci); tile r by 4 as (rb, ri); blocks (rb, cb);
              space_time (ci, ri) -> (s, t) = [[1, 0], [0, 1]]; lanes s fold 4; unroll (t); }
    }";

/// If the row length is a multiple of a wide access, boundary blocks load neighbours by wide accesses too, and the
/// border computes the elements beyond an end from them.
#[test]
fn in_whole_rows_a_border_leads_neighbours_back_together() {
    let of = |border: &str| program(&text(&WRITTEN_OUT.replace("BORDER", border)), "", Target::Gpu);
    for border in ["clamp", "wrap"] {
        let cross = of(border);
        let [_, whole, rest] = cross.versions.as_slice() else { panic!("three versions\n{}", print(&cross)) };
        assert_eq!(whole.when.to_string(), "size1 % 4 == 0", "{}", print(&cross));
        let wide = &whole.sections[0].step.wide_loads;
        assert!(wide.iter().all(|w| (&w.when, &w.guard) == (&Condition::True, &Condition::True)), "{}", print(&cross));
        let past = |before, after| wide.iter().filter(|w| (w.past.before, w.past.after) == (before, after)).count();
        // For each of four rows, the elements before and after the lane's own; six rows are its own.
        assert_eq!((past(true, false), past(false, true), past(true, true)), (4, 4, 0), "{}", print(&cross));
        assert!(rest.sections[0].step.wide_loads.iter().any(|w| w.when != Condition::True), "{}", print(&cross));
    }
    // Mirrored neighbours are in reverse order.
    for border in ["reflect", "symmetric"] {
        let mirrored = of(border);
        assert!(!print(&mirrored).contains("% 4"), "{}", print(&mirrored));
    }
}

const ONE_WARP: &str = "
    kernel one(x: [f32; N]) -> (z: [f32; N]) {
        for i in 40..41, j in 0..N {
            V[i, j] = x[j] * (i as f32);
            z[j] = V[i, j];
        }
        map { tile i by 65 as (io, ii); tile j by 32 as (jb, ji); blocks (jb); warps (ii); lanes ji; }
    }";

#[test]
fn a_row_of_one_warp_is_no_place() {
    for target in [Target::Gpu, Target::Cpu] {
        let one = program(&text(ONE_WARP), "", target);
        assert_eq!(one.warp_count(), 1);
        assert!(!print(&one).contains("warp0"), "{}", print(&one));
    }
}

/// Two fused smoothing steps: a tile is followed by a halo that other blocks store, and the loop by the steps of the
/// halo.
const SMOOTH: &str = "
    kernel smooth(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, t in 0..3 {
            U[r, c, t] = if t == 0 { x[r, c] } else {
                (if r == 0 { 0.0 } else { U[r - 1, c, t - 1] }) + (if r == R - 1 { 0.0 } else { U[r + 1, c, t - 1] })
            };
            if t == 2 { y[r, c] = U[r, c, t]; }
        }
        map { tile c by 32 as (cb, ci); tile r by 64 as (rb, ri); blocks (rb, cb); overlap r by 2;
              space_time (ci, ri, t) -> (s, u, v) = [[1, 0, 0], [0, 1, 1], [0, 0, 1]]; lanes s; unroll (v); }
    }";

#[test]
fn a_loop_ends_with_its_last_store() {
    for target in [Target::Gpu, Target::Cpu] {
        let smooth = program(&text(SMOOTH), "", target);
        let last = smooth.frame.loops.last().map(|l| (l.low.to_string(), l.high.clone())).expect("a loop");
        // Row 63 is the last of the tile and is stored at step 65; the last row of the halo, 65, would be complete at
        // step 67.
        let rows = |size: i128| {
            let at = |atom: &Atom| if matches!(atom, Atom::Size(_)) { size } else { 0 };
            last.1.value(&at).expect("a number")
        };
        assert_eq!((last.0.as_str(), rows(1000), rows(10)), ("-2", 65, 11), "{}", print(&smooth));
        // Row 0 is stored at step 2: sections without stores end before it.
        let early = |p: &Section| range(&p.low, &p.high).is_some_and(|(low, high)| (low, high) == (-2, 1));
        let idle = smooth.sections().filter(|p| p.step.stores.is_empty());
        assert_eq!(idle.filter(|p| !early(p)).count(), 0, "no section after the last store\n{}", print(&smooth));
    }
}

/// A product with a transposed matrix.
const TRANSPOSED: &str = "kernel product(a: [f32; M, K], b: [f32; N, K]) -> (y: [f32; M, N]) {
    for i in 0..M, j in 0..N, k in 0..K {
        S[i, j, k] = a[i, k] * b[j, k] + if k == 0 { 0.0 } else { S[i, j, k - 1] };
        if k == K - 1 { y[i, j] = S[i, j, k]; }
    }
    MAP
}";

#[test]
fn boxes_are_filled_in_pieces_an_iteration_ahead() {
    let map = |piece: i32, rows: i32| {
        let map = format!(
            "map {{
                tile i by {rows} as (ib, ii); tile j by 128 as (jb, jw); tile jw by 32 as (ju, jl); tile k by {piece} as (ko, ki);
                blocks (ib, jb); reorder (ko, ki, ii, ju); lanes jl; unroll (ki, ii, ju);
                stage a in shared at ko; stage b in shared at ko;
            }}"
        );
        program(&checked(&TRANSPOSED.replace("MAP", &map)), "", Target::Gpu)
    };
    let boxes = |program: &Schedule| {
        let of = |s: &systolic_compiler::program::Stage| (s.extents.clone(), s.pitch, s.piece, s.together, s.is_double);
        program.stages.iter().map(of).collect::<Vec<_>>()
    };
    // Rows of the second box are 20 apart: eight lanes that read 16 bytes each then reach all banks.
    let wide = map(16, 4);
    assert_eq!(boxes(&wide), [(vec![4, 16], 16, 4, 4, true), (vec![128, 16], 20, 4, 4, true)]);
    assert!(wide.has_wide());
    // Rows of 6 consist of pieces of two elements, and rows of 5 of single ones.
    assert_eq!(boxes(&map(6, 1)), [(vec![1, 6], 6, 2, 2, true), (vec![128, 6], 6, 2, 2, true)]);
    assert_eq!(boxes(&map(5, 1)), [(vec![1, 5], 5, 1, 1, true), (vec![128, 5], 5, 1, 1, true)]);
    // Two boxes of this length would leave no room for other blocks.
    assert_eq!(boxes(&map(64, 1)), [(vec![1, 64], 64, 4, 4, false), (vec![128, 64], 68, 4, 4, false)]);
}

#[test]
fn the_search_brings_to_shared_memory_what_lanes_read_across() {
    let text = TRANSPOSED.replace("MAP", "");
    let all = systolic_compiler::check(text.parse().expect("tokens"));
    let (tree, instances) = &all.kernels[0];
    let found = systolic_compiler::search::Search::new(tree, &instances[0], &systolic_compiler::target::GPU).run();
    let map = systolic_compiler::syntax::print_map(&found[0].map);
    assert!(map.contains("stage a in shared") && map.contains("stage b in shared"), "{map}");
    assert!(found[0].schedule.stages.iter().all(|stage| stage.is_double && stage.together == 4));
}
