//! A read seen from the machine: split at tile edges into classes, each with one constant displacement.
use super::lanes::Ranges;
use super::set::named;
use crate::fault::Witness;
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Read, Reader, RowKind};

/// One way for a read to cross tile edges.
#[derive(Clone, Debug)]
pub struct Class {
    /// How far the source lies back, a leaf each.
    pub moved: Vec<Int>,
    /// When the read crosses in this way, over sizes and leaves of the reader.
    pub condition: Formula,
    /// It leaves a tile, so a copy is fed there.
    pub crosses: bool,
}

/// The classes of a distance. At every point of the domain exactly one holds, or none where the source lies outside
/// an overlap.
pub fn classes(mapping: &Mapping, places: &Places, distance: &[Int]) -> Vec<Class> {
    let none = Class { moved: vec![0; mapping.leaves.len()], condition: Formula::True, crosses: false };
    let mut classes = vec![none];
    for (node, d) in distance.iter().enumerate() {
        let parts = split(mapping, places, node, *d);
        classes = classes.iter().flat_map(|c| parts.iter().map(|p| join(c, p))).collect();
    }
    classes
}

fn join(a: &Class, b: &Class) -> Class {
    Class {
        moved: a.moved.iter().zip(&b.moved).map(|(x, y)| x + y).collect(),
        condition: a.condition.clone().and(b.condition.clone()),
        crosses: a.crosses || b.crosses,
    }
}

/// The ways in which node `n` moves by `d`.
fn split(mapping: &Mapping, places: &Places, n: usize, d: Int) -> Vec<Class> {
    let Some(tile) = &mapping.nodes[n].tile else {
        let mut moved = vec![0; mapping.leaves.len()];
        if let Some(leaf) = mapping.leaves.iter().position(|l| *l == n) {
            moved[leaf] = d;
        }
        return vec![Class { moved, condition: Formula::True, crosses: false }];
    };
    let inner = &places.nodes[tile.inner];
    let (low, high) = (Form::constant(-tile.before), Form::constant(tile.by + tile.after));
    if tile.before > 0 || tile.after > 0 {
        // Recomputed in the same block: the tile is never left, or the value is none that is needed.
        let mut classes = split(mapping, places, tile.inner, d);
        for class in &mut classes {
            let inside = if d == 0 { Formula::True } else { Formula::within(&inner.plus(-d), &low, &high) };
            class.condition = class.condition.clone().and(inside);
        }
        return classes;
    }
    let over = d.div_euclid(tile.by);
    let overs = if d.rem_euclid(tile.by) == 0 { vec![over] } else { vec![over, over + 1] };
    let mut classes = Vec::new();
    for over in overs {
        let inside = d - tile.by * over;
        let edge = if inside == 0 { Formula::True } else { Formula::within(&inner.plus(-inside), &low, &high) };
        for a in split(mapping, places, tile.outer, over) {
            for b in split(mapping, places, tile.inner, inside) {
                let mut class = join(&a, &b);
                class.condition = class.condition.and(edge.clone());
                class.crosses |= over != 0;
                classes.push(class);
            }
        }
    }
    classes
}

/// What the displacement of a class becomes in the machine, a number each row.
pub fn displacement(places: &Places, class: &Class) -> Vec<Int> {
    places.rows.iter().map(|r| r.coefs.iter().zip(&class.moved).map(|(c, m)| c * m).sum()).collect()
}

/// The readers of a class: points of the domain whose guards hold and that cross edges in this way. Rims store nothing.
pub fn readers(kernel: &Kernel, mapping: &Mapping, places: &Places, read: &Read, class: &Class) -> Formula {
    let runs = match read.reader {
        Reader::Store(_) => places.domain(kernel, mapping).and(places.core(mapping)),
        Reader::Equation(_) => places.domain(kernel, mapping),
    };
    runs.and(read.guard.substitute(&places.images(kernel))).and(class.condition.clone())
}

/// A point over sizes and leaves as a witness in the kernel's loops.
pub fn loop_witness(kernel: &Kernel, places: &Places, point: &[Int]) -> Witness {
    let loops: Vec<Int> =
        places.nodes[..kernel.loops.len()].iter().map(|f| f.eval(point).unwrap_or_default()).collect();
    Witness {
        sizes: kernel.sizes.iter().map(|s| s.name.clone()).zip(point.iter().copied()).collect(),
        point: named(kernel, &loops),
        other: None,
        element: None,
    }
}

/// The same for a read: its reader, and the point it reads from.
pub fn read_witness(kernel: &Kernel, places: &Places, read: &Read, point: &[Int]) -> Witness {
    let mut witness = loop_witness(kernel, places, point);
    let source = witness.point.iter().zip(read.distance).map(|((name, at), d)| (name.clone(), at - d));
    witness.other = Some(source.collect());
    witness
}

/// Of a displacement, the part of one kind of rows.
pub fn part(places: &Places, displacement: &[Int], kind: RowKind) -> Vec<Int> {
    places.rows.iter().zip(displacement).filter(|(r, _)| r.kind == kind).map(|(_, d)| *d).collect()
}

/// The points of a set of places that lie in one register of the fold.
pub fn in_register(mapping: &Mapping, places: &Places, ranges: &Ranges, set: Formula, register: Int) -> Formula {
    let lane = (0..places.rows.len()).rev().find(|k| places.rows[*k].kind == RowKind::Lane);
    let (Some(lane), 2..) = (lane, mapping.fold) else { return set };
    let low = ranges[lane].map_or(0, |(low, _)| low);
    let form = places.form(&places.rows[lane]).plus(-low);
    set.and(Formula::Remainder { form, modulus: mapping.fold, is: register })
}
