//! Staging: loads of an array that the map stages in shared memory read from a box, which the block fills once per iteration
//! of a loop.
//!
//! ```text
//! before                                                     after
//!
//! for t0 in 0..=size1 - 1                                    for t0 in 0..=size1 - 1
//!     v0: f32 = load x[t0, 32 block0 + lane0] if always          fill s0 = x[t0, 32 block0] [1, 32] rows of 32
//!                                                                v0: f32 = staged s0[0, lane0]
//! ```
//!
//! The lanes of all warps then share one access to memory. A load stays if the extents of its box would depend on sizes, or
//! if shared memory has no room for it. That can happen though the law `resources` has accepted the map: the law counts the
//! elements that iteration points read, and the box also holds those of places without a point. Only for a GPU; on a CPU the
//! cache does it.
use crate::mapping::{Atom, PlaceForm, Target};
use crate::model::{Array, Int, Type};
use crate::planted::planted;
use crate::program::{Condition, Operation, Program, Shared, Stage, StageId, ValueId, extent, range};
use crate::sorted::{SortedMap, SortedSet};
use crate::target::{GPU, tuning};

/// Replaces the loads of all staged arrays.
pub fn stage(program: &mut Program) {
    if program.target == Target::Cpu {
        return;
    }
    for (parameter, level) in program.staged.clone() {
        for (_, loads) in boxes(program, parameter, level) {
            bring(program, parameter, level, &loads);
        }
    }
    double(program);
}

/// Doubles the boxes of a loop where all of them together still leave room for other blocks.
fn double(program: &mut Program) {
    let levels: SortedSet<usize> = program.stages.iter().map(|stage| stage.level).filter(|level| *level > 0).collect();
    for level in &levels {
        let of_level = program.stages.iter().filter(|stage| stage.level == *level);
        let more: Int = of_level.map(Stage::bytes).sum();
        if Shared::of(program).counted + more <= tuning::DOUBLE_BOX_BYTES.min(GPU.block_shared_bytes) {
            program.stages.iter_mut().filter(|stage| stage.level == *level).for_each(|stage| stage.is_double = true);
        }
    }
}

/// The index of a load, axis by axis: the outer part, which is the same for the whole box, and the interval of the rest.
type Axes = Vec<(PlaceForm, (Int, Int))>;

/// The loads of an array, grouped by the outer part of their index. Each group shares a box.
fn boxes(program: &Program, parameter: usize, level: usize) -> SortedMap<Vec<PlaceForm>, Vec<(ValueId, Axes)>> {
    let mut boxes: SortedMap<Vec<PlaceForm>, Vec<(ValueId, Axes)>> = SortedMap::new();
    for (k, inst) in program.values.iter().enumerate() {
        let Operation::Load { array, index } = &inst.operation else { continue };
        if *array != Array::Parameter(parameter) {
            continue;
        }
        let Some(axes) = index.iter().map(|f| axis(program, f, level)).collect::<Option<Axes>>() else { continue };
        let outer = axes.iter().map(|(outer, _)| outer.clone()).collect();
        boxes.or_default(outer).push((ValueId(k), axes));
    }
    boxes
}

/// The part of a form that sizes, blocks and the loops around the filling decide, and the interval of the rest, the constant
/// included. `None` if that interval is not constant.
fn axis(program: &Program, form: &PlaceForm, level: usize) -> Option<(PlaceForm, (Int, Int))> {
    if form.denominator() != 1 {
        return None;
    }
    let frame = &program.frame;
    let mut outer = PlaceForm::constant(0);
    let (mut low, mut high) = (form.offset(), form.offset());
    for (atom, c) in form.terms() {
        let inside = match atom {
            Atom::Size(_) | Atom::Block(_) => None,
            Atom::Time(k) if *k < level => None,
            Atom::Time(k) => Some(range(&frame.loops[*k].low, &frame.loops[*k].high)?),
            other => extent(frame, other).and_then(|(low, high)| Some((low, high?))),
        };
        match inside {
            None if matches!(atom, Atom::Size(_) | Atom::Block(_) | Atom::Time(_)) => {
                outer = outer.add(&PlaceForm::atom(atom.clone()).scale(c, 1));
            }
            None => return None,
            Some((a, b)) => {
                low += (c * a).min(c * b);
                high += (c * a).max(c * b);
            }
        }
    }
    Some((outer, (low, high)))
}

