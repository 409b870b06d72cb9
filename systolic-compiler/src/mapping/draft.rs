//! A draft of a default map: the loop of the lanes, the loops that are blocks and the time rows; and its mapping.
use crate::model::{Int, Kernel, Mapping, MatrixClause, Node, RowName, Tile, Wishes};
use crate::region::{Name, Region};
use crate::sorted;

/// A time row.
#[derive(Clone, Debug)]
pub struct TimeRow {
    /// One coefficient per loop; for the loop of the lanes, the coefficient of its tiles.
    pub loops: Vec<Int>,
    /// The coefficient of the lane: the steps from one lane to the next.
    pub lane: Int,
}

/// A map that the search considers.
#[derive(Clone, Debug)]
pub struct Draft<'k> {
    pub kernel: &'k Kernel,
    /// The loop of the lanes, in tiles of `width`.
    pub lane: usize,
    pub width: Int,
    /// Loops whose iterations run in no particular order; for the loop of the lanes, its tiles do.
    pub blocks: Vec<usize>,
    /// The time rows, outermost first.
    pub time: Vec<TimeRow>,
    /// A loop whose iterations are the registers of a lane, and its length.
    pub fold: Option<(usize, Int)>,
    /// Block loops of which a block runs this many iterations, one after another: the block is a tile, and the iterations
    /// inside it are in `time`.
    pub chunks: Vec<(usize, Int)>,
    /// How many of the innermost time rows are unrolled. With 0 the compiler decides.
    pub unrolled: usize,
    /// Loops in tiles of one iteration. A copy that is read along them crosses a tile, and is therefore fed: loaded again.
    pub cut: Vec<usize>,
}

/// The displacement of a read, for one way to cross tiles.
struct Move {
    leaves_block: bool,
    crosses: bool,
    /// The first time row that changes, and the delay along it.
    time: Option<(usize, Int)>,
}

