//! The picture of a refused map: where its points would run, and the points of the counterexample.
use super::picture::{MapShown, Marked, Origin, Picture, Refused};
use super::places::{Spots, World};
use super::{drawn, source};
use crate::fault::{BlocksFact, BroadcastFact, CausalityFact, Fact, Fault, Law, message};
use crate::model::{Int, Kernel, Mapping, Places, RowKind, Size, resolve};
use crate::syntax::{print_map, tree};
use crate::target::shown;

/// Whether a fault is about a map, so that a picture of the map helps.
pub fn is_about_map(fault: &Fault) -> bool {
    let laws = [Law::Collision, Law::Lanes, Law::Causality, Law::Broadcast, Law::Blocks, Law::Resources];
    laws.contains(&fault.law())
}

/// The picture of the map that a fault is about; `None` if the fault is about something else, or if the map cannot be drawn.
pub fn refused(tree: &tree::Kernel, fault: &Fault) -> Option<Picture> {
    if !is_about_map(fault) {
        return None;
    }
    let kernels = resolve(tree).kernels;
    let is_meant = |kernel: &&Kernel| fault.instance.as_ref().is_none_or(|name| *name == kernel.instance.to_string());
    let written = kernels.iter().find(is_meant)?;
    let mapping = written.maps.iter().find(|mapping| {
        let name = mapping.name.as_ref().map_or("the unnamed map".to_string(), |name| name.text.clone());
        fault.map.as_ref().is_none_or(|map| *map == name)
    })?;
    let shifted = written.shifted(&mapping.shifts);
    let kernel = shifted.as_ref().unwrap_or(written);
    let places = Places::new(kernel, mapping);
    let ranges = places.rows.iter().map(|row| row.range.filter(|_| row.kind != RowKind::Time)).collect();
    let sizes = sizes(kernel, fault);
    let world = World { kernel, mapping, places: &places, ranges: &ranges, sizes, strided: false };
    let spots = world.spots(shown::SPOTS);
    let (lines, spans) = source(tree, kernel);
    let marked = Marker { world: &world, spots: &spots, mapping }.refusal(fault);
    let text = tree.maps.get(mapping.position).map(print_map).unwrap_or_default();
    let map = MapShown {
        name: mapping.name.as_ref().map(|name| name.text.clone()),
        origin: Origin::Written,
        text,
        on: "gpu",
    };
    let mut picture = drawn(&world, spots, lines, &spans, map);
    picture.refused = Some(marked);
    picture.without_program = Some("the map is refused".to_string());
    Some(picture)
}

/// The sizes of the counterexample, or larger ones at which it holds too and more of the map is seen.
fn sizes(kernel: &Kernel, fault: &Fault) -> Vec<Int> {
    let known = fault.witness.as_ref().map(|witness| witness.sizes.as_slice()).unwrap_or_default();
    let of = |name: &str| known.iter().find(|(other, _)| other == name).map(|(_, value)| *value);
    let with = |least: Int| {
        let of_size = |size: &Size| of(&size.name).map_or(shown::SMALL, |value| value.max(least));
        let call: Vec<Int> = kernel.sizes.iter().take(kernel.call_sizes()).map(of_size).collect();
        super::sizes::with_lengths(kernel, &call)
    };
    let larger = with(shown::SMALL);
    if kernel.assumptions().holds(&larger) == Some(true) && still_reads(kernel, fault, &larger) {
        return larger;
    }
    with(1)
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
        Refused { law: fault.law().to_string(), message: message(fault), relation, points, is_read }
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
        Fact::Blocks(_) => ("the producer lies outside what the block computes", reads, true),
        Fact::Lanes(_) => ("the lanes of the map do not fit a warp", ["point", "other point"], false),
        _ => ("the map asks for more than the machine has", ["point", "other point"], false),
    }
}
