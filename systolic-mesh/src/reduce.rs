//! Reductions in an order that does not depend on the mesh.
//!
//! Along an axis neighbours are combined in pairs, then neighbours among the results, and so on: a binary tree over the
//! positions in the whole array. The last axis is reduced first. A rank computes the nodes of the tree that lie in its part,
//! and rank 0 completes the tree.
use crate::array::DistributedArray;
#[cfg(test)]
use crate::cut::part;
use crate::error::Error;
use crate::mesh::Mesh;
use std::collections::BTreeMap;
use std::ops::Range;
use systolic::ndarray::{Array1, aview0};
use systolic::{Element, Rank};

/// A node of the tree over an axis: its height, and its number among those of that height.
type Node = (u32, usize);

impl<T: Element, D: Rank> DistributedArray<T, D> {
    /// Combines all elements to one, which all ranks get; `None` if the array is empty. The order of the combinations depends
    /// only on the shape of the whole array, so the bits of the result are the same for every mesh.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if they do not all make this call, and if a rank is lost.
    pub fn reduce(&self, combine: impl Fn(T, T) -> T) -> Result<Option<T>, Error> {
        let (mesh, shape) = (self.mesh(), self.shape());
        mesh.agree(Ok(format!("reduce of {} {shape:?}", T::TYPE)))?;
        if shape.contains(&0) {
            return Ok(None);
        }
        let mine = nodes_of_part(self, &combine);
        let message = || mesh.message();
        if mesh.rank() != 0 {
            let mut nodes = message();
            nodes.elements(mine.view());
            mesh.send(0, nodes)?;
            let (mut result, mut answer) = (Array1::from_elem(1, T::default()), mesh.receive(0)?);
            mesh.noted(answer.elements(result.view_mut()).and_then(|()| answer.end()))?;
            return Ok(Some(result[0]));
        }
        let result = completed(self, mine, &combine)?;
        for rank in 1..mesh.ranks() {
            let mut answer = message();
            answer.elements(aview0(&result));
            mesh.send(rank, answer)?;
        }
        Ok(Some(result))
    }
}

/// The last axis that the mesh cuts, and the ranges of a rank along that axis and along those before it.
fn cut_axis(mesh: &Mesh, shape: &[usize], rank: usize) -> (usize, Vec<Range<usize>>) {
    let axis = mesh.shape().len() - 1;
    let mut ranges = mesh.part(shape, rank);
    ranges.truncate(axis + 1);
    (axis, ranges)
}

/// The nodes in this rank's part, row by row.
fn nodes_of_part<T: Element, D: Rank>(array: &DistributedArray<T, D>, combine: &impl Fn(T, T) -> T) -> Array1<T> {
    let (axis, ranges) = cut_axis(array.mesh(), array.shape(), array.mesh().rank());
    let mut values: Vec<T> = array.part().iter().copied().collect();
    for length in array.shape()[axis + 1..].iter().rev() {
        values = values.chunks(*length).map(|row| tree(row, combine)).collect();
    }
    let (length, range) = (array.shape()[axis], &ranges[axis]);
    let nodes = nodes(length, range);
    let row = |row: &[T]| {
        let node = |node: &Node| {
            let covered = covered(*node, length);
            tree(&row[covered.start - range.start..covered.end - range.start], combine)
        };
        nodes.iter().map(node).collect::<Vec<T>>()
    };
    values.chunks(range.len()).flat_map(row).collect()
}

