//! The place of an iteration point: one integer row each for blocks, warps, lanes and time, over the leaf loops of a map.
use super::map_names::RowName;
use super::{Form, Formula, Int, Kernel, Loop, Mapping};
use crate::region::Region;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKind {
    Block,
    Warp,
    Lane,
    Time,
}

/// One coordinate of a place.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub kind: RowKind,
    /// Coefficients over the leaf loops.
    pub coefs: Vec<Int>,
    /// The region of its row of the matrix, or of its name in a clause.
    pub at: Region,
    /// The number of its row of the matrix, if it has one.
    pub matrix_row: Option<usize>,
    /// Its least and greatest value, if all the leaf loops it uses have constant bounds in this instance.
    pub range: Option<(Int, Int)>,
    /// Whether `unroll` names it.
    pub unrolled: bool,
}

/// The rows of a map in the order launches, blocks, warps, lanes, time; time is lexicographic.
/// Its affine forms are over the sizes, then the leaf loops.
#[derive(Clone, Debug)]
pub struct Places {
    pub rows: Vec<Row>,
    /// How many of the first rows are launches. They are block rows, too: a block runs in one launch.
    pub launches: usize,
    pub sizes: usize,
    /// Every node of the mapping (the kernel's loops first) as an affine form over the leaf loops.
    pub nodes: Vec<Form>,
    /// The least and greatest value of every leaf loop, if constant in this instance.
    pub leaf_ranges: Vec<Option<(Int, Int)>>,
}

impl Places {
    /// Requires that the matrix, if any, has one row per new loop and one column per old loop: the law `matrix`.
    pub fn new(kernel: &Kernel, mapping: &Mapping) -> Places {
        let sizes = kernel.sizes.len();
        let nodes = node_forms(mapping, sizes);
        let node_ranges = node_ranges(kernel, mapping);
        let leaf_ranges: Vec<_> = mapping.leaves.iter().map(|n| node_ranges[*n]).collect();
        let launches = mapping.launches.len();
        let mut places = Places { rows: Vec::new(), launches, sizes, nodes, leaf_ranges };
        for leaf in mapping.launches.iter().chain(&mapping.blocks) {
            places.push(mapping, RowName::Leaf(*leaf), RowKind::Block);
        }
        for (row, _) in &mapping.warps {
            places.push(mapping, *row, RowKind::Warp);
        }
        for (row, _) in &mapping.lanes {
            places.push(mapping, *row, RowKind::Lane);
        }
        for leaf in &mapping.sequential {
            places.push(mapping, RowName::Leaf(*leaf), RowKind::Time);
        }
        let new = mapping.matrix.as_ref().map_or(0, |m| m.new.len());
        for row in (0..new).map(RowName::New) {
            if !mapping.warps.iter().chain(&mapping.lanes).any(|(r, _)| *r == row) {
                places.push(mapping, row, RowKind::Time);
            }
        }
        places
    }

    fn push(&mut self, mapping: &Mapping, name: RowName, kind: RowKind) {
        let mut coefs = vec![0; mapping.leaves.len()];
        let (text, at, matrix_row) = match (name, &mapping.matrix) {
            (RowName::New(k), Some(matrix)) => {
                for ((leaf, _), entry) in matrix.old.iter().zip(matrix.rows.get(k).into_iter().flatten()) {
                    coefs[*leaf] += *entry;
                }
                let at = matrix.row_at.get(k).copied().unwrap_or(matrix.at);
                (matrix.new[k].text.clone(), at, Some(k))
            }
            (RowName::New(_), None) => return,
            (RowName::Leaf(leaf), _) => {
                coefs[leaf] = 1;
                let name = &mapping.nodes[mapping.leaves[leaf]].name;
                (name.text.clone(), name.at, None)
            }
        };
        let unrolled = mapping.unroll.iter().any(|(row, _)| *row == name);
        let range = self.interval(&coefs);
        self.rows.push(Row { name: text, kind, coefs, at, matrix_row, range, unrolled });
    }

    /// The least and greatest value of a row, from the ranges of the leaf loops.
    pub fn interval(&self, coefs: &[Int]) -> Option<(Int, Int)> {
        let mut total = (0, 0);
        for (c, range) in coefs.iter().zip(&self.leaf_ranges) {
            if *c != 0 {
                let (low, high) = (*range)?;
                let (a, b) = (c * low, c * high);
                total = (total.0 + a.min(b), total.1 + a.max(b));
            }
        }
        Some(total)
    }

    /// The number of the row with this name.
    pub fn named(&self, name: RowName) -> Option<usize> {
        self.rows.iter().position(|row| match name {
            RowName::New(k) => row.matrix_row == Some(k),
            RowName::Leaf(leaf) => row.matrix_row.is_none() && row.coefs[leaf] != 0,
        })
    }

    /// The number of dimensions of its affine forms.
    pub fn dims(&self) -> usize {
        self.sizes + self.leaf_ranges.len()
    }

    /// A row as an affine form over sizes and leaf loops.
    pub fn form(&self, row: &Row) -> Form {
        let mut coefs = vec![0; self.sizes];
        coefs.extend(&row.coefs);
        Form::new(coefs, 0)
    }

