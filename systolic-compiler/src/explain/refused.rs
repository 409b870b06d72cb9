//! The picture of a refused map: where its points would run, and the points of the counterexample. A map that gives no places is not
//! drawn: what is wrong with it is shown in its text.
use super::picture::{CodeLine, MapShown, Marked, Origin, Picture, Refused};
use super::places::{Spots, World};
use super::{drawn, source};
use crate::fault::{BlocksFact, BroadcastFact, CausalityFact, Fact, Fault, LanesFact, Law, message};
use crate::fill;
use crate::model::{Int, Kernel, Mapping, Places, RowKind, Size, resolve, resolve_map};
use crate::region::identity;
use crate::syntax::{self, print_map, tree};
use crate::target::shown;
use std::collections::BTreeMap;

/// Whether a fault is about a map, so that a picture of the map helps.
pub fn is_about_map(fault: &Fault) -> bool {
    fault.law() >= Law::Matrix
}

/// The picture of the map that a fault is about, at the sizes that the user names; `None` if the fault is about something else. Fails
/// if there is no such size, or no counterexample at these sizes.
pub fn refused(tree: &tree::Kernel, fault: &Fault, named: &BTreeMap<String, Int>) -> Result<Option<Picture>, String> {
    let Some(map) = map_of(tree, fault).filter(|_| is_about_map(fault)) else { return Ok(None) };
    let kernels = resolve(tree).kernels;
    let is_meant = |kernel: &&Kernel| fault.instance.as_ref().is_none_or(|name| *name == kernel.instance.to_string());
    let Some(written) = kernels.iter().find(is_meant) else { return Ok(Some(undrawn(tree, map, fault))) };
    super::sizes::known(written, named)?;
    let Some(mapping) = mapping(tree, written, fault) else { return Ok(Some(undrawn(tree, map, fault))) };
    let shifted = written.under(&mapping);
    let kernel = shifted.as_ref().unwrap_or(written);
    let places = Places::new(kernel, &mapping);
    let ranges = places.rows.iter().map(|row| row.range.filter(|_| row.kind != RowKind::Time)).collect();
    let sizes = sizes(written, kernel, fault, named)?;
    let world = World { kernel, mapping: &mapping, places: &places, ranges: &ranges, sizes, strided: false };
    let spots = world.spots(shown::SPOTS);
    let (lines, spans) = source(tree, kernel);
    let marked = Marker { world: &world, spots: &spots, mapping: &mapping }.refusal(fault);
    let mut picture = drawn(&world, spots, lines, &spans, map_shown(map, fault));
    picture.refused = Some(marked);
    picture.without_program = Some(NO_PROGRAM.to_string());
    Ok(Some(picture))
}

const NO_PROGRAM: &str = "the map is refused";

/// The map that a fault is about, as it is written.
fn map_of<'t>(tree: &'t tree::Kernel, fault: &Fault) -> Option<&'t tree::Map> {
    if let Some(filling) = &fault.filling {
        return tree.maps.get(filling.position);
    }
    let is_at = |map: &&tree::Map| identity(map.at.start) == identity(fault.at.start);
    let is_named = |map: &&tree::Map| fault.map.as_ref() == map.name.as_ref().map(|name| &name.text);
    let is_closed = |map: &&tree::Map| !map.is_open() && (fault.map.is_none() || map.name.is_none());
    let maps = || tree.maps.iter();
    let named = || maps().find(is_named).filter(|_| fault.map.is_some());
    maps().find(is_at).or_else(named).or_else(|| maps().find(is_closed)).or_else(|| maps().next())
}

/// The same map with its places, an open one as it was completed; `None` if these cannot be drawn.
fn mapping(tree: &tree::Kernel, written: &Kernel, fault: &Fault) -> Option<Mapping> {
    if matches!(fault.fact, Fact::Matrix(_) | Fact::Reverse(_) | Fact::Lanes(LanesFact::NothingFits)) {
        return None;
    }
    if let Some(filling) = &fault.filling {
        let map = fill::read(tree, &filling.map)?;
        return resolve_map(tree, written, &map, filling.position).ok().filter(is_narrow);
    }
    let is_map = |mapping: &&Mapping| {
        let name = mapping.name.as_ref().map_or("the unnamed map", |name| &name.text);
        fault.map.as_ref().is_none_or(|map| map == name)
    };
    written.maps.iter().find(is_map).filter(|mapping| is_narrow(mapping)).cloned()
}