/// What rank 0 does: collects the nodes of all ranks and completes the tree.
fn completed<T: Element, D: Rank>(
    array: &DistributedArray<T, D>,
    mine: Array1<T>,
    combine: &impl Fn(T, T) -> T,
) -> Result<T, Error> {
    let (mesh, shape) = (array.mesh(), array.shape());
    let axis = mesh.shape().len() - 1;
    // Per row of the axes before, the nodes along the axis.
    let rows: usize = shape[..axis].iter().product();
    let mut known: Vec<BTreeMap<Node, T>> = vec![BTreeMap::new(); rows];
    for rank in 0..mesh.ranks() {
        let (_, ranges) = cut_axis(mesh, shape, rank);
        let nodes = nodes(shape[axis], &ranges[axis]);
        let rows = rows_of(shape, &ranges[..axis]);
        let mut values = Array1::from_elem(rows.len() * nodes.len(), T::default());
        if rank == 0 {
            values.assign(&mine);
        } else {
            let mut message = mesh.receive(rank)?;
            mesh.noted(message.elements(values.view_mut()).and_then(|()| message.end()))?;
        }
        let each = rows.iter().flat_map(|row| nodes.iter().map(move |node| (*row, *node)));
        each.zip(values).for_each(|((row, node), value)| {
            known[row].insert(node, value);
        });
    }
    let top = height(shape[axis]);
    let mut values: Vec<T> = known.iter().map(|known| value((top, 0), shape[axis], known, combine)).collect();
    for length in shape[..axis].iter().rev() {
        values = values.chunks(*length).map(|row| tree(row, combine)).collect();
    }
    Ok(values[0])
}

/// The numbers of the rows of a box.
fn rows_of(shape: &[usize], ranges: &[Range<usize>]) -> Vec<usize> {
    let mut rows = vec![0];
    for (length, range) in shape.iter().zip(ranges) {
        rows = rows.iter().flat_map(|row| range.clone().map(move |r| row * length + r)).collect();
    }
    rows
}

/// The value of a node from those that are known.
fn value<T: Element>(
    (height, number): Node,
    length: usize,
    known: &BTreeMap<Node, T>,
    combine: &impl Fn(T, T) -> T,
) -> T {
    if let Some(value) = known.get(&(height, number)) {
        return *value;
    }
    if height == 0 {
        // Parts cover the axis, so every leaf is known.
        return T::default();
    }
    let left = value((height - 1, 2 * number), length, known, combine);
    if (2 * number + 1) << (height - 1) >= length {
        return left;
    }
    combine(left, value((height - 1, 2 * number + 1), length, known, combine))
}

/// The value of the tree over these elements.
fn tree<T: Element>(values: &[T], combine: &impl Fn(T, T) -> T) -> T {
    let mut values = values.to_vec();
    while values.len() > 1 {
        let pair = |pair: &[T]| if let [a, b] = pair { combine(*a, *b) } else { pair[0] };
        values = values.chunks(2).map(pair).collect();
    }
    values.first().copied().unwrap_or_default()
}

/// The height of the tree over an axis.
fn height(length: usize) -> u32 {
    length.next_power_of_two().trailing_zeros()
}

/// The positions below a node.
fn covered((height, number): Node, length: usize) -> Range<usize> {
    (number << height).min(length)..((number + 1) << height).min(length)
}

/// The highest nodes of the tree that cover a range and nothing else.
fn nodes(length: usize, range: &Range<usize>) -> Vec<Node> {
    let (mut found, mut open) = (Vec::new(), vec![(height(length), 0)]);
    while let Some(node) = open.pop() {
        let covered = covered(node, length);
        if covered.is_empty() || covered.end <= range.start || covered.start >= range.end {
            continue;
        }
        if covered.start >= range.start && covered.end <= range.end {
            found.push(node);
            continue;
        }
        open.push((node.0 - 1, 2 * node.1 + 1));
        open.push((node.0 - 1, 2 * node.1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_all_parts_give_the_tree_of_the_whole() {
        for length in 1..40 {
            let values: Vec<f32> = (0..length).map(|k| 1.0 / (k as f32 + 0.7)).collect();
            let whole = tree(&values, &|a, b| a + b);
            for parts in 1..=length {
                let mut known = BTreeMap::new();
                for k in 0..parts {
                    for node in nodes(length, &part(length, parts, k)) {
                        known.insert(node, tree(&values[covered(node, length)], &|a, b| a + b));
                    }
                }
                let got = value((height(length), 0), length, &known, &|a, b| a + b);
                assert_eq!(got.to_bits(), whole.to_bits(), "{length} in {parts} parts");
            }
        }
    }
}
