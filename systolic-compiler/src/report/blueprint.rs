//! The blueprint of a lawful map: rows, projections and wires as numbers, points and stores as sets.
use super::wires::{BlueprintWire, wires};
use crate::compile::Compiled;
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::{Layout, Obstacle, Target};
use crate::model::{Form, Formula, Int, Kernel, Places, RowKind};
use crate::program::{Operation, Program};
use systolic_sets::{Matrix, Set};

/// The data from which `describe` computes a design when the sizes are known.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// The number of sizes. They are the first dimensions of all sets and forms.
    pub sizes: usize,
    /// The points, including the halos of overlaps, over sizes and leaf loops.
    pub points: Set,
    /// The points without halos.
    pub useful: Formula,
    /// For every store, the points at which it runs.
    pub stores: Vec<Formula>,
    pub rows: Vec<BlueprintRow>,
    /// Directions in the kernel's loops along which points share a place in space.
    pub projections: Vec<Vec<Int>>,
    pub wires: Vec<BlueprintWire>,
    /// The largest delay of a value that waits in registers, in steps.
    pub delay: Int,
    /// The registers per lane, of 4 bytes each, that hold values from one step to a later one.
    pub registers: Int,
    /// The shuffles of all warps of a block, by the number of loops around them: entry 0 is for those outside all loops.
    pub shuffles: Vec<Int>,
    /// The text of the map, if the compiler found or completed it; `emit` sets it.
    pub map: Option<String>,
    /// Why there is no program for a GPU. Without one, `registers` and `shuffles` are unknown.
    pub without_gpu: Option<Obstacle>,
}

/// One coordinate of a place.
#[derive(Clone, Debug)]
pub struct BlueprintRow {
    pub name: String,
    pub kind: RowKind,
    pub form: Form,
}

/// The blueprint of a map. `program` is the program for a GPU, or the reason why there is none.
pub fn of_map(kernel: &Kernel, map: &LawfulMap, program: Compiled) -> Blueprint {
    let (kernel, mapping, places) = (map.kernel(kernel), map.mapping(), map.places());
    let images = places.images(kernel);
    let points = places.domain(kernel, mapping);
    let useful = points.clone().and(places.core(mapping));
    let stores = kernel.stores.iter().map(|s| useful.clone().and(s.guard.substitute(&images))).collect();
    let rows =
        places.rows.iter().map(|r| BlueprintRow { name: r.name.clone(), kind: r.kind, form: places.form(r) }).collect();
    let layout = Layout::of(kernel, map, Target::Gpu);
    let wires = wires(kernel, map, layout.as_ref().ok());
    let delay = wires.iter().map(|w| w.waits).max().unwrap_or(0);
    let leaves = mapping.leaves.iter().map(|n| mapping.nodes[*n].name.text.clone());
    let names = size_names(kernel).chain(leaves).collect();
    Blueprint {
        sizes: kernel.sizes.len(),
        points: Set { names, formula: points },
        useful,
        stores,
        rows,
        projections: projections(kernel, places),
        wires,
        delay,
        registers: program.as_ref().map_or(0, |p| p.registers_held(|_| true)),
        shuffles: program.as_ref().map_or(Vec::new(), |p| shuffles(p)),
        map: None,
        without_gpu: program.err(),
    }
}

/// The blueprint of a kernel without a map: only its points and stores.
pub fn without_map(lawful: &Lawful) -> Blueprint {
    let kernel = lawful.kernel();
    let names = size_names(kernel);
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
        delay: 0,
        registers: 0,
        shuffles: Vec::new(),
        map: None,
        without_gpu: Some(Obstacle::without_map(lawful.order())),
    }
}

/// The names of the sizes. A length gets one that no name of a kernel has.
fn size_names(kernel: &Kernel) -> impl Iterator<Item = String> {
    let call_sizes = kernel.call_sizes();
    kernel.sizes.iter().enumerate().map(
        move |(k, size)| {
            if k < call_sizes { size.name.clone() } else { format!("length'{k}") }
        },
    )
}

/// The shuffles of all warps, by the number of loops around them.
fn shuffles(program: &Program) -> Vec<Int> {
    let mut shuffles = vec![0; program.frame.loops.len() + 1];
    for inst in
        program.values.iter().filter(|m| matches!(m.operation, Operation::Shuffle { .. } | Operation::Rotate { .. }))
    {
        shuffles[inst.level] += program.warp_count();
    }
    shuffles
}

/// A basis of the directions along which block, warp and lane do not change, each pointing forward in time.
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