/// Adds the box of some loads and reads them from it, if shared memory has room.
fn bring(program: &mut Program, parameter: usize, level: usize, loads: &[(ValueId, Axes)]) {
    let Some((value, first)) = loads.first() else { return };
    let rank = first.len();
    let ends = |axis: usize| {
        let all = loads.iter().map(move |(_, axes)| axes[axis].1);
        let low = all.clone().map(|(low, _)| low).min().unwrap_or(0);
        (low, all.map(|(_, high)| high).max().unwrap_or(0))
    };
    let low: Vec<PlaceForm> = (0..rank).map(|k| first[k].0.plus(ends(k).0)).collect();
    let extents: Vec<Int> = (0..rank).map(|k| ends(k).1 - ends(k).0 + 1 - Int::from(planted(31))).collect();
    let cell = |(value, _): &(ValueId, Axes)| match &program.values[value.0].operation {
        Operation::Load { index, .. } => index.iter().zip(&low).map(|(f, low)| f.sub(low)).collect(),
        _ => Vec::new(),
    };
    let cells: Vec<Vec<PlaceForm>> = loads.iter().map(cell).collect();
    let (array, ty) = (Array::Parameter(parameter), program.values[value.0].ty);
    let piece = piece(program, array, ty, &low, &extents);
    let mut stage = Stage { array, ty, level, low, extents, pitch: 0, piece, together: 1, is_double: false };
    stage.together = together(&stage, &cells);
    let Some(pitch) = pitch(program, &stage, &cells) else { return };
    stage.pitch = pitch;
    let id = StageId(program.stages.len());
    for ((value, _), cell) in loads.iter().zip(cells) {
        let inst = &mut program.values[value.0];
        inst.operation = Operation::Staged { stage: id, cell };
        inst.needed = Condition::False;
    }
    program.stages.push(stage);
}

/// The neighbours that one access brings: rows of the box consist of whole pieces, which begin where such an access is aligned if rows
/// of the array are. What lies outside an array with a border has values of its own, element by element.
fn piece(program: &Program, array: Array, ty: Type, low: &[PlaceForm], extents: &[Int]) -> Int {
    let (Some(first), Some(length)) = (low.last(), extents.last()) else { return 1 };
    if program.operand(array).border.is_some() || planted(31) {
        return 1;
    }
    let begins = |n: Int| first.offset() % n == 0 && first.terms().all(|(_, c)| c % n == 0);
    let mut piece = GPU.access_bytes as Int / ty.bytes() as Int;
    while piece > 1 && !(length % piece == 0 && begins(piece)) {
        piece /= 2;
    }
    let is_copied = piece * ty.bytes() as Int >= GPU.word_bytes as Int;
    if is_copied { piece.max(1) } else { 1 }
}

/// The distance between two rows of the box, a whole number of pieces: the shortest with the fewest bank conflicts among those that
/// fit; `None` if none fits.
fn pitch(program: &Program, stage: &Stage, cells: &[Vec<PlaceForm>]) -> Option<Int> {
    let row = stage.extents.last().copied().unwrap_or(1);
    let room = GPU.block_shared_bytes - Shared::of(program).counted;
    let fits = |pitch: &Int| Stage { pitch: *pitch, ..stage.clone() }.bytes() <= room;
    let worst = |pitch: Int| {
        cells.iter().map(|cell| program.conflicts(&Stage { pitch, ..stage.clone() }, cell)).max().unwrap_or(1)
    };
    let is_whole = |pitch: &Int| pitch % stage.piece == 0;
    (row..row + GPU.banks).filter(is_whole).filter(fits).min_by_key(|pitch| (worst(*pitch), *pitch))
}

/// How many neighbours along the last axis a lane reads with one access: every read has its neighbours beside it.
fn together(stage: &Stage, cells: &[Vec<PlaceForm>]) -> Int {
    let all: SortedSet<&[PlaceForm]> = cells.iter().map(Vec::as_slice).collect();
    let has_neighbours = |cell: &[PlaceForm], n: Int| {
        let Some((last, outer)) = cell.split_last() else { return false };
        let place = last.offset().rem_euclid(n);
        let beside = |k: Int| [outer, &[last.plus(k - place)]].concat();
        last.terms().all(|(_, c)| c % n == 0) && (0..n).all(|k| all.contains(&beside(k).as_slice()))
    };
    let mut together = stage.piece;
    while together > 1 && !all.iter().all(|cell| has_neighbours(cell, together)) {
        together /= 2;
    }
    together
}
