//! Finds the witness of an overlap that is too narrow: follows the reads from the stores of one block, at given sizes.
use super::set::{named, shifted};
use crate::fault::{BlocksFact, Fault};
use crate::model::{Int, Kernel, Mapping, Places, Read, Reader};
use crate::target::effort;
use std::collections::HashSet;

/// The fault of a value that a store in the block of `point` needs, and that lies outside the overlapped tile of node `n`;
/// `None` if none is found among the first `effort::REACH_VALUES` values.
pub fn outside(kernel: &Kernel, mapping: &Mapping, places: &Places, n: usize, point: &[Int]) -> Option<Fault> {
    let tile = mapping.nodes[n].tile.as_ref()?;
    let sizes = &point[..places.sizes];
    // In this block the inner loop is the tiled loop minus this constant.
    let base = places.nodes[n].eval(point)? - places.nodes[tile.inner].eval(point)?;
    let inside = |z: &[Int]| (-tile.before..tile.by + tile.after).contains(&(z[kernel.loop_dim(n)] - base));
    let reads = kernel.reads();
    let mut seen: HashSet<(usize, Vec<Int>)> = HashSet::new();
    let mut open: Vec<(Reader, Vec<Int>)> = Vec::new();
    for z in core(kernel, sizes, n, base, tile.by)? {
        for (s, store) in kernel.stores.iter().enumerate() {
            if store.guard.holds(&z) == Some(true) {
                open.push((Reader::Store(s), z.clone()));
            }
        }
    }
    while let Some((reader, z)) = open.pop() {
        for read in reads.iter().filter(|r| r.reader == reader && r.guard.holds(&z) == Some(true)) {
            if kernel.equations[read.variable].copy.is_some() {
                continue;
            }
            let source: Vec<Int> = shifted(kernel, read.distance).iter().filter_map(|f| f.eval(&z)).collect();
            if launch(kernel, mapping, &source) != launch(kernel, mapping, &z) {
                continue;
            }
            if !inside(&source) {
                return Some(fault(kernel, mapping, n, read, &z, &source, base));
            }
            if seen.len() > effort::REACH_VALUES {
                return None;
            }
            if seen.insert((read.variable, source.clone())) {
                open.push((Reader::Equation(read.variable), source));
            }
        }
    }
    None
}

/// The launch of a point.
fn launch(kernel: &Kernel, mapping: &Mapping, z: &[Int]) -> Vec<Int> {
    let mut values: Vec<Int> = mapping.nodes.iter().map(|_| 0).collect();
    values[..kernel.loops.len()].copy_from_slice(&z[kernel.sizes.len()..]);
    // The loops of a tile come after the loop that they tile.
    for n in 0..mapping.nodes.len() {
        if let Some(tile) = &mapping.nodes[n].tile {
            (values[tile.outer], values[tile.inner]) = (values[n].div_euclid(tile.by), values[n].rem_euclid(tile.by));
        }
    }
    mapping.launches.iter().map(|leaf| values[mapping.leaves[*leaf]]).collect()
}

/// The points of the domain whose loop `k` lies in the tile at `base`, without its halo; `None` if there are too many.
fn core(kernel: &Kernel, sizes: &[Int], k: usize, base: Int, by: Int) -> Option<Vec<Vec<Int>>> {
    let mut points = vec![sizes.to_vec()];
    for (n, l) in kernel.loops.iter().enumerate() {
        let mut next = Vec::new();
        for p in points {
            let (mut low, mut high) = (l.low.eval(&p)?, l.high.eval(&p)?);
            if n == k {
                (low, high) = (low.max(base), high.min(base + by));
            }
            if high - low > effort::REACH_VALUES as Int {
                return None;
            }
            for v in low..high {
                let mut q = p.clone();
                q.push(v);
                next.push(q);
            }
        }
        if next.len() > effort::REACH_VALUES {
            return None;
        }
        points = next;
    }
    Some(points)
}

fn fault(kernel: &Kernel, mapping: &Mapping, n: usize, read: &Read, z: &[Int], source: &[Int], base: Int) -> Fault {
    let tile = mapping.nodes[n].tile.as_ref();
    let (low, high) = tile.map_or((0, 0), |t| (-t.before, t.by + t.after - 1));
    let number = |name: &String| Some((name.clone(), kernel.instance.number(name)?.into()));
    let numbers = kernel.instance.arguments.iter().filter_map(|(name, _)| number(name)).collect();
    let fact = BlocksFact::Narrow {
        variable: kernel.equations[read.variable].variable.text.clone(),
        of: mapping.nodes[n].name.text.clone(),
        reach: source[kernel.loop_dim(n)] - base,
        low,
        high,
        widths: None,
        numbers,
    };
    let mut witness = super::set::witness(kernel, z);
    let mut other = named(kernel, &source[kernel.sizes.len()..]);
    // Both are told as points of the kernel as it is written, before shifts.
    let back = |point: &mut Vec<(String, Int)>, shift: &[Int]| {
        point.iter_mut().zip(shift).for_each(|((_, at), by)| *at -= by);
    };
    back(&mut witness.point, kernel.shift_of(read.reader));
    back(&mut other, &kernel.equations[read.variable].shift);
    witness.other = Some(other);
    Fault::new(read.at, fact).with_witness(witness)
}
