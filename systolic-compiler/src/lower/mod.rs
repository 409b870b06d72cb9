//! Lowering: builds the program of a layout.
//!
//! 1. Build the body from the stores on (`body`, `expression`), with every read of a variable through its medium (`wire`).
//! 2. If the values of a step wait for each other, leave out reads that no point makes, or feed copies (`cut`), and start over.
//! 3. Let carried values that turned out to be equal share one register, and build again until no more are found.
//! 4. Build once more with the values in the order of the unrolled rows, and number registers, rings and rows.
//!
//! Comparisons that the place decides are folded on the way (`fold`). Kernels with too many operations are rejected first
//! (`large`).
mod body;
mod cut;
mod dense;
mod expression;
mod face;
mod fold;
mod large;
mod wire;

pub use large::{is_large, too_long};

use crate::laws::{Edge, Tickets};
use crate::mapping::{self, Atom, Bound, Layout, PlaceForm, Source, of_sizes};
use crate::model::{self, Int, ParameterKind, Type};
use crate::planted::planted;
use crate::program::{self, Frame, Loop, Operand, Operation, Program, Register, Row, ValueId};
use crate::sorted;
use crate::sorted::{SortedMap, SortedSet};
use crate::target::{GPU, effort};
use body::{Body, Ring};
use cut::cut;

/// Builds the program of a layout. Fails if the values of a step wait for each other, which the laws rule out.
pub fn lower(layout: &Layout) -> Result<Program, String> {
    let mut known = layout.unused.clone();
    loop {
        match with_cuts(layout, &known) {
            Ok(program) => return Ok(program),
            Err(Ring(edges)) => {
                let more = cut(layout, &edges);
                if more.is_empty() {
                    return Err("the values of a step wait for each other".to_string());
                }
                known.extend(more);
            }
        }
    }
}

/// The program without some reads. Fails with a cycle of reads, if the values of a step still wait for each other.
fn with_cuts(layout: &Layout, cut: &SortedSet<Edge>) -> Result<Program, Ring> {
    let mut alias: SortedMap<Source, Source> = SortedMap::new();
    let mut round = 0;
    loop {
        round += 1;
        let body = Body::new(layout, &alias, cut).build(&[])?;
        let registers = body.registers.iter().map(|((s, _), _)| s);
        let sources = registers.chain(body.rings.iter().map(|(s, _)| s)).chain(body.rows.iter().map(|((s, ..), ..)| s));
        let mut first = SortedMap::new();
        let mut more = SortedMap::new();
        for source in sources {
            if let Some(value) = body.value_of.get(source) {
                let value = if planted(17) { ValueId(source.variable) } else { *value };
                let twin = first.or_insert(value, source);
                if *twin != source {
                    more.insert(source.clone(), (*twin).clone());
                }
            }
        }
        if more.is_empty() || round == effort::EQUAL_VALUE_ROUNDS {
            // In the order of the unrolled rows, a new value can take the register of the old one.
            let place: SortedMap<_, _> = layout.instances.iter().enumerate().map(|(k, i)| (i, k)).collect();
            let mut order: Vec<Source> = body.value_of.keys().cloned().collect();
            sorted::sort_by_key(&mut order, |s| place.get(&s.instance));
            let body = Body::new(layout, &alias, cut).build(&order)?;
            return Ok(finish(layout, body));
        }
        for twin in alias.values_mut() {
            if let Some(other) = more.get(twin) {
                *twin = other.clone();
            }
        }
        alias.extend(more);
    }
}

