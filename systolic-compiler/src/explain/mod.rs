//! What a map makes of the equations, as data for a picture: which block, warp, lane and step computes every value, what carries
//! each dependence, which lines of the program and of the emitted text belong to which equation, and what it costs.
//!
//! ```text
//! lawful map ─ places ─▶ spots ─ links ─▶ wires and loads ─┐
//! schedule, code ─ lines ─▶ lines with their statements ───┼─▶ Picture ─▶ printers of `cargo systolic explain`
//! schedule ─ cost ─▶ time and roofs ───────────────────────┘
//! unlawful map, fault ─ refused ─▶ spots and the points of the counterexample
//! ```
//!
//! Everything is enumerated at small sizes (`sizes`), for people and not for code.
mod cost;
mod find;
mod lines;
mod links;
mod picture;
mod places;
mod refused;
mod sizes;

pub use find::Input;
pub use picture::{
    Affine, Carrier, CodeLine, CostShown, Load, MapShown, Marked, Measured, Origin, Part, Picture, Refused, RowShown,
    Spot, Statement, Wire, WrittenLine,
};
pub use refused::{is_about_map, refused};

use crate::compile::{NoProgram, Which, compile};
use crate::emit::{listing, unit};
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::{Layout, Target};
use crate::model::{Int, Row, taken_names};
use crate::report::map_text;
use crate::syntax::{print_map, tree};
use crate::target::{Gpu, shown};
use lines::source;
use links::{Linker, running, statements};
use places::{Spots, World};
use std::collections::BTreeMap;

/// What to explain.
pub struct Asked<'a> {
    pub tree: &'a tree::Kernel,
    pub lawful: &'a Lawful,
    pub which: Which,
    /// What the program is for.
    pub target: Target,
    pub map: &'a LawfulMap,
    pub origin: Origin,
    /// Sizes of the picture by name; the others are chosen.
    pub sizes: &'a BTreeMap<String, Int>,
    /// The machine, and the sizes at which the cost is predicted, with lengths.
    pub cost: (&'a Gpu, &'a [Int]),
    /// How many pictures share the page.
    pub pictures: usize,
}

/// The picture of a lawful map. Fails if a size is not one of the kernel's, or if the kernel does not allow the sizes.
pub fn explain(asked: &Asked<'_>) -> Result<Picture, String> {
    let (kernel, map) = (asked.lawful.kernel(), asked.map);
    let shifted = map.kernel(kernel);
    let reads = shifted.reads().len() + shifted.elements().len();
    let most = shown::SPOTS.min(shown::LINKS / reads.max(1)) / asked.pictures.max(1);
    let sizes = sizes::chosen(kernel, map, asked.sizes, most)?;
    let target = asked.target;
    let layout = Layout::of(kernel, map, target);
    let strided = layout.as_ref().is_ok_and(|layout| layout.lanes.iter().any(|space| space.strided));
    let world =
        World { kernel: shifted, mapping: map.mapping(), places: map.places(), ranges: map.ranges(), sizes, strided };
    let mut spots = world.spots(most);
    for spot in &mut spots.spots {
        spot.statements = running(&world, spot);
    }
    let linker = Linker { world: &world, dependences: map.dependences(), layout: layout.as_ref().ok(), spots: &spots };
    let links = linker.run();
    let (lines, spans) = source(asked.tree, shifted);
    let mut picture = drawn(&world, spots, lines, &spans, map_shown(asked, target));
    (picture.wires, picture.loads) = (links.wires, links.loads);
    for (row, shown) in picture.rows.iter_mut().enumerate() {
        shown.unrolled = layout.as_ref().is_ok_and(|layout| layout.unrolled.contains(&row));
    }
    match compile(kernel, map, target) {
        Ok(mut schedule) => {
            if target == Target::Cpu {
                schedule.merge_axes(kernel);
            }
            picture.program = lines::program(shifted, &schedule);
            if target == Target::Cpu {
                picture.code = lines::rust(kernel, &schedule, &listing(kernel, &schedule));
            } else {
                let source = unit(asked.tree, kernel, asked.which, &schedule).source;
                picture.code = lines::cuda(kernel, &schedule, &source);
                let (machine, sizes) = asked.cost;
                picture.cost = Some(cost::shown(machine, kernel, &schedule, sizes));
            }
        }
        Err(NoProgram::Obstacle(obstacle)) => picture.without_program = Some(obstacle.to_string()),
        Err(NoProgram::Broken(broken)) => picture.without_program = Some(format!("internal error: {broken}")),
    }
    Ok(picture)
}

fn map_shown(asked: &Asked<'_>, target: Target) -> MapShown {
    let mapping = asked.map.mapping();
    let written = match asked.which {
        Which::Map(position) if asked.origin == Origin::Written => asked.tree.maps.get(position).map(print_map),
        _ => None,
    };
    let text = written.unwrap_or_else(|| map_text(asked.lawful.kernel(), mapping, &taken_names(asked.tree)));
    let on = if target == Target::Cpu { "cpu" } else { "gpu" };
    MapShown { name: mapping.name.as_ref().map(|name| name.text.clone()), origin: asked.origin, text, on }
}

/// The picture of some spots, without dependences, program and cost.
fn drawn(world: &World<'_>, spots: Spots, source: Vec<CodeLine>, spans: &[(usize, usize)], map: MapShown) -> Picture {
    let kernel = world.kernel;
    let leaf = |k: usize| world.mapping.nodes[world.mapping.leaves[k]].name.text.as_str();
    let row =
        |row: &Row| RowShown { name: row.name.clone(), kind: row.kind, form: sum(&row.coefs, leaf), unrolled: false };
    let sizes = kernel.sizes.iter().take(kernel.call_sizes()).zip(&world.sizes);
    let mut picture = Picture {
        kernel: kernel.name.text.clone(),
        instance: kernel.instance.to_string(),
        part: None,
        map,
        sizes: sizes.map(|(size, value)| (size.name.clone(), *value)).collect(),
        loops: kernel.loops.iter().map(|l| l.name.text.clone()).collect(),
        rows: world.places.rows.iter().map(row).collect(),
        launches: world.places.launches,
        fold: world.mapping.fold,
        lanes: spots.lanes,
        warps: spots.warps,
        statements: statements(world, &|k| spans.get(k).copied().unwrap_or_default()),
        source,
        blocks: spots.blocks,
        steps: spots.steps,
        spots: spots.spots,
        wires: Vec::new(),
        loads: Vec::new(),
        omitted: spots.omitted,
        program: Vec::new(),
        code: Vec::new(),
        without_program: None,
        cost: None,
        measured: None,
        refused: None,
    };
    for spot in &mut picture.spots {
        if spot.statements.is_empty() {
            spot.statements = running(world, spot);
        }
    }
    picture
}

/// `2 ci + q - 1`
fn sum<'n>(coefs: &[Int], name: impl Fn(usize) -> &'n str) -> String {
    let mut text = String::new();
    for (k, c) in coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
        let sign = match (text.is_empty(), *c < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let times = if c.abs() == 1 { String::new() } else { format!("{} ", c.abs()) };
        text += &format!("{sign}{times}{}", name(k));
    }
    if text.is_empty() { "0".to_string() } else { text }
}