    pub fn of_kind(&self, kind: RowKind) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |r| r.kind == kind)
    }

    /// For every dimension of the kernel, its affine form over sizes and leaf loops.
    pub fn images(&self, kernel: &Kernel) -> Vec<Form> {
        let mut images: Vec<Form> = (0..self.sizes).map(Form::var).collect();
        images.extend(self.nodes[..kernel.loops.len()].iter().cloned());
        images
    }

    /// The iteration points in terms of the leaf loops: the kernel's domain, with every inner loop within its tile and overlap.
    pub fn domain(&self, kernel: &Kernel, mapping: &Mapping) -> Formula {
        let mut all = vec![kernel.domain().substitute(&self.images(kernel))];
        for (n, node) in mapping.nodes.iter().enumerate() {
            let Some(tile) = &node.tile else { continue };
            let (low, high) = (Form::constant(-tile.before), Form::constant(tile.by + tile.after));
            all.push(Formula::within(&self.nodes[tile.inner], &low, &high));
            if tile.before > 0 || tile.after > 0 {
                all.push(self.exists(kernel, mapping, n));
            }
        }
        Formula::All(all)
    }

    /// The tile of node `n` has a core: a tile with nothing but halo never runs. If the bounds depend on other loops, the
    /// longest extent of the tiled loop counts: a halo may be needed where its own row of the core is empty.
    fn exists(&self, kernel: &Kernel, mapping: &Mapping, n: usize) -> Formula {
        let Some(tile) = &mapping.nodes[n].tile else { return Formula::True };
        let Some(Loop { low, high, .. }) = kernel.loops.get(n) else { return Formula::True };
        let start = self.nodes[tile.outer].scale(tile.by);
        let begins = Formula::less(&start, &greatest(kernel, high));
        begins.and(Formula::greater(&start.plus(tile.by), &-greatest(kernel, &-low)))
    }

    /// The least value of loop `k` at any point, as a form over the sizes of the call.
    pub fn least(&self, kernel: &Kernel, k: usize) -> Form {
        -&kernel.with_greatest_lengths(&greatest(kernel, &-&kernel.loops[k].low))
    }

    /// One more than the greatest value of loop `k` at any point, as a form over the sizes of the call.
    pub fn beyond(&self, kernel: &Kernel, k: usize) -> Form {
        kernel.with_greatest_lengths(&greatest(kernel, &kernel.loops[k].high))
    }

    /// The points that are not in the halo of an overlap.
    pub fn core(&self, mapping: &Mapping) -> Formula {
        let tiles = mapping.nodes.iter().filter_map(|n| n.tile.as_ref()).filter(|t| t.before > 0 || t.after > 0);
        Formula::All(
            tiles.map(|t| Formula::within(&self.nodes[t.inner], &Form::constant(0), &Form::constant(t.by))).collect(),
        )
    }
}

/// The greatest value of a form over sizes and loops, as a form over the sizes. Puts every loop at one of its ends, the
/// innermost first, because its bounds depend on the outer ones.
fn greatest(kernel: &Kernel, form: &Form) -> Form {
    kernel.loops.iter().enumerate().rev().fold(form.clone(), |form, (k, l)| {
        let dim = kernel.loop_dim(k);
        let c = form.coef(dim);
        let end = if c > 0 { l.high.plus(-1) } else { l.low.clone() };
        &form + &(&end - &Form::var(dim)).scale(c)
    })
}

/// Every node as an affine form over the sizes and the leaf loops.
fn node_forms(mapping: &Mapping, sizes: usize) -> Vec<Form> {
    let mut forms: Vec<Form> = vec![Form::constant(0); mapping.nodes.len()];
    for (leaf, node) in mapping.leaves.iter().enumerate() {
        forms[*node] = Form::var(sizes + leaf);
    }
    // The loops of a tile come after the loop that they tile, so going backwards their forms are known first.
    for n in (0..mapping.nodes.len()).rev() {
        if let Some(tile) = &mapping.nodes[n].tile {
            forms[n] = &forms[tile.outer].scale(tile.by) + &forms[tile.inner];
        }
    }
    forms
}

/// The least and greatest value of every node, if its bounds are constants of the instance.
fn node_ranges(kernel: &Kernel, mapping: &Mapping) -> Vec<Option<(Int, Int)>> {
    let mut ranges: Vec<Option<(Int, Int)>> = vec![None; mapping.nodes.len()];
    let interval = |form: &Form, ranges: &[Option<(Int, Int)>]| {
        let mut total = (form.constant, form.constant);
        for (k, c) in form.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
            let (low, high) = match k.checked_sub(kernel.sizes.len()) {
                Some(l) => ranges[l]?,
                None => kernel.lengths().find(|length| length.size == k).and_then(|length| length.constant_range())?,
            };
            let (a, b) = (c * low, c * high);
            total = (total.0 + a.min(b), total.1 + a.max(b));
        }
        Some(total)
    };
    for (k, l) in kernel.loops.iter().enumerate() {
        let (low, high) = (interval(&l.low, &ranges), interval(&l.high, &ranges));
        ranges[k] = low.zip(high).map(|(low, high)| (low.0, (high.1 - 1).max(low.0)));
    }
    for n in 0..mapping.nodes.len() {
        if let Some(tile) = &mapping.nodes[n].tile {
            ranges[tile.outer] = ranges[n].map(|(low, high)| (low.div_euclid(tile.by), high.div_euclid(tile.by)));
            ranges[tile.inner] = Some((-tile.before, tile.by + tile.after - 1));
        }
    }
    ranges
}