/// Whether a lane can be drawn.
fn is_narrow(mapping: &Mapping) -> bool {
    mapping.fold <= shown::FOLD
}

fn map_shown(map: &tree::Map, fault: &Fault) -> MapShown {
    let (origin, text) = match &fault.filling {
        Some(filling) => (Origin::Completed, filling.map.clone()),
        None => (Origin::Written, print_map(map)),
    };
    MapShown { name: map.name.as_ref().map(|name| name.text.clone()), origin, text, on: "gpu" }
}

/// A picture without places.
fn undrawn(tree: &tree::Kernel, map: &tree::Map, fault: &Fault) -> Picture {
    let text = syntax::text(&tree::Kernel { maps: Vec::new(), ..tree.clone() });
    let (relation, _, is_read) = relation(&fault.fact);
    let (law, points, written) = (fault.law().to_string(), Vec::new(), Vec::new());
    Picture {
        kernel: tree.name.text.clone(),
        instance: fault.instance.clone().unwrap_or_default(),
        part: None,
        map: map_shown(map, fault),
        source: text.lines().map(|line| CodeLine { text: line.to_string(), ..CodeLine::default() }).collect(),
        without_program: Some(NO_PROGRAM.to_string()),
        refused: Some(Refused { law, message: message(fault), relation, points, is_read, written }),
        sizes: Vec::new(),
        loops: Vec::new(),
        rows: Vec::new(),
        launches: 0,
        fold: 1,
        lanes: 0,
        warps: 0,
        statements: Vec::new(),
        blocks: Vec::new(),
        steps: Vec::new(),
        spots: Vec::new(),
        wires: Vec::new(),
        loads: Vec::new(),
        omitted: 0,
        program: Vec::new(),
        code: Vec::new(),
        cost: None,
        measured: None,
    }
}

/// The sizes of the counterexample, or larger ones at which it holds too and more of the map is seen.
fn sizes(written: &Kernel, kernel: &Kernel, fault: &Fault, named: &BTreeMap<String, Int>) -> Result<Vec<Int>, String> {
    let known = fault.witness.as_ref().map(|witness| witness.sizes.as_slice()).unwrap_or_default();
    let of = |name: &str| known.iter().find(|(other, _)| other == name).map(|(_, value)| *value);
    let with = |least: Int| {
        let of_size = |size: &Size| of(&size.name).map_or(shown::SMALL, |value| value.max(least));
        let asked = |size: &Size| named.get(&size.name).copied().unwrap_or_else(|| of_size(size));
        let call: Vec<Int> = kernel.sizes.iter().take(kernel.call_sizes()).map(asked).collect();
        super::sizes::with_lengths(kernel, &call)
    };
    let serves =
        |sizes: &Vec<Int>| kernel.assumptions().holds(sizes) == Some(true) && still_reads(kernel, fault, sizes);
    let (larger, least) = (with(shown::SMALL), with(1));
    if named.is_empty() {
        return Ok(if serves(&larger) { larger } else { least });
    }
    let fits = |sizes: &Vec<Int>| serves(sizes) && has_points(written, fault, sizes);
    if let Some(sizes) = [larger, least].into_iter().find(fits) {
        return Ok(sizes);
    }
    let there = known.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ");
    Err(format!("at these sizes there is no counterexample to draw; there is one at {there}"))
}

/// Whether the points of a counterexample exist at these sizes.
fn has_points(kernel: &Kernel, fault: &Fault, sizes: &[Int]) -> bool {
    let Some(witness) = &fault.witness else { return true };
    let exists = |point: &Vec<(String, Int)>| {
        let values: Vec<Int> = point.iter().map(|(_, value)| *value).collect();
        kernel.within_loops().holds(&[sizes, &values].concat()) == Some(true)
    };
    [Some(&witness.point), witness.other.as_ref()].into_iter().flatten().all(exists)
}

/// Whether the consumer of a counterexample reads its producer at other sizes too; `true` if it is about no read.
fn still_reads(kernel: &Kernel, fault: &Fault, sizes: &[Int]) -> bool {
    let (_, _, is_read) = relation(&fault.fact);
    let Some(witness) = fault.witness.as_ref().filter(|_| is_read) else { return true };
    let Some(other) = &witness.other else { return true };
    let point: Vec<Int> = witness.point.iter().map(|(_, value)| *value).collect();
    let distance: Vec<Int> = point.iter().zip(other).map(|(x, (_, y))| x - y).collect();
    let at = [sizes, &point].concat();
    let reads = kernel.reads();
    // Shifts move points and reads differently; the sizes of the counterexample are safe.
    reads.iter().any(|read| read.distance == distance && read.guard.holds(&at) == Some(true))
}

