//! ∀ active class of a computed value: Δblock = 0; with `overlap`, every value that a store of the block needs,
//! directly or through others, lies within the overlapped tile
use super::{lanes, reach};
use super::set::{Asked, ask};
use super::wires::{Class, loop_witness, readers};
use crate::fault::{BlocksFact, Fault, Faults};
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Read, RowKind, Tile};
use systolic_sets::{Range, range};

/// The fault of a class that leaves its block, if a point reads so.
pub fn check(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    read: &Read,
    class: &Class,
    delta: &[Int],
) -> Option<Fault> {
    let k = (0..delta.len()).find(|k| places.rows[*k].kind == RowKind::Block && delta[*k] != 0)?;
    let row = &places.rows[k];
    let variable = kernel.equations[read.variable].variable.text.clone();
    match ask(places.dims(), &readers(kernel, mapping, places, read, class)) {
        Asked::Empty => None,
        Asked::GaveUp => Some(Fault::new(read.at, BlocksFact::Undecided { variable })),
        Asked::Point(point) => {
            let to = places.form(row).eval(&point).unwrap_or_default();
            let fact = BlocksFact::Crosses { variable, loop_name: row.name.clone(), from: to - delta[k], to };
            let mut witness = loop_witness(kernel, places, &point);
            witness.other = Some(witness.point.iter().zip(read.distance).map(|((n, v), d)| (n.clone(), v - d)).collect());
            let advice = match enough(kernel, mapping, places, &row.name) {
                Some(overlap) => format!(
                    "leave `{0}` out of `blocks`, so that it runs in order; or recompute the edge: {overlap}",
                    row.name
                ),
                None => format!("leave `{}` out of `blocks`, so that it runs in order", row.name),
            };
            Some(Fault::new(read.at, fact).with_witness(witness).with_advice(advice))
        }
    }
}

/// The overlap of the tile with this outer loop that holds every chain of reads, if a constant one does.
fn enough(kernel: &Kernel, mapping: &Mapping, places: &Places, outer: &str) -> Option<String> {
    let of = |n: &&crate::model::Node| n.tile.as_ref().is_some_and(|t| mapping.nodes[t.outer].name.text == outer);
    let node = mapping.nodes.iter().find(of)?;
    let tile = node.tile.as_ref()?;
    let k = (0..kernel.loops.len()).find(|k| mapping.nodes[*k].name == node.name)?;
    let distances = computed_distances(kernel);
    let (chain, moved) = chains(kernel, mapping, places, k, &distances);
    let inner = &places.nodes[tile.inner] + &moved;
    match range(places.dims() + distances.len(), &chain, &inner) {
        Range::Bounds { low: Some(low), high: Some(high) } => {
            let tight = if has_lanes(kernel, mapping, k, low, high) { "" } else { ", with a smaller tile" };
            Some(format!("`{}`{tight}", clause(&node.name.text, tile, low, high)))
        }
        _ => None,
    }
}

/// Whether the lanes hold the tile of node `n` when its inner loop runs from `low` to `high`.
fn has_lanes(kernel: &Kernel, mapping: &Mapping, n: usize, low: Int, high: Int) -> bool {
    let mut wider = mapping.clone();
    if let Some(tile) = &mut wider.nodes[n].tile {
        (tile.before, tile.after) = ((-low).max(0), (high - tile.by + 1).max(0));
    }
    let mut found = Faults::default();
    lanes::check(kernel, &wider, &Places::new(kernel, &wider), &mut found);
    found.is_empty()
}

/// `overlap n by (3, 0);`, for an inner loop that runs from `low` to `high`.
fn clause(of: &str, tile: &Tile, low: Int, high: Int) -> String {
    let (before, after) = ((-low).max(0), (high - tile.by + 1).max(0));
    let by = if before == after { before.to_string() } else { format!("({before}, {after})") };
    format!("overlap {of} by {by};")
}

