//! A lawful map to its blueprint: rows, projections and wires as numbers, points and stores as sets.
use super::medium::{Medium, medium};
use crate::laws::{LawfulMap, classes, displacement};
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Reader, RowKind};
use systolic_sets::{Answer, Matrix, Set, find_point};

/// What `describe` computes with when the sizes are known.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// How many of the dimensions are sizes; they come first.
    pub sizes: usize,
    /// The points with the rims of overlaps, over sizes and leaves.
    pub points: Set,
    /// The points without rims.
    pub useful: Formula,
    /// For every store the points that make it.
    pub stores: Vec<Formula>,
    pub rows: Vec<BlueprintRow>,
    /// Directions in the kernel's loops along which points share a place in space.
    pub projections: Vec<Vec<Int>>,
    pub wires: Vec<BlueprintWire>,
    /// The most steps that a value waits in registers.
    pub depth: Int,
}

#[derive(Clone, Debug)]
pub struct BlueprintRow {
    pub name: String,
    pub kind: RowKind,
    pub form: Form,
}

#[derive(Clone, Debug)]
pub struct BlueprintWire {
    pub variable: String,
    pub reader: String,
    pub distance: Vec<Int>,
    pub space: Vec<Int>,
    pub time: Vec<Int>,
    pub medium: Medium,
}

/// The blueprint of a map.
pub fn of_map(kernel: &Kernel, map: &LawfulMap) -> Blueprint {
    let (mapping, places) = (map.mapping(), map.places());
    let images = places.images(kernel);
    let points = places.domain(kernel, mapping);
    let useful = points.clone().and(places.core(mapping));
    let stores = kernel.stores.iter().map(|s| useful.clone().and(s.guard.substitute(&images))).collect();
    let rows =
        places.rows.iter().map(|r| BlueprintRow { name: r.name.clone(), kind: r.kind, form: places.form(r) }).collect();
    let wires = wires(kernel, mapping, places);
    let depth = wires.iter().map(|w| w.medium.depth()).max().unwrap_or(0);
    let leaves = mapping.leaves.iter().map(|n| mapping.nodes[*n].name.text.clone());
    let names = kernel.sizes.iter().map(|s| s.name.clone()).chain(leaves).collect();
    Blueprint {
        sizes: kernel.sizes.len(),
        points: Set { names, formula: points },
        useful,
        stores,
        rows,
        projections: projections(kernel, places),
        wires,
        depth,
    }
}

/// Without a map: one place, a point a step.
pub fn without_map(kernel: &Kernel) -> Blueprint {
    let names = kernel.sizes.iter().map(|s| s.name.clone());
    let loops = kernel.loops.iter().map(|l| l.name.text.clone());
    let points = kernel.domain();
    Blueprint {
        sizes: kernel.sizes.len(),
        useful: points.clone(),
        stores: kernel.stores.iter().map(|s| points.clone().and(s.guard.clone())).collect(),
        points: Set { names: names.chain(loops).collect(), formula: points },
        rows: Vec::new(),
        projections: Vec::new(),
        wires: Vec::new(),
        depth: 0,
    }
}

impl Medium {
    /// The steps a value waits in registers.
    pub fn depth(&self) -> Int {
        match self {
            Medium::Rotation { depth, .. } => *depth,
            _ => 0,
        }
    }
}

/// A basis of the directions in which block, warp and lane stay, each pointing forward in time.
fn projections(kernel: &Kernel, places: &Places) -> Vec<Vec<Int>> {
    let space = places.rows.iter().filter(|r| r.kind != RowKind::Time).map(|r| r.coefs.clone()).collect();
    let lattice = Matrix::from_rows(space).and_then(|m| m.null_lattice()).unwrap_or_default();
    let dot = |a: &[Int], b: &[Int]| a.iter().zip(b).map(|(x, y)| x * y).sum::<Int>();
    let forward = |v: &Vec<Int>| {
        let time = places.of_kind(RowKind::Time).map(|r| dot(&r.coefs, v)).find(|d| *d != 0);
        let sign = if time.is_some_and(|d| d < 0) { -1 } else { 1 };
        let in_loops = places.nodes[..kernel.loops.len()]
            .iter()
            .map(|form| sign * v.iter().enumerate().map(|(leaf, x)| form.coef(places.sizes + leaf) * x).sum::<Int>());
        in_loops.collect()
    };
    lattice.iter().map(forward).collect()
}

/// One wire a read and class that some point uses, each once.
fn wires(kernel: &Kernel, mapping: &Mapping, places: &Places) -> Vec<BlueprintWire> {
    let mut wires: Vec<BlueprintWire> = Vec::new();
    let images = places.images(kernel);
    let domain = places.domain(kernel, mapping);
    for read in kernel.reads() {
        let copy = kernel.equations[read.variable].copy.is_some();
        for class in classes(mapping, places, read.distance) {
            let delta = displacement(places, &class);
            let of = |wanted: &dyn Fn(RowKind) -> bool| {
                let rows = places.rows.iter().zip(&delta).filter(|(r, _)| wanted(r.kind));
                rows.map(|(_, d)| *d).collect::<Vec<Int>>()
            };
            let leaves = class.crosses || of(&|k| k == RowKind::Block).iter().any(|d| *d != 0);
            let wire = BlueprintWire {
                variable: kernel.equations[read.variable].variable.text.clone(),
                reader: match read.reader {
                    Reader::Equation(n) => kernel.equations[n].variable.text.clone(),
                    Reader::Store(n) => kernel.outputs[kernel.stores[n].output].name.text.clone(),
                },
                distance: read.distance.to_vec(),
                space: of(&|k| matches!(k, RowKind::Warp | RowKind::Lane)),
                time: of(&|k| k == RowKind::Time),
                medium: medium(places, &delta, copy, leaves),
            };
            let known = wires.iter().any(|w| same(w, &wire));
            let used = || {
                let readers = domain.clone().and(read.guard.substitute(&images)).and(class.condition.clone());
                !matches!(find_point(places.dims(), &readers), Answer::None)
            };
            if !known && used() {
                wires.push(wire);
            }
        }
    }
    wires
}

fn same(a: &BlueprintWire, b: &BlueprintWire) -> bool {
    (&a.variable, &a.reader, &a.distance, &a.space, &a.time, a.medium)
        == (&b.variable, &b.reader, &b.distance, &b.space, &b.time, b.medium)
}