/// Assembles the program.
fn finish(layout: &Layout, mut body: Body) -> Program {
    let mut registers = Vec::new();
    for ((source, lanes), delay) in std::mem::take(&mut body.registers) {
        let id = body.value_of[&source];
        let ty: Type = body.values[id.0].ty;
        let value = if lanes == 0 { id } else { body.number(Operation::Shuffle { value: id, lanes }, ty) };
        registers.push(Register { value, delay, reuse: false });
    }
    let rings = body.rings.iter().map(|(s, delay)| program::Ring { value: body.value_of[s], delay: *delay }).collect();
    let rows = body
        .rows
        .iter()
        .map(|((s, lanes, level), laps, between_warps)| Row {
            value: body.value_of[s],
            level: *level,
            lanes: *lanes,
            laps: *laps,
            between_warps: *between_warps,
        })
        .collect();
    let loops = (0..layout.loops.len()).map(|k| {
        let counted = k > body.counted;
        let (low, high) = layout.loop_bounds(k, counted);
        let (longest, busy) = (layout.longest(k, counted), layout.busy(k, counted));
        Loop { name: layout.loop_name(k), low, high, longest, busy }
    });
    let blocks = (0..layout.blocks.len()).map(|k| {
        let (low, high) = layout.grid(k);
        let longest = Bound::sum(vec![(1, high.clone()), (-1, low.clone()), (1, Bound::number(1))]);
        Loop { name: layout.places.rows[layout.blocks[k]].name.clone(), low, high, longest, busy: None }
    });
    let mut program = Program {
        frame: Frame {
            blocks: blocks.collect(),
            launches: layout.places.launches,
            warps: layout.warps.iter().map(|s| s.extent).collect(),
            lanes: layout.lanes.iter().map(|s| s.extent).collect(),
            loops: loops.collect(),
            lengths: layout.kernel.lengths().map(|l| length(layout, &l)).collect(),
        },
        lengths: layout.block_lengths(),
        uneven: layout.is_skewed() || !layout.kernel.is_box(),
        wavefront: layout.is_wavefront(),
        copies: layout.instances.len() as Int,
        values: body.values,
        stores: body.stores,
        registers,
        rings,
        rows,
        faces: layout.faces.iter().map(|f| face(layout, f)).collect(),
        tickets: layout.tickets.map(tickets_of),
        stages: Vec::new(),
        staged: layout.staged_in_shared(),
        kept: layout.staged_in_registers(),
        sizes: layout.kernel.sizes.iter().map(|s| s.name.clone()).collect(),
        target: layout.target,
        group: layout.group,
        wishes: layout.mapping.wishes,
        parameters: layout.kernel.parameters.iter().map(|p| operand(&p.kind)).collect(),
        constants: layout.kernel.constants.iter().map(|c| by_value(&c.dims)).collect(),
        ends: layout.kernel.outputs.iter().map(|o| o.dims.last().map(of_sizes)).collect(),
        merged_outputs: vec![Vec::new(); layout.kernel.outputs.len()],
    };
    dense::merge(&mut program, layout.kernel);
    program
}

/// A length of the block that runs. Its loops are loops of blocks.
fn length(layout: &Layout, length: &model::Length) -> program::Length {
    let at = |(l, plus): &(usize, Int)| {
        let leaf = layout.mapping.leaf_of(*l);
        let is_row = |row: &usize| leaf.is_some_and(|leaf| layout.places.rows[*row].coefs[leaf] != 0);
        let block = layout.blocks.iter().position(is_row);
        block.map_or_else(PlaceForm::broken, |k| PlaceForm::atom(Atom::Block(k)).plus(*plus + Int::from(planted(92))))
    };
    program::Length {
        size: length.size,
        parameter: length.parameter,
        index: length.index.iter().map(at).collect(),
        least: length.range.least,
        most: of_sizes(&length.range.most),
    }
}

fn tickets_of(tickets: &Tickets) -> Tickets {
    let waited_for = tickets.waits.len() - usize::from(planted(87));
    let mut waits = tickets.waits[..waited_for].to_vec();
    if planted(90) {
        waits.iter_mut().for_each(|delta| delta.iter_mut().for_each(|d| *d -= d.signum()));
    }
    Tickets { waits, ..tickets.clone() }
}

fn face(layout: &Layout, face: &mapping::Face) -> program::Face {
    let equation = &layout.kernel.equations[face.variable];
    let (name, launched) = (equation.variable.text.clone(), face.launched);
    let mut dims = layout.face_dims(face);
    let mut end = None;
    if let Some(last) = dims.last_mut() {
        if let Bound::Form(form) = last {
            end = Some(form.clone());
        }
        *last = whole_accesses(last, equation.ty);
    }
    program::Face { name, ty: equation.ty, launched, dims, end }
}

/// A length, rounded up to a multiple of the longest access to elements of a type.
fn whole_accesses(length: &Bound, ty: Type) -> Bound {
    let width = if planted(96) { 1 } else { (GPU.access_bytes / ty.bytes()) as Int };
    let more = Bound::sum(vec![(1, length.clone()), (1, Bound::number(width - 1))]);
    Bound::sum(vec![(width, more.quotient(width))])
}

fn operand(kind: &ParameterKind) -> Operand {
    match kind {
        ParameterKind::Array { dims, border, .. } => {
            let dims = dims.iter().map(of_sizes).collect();
            Operand { dims, border: border.clone(), in_memory: true, group: 1, merged: Vec::new() }
        }
        ParameterKind::Const { dims, .. } => by_value(dims),
        ParameterKind::Scalar { .. } | ParameterKind::Size => by_value(&[]),
    }
}

fn by_value(dims: &[Int]) -> Operand {
    let dims = dims.iter().map(|n| PlaceForm::constant(*n)).collect();
    Operand { dims, border: None, in_memory: false, group: 1, merged: Vec::new() }
}
