//! Arrays that the map stages: their loads read a box in shared memory that is filled once an iteration of a loop.
//! Reads whose box would depend on sizes, or for which a block has no room, stay loads: the law counts what points read, a
//! box holds what all places around them do.
use crate::mapping::{Atom, Index, Target};
use crate::model::{Array, Int};
use crate::planted::planted;
use crate::program::{Condition, Operation, Program, Shared, Stage, StageId, ValueId, extent, range};
use crate::target::GPU;
use std::collections::BTreeMap;

/// On a CPU the cache does it.
pub fn stage(program: &mut Program) {
    if program.target == Target::Cpu {
        return;
    }
    for (parameter, level) in program.staged.clone() {
        for (_, loads) in boxes(program, parameter, level) {
            bring(program, parameter, level, &loads);
        }
    }
}

/// The index of a load, axis by axis: from where its box counts, and the interval of the rest.
type Axes = Vec<(Index, (Int, Int))>;

/// Loads of an array that move together in the loops outside.
fn boxes(program: &Program, parameter: usize, level: usize) -> BTreeMap<Vec<Index>, Vec<(ValueId, Axes)>> {
    let mut boxes: BTreeMap<Vec<Index>, Vec<(ValueId, Axes)>> = BTreeMap::new();
    for (k, made) in program.values.iter().enumerate() {
        let Operation::Load { array, index } = &made.operation else { continue };
        if *array != Array::Parameter(parameter) {
            continue;
        }
        let Some(axes) = index.iter().map(|f| axis(program, f, level)).collect::<Option<Axes>>() else { continue };
        let outer = axes.iter().map(|(outer, _)| outer.clone()).collect();
        boxes.entry(outer).or_default().push((ValueId(k), axes));
    }
    boxes
}

/// What the loops outside decide, and the interval of the rest, the constant included.
fn axis(program: &Program, form: &Index, level: usize) -> Option<(Index, (Int, Int))> {
    if form.denominator() != 1 {
        return None;
    }
    let frame = &program.frame;
    let mut outer = Index::constant(0);
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
                outer = outer.add(&Index::atom(atom.clone()).scale(c, 1));
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

fn bring(program: &mut Program, parameter: usize, level: usize, loads: &[(ValueId, Axes)]) {
    let Some((value, first)) = loads.first() else { return };
    let rank = first.len();
    let ends = |axis: usize| {
        let all = loads.iter().map(move |(_, axes)| axes[axis].1);
        let low = all.clone().map(|(low, _)| low).min().unwrap_or(0);
        (low, all.map(|(_, high)| high).max().unwrap_or(0))
    };
    let low: Vec<Index> = (0..rank).map(|k| first[k].0.plus(ends(k).0)).collect();
    let extents: Vec<Int> = (0..rank).map(|k| ends(k).1 - ends(k).0 + 1 - Int::from(planted(31))).collect();
    let cell = |(value, _): &(ValueId, Axes)| match &program.values[value.0].operation {
        Operation::Load { index, .. } => index.iter().zip(&low).map(|(f, low)| f.sub(low)).collect(),
        _ => Vec::new(),
    };
    let cells: Vec<Vec<Index>> = loads.iter().map(cell).collect();
    let (array, ty) = (Array::Parameter(parameter), program.values[value.0].ty);
    let mut stage = Stage { array, ty, level, low, extents, pitch: 0 };
    let Some(pitch) = pitch(program, &stage, &cells) else { return };
    stage.pitch = pitch;
    let id = StageId(program.stages.len());
    for ((value, _), cell) in loads.iter().zip(cells) {
        let made = &mut program.values[value.0];
        made.operation = Operation::Staged { stage: id, cell };
        made.needed = Condition::False;
    }
    program.stages.push(stage);
}

/// The length of a row in memory: the shortest that keeps the lanes of a read in banks of their own, as far as there is
/// room; `None` where there is none for the box.
fn pitch(program: &Program, stage: &Stage, cells: &[Vec<Index>]) -> Option<Int> {
    let (row, extents) = (stage.extents.last().copied().unwrap_or(1), &stage.extents);
    let room = GPU.block_shared_bytes - Shared::of(program).bytes;
    let fits = |pitch: &Int| Stage { pitch: *pitch, ..stage.clone() }.bytes() <= room;
    let worst = |pitch: Int| cells.iter().map(|cell| conflicts(program, extents, pitch, cell)).max().unwrap_or(1);
    (row..row + GPU.banks).filter(fits).min_by_key(|pitch| (worst(*pitch), *pitch))
}

/// How many lanes of a read want different words of one bank.
pub fn conflicts(program: &Program, extents: &[Int], pitch: Int, cell: &[Index]) -> usize {
    let mut banks: BTreeMap<Int, Vec<Int>> = BTreeMap::new();
    for lane in 0..program.lane_count() {
        let mut at = 0;
        for (k, form) in cell.iter().enumerate() {
            let mut rest = lane;
            let mut value = 0;
            for row in (0..program.frame.lanes.len()).rev() {
                value += form.coefficient(&Atom::Lane(row)) * (rest % program.frame.lanes[row]);
                rest /= program.frame.lanes[row];
            }
            at = at * if k + 1 == cell.len() { pitch } else { extents[k] } + value;
        }
        let words = banks.entry(at.rem_euclid(GPU.banks)).or_default();
        if !words.contains(&at) {
            words.push(at);
        }
    }
    banks.values().map(Vec::len).max().unwrap_or(1)
}
