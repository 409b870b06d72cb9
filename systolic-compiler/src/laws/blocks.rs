//! ∀ active class of a computed value of the same launch: Δblock = 0, or the blocks are in order (`tickets`); with `overlap`, every value that a store of the block needs,
//! directly or through others, lies within the overlapped tile
use super::set::{Asked, ask};
use super::witness::read_witness;
use super::{lanes, reach};
use crate::dependence::{Class, readers};
use crate::fault::{BlocksFact, Fact, Fault, Faults, Widths};
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Read, Reader, RowKind, Tile};
use systolic_sets::{Range, range};

/// By how much sizes are larger than the smallest ones, in the search for a chain that leaves a tile.
const MORE: [Int; 11] = [0, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64];

/// The fault of a class that leaves its block, if a point reads so.
pub fn check(kernel: &Kernel, mapping: &Mapping, places: &Places, read: &Read, class: &Class) -> Option<Fault> {
    let delta = &class.displacement;
    let k = (0..delta.len()).find(|k| places.rows[*k].kind == RowKind::Block && delta[*k] != 0)?;
    let row = &places.rows[k];
    let variable = kernel.equations[read.variable].variable.text.clone();
    match ask(places.dims(), &readers(kernel, mapping, places, read, class)) {
        Asked::Empty => None,
        Asked::GaveUp => Some(Fault::new(read.at, BlocksFact::Undecided { variable })),
        Asked::Point(point) => {
            let to = places.form(row).eval(&point).unwrap_or_default();
            let reach = enough(kernel, mapping, places, &row.name);
            let fact = BlocksFact::Crosses { variable, loop_name: row.name.clone(), from: to - delta[k], to, reach };
            Some(Fault::new(read.at, fact).with_witness(read_witness(kernel, places, read, &point)))
        }
    }
}

/// The overlap of the tile with this outer loop that holds every chain of reads, if a constant one does.
fn enough(kernel: &Kernel, mapping: &Mapping, places: &Places, outer: &str) -> Option<(Int, Int)> {
    let of = |n: &&crate::model::Node| n.tile.as_ref().is_some_and(|t| mapping.nodes[t.outer].name.text == outer);
    let node = mapping.nodes.iter().find(of)?;
    let tile = node.tile.as_ref()?;
    let k = (0..kernel.loops.len()).find(|k| mapping.nodes[*k].name == node.name)?;
    let links = links(kernel);
    let (chain, moved) = chains(kernel, mapping, places, k, &links);
    let inner = &places.nodes[tile.inner] + &moved;
    match range(chain_dims(kernel, places, &links), &chain, &inner) {
        Range::Bounds { low: Some(low), high: Some(high) } => Some(sides(tile, low, high)),
        _ => None,
    }
}

/// Whether the lanes hold the tile of node `n` when its inner loop runs from `low` to `high`.
fn has_lanes(kernel: &Kernel, mapping: &Mapping, n: usize, low: Int, high: Int) -> bool {
    let mut wider = mapping.clone();
    if let Some(tile) = &mut wider.nodes[n].tile {
        (tile.before, tile.after) = sides(tile, low, high);
    }
    let mut found = Faults::default();
    lanes::check(kernel, &wider, &Places::new(kernel, &wider), &mut found);
    found.is_empty()
}

/// How far an inner loop that runs from `low` to `high` reaches before and after its tile.
fn sides(tile: &Tile, low: Int, high: Int) -> (Int, Int) {
    ((-low).max(0), (high - tile.by + 1).max(0))
}

/// `overlap n by (3, 0);`, for an inner loop that runs from `low` to `high`.
fn clause(of: &str, tile: &Tile, low: Int, high: Int) -> String {
    let (before, after) = sides(tile, low, high);
    let by = if before == after { before.to_string() } else { format!("({before}, {after})") };
    format!("overlap {of} by {by};")
}

