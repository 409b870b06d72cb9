//! The blocks of a launch and the bytes of memory that their rows need, at given sizes.
use systolic_compiler::mapping::{Atom, Bound};
use systolic_compiler::model::Int;
use systolic_compiler::program::Row;
use systolic_compiler::schedule::Schedule;

/// Launches with more blocks than this are skipped, since they take too long.
const MOST_BLOCKS: u64 = 1 << 16;

#[derive(Clone, Copy)]
pub struct Grid {
    /// The first block index of each axis; axis 0 is the slowest.
    pub low: [i64; 3],
    pub count: [u64; 3],
    /// Whether blocks are numbered along x only.
    pub linear: bool,
    /// The maximum over all blocks of the bytes that rows need.
    pub rows: u64,
}

impl Grid {
    /// Returns `None` if there is no block or there are too many.
    pub fn new(program: &Schedule, sizes: &[Int]) -> Option<Grid> {
        let blocks = &program.frame.blocks;
        let (mut low, mut count) = ([0; 3], [1; 3]);
        for (k, row) in blocks.iter().enumerate() {
            let (first, last) = (bound(&row.low, sizes, &[])?, bound(&row.high, sizes, &[])?);
            let axis = 3usize.checked_sub(blocks.len())? + k;
            low[axis] = i64::try_from(first).ok()?;
            let last = program.paired.as_ref().map_or(last, |paired| paired.last(k, first, last));
            count[axis] = u64::try_from(last - first + 1).ok().filter(|n| (1..=MOST_BLOCKS).contains(n))?;
        }
        let grid = Grid { low, count, linear: false, rows: 0 };
        let all: Vec<Vec<Int>> = (grid.blocks() <= MOST_BLOCKS).then(|| grid.all(blocks.len()))?;
        let of_block = |block: &Vec<Int>| program.rows.iter().map(|row| bytes(program, row, sizes, block)).sum();
        let rows = all.iter().map(of_block).collect::<Option<Vec<u64>>>()?.into_iter().max()?;
        Some(Grid { rows, ..grid })
    }

    pub fn blocks(&self) -> u64 {
        self.count.iter().product()
    }

    /// Blocks along x, y, z.
    pub fn shape(&self) -> [u64; 3] {
        let [z, y, x] = if self.linear { [1, 1, self.blocks()] } else { self.count };
        [x, y, z]
    }

    /// All block indices along the last `axes` axes.
    fn all(&self, axes: usize) -> Vec<Vec<Int>> {
        (3 - axes..3).fold(vec![Vec::new()], |all, k| {
            let along = move |n: u64| Int::from(self.low[k]) + Int::from(n);
            all.iter().flat_map(|b| (0..self.count[k]).map(move |n| [&b[..], &[along(n)]].concat())).collect()
        })
    }
}

/// The bytes of a row in a block, rounded up to a multiple of 16.
fn bytes(program: &Schedule, row: &Row, sizes: &[Int], block: &[Int]) -> Option<u64> {
    let mut bytes = program.cells(row) * program.cell_bytes(row.value);
    for inner in &program.frame.loops[row.level + 1..] {
        bytes *= (bound(&inner.high, sizes, block)? - bound(&inner.low, sizes, block)? + 1).max(0);
    }
    u64::try_from(bytes).ok().map(|bytes| bytes.next_multiple_of(16))
}

fn bound(bound: &Bound, sizes: &[Int], block: &[Int]) -> Option<Int> {
    bound.value(&|atom: &Atom| match atom {
        Atom::Size(k) => sizes.get(*k).copied().unwrap_or_default(),
        Atom::Block(k) => block.get(*k).copied().unwrap_or_default(),
        _ => 0,
    })
}
