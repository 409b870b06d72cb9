//! ∀ active class of a computed value: Δblock = 0; with `overlap`, every value that a store of the block needs,
//! directly or through others, lies within the overlapped tile
use super::reach;
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
            let advice = match tiled(mapping, &row.name) {
                Some(of) => format!(
                    "leave `{0}` out of `blocks`, so that it runs in order; or recompute the edge: `overlap {of} by 1;`",
                    row.name
                ),
                None => format!("leave `{}` out of `blocks`, so that it runs in order", row.name),
            };
            Some(Fault::new(read.at, fact).with_witness(witness).with_advice(advice))
        }
    }
}

/// The loop whose tile's outer loop this is.
fn tiled<'m>(mapping: &'m Mapping, outer: &str) -> Option<&'m str> {
    let of = |n: &&crate::model::Node| n.tile.as_ref().is_some_and(|t| mapping.nodes[t.outer].name.text == outer);
    mapping.nodes.iter().find(of).map(|n| n.name.text.as_str())
}

/// Every overlap is wide enough: no chain of reads from the core of a tile leaves it.
/// The set over-estimates: it counts how often each distance is used, not whether the guards allow that chain. Where it
/// has a point the chains are followed one by one.
pub fn overlaps(kernel: &Kernel, mapping: &Mapping, places: &Places, faults: &mut Faults) {
    let overlapped = |n: usize| mapping.nodes[n].tile.as_ref().filter(|t| t.before > 0 || t.after > 0);
    for n in 0..mapping.nodes.len() {
        let Some(tile) = overlapped(n) else { continue };
        let Some(distances) = computed_distances(kernel) else { continue };
        let (chain, inner) = chains(kernel, mapping, places, tile, &distances);
        let outside = Formula::Any(vec![
            Formula::AtLeast((-&inner).plus(-tile.before - 1)),
            Formula::AtLeast(inner.plus(-tile.by - tile.after)),
        ]);
        let dims = places.dims() + distances.len();
        let at = tile.overlap_at.unwrap_or(mapping.at);
        match ask(dims, &chain.clone().and(outside)) {
            Asked::Empty => {}
            Asked::GaveUp => {
                faults.push(Fault::new(at, BlocksFact::Undecided { variable: mapping.nodes[n].name.text.clone() }));
            }
            Asked::Point(point) => {
                let fault = match reach::outside(kernel, mapping, places, n, &point) {
                    Some(fault) => fault,
                    None => Fault::new(at, BlocksFact::Undecided { variable: mapping.nodes[n].name.text.clone() }),
                };
                faults.push(match (range(dims, &chain, &inner), tile.overlap_at) {
                    (Range::Bounds { low: Some(low), high: Some(high) }, Some(at)) => {
                        let (before, after) = ((-low).max(0), (high - tile.by + 1).max(0));
                        let by = if before == after { before.to_string() } else { format!("({before}, {after})") };
                        let code = format!("overlap {} by {by};", mapping.nodes[n].name.text);
                        fault.with_edit(format!("this is wide enough: `{code}`"), at, code.clone())
                    }
                    _ => fault,
                });
            }
        }
    }
}

/// The nonzero distances of computed values, each once.
fn computed_distances(kernel: &Kernel) -> Option<Vec<Vec<Int>>> {
    let mut distances: Vec<Vec<Int>> = Vec::new();
    for read in kernel.reads() {
        let computed = kernel.equations[read.variable].copy.is_none();
        if computed && read.distance.iter().any(|d| *d != 0) && !distances.contains(&read.distance.to_vec()) {
            distances.push(read.distance.to_vec());
        }
    }
    (!distances.is_empty()).then_some(distances)
}

/// Chains that start in the core and end in the domain, over sizes, leaves and how often each distance is used;
/// and where in its tile the end lies.
fn chains(kernel: &Kernel, mapping: &Mapping, places: &Places, tile: &Tile, distances: &[Vec<Int>]) -> (Formula, Form) {
    let dims = places.dims();
    let used = |n: usize| Form::var(dims + n);
    let mut set = places.domain(kernel, mapping).and(places.core(mapping));
    let mut end = places.images(kernel);
    for (n, distance) in distances.iter().enumerate() {
        set = set.and(Formula::AtLeast(used(n)));
        for (k, d) in distance.iter().enumerate() {
            let dim = kernel.loop_dim(k);
            end[dim] = &end[dim] - &used(n).scale(*d);
        }
    }
    set = set.and(kernel.domain().substitute(&end));
    // Inside its own tiles the end moves as its loop does.
    let owner = owner(kernel, mapping, tile.inner);
    let inner = match owner {
        Some(k) => &places.nodes[tile.inner] + &(&end[kernel.loop_dim(k)] - &places.nodes[k]),
        None => places.nodes[tile.inner].clone(),
    };
    (set, inner)
}

/// The loop of the kernel that a node was tiled from.
pub fn owner(kernel: &Kernel, mapping: &Mapping, node: usize) -> Option<usize> {
    let mut at = node;
    loop {
        if at < kernel.loops.len() {
            return Some(at);
        }
        at = mapping.nodes.iter().position(|n| n.tile.as_ref().is_some_and(|t| t.inner == at || t.outer == at))?;
    }
}