/// Finds the points of a counterexample among the spots.
struct Marker<'a> {
    world: &'a World<'a>,
    spots: &'a Spots,
    mapping: &'a Mapping,
}

impl Marker<'_> {
    fn refusal(&self, fault: &Fault) -> Refused {
        let (relation, roles, is_read) = relation(&fault.fact);
        let mut points = Vec::new();
        if let Some(witness) = &fault.witness {
            let both = [Some(&witness.point), witness.other.as_ref()];
            for (point, role) in both.into_iter().flatten().zip(roles) {
                let spot = self.spot(point, points.first().and_then(|first: &Marked| first.spot));
                let place = self.place(point, spot);
                points.push(Marked { role, point: named(point), place, spot });
            }
        }
        let (law, written) = (fault.law().to_string(), Vec::new());
        Refused { law, message: message(fault), relation, points, is_read, written }
    }

    /// The spot of a point: in a core, and not the one that is taken already.
    fn spot(&self, point: &[(String, Int)], taken: Option<usize>) -> Option<usize> {
        let values: Vec<Int> = point.iter().map(|(_, value)| *value).collect();
        let is_it = |k: &usize| self.spots.spots[*k].point == values && !self.spots.spots[*k].halo && Some(*k) != taken;
        (0..self.spots.spots.len()).find(is_it)
    }

    /// The values of all rows at a point, in words.
    fn place(&self, point: &[(String, Int)], spot: Option<usize>) -> String {
        let leaves = match spot {
            Some(spot) => self.spots.leaves[spot].clone(),
            None => self.core(point),
        };
        let rows = self.world.rows(&leaves);
        let named: Vec<(String, Int)> = self.world.places.rows.iter().map(|row| row.name.clone()).zip(rows).collect();
        self::named(&named)
    }

    /// The leaf loops of a point in the core of its tiles.
    fn core(&self, point: &[(String, Int)]) -> Vec<Int> {
        let mut nodes: Vec<Int> = point.iter().map(|(_, value)| *value).collect();
        nodes.resize(self.mapping.nodes.len(), 0);
        for n in 0..nodes.len() {
            if let Some(tile) = &self.mapping.nodes[n].tile {
                (nodes[tile.outer], nodes[tile.inner]) = (nodes[n].div_euclid(tile.by), nodes[n].rem_euclid(tile.by));
            }
        }
        self.mapping.leaves.iter().map(|leaf| nodes[*leaf]).collect()
    }
}

/// `c = 1, q = 0`
fn named(values: &[(String, Int)]) -> String {
    values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// What the two points of a counterexample have to do with each other, their roles, and whether the first reads the second.
fn relation(fact: &Fact) -> (&'static str, [&'static str; 2], bool) {
    let reads = ["consumer", "producer"];
    match fact {
        Fact::Collision(_) => ("both points have the same place and the same step", ["point", "other point"], false),
        Fact::Causality(CausalityFact::Later { .. }) => ("the consumer runs before its producer", reads, true),
        Fact::Causality(_) => ("the producer runs in a later launch", reads, true),
        Fact::Broadcast(BroadcastFact::Warps { .. }) => {
            ("the producer runs in the same step, in another warp", reads, true)
        }
        Fact::Broadcast(_) => ("values of one step wait for each other", reads, true),
        Fact::Blocks(BlocksFact::Crosses { .. }) => ("the producer runs in another block", reads, true),
        Fact::Blocks(BlocksFact::Narrow { .. }) => ("the producer lies outside what the block computes", reads, true),
        Fact::Blocks(_) => ("blocks cannot run as the map says", ["point", "other point"], false),
        Fact::Matrix(_) => ("the matrix does not give every point a place and a step of its own", ["", ""], false),
        Fact::Reverse(_) => ("`reverse` is not the inverse of the matrix", ["", ""], false),
        Fact::Lanes(LanesFact::NothingFits) => ("no loop is left for the lanes", ["", ""], false),
        Fact::Lanes(_) => ("the lanes of the map do not fit a warp", ["point", "other point"], false),
        _ => ("the map asks for more than the machine has", ["point", "other point"], false),
    }
}