/// Every overlap is wide enough: no chain of reads from the core of a tile leaves it.
/// The set over-estimates: it counts how often each read is used, not whether the guards allow that chain. Where it has a
/// point the chains are followed one by one.
pub fn overlaps(kernel: &Kernel, mapping: &Mapping, places: &Places, faults: &mut Faults) {
    let overlapped = |n: usize| mapping.nodes[n].tile.as_ref().filter(|t| t.before > 0 || t.after > 0);
    if (0..kernel.loops.len()).all(|n| overlapped(n).is_none()) {
        return;
    }
    let links = links(kernel);
    // Only the kernel's own loops are overlapped: the law `names`.
    for n in 0..kernel.loops.len() {
        let Some(tile) = overlapped(n) else { continue };
        let name = &mapping.nodes[n].name.text;
        let at = tile.overlap_at.unwrap_or(mapping.at);
        let undecided = || Fault::new(at, BlocksFact::Undecided { variable: name.clone() });
        if links.iter().all(|l| l.distance[n] == 0) {
            continue;
        }
        let (chain, moved) = chains(kernel, mapping, places, n, &links);
        let inner = &places.nodes[tile.inner] + &moved;
        let below = Formula::AtLeast((-&inner).plus(-tile.before - 1));
        let outside = below.or(Formula::AtLeast(inner.plus(-tile.by - tile.after)));
        let dims = chain_dims(kernel, places, &links);
        match ask(dims, &chain.clone().and(outside.clone())) {
            Asked::Empty => {}
            Asked::GaveUp => faults.push(undecided()),
            Asked::Point(point) => {
                let shown = shown(kernel, mapping, places, n, dims, &chain.clone().and(outside), point);
                let mut fault = shown.unwrap_or_else(undecided);
                // The range counts too many chains rather than too few: what it asks for is wide enough in any case.
                faults.push(match (range(dims, &chain, &inner), tile.overlap_at) {
                    (Range::Bounds { low: Some(low), high: Some(high) }, Some(at)) => {
                        if let Fact::Blocks(BlocksFact::Narrow { widths, .. }) = &mut fault.fact {
                            *widths = Some(Widths { found: (tile.before, tile.after), needed: sides(tile, low, high) });
                        }
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

/// A chain that leaves the overlapped tile of node `n`, followed from a store. At the smallest sizes the guards may
/// forbid every chain that leaves, as where a loop keeps off both ends; so larger ones are tried too.
fn shown(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    n: usize,
    dims: usize,
    outside: &Formula,
    smallest: Vec<Int>,
) -> Option<Fault> {
    for more in MORE {
        let larger = (0..places.sizes).map(|k| Formula::AtLeast(Form::var(k).plus(-smallest[k] - more)));
        let point = match more {
            0 => smallest.clone(),
            _ => match ask(dims, &larger.fold(outside.clone(), Formula::and)) {
                Asked::Point(point) => point,
                _ => continue,
            },
        };
        let fault = reach::outside(kernel, mapping, places, n, &point);
        if fault.is_some() {
            return fault;
        }
    }
    None
}

/// A read of a computed value, as a link of chains.
pub(super) struct Link {
    /// The equation that reads; `None` for a store.
    pub reader: Option<usize>,
    pub source: usize,
    pub distance: Vec<Int>,
}

/// The reads of computed values that ever happen, each once.
pub(super) fn links(kernel: &Kernel) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let domain = kernel.domain();
    for read in kernel.reads() {
        let reader = match read.reader {
            Reader::Equation(n) => Some(n),
            Reader::Store(_) => None,
        };
        let known =
            links.iter().any(|l| (l.reader, l.source) == (reader, read.variable) && l.distance == read.distance);
        let happens = || !matches!(ask(kernel.dims(), &domain.clone().and(read.guard.clone())), Asked::Empty);
        if kernel.equations[read.variable].copy.is_none() && !known && happens() {
            links.push(Link { reader, source: read.variable, distance: read.distance.to_vec() });
        }
    }
    links
}

/// The dimensions of `chains`: sizes and leaves, how often each link is used, and which variable ends the chain.
fn chain_dims(kernel: &Kernel, places: &Places, links: &[Link]) -> usize {
    places.dims() + links.len() + kernel.equations.len() + kernel.lengths().count()
}

/// Chains of reads that start at a store in the core and end in the domain; and how far loop `k` moves from start to
/// end. What flows into a variable flows out of it, or ends there.
fn chains(kernel: &Kernel, mapping: &Mapping, places: &Places, k: usize, links: &[Link]) -> (Formula, Form) {
    let used = |n: usize| Form::var(places.dims() + n);
    let ends = |v: usize| Form::var(places.dims() + links.len() + v);
    let total = |is_chosen: &dyn Fn(&Link) -> bool| {
        let chosen = (0..links.len()).filter(|n| is_chosen(&links[*n]));
        chosen.fold(Form::constant(0), |sum, n| &sum + &used(n))
    };
    let mut set = places.domain(kernel, mapping).and(places.core(mapping));
    for n in 0..links.len() {
        set = set.and(Formula::AtLeast(used(n)));
    }
    set = set.and(Formula::equal(&total(&|l| l.reader.is_none()), &Form::constant(1)));
    for v in 0..kernel.equations.len() {
        let out = &total(&|l| l.reader == Some(v)) + &ends(v);
        set = set.and(Formula::AtLeast(ends(v))).and(Formula::equal(&total(&|l| l.source == v), &out));
    }
    let start = places.images(kernel);
    let mut end = start.clone();
    for (n, link) in links.iter().enumerate() {
        for (l, d) in link.distance.iter().enumerate() {
            let dim = kernel.loop_dim(l);
            end[dim] = &end[dim] - &used(n).scale(*d);
        }
    }
    // A chain that leads to another item ends where other lengths hold.
    for (n, length) in kernel.lengths().enumerate() {
        if links.iter().any(|link| length.index.iter().any(|(l, _)| link.distance[*l] != 0)) {
            end[length.size] = Form::var(places.dims() + links.len() + kernel.equations.len() + n);
        }
    }
    set = set.and(kernel.domain().substitute(&end));
    for leaf in &mapping.launches {
        set = set.and(same_launch(kernel, mapping, places, *leaf, &end));
    }
    let dim = kernel.loop_dim(k);
    (set, &end[dim] - &start[dim])
}

/// The end of a chain lies in the launch of its start: what an earlier launch computed is read from there. Launches only go
/// forward, so that holds for the whole chain. A loop that is tiled twice is not looked at: more chains are asked for.
fn same_launch(kernel: &Kernel, mapping: &Mapping, places: &Places, leaf: usize, end: &[Form]) -> Formula {
    let (node, launch) = (mapping.leaves[leaf], Form::var(places.sizes + leaf));
    let of_loop = |k: usize| match &mapping.nodes[k].tile {
        None if k == node => Some(Formula::equal(&end[kernel.loop_dim(k)], &launch)),
        Some(tile) if tile.outer == node => {
            let low = launch.scale(tile.by);
            Some(Formula::within(&end[kernel.loop_dim(k)], &low, &low.plus(tile.by)))
        }
        _ => None,
    };
    (0..kernel.loops.len()).find_map(of_loop).unwrap_or(Formula::True)
}
