//! How many lanes, warps and blocks a map has at given sizes, and how many steps a block takes.
use systolic_compiler::laws::LawfulMap;
use systolic_compiler::model::{Int, Kernel, Mapping, Places, RowKind};

/// The array that a map makes of the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Places of a block: the lanes of all its warps, times the registers of the fold.
    pub places: Int,
    /// Lanes per warp.
    pub lanes: Int,
    /// Points that a lane computes in a step.
    pub fold: Int,
    /// Warps per block.
    pub warps: Int,
    /// Blocks per launch.
    pub blocks: Int,
    pub launches: Int,
    /// Steps of a block: the product of the extents of the time rows.
    pub steps: Int,
}

impl Shape {
    /// The shape of a map of this kernel at these sizes, with lengths.
    pub fn of(kernel: &Kernel, map: &LawfulMap, sizes: &[Int]) -> Shape {
        let (kernel, mapping, places) = (map.kernel(kernel), map.mapping(), map.places());
        let nodes = Nodes { kernel, mapping, places, sizes };
        let leaves: Vec<(Int, Int)> = mapping.leaves.iter().map(|leaf| nodes.range(*leaf)).collect();
        let extent = |k: usize| {
            let (mut low, mut high) = (0, 0);
            for (c, range) in places.rows[k].coefs.iter().zip(&leaves) {
                let (a, b) = (c.saturating_mul(range.0), c.saturating_mul(range.1));
                (low, high) = (low + a.min(b), high + a.max(b));
            }
            (high - low + 1).max(0)
        };
        let product = |kind: RowKind, rows: std::ops::Range<usize>| {
            rows.filter(|k| places.rows[*k].kind == kind).map(extent).fold(1, Int::saturating_mul)
        };
        let (all, launches) = (places.rows.len(), places.launches);
        let points = product(RowKind::Lane, 0..all);
        let warps = product(RowKind::Warp, 0..all);
        let fold = mapping.fold.max(1);
        Shape {
            places: points.saturating_mul(warps),
            lanes: (points + fold - 1) / fold,
            fold,
            warps,
            blocks: product(RowKind::Block, launches..all),
            launches: product(RowKind::Block, 0..launches),
            steps: product(RowKind::Time, 0..all),
        }
    }
}

/// The loops of a kernel and those that tiles introduce.
struct Nodes<'k> {
    kernel: &'k Kernel,
    mapping: &'k Mapping,
    places: &'k Places,
    sizes: &'k [Int],
}

impl Nodes<'_> {
    /// The least and the greatest value of a node.
    fn range(&self, node: usize) -> (Int, Int) {
        if node < self.kernel.loops.len() {
            let at = |form: systolic_compiler::model::Form| form.eval(self.sizes).unwrap_or(0);
            return (at(self.places.least(self.kernel, node)), at(self.places.beyond(self.kernel, node)) - 1);
        }
        let tiled = self.mapping.nodes.iter().enumerate().find_map(|(n, of)| {
            Some((n, of.tile.as_ref()?)).filter(|(_, tile)| tile.outer == node || tile.inner == node)
        });
        let Some((parent, tile)) = tiled else { return (0, 0) };
        let (low, high) = self.range(parent);
        let (first, last) = (low.div_euclid(tile.by), high.div_euclid(tile.by));
        match tile.outer == node {
            true => (first, last),
            // One tile may not be full.
            false if first == last => (low.rem_euclid(tile.by) - tile.before, high.rem_euclid(tile.by) + tile.after),
            false => (-tile.before, tile.by - 1 + tile.after),
        }
    }
}