/// Every overlap is wide enough: no chain of reads from the core of a tile leaves it.
/// The set over-estimates: it counts how often each distance is used, not whether the guards allow that chain. Where it
/// has a point the chains are followed one by one.
pub fn overlaps(kernel: &Kernel, mapping: &Mapping, places: &Places, faults: &mut Faults) {
    let distances = computed_distances(kernel);
    for n in 0..mapping.nodes.len() {
        let Some(tile) = mapping.nodes[n].tile.as_ref().filter(|t| t.before > 0 || t.after > 0) else { continue };
        let name = &mapping.nodes[n].name.text;
        let at = tile.overlap_at.unwrap_or(mapping.at);
        let undecided = || Fault::new(at, BlocksFact::Undecided { variable: name.clone() });
        let Some((k, around)) = around(kernel, mapping, n) else {
            faults.push(undecided());
            continue;
        };
        if distances.iter().all(|d| d[k] == 0) {
            continue;
        }
        let (chain, moved) = chains(kernel, mapping, places, k, &distances);
        let leaves = |t: &Tile| {
            let inner = &places.nodes[t.inner] + &moved;
            let below = Formula::AtLeast((-&inner).plus(-t.before - 1));
            below.or(Formula::AtLeast(inner.plus(-t.by - t.after)))
        };
        let dims = places.dims() + distances.len();
        // A tile around this one that has no overlap of its own must not be left at all.
        let outside = around.iter().map(|t| leaves(t)).fold(leaves(tile), Formula::or);
        match ask(dims, &chain.clone().and(outside)) {
            Asked::Empty => {}
            Asked::GaveUp => faults.push(undecided()),
            Asked::Point(point) => {
                let fault = reach::outside(kernel, mapping, places, n, &point).unwrap_or_else(undecided);
                let inner = &places.nodes[tile.inner] + &moved;
                faults.push(match (range(dims, &chain, &inner), tile.overlap_at) {
                    (Range::Bounds { low: Some(low), high: Some(high) }, Some(at)) if around.is_empty() => {
                        let code = clause(name, tile, low, high);
                        if has_lanes(kernel, mapping, n, low, high) {
                            fault.with_edit(format!("this is wide enough: `{code}`"), at, code.clone())
                        } else {
                            fault.with_advice(format!("this is wide enough: `{code}`, with a smaller tile"))
                        }
                    }
                    _ => fault,
                });
            }
        }
    }
}

/// The loop that node `n` was tiled from, and the tiles around it. `None` where `n` counts tiles: there the law says
/// nothing.
fn around<'m>(kernel: &Kernel, mapping: &'m Mapping, n: usize) -> Option<(usize, Vec<&'m Tile>)> {
    let mut at = n;
    let mut tiles = Vec::new();
    while at >= kernel.loops.len() {
        let parent = mapping.nodes.iter().position(|p| p.tile.as_ref().is_some_and(|t| t.inner == at))?;
        tiles.extend(&mapping.nodes[parent].tile);
        at = parent;
    }
    Some((at, tiles))
}

/// The nonzero distances of computed values, each once.
fn computed_distances(kernel: &Kernel) -> Vec<Vec<Int>> {
    let mut distances: Vec<Vec<Int>> = Vec::new();
    for read in kernel.reads() {
        let computed = kernel.equations[read.variable].copy.is_none();
        if computed && read.distance.iter().any(|d| *d != 0) && !distances.contains(&read.distance.to_vec()) {
            distances.push(read.distance.to_vec());
        }
    }
    distances
}

/// Chains that start in the core and end in the domain, over sizes, leaves and how often each distance is used;
/// and how far loop `k` moves from start to end.
fn chains(kernel: &Kernel, mapping: &Mapping, places: &Places, k: usize, distances: &[Vec<Int>]) -> (Formula, Form) {
    let dims = places.dims();
    let used = |n: usize| Form::var(dims + n);
    let mut set = places.domain(kernel, mapping).and(places.core(mapping));
    let start = places.images(kernel);
    let mut end = start.clone();
    for (n, distance) in distances.iter().enumerate() {
        set = set.and(Formula::AtLeast(used(n)));
        for (l, d) in distance.iter().enumerate() {
            let dim = kernel.loop_dim(l);
            end[dim] = &end[dim] - &used(n).scale(*d);
        }
    }
    set = set.and(kernel.domain().substitute(&end));
    let dim = kernel.loop_dim(k);
    (set, &end[dim] - &start[dim])
}

/// The loop of the kernel that a node was tiled from.
pub fn owner(kernel: &Kernel, mapping: &Mapping, node: usize) -> Option<usize> {
    around(kernel, mapping, node).map(|(k, _)| k)
}