impl Draft<'_> {
    /// Whether every computed value that is read at these distances is computed in the same block, and not in a later step.
    pub fn serves(&self, computed: &[Vec<Int>]) -> bool {
        let moves = computed.iter().flat_map(|d| self.moves(d));
        moves.into_iter().all(|m| !m.leaves_block && m.time.is_none_or(|(_, by)| by > 0))
    }

    /// The loop to cut so that a copy is fed, if time runs against its reads at one of these distances.
    pub fn against(&self, copied: &[Vec<Int>]) -> Option<usize> {
        copied.iter().find_map(|distance| {
            let wrong = self.moves(distance).into_iter().find(|m| {
                let fed = m.leaves_block || m.crosses;
                !fed && m.time.is_some_and(|(_, by)| by < 0)
            })?;
            let row = &self.time[wrong.time?.0];
            let moving = (0..distance.len()).find(|l| *l != self.lane && row.loops[*l] * distance[*l] != 0);
            Some(moving.unwrap_or(self.lane))
        })
    }

    /// The displacements of a read, one per way to cross the edge of a tile.
    fn moves(&self, distance: &[Int]) -> Vec<Move> {
        let along = distance[self.lane];
        let low = along.div_euclid(self.width);
        let overs = match along.rem_euclid(self.width) {
            _ if self.has_one_tile() => vec![0],
            0 => vec![low],
            _ => vec![low, low + 1],
        };
        let each = overs.into_iter().map(|over| {
            let leaves = |l: &usize| if *l == self.lane { over != 0 } else { distance[*l] != 0 };
            let passes = |row: &TimeRow| {
                let others = (0..distance.len()).filter(|l| *l != self.lane);
                let inside = along - over * self.width;
                let tiles = row.loops[self.lane] * over + row.lane * inside;
                others.map(|l| row.loops[l] * distance[l]).sum::<Int>() + tiles
            };
            Move {
                leaves_block: self.blocks.iter().any(leaves),
                crosses: over != 0 || self.cut.iter().any(|l| distance[*l] != 0),
                time: self.time.iter().map(passes).enumerate().find(|(_, by)| *by != 0),
            }
        });
        each.collect()
    }

    /// Whether the loop of the lanes is known to lie in one tile.
    fn has_one_tile(&self) -> bool {
        let l = &self.kernel.loops[self.lane];
        let tile = |at: Int| at.div_euclid(self.width);
        self.folds_lane()
            || (l.low.is_constant() && l.high.is_constant() && tile(l.low.constant) == tile(l.high.constant - 1))
    }

    fn folds_lane(&self) -> bool {
        self.fold.is_some_and(|(l, _)| l == self.lane)
    }

    /// The mapping that the draft stands for.
    pub fn mapping(&self) -> Mapping {
        let kernel = self.kernel;
        let at = kernel.name.at;
        let mut tree = Tree::new(kernel, at);
        // The node that stands for each loop in time rows and blocks.
        let mut moving: Vec<usize> = (0..kernel.loops.len()).collect();
        let mut outer: Vec<Option<usize>> = vec![None; kernel.loops.len()];
        for (l, by) in &self.chunks {
            let (chunk, inside) = tree.split(*l, *by, ["chunk", "in"]);
            (outer[*l], moving[*l]) = (Some(chunk), inside);
        }
        let mut lane = moving[self.lane];
        if !self.folds_lane() {
            (moving[self.lane], lane) = tree.split(lane, self.width, ["tile", "lane"]);
        }
        for l in &self.cut {
            match *l == self.lane {
                true => lane = tree.split(lane, 1, ["each", "one"]).0,
                false => moving[*l] = tree.split(moving[*l], 1, ["each", "one"]).0,
            }
        }
        let leaves = leaves(&tree.nodes, kernel.loops.len());
        let leaf = |node: usize| leaves.iter().position(|n| *n == node).unwrap_or(0);
        let mut blocks: Vec<usize> = self.blocks.iter().map(|l| leaf(outer[*l].unwrap_or(moving[*l]))).collect();
        sorted::sort(&mut blocks);
        let mut rows: Vec<Vec<(usize, Int)>> = vec![vec![(leaf(lane), 1)]];
        let folded = self.fold.filter(|_| !self.folds_lane());
        rows.extend(folded.map(|(l, _)| vec![(leaf(moving[l]), 1)]));
        let spaces = rows.len();
        for row in &self.time {
            let used = (0..kernel.loops.len()).filter(|l| row.loops[*l] != 0);
            let mut terms: Vec<(usize, Int)> = used.map(|l| (leaf(moving[l]), row.loops[l])).collect();
            terms.extend((row.lane != 0).then_some((leaf(lane), row.lane)));
            rows.push(terms);
        }
        let mut old: Vec<usize> = Vec::new();
        // The inner loops of cut tiles are in no row; their columns come last.
        for l in rows.iter().flatten().map(|(l, _)| *l).chain(0..leaves.len()) {
            if !old.contains(&l) && !blocks.contains(&l) {
                old.push(l);
            }
        }
        let entry = |row: &[(usize, Int)], o: &usize| row.iter().filter(|(l, _)| l == o).map(|(_, c)| c).sum();
        let matrix = rows.iter().map(|row| old.iter().map(|o| entry(row, o)).collect()).collect();
        let names = ["lane", "register"].iter().take(spaces).map(|n| n.to_string());
        let names = names.chain((1..=self.time.len()).map(|k| format!("time{k}")));
        let new: Vec<Name> = names.map(|text| Name { text, at }).collect();
        let rows_before = new.len() - self.unrolled.min(self.time.len());
        let clause = MatrixClause {
            old: old.iter().map(|l| (*l, tree.nodes[leaves[*l]].name.clone())).collect(),
            row_at: vec![at; rows.len()],
            rows: matrix,
            new: new.clone(),
            at,
            reverse: None,
        };
        Mapping {
            position: usize::MAX,
            name: None,
            on: None,
            at,
            nodes: tree.nodes,
            leaves,
            launches: Vec::new(),
            blocks,
            ordered: false,
            warps: Vec::new(),
            lanes: (0..spaces).map(|k| (RowName::New(k), new[k].clone())).collect(),
            lanes_at: Some(Region::of(at.start)),
            fold: self.fold.map_or(1, |(_, count)| count),
            fold_at: None,
            matrix: Some(clause),
            sequential: Vec::new(),
            unroll: (rows_before..new.len()).map(|k| (RowName::New(k), new[k].clone())).collect(),
            stages: Vec::new(),
            wishes: Wishes::default(),
            shifts: Vec::new(),
            direct: false,
        }
    }
}

/// The loops of a kernel and the loops into which tiles split them.
pub struct Tree {
    pub nodes: Vec<Node>,
    pub at: Region,
}

impl Tree {
    fn new(kernel: &Kernel, at: Region) -> Tree {
        Tree { nodes: kernel.loops.iter().map(|l| Node { name: l.name.clone(), tile: None }).collect(), at }
    }

    /// Tiles a node, and returns the outer and the inner loop.
    pub fn split(&mut self, node: usize, by: Int, names: [&str; 2]) -> (usize, usize) {
        let (outer, inner) = (self.nodes.len(), self.nodes.len() + 1);
        for name in names {
            let text = format!("{}_{name}", self.nodes[node].name.text);
            self.nodes.push(Node { name: Name { text, at: self.at }, tile: None });
        }
        let tile = Tile { by, by_at: self.at, outer, inner, before: 0, after: 0, overlap_at: None };
        self.nodes[node].tile = Some(tile);
        (outer, inner)
    }
}

/// The nodes that are not tiled, outer loops first.
pub fn leaves(nodes: &[Node], loops: usize) -> Vec<usize> {
    let mut open: Vec<usize> = (0..loops).rev().collect();
    let mut leaves = Vec::new();
    while let Some(node) = open.pop() {
        match &nodes[node].tile {
            Some(tile) => open.extend([tile.inner, tile.outer]),
            None => leaves.push(node),
        }
    }
    leaves
}
