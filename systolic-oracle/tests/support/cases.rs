//! The cases of the rule that a run uses: for every wire of every point, from its producer's place to its consumer's.
use std::collections::BTreeSet;
use systolic_compiler::mapping::Layout;
use systolic_compiler::model::{Form, Int, Kernel, RowKind, StageMedium};
use systolic_compiler::program::{Inst, Operation, Program};
use systolic_oracle::{Instance, Placement, Verdict, Wire, placed};

/// A value that waits more steps than this waits in memory.
const DEEPEST_ROTATION: Int = 12;

/// Every case there is. Those from `overlap` on are parts of the language.
pub const CASES: [&str; 23] = [
    "rename",
    "shuffle",
    "rotation",
    "rotation, shuffled",
    "shared in step",
    "ring",
    "row",
    "row between warps",
    "feed",
    "stay",
    "overlap",
    "fold",
    "warps",
    "two warp rows",
    "two lane rows",
    "fewer rows than loops",
    "non-unimodular matrix",
    "sequential loops",
    "unrolled loops",
    "stage in shared",
    "stage in registers",
    "stencil of one input",
    "four loops",
];

/// Parts of the language that are younger than the record of the other cases.
pub const SHIFTED: &str = "shifted variables";
pub const YOUNG: [&str; 7] =
    [SHIFTED, "value of another block", "value of another launch", "blocks in order", "launches", "lengths", "rest"];

/// The cases of a program that ran at these sizes.
pub fn of_run(kernel: &Kernel, layout: &Layout, program: &Program, sizes: &[Int]) -> BTreeSet<&'static str> {
    let kernel = placed(kernel, layout.mapping);
    let placement = Placement::new(&kernel, layout.mapping, layout.places, sizes);
    let mut found = BTreeSet::new();
    for point in placement.space.points() {
        for sink in placement.instances(&point) {
            for wire in placement.wires(&sink) {
                found.extend(of_wire(layout, &placement, &sink, &wire));
            }
        }
    }
    found.extend(of_map(layout, program, &placement));
    found
}

/// Applies the rule to the places of a point and of what it reads.
fn of_wire(layout: &Layout, placement: &Placement, sink: &Instance, wire: &Wire) -> Option<&'static str> {
    let read = &placement.world.reads[wire.read];
    let moved = |row: &usize| placement.row(*row, sink) - placement.row(*row, &wire.source);
    let any_moved = |kind| placement.rows_of(kind).any(|row| moved(&row) != 0);
    let copy = placement.copies[read.variable];
    match placement.judge(sink, wire) {
        Verdict::WaitsFor => return Some("value of another block"),
        _ if placement.launch(sink) != placement.launch(&wire.source) && !copy => {
            return Some("value of another launch");
        }
        _ => {}
    }
    let beyond = wire.beyond_rim || any_moved(RowKind::Block);
    if beyond || copy && placement.leaves_tile(sink, &wire.source) {
        // A computed value beyond a halo reaches no store.
        return copy.then_some("feed");
    }
    let other_warp = any_moved(RowKind::Warp);
    let other_lane = placement.lane(sink).0 != placement.lane(&wire.source).0;
    let rolled: Vec<usize> = placement.rows_of(RowKind::Time).filter(|row| !layout.unrolled.contains(row)).collect();
    let steps: Vec<Int> = rolled.iter().map(moved).collect();
    let later = layout.unrolled.iter().any(|row| moved(row) != 0);
    let near = read.distance.iter().all(|d| *d == 0);
    let soon = delay(layout, &rolled, &steps).is_some_and(|d| d <= DEEPEST_ROTATION);
    let computed = |case| Some(if copy { "feed" } else { case });
    match (steps.iter().all(|d| *d == 0), other_warp, other_lane) {
        (true, false, false) => (!near).then_some("rename"),
        (true, false, true) if later => Some("shuffle"),
        (true, false, true) => computed("shuffle"),
        (true, true, _) => computed("shared in step"),
        (false, false, false) if soon => Some("rotation"),
        (false, false, true) if soon => Some("rotation, shuffled"),
        (false, true, _) if soon => computed("ring"),
        (false, false, _) => computed("row"),
        (false, true, _) => computed("row between warps"),
    }
}

/// The delay of a value in steps, if it is constant.
fn delay(layout: &Layout, rolled: &[usize], steps: &[Int]) -> Option<Int> {
    let first = steps.iter().position(|d| *d != 0)?;
    let mut inner = rolled.iter().zip(steps).skip(first + 1);
    inner.try_fold(steps[first], |delay, (row, step)| {
        layout.ranges[*row].map(|(low, high)| delay * (high - low + 1) + step)
    })
}

/// The features of the language that a map uses, and the properties of its program.
fn of_map(layout: &Layout, program: &Program, placement: &Placement) -> Vec<&'static str> {
    let (kernel, mapping) = (layout.kernel, layout.mapping);
    let matrix = mapping.matrix.as_ref();
    let hoisted = |m: &Inst| matches!(m.operation, Operation::Load { .. }) && m.level < program.frame.loops.len();
    let staged = |medium| mapping.stages.iter().any(|s| s.medium == medium);
    let all = [
        ("stay", program.values.iter().any(hoisted)),
        ("overlap", mapping.nodes.iter().any(|n| n.tile.as_ref().is_some_and(|t| t.before + t.after > 0))),
        ("blocks in order", mapping.ordered && !mapping.blocks.is_empty()),
        ("launches", !mapping.launches.is_empty()),
        ("lengths", kernel.lengths().next().is_some()),
        ("rest", kernel.outputs.iter().any(|output| output.rest.is_some())),
        (SHIFTED, mapping.shifts.iter().any(|s| s.by.iter().any(|by| *by != 0))),
        ("fold", mapping.fold > 1),
        ("warps", program.warp_count() > 1),
        ("two warp rows", layout.warps.len() > 1),
        ("two lane rows", layout.lanes.len() > 1),
        ("fewer rows than loops", matrix.is_some_and(|m| m.new.len() < m.old.len())),
        ("non-unimodular matrix", layout.leaves.iter().any(|l| l.denominator() != 1)),
        ("sequential loops", !mapping.sequential.is_empty()),
        ("unrolled loops", !layout.unrolled.is_empty()),
        ("stage in shared", staged(StageMedium::Shared)),
        ("stage in registers", staged(StageMedium::Registers)),
        ("stencil of one input", has_stencil(placement)),
        ("four loops", kernel.loops.len() == 4),
    ];
    all.into_iter().filter(|(_, is)| *is).map(|(case, _)| case).collect()
}

/// Whether one input is read at indices that differ by constants.
fn has_stencil(placement: &Placement) -> bool {
    let linear = |index: &[Form]| index.iter().map(|f| f.coefs.clone()).collect::<Vec<_>>();
    let reads = &placement.world.accesses;
    let apart = |a: &[Form], b: &[Form]| linear(a) == linear(b) && a != b;
    reads.iter().any(|a| reads.iter().any(|b| a.array == b.array && apart(&a.index, &b.index)))
}
