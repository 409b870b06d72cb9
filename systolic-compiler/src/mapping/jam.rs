//! Unroll and jam: some iterations of the loop around the innermost one run together, at every iteration of the innermost.
//!
//! ```text
//! for i in 0..N { for j in 0..M { H[i, j] = … H[i - 1, j] … } }        every value goes through memory to the next i
//!
//! for i in tiles of 4 { for j in 0..M {                                three of four stay in registers
//!     H[i, j] = … H[i - 1, j] …; H[i + 1, j] = … H[i, j] …; … } }
//! ```
//!
//! Iterations of a loop that is not in time may run together too, if all of them read the same elements:
//!
//! ```text
//! for i in 0..M (block), j in 0..N (block, lane) { for k in 0..K { S += a[i, k] * b[k, j]; } }
//!
//! for i in tiles of 4 (block), … { for k in 0..K { S0 += a[i, k] * b[k, j]; S1 += a[i + 1, k] * b[k, j]; … } }
//! ```
//!
//! An element of `b` is loaded once for four rows, and four sums, each of which waits for its last addition, grow at the same time.
use super::draft::{Tree, leaves};
use super::reads::{length, stands_alone};
use crate::laws::{LawfulMap, prove_map};
use crate::model::{Form, Int, Kernel, Mapping, MatrixClause, RowName};
use crate::region::Name;

/// A map with this many iterations of the loop around the innermost one jammed; `None` if the map has no two such loops, or if no such
/// map is lawful.
pub fn jammed(kernel: &Kernel, map: &LawfulMap, by: Int) -> Option<LawfulMap> {
    let clause = free_clause(map.mapping())?;
    let [.., around, innermost] = clause.rows.get(map.mapping().lanes.len()..)? else { return None };
    let (outer, inner) = (one(around)?, one(innermost)?);
    let is_long = |column: usize| is_long(kernel, map.mapping().leaves[clause.old[column].0], 4 * by);
    let both = is_long(outer) && is_long(inner);
    let tile = Jam { leaf: clause.old[outer].0, by, step: around[outer] };
    both.then(|| prove_map(kernel, &tile.mapping(kernel, map.mapping())?).ok())?
}

/// The same for a loop of points that do not wait for each other: one whose iterations read the same elements at every iteration of the
/// loops inside it, as the rows of a picture read the same weights.
pub fn jammed_blocks(kernel: &Kernel, map: &LawfulMap, by: Int) -> Option<LawfulMap> {
    let of = map.mapping();
    let clause = free_clause(of)?;
    let origins = origins(of);
    let node = |column: usize| of.leaves[clause.old[column].0];
    let lane = origins[node(one(clause.rows.first()?)?)];
    let time: Vec<usize> =
        clause.rows.get(of.lanes.len()..)?.iter().map(|row| Some(node(one(row)?))).collect::<Option<_>>()?;
    // Loops that are split into chunks or blocks, or that the lanes take, compute points that do not wait for each other.
    let is_apart = |node: &usize| *node >= kernel.loops.len() || origins[*node] == lane;
    let inner: Vec<usize> = time.iter().copied().filter(|node| !is_apart(node)).collect();
    let around = time.iter().take_while(|node| is_apart(node)).count();
    if around + inner.len() < time.len() || !are_long(kernel, &inner, 4 * by) {
        return None;
    }
    let accesses = kernel.accesses();
    let moves = |index: &[Form], l: usize| index.iter().any(|form| form.coef(kernel.loop_dim(l)) != 0);
    let reads_alike = |l: usize| {
        // What iterations after the last one would read is not asked for at a border.
        let ends = accesses.iter().all(|a| kernel.border(a.array).is_none() || !moves(a.index, l));
        ends && accesses.iter().any(|a| inner.iter().any(|node| moves(a.index, *node)) && !moves(a.index, l))
    };
    let blocks = of.blocks.iter().map(|leaf| of.leaves[*leaf]).filter(|node| origins[*node] == *node);
    let chunks = time[..around].iter().copied();
    let mut free: Vec<usize> = chunks.chain(blocks).filter(|node| origins[*node] != lane).collect();
    free.retain(|node| {
        let l = origins[*node];
        length(kernel, l).is_none_or(|n| n >= 4 * by) && stands_alone(kernel, l) && reads_alike(l)
    });
    let leaf = of.leaves.iter().position(|node| free.last() == Some(node))?;
    prove_map(kernel, &Jam { leaf, by, step: 1 }.mapping(kernel, of)?).ok()
}

