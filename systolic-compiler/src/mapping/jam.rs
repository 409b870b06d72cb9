//! Unroll and jam: some iterations of the loop around the innermost one run together, at every iteration of the innermost.
//!
//! ```text
//! for i in 0..N { for j in 0..M { H[i, j] = … H[i - 1, j] … } }        every value goes through memory to the next i
//!
//! for i in tiles of 4 { for j in 0..M {                                three of four stay in registers
//!     H[i, j] = … H[i - 1, j] …; H[i + 1, j] = … H[i, j] …; … } }
//! ```
use super::draft::leaves;
use super::reads::length;
use crate::laws::{LawfulMap, prove_map};
use crate::model::{Int, Kernel, Mapping, Node, RowName, Tile};
use crate::region::Name;

/// A map with this many iterations of the loop around the innermost one jammed; `None` if the map has no two such loops, or if no such
/// map is lawful.
pub fn jammed(kernel: &Kernel, map: &LawfulMap, by: Int) -> Option<LawfulMap> {
    prove_map(kernel, &mapping(kernel, map.mapping(), by)?).ok()
}

fn mapping(kernel: &Kernel, map: &Mapping, by: Int) -> Option<Mapping> {
    let clause = map.matrix.as_ref()?;
    let plain = map.fold == 1 && map.unroll.is_empty() && map.sequential.is_empty() && map.warps.is_empty();
    let times = clause.rows.get(map.lanes.len()..)?;
    let [.., around, innermost] = times else { return None };
    let (outer, inner) = (one(around)?, one(innermost)?);
    if !plain || !is_long(kernel, map, clause.old[outer].0, by) || !is_long(kernel, map, clause.old[inner].0, by) {
        return None;
    }
    let mut jammed = map.clone();
    let (node, at) = (map.leaves[clause.old[outer].0], map.at);
    let named =
        |part: &str| Node { name: Name { text: format!("{}_{part}", map.nodes[node].name.text), at }, tile: None };
    let tile = Tile {
        by,
        by_at: at,
        outer: map.nodes.len(),
        inner: map.nodes.len() + 1,
        before: 0,
        after: 0,
        overlap_at: None,
    };
    jammed.nodes.extend(["jam", "jammed"].map(named));
    let inside = tile.inner;
    jammed.leaves = {
        jammed.nodes[node].tile = Some(tile.clone());
        leaves(&jammed.nodes, kernel.loops.len())
    };
    let leaf = |node: usize| jammed.leaves.iter().position(|leaf| *leaf == node);
    let moved = |old: usize| leaf(if map.leaves[old] == node { tile.outer } else { map.leaves[old] });
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
    *row.last_mut()? = around[outer];
    matrix.rows.push(row);
    matrix.row_at.push(at);
    let name = Name { text: format!("time{}", times.len() + 1), at };
    jammed.unroll = vec![(RowName::New(matrix.new.len()), name.clone())];
    matrix.new.push(name);
    Some(jammed)
}

/// The only column of a row, if its entry is 1 or −1.
fn one(row: &[Int]) -> Option<usize> {
    let mut columns = (0..row.len()).filter(|c| row[*c] != 0);
    let column = columns.next().filter(|c| row[*c].abs() == 1)?;
    columns.next().is_none().then_some(column)
}

/// Whether a leaf loop is one of the kernel's and not known to be short.
fn is_long(kernel: &Kernel, map: &Mapping, leaf: usize, by: Int) -> bool {
    let node = map.leaves[leaf];
    node < kernel.loops.len() && length(kernel, node).is_none_or(|n| n >= 4 * by)
}
