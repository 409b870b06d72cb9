//! The wires of a map as a reader wants them: each read, each way across tile edges, each medium once.
use crate::dependence::{Class, Reach, in_register, reach, readers, time_rows};
use crate::laws::{LawfulMap, stays};
use crate::mapping::{Layout, Medium, medium};
use crate::model::{Int, Kernel, Read, Reader, RowKind};
use systolic_sets::{Answer, find_point};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlueprintWire {
    pub variable: String,
    pub reader: String,
    pub distance: Vec<Int>,
    pub space: Vec<Int>,
    pub time: Vec<Int>,
    pub medium: Carrier,
    /// The steps that it waits, where rows that the map does not unroll count them and there are few.
    pub waits: Int,
}

/// What carries a value, as `describe` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    Rename,
    Stays,
    Shuffle,
    Rotation(Int),
    ShuffleRotation(Int),
    Shared,
    /// A ring in shared memory, with its length.
    Ring(Int),
    ScratchRow,
    Face,
    /// A copy comes by it where no wire leads.
    Feed,
    /// An array of all values.
    Memory,
}

/// The wires that some point uses. Without a layout the map is run point by point, and memory is the medium of all.
pub fn wires(kernel: &Kernel, map: &LawfulMap, layout: Option<&Layout>) -> Vec<BlueprintWire> {
    let mut wires: Vec<BlueprintWire> = Vec::new();
    let places = map.places();
    for read in kernel.reads() {
        for class in map.dependences().of(read.distance) {
            let of = |is_chosen: &dyn Fn(RowKind) -> bool| {
                let rows = places.rows.iter().zip(&class.displacement).filter(|(r, _)| is_chosen(r.kind));
                rows.map(|(_, d)| *d).collect::<Vec<Int>>()
            };
            let wire = |medium: Carrier| BlueprintWire {
                variable: kernel.equations[read.variable].variable.text.clone(),
                reader: match read.reader {
                    Reader::Equation(n) => kernel.equations[n].variable.text.clone(),
                    Reader::Store(n) => kernel.outputs[kernel.stores[n].output].name.text.clone(),
                },
                distance: kernel.written_distance(&read),
                space: of(&|k| matches!(k, RowKind::Warp | RowKind::Lane)),
                time: of(&|k| k == RowKind::Time),
                waits: if medium == Carrier::Feed { 0 } else { waits(map, class) },
                medium,
            };
            for (medium, registers) in media(map, layout, &read, class) {
                let wire = wire(medium);
                let used = || registers.iter().any(|f| is_used(kernel, map, &read, class, *f));
                if !wires.contains(&wire) && used() {
                    wires.push(wire);
                }
            }
        }
    }
    wires
}

/// The media of a class of a read, each with the registers of the fold that it serves.
fn media(map: &LawfulMap, layout: Option<&Layout>, read: &Read, class: &Class) -> Vec<(Carrier, Vec<Int>)> {
    let all = || (0..map.mapping().fold).collect();
    let Some(layout) = layout else { return vec![(Carrier::Memory, all())] };
    if let Reader::Equation(n) = read.reader
        && stays(layout.kernel, map.mapping(), map.places(), map.ranges(), n)
    {
        return vec![(Carrier::Stays, all())];
    }
    let mut media: Vec<(Carrier, Vec<Int>)> = Vec::new();
    for instance in &layout.instances {
        let register = &instance.register;
        let Some(found) = carrier(&medium(layout, read.variable, class, instance)) else { continue };
        match media.iter_mut().find(|(known, _)| *known == found) {
            Some((_, registers)) if registers.contains(register) => {}
            Some((_, registers)) => registers.push(*register),
            None => media.push((found, vec![*register])),
        }
    }
    media
}

/// The steps that a class waits in registers or in names of them; 0 for one that waits longer, or in memory.
fn waits(map: &LawfulMap, class: &Class) -> Int {
    let places = map.places();
    let is_step = |k: &usize| !places.rows[*k].unrolled;
    let rows: Vec<usize> = time_rows(places).into_iter().filter(is_step).collect();
    let steps: Vec<Int> = rows.iter().map(|k| class.displacement[*k]).collect();
    match reach(&steps, |k| map.ranges()[rows[k]]) {
        Reach::Steps(delay) if !class.moves(places, RowKind::Warp) => delay,
        _ => 0,
    }
}

/// What carries values through a medium; `None` where no point reads so.
fn carrier(medium: &Medium) -> Option<Carrier> {
    Some(match medium {
        Medium::Rename(_) => Carrier::Rename,
        Medium::Shuffle { .. } => Carrier::Shuffle,
        Medium::Rotation { lanes: 0, delay, .. } => Carrier::Rotation(*delay),
        Medium::Rotation { delay, .. } => Carrier::ShuffleRotation(*delay),
        Medium::Shared { delay: 0, .. } => Carrier::Shared,
        Medium::Shared { delay, .. } => Carrier::Ring(delay + 1),
        Medium::Scratch { .. } => Carrier::ScratchRow,
        Medium::Face { .. } => Carrier::Face,
        Medium::Feed => Carrier::Feed,
        Medium::Never => return None,
    })
}

/// Whether a point in this register of the fold reads so.
fn is_used(kernel: &Kernel, map: &LawfulMap, read: &Read, class: &Class, register: Int) -> bool {
    let (mapping, places) = (map.mapping(), map.places());
    let set = in_register(mapping, places, map.ranges(), readers(kernel, mapping, places, read, class), register);
    !matches!(find_point(places.dims(), &set), Answer::None)
}