/// The loop of the kernel of which each node is a part.
fn origins(map: &Mapping) -> Vec<usize> {
    let mut origins: Vec<usize> = (0..map.nodes.len()).collect();
    // The parts of a tile are the last nodes when it is split.
    for (k, node) in map.nodes.iter().enumerate() {
        if let Some(tile) = &node.tile {
            (origins[tile.outer], origins[tile.inner]) = (origins[k], origins[k]);
        }
    }
    origins
}

/// Whether loops of the kernel together are not known to have fewer iterations than this.
fn are_long(kernel: &Kernel, loops: &[usize], least: Int) -> bool {
    let mut lengths = loops.iter().map(|l| length(kernel, *l));
    let all = lengths.try_fold(1, |all: Int, n| all.checked_mul(n?.max(0)));
    !loops.is_empty() && all.is_none_or(|n| n >= least)
}

/// The matrix of a map in which nothing is unrolled yet.
fn free_clause(map: &Mapping) -> Option<&MatrixClause> {
    let plain = map.fold == 1 && map.unroll.is_empty() && map.sequential.is_empty() && map.warps.is_empty();
    map.matrix.as_ref().filter(|_| plain)
}

/// Iterations of a leaf loop that become one tile, which runs completely at every time.
struct Jam {
    leaf: usize,
    by: Int,
    /// 1, or −1 if they run down.
    step: Int,
}

impl Jam {
    fn mapping(&self, kernel: &Kernel, map: &Mapping) -> Option<Mapping> {
        let (node, at) = (map.leaves[self.leaf], map.at);
        let mut jammed = map.clone();
        let mut tree = Tree { nodes: jammed.nodes, at };
        let (outer, inside) = tree.split(node, self.by, ["jam", "jammed"]);
        jammed.nodes = tree.nodes;
        jammed.leaves = leaves(&jammed.nodes, kernel.loops.len());
        let leaf = |node: usize| jammed.leaves.iter().position(|leaf| *leaf == node);
        let moved = |old: usize| leaf(if map.leaves[old] == node { outer } else { map.leaves[old] });
        jammed.blocks = map.blocks.iter().map(|l| moved(*l)).collect::<Option<_>>()?;
        let matrix = jammed.matrix.as_mut()?;
        for (old, name) in &mut matrix.old {
            *old = moved(*old)?;
            *name = jammed.nodes[jammed.leaves[*old]].name.clone();
        }
        // One more column, and one more row: the iterations of a tile, innermost.
        matrix.old.push((leaf(inside)?, jammed.nodes[inside].name.clone()));
        matrix.rows.iter_mut().for_each(|row| row.push(0));
        let mut row = vec![0; matrix.old.len()];
        *row.last_mut()? = self.step;
        matrix.rows.push(row);
        matrix.row_at.push(at);
        let name = Name { text: format!("time{}", matrix.rows.len() - map.lanes.len()), at };
        jammed.unroll = vec![(RowName::New(matrix.new.len()), name.clone())];
        matrix.new.push(name);
        Some(jammed)
    }
}

/// The only column of a row, if its entry is 1 or −1.
fn one(row: &[Int]) -> Option<usize> {
    let mut columns = (0..row.len()).filter(|c| row[*c] != 0);
    let column = columns.next().filter(|c| row[*c].abs() == 1)?;
    columns.next().is_none().then_some(column)
}

/// Whether a leaf loop is one of the kernel's and not known to be shorter than this.
fn is_long(kernel: &Kernel, node: usize, least: Int) -> bool {
    node < kernel.loops.len() && length(kernel, node).is_none_or(|n| n >= least)
}
