//! The launches of a kernel at given sizes, their blocks, and the bytes of memory that the rows of a block need.
use systolic_compiler::mapping::{Atom, Bound};
use systolic_compiler::model::Int;
use systolic_compiler::program::{Condition, Loop, Row};
use systolic_compiler::schedule::Schedule;

/// Launches with more blocks than this are skipped, since they take too long.
const MOST_BLOCKS: u64 = 1 << 16;
/// Cases with more launches than this are skipped, since their file would be long.
const MOST_LAUNCHES: usize = 1 << 8;

/// The blocks of every launch of a kernel.
#[derive(Clone, Copy)]
pub struct Grid {
    /// The first block index of each axis; axis 0 is the slowest.
    pub low: [i64; 3],
    pub count: [u64; 3],
    /// Whether blocks are numbered along x only.
    pub linear: bool,
}

impl Grid {
    /// Returns `None` if there is no block or there are too many.
    pub fn new(program: &Schedule, sizes: &[Int]) -> Option<Grid> {
        let launches = program.frame.launches;
        let blocks = &program.frame.blocks[launches..];
        let (mut low, mut count) = ([0; 3], [1; 3]);
        for (k, row) in blocks.iter().enumerate() {
            let (first, last) = ends(row, sizes)?;
            let axis = 3usize.checked_sub(blocks.len())? + k;
            low[axis] = i64::try_from(first).ok()?;
            let last = program.paired.as_ref().map_or(last, |paired| paired.last(launches + k, first, last));
            count[axis] = u64::try_from(last - first + 1).ok().filter(|n| (1..=MOST_BLOCKS).contains(n))?;
        }
        let grid = Grid { low, count, linear: false };
        (grid.blocks() <= MOST_BLOCKS).then_some(grid)
    }

    pub fn blocks(&self) -> u64 {
        self.count.iter().product()
    }

    /// Blocks along x, y, z.
    pub fn shape(&self) -> [u64; 3] {
        let [z, y, x] = if self.linear { [1, 1, self.blocks()] } else { self.count };
        [x, y, z]
    }

    /// The blocks in two boxes, one after the other along the longest axis; in one if there is a single block.
    pub fn halves(self) -> Vec<Grid> {
        let longest = (0..3).max_by_key(|k| self.count[*k]).unwrap_or_default();
        let (mut first, mut second) = (self, self);
        first.count[longest] = self.count[longest].div_ceil(2);
        second.count[longest] -= first.count[longest];
        second.low[longest] = self.low[longest].saturating_add_unsigned(first.count[longest]);
        [first, second].into_iter().filter(|half| half.blocks() > 0).collect()
    }

    /// The maximum over the blocks of a launch of the bytes that rows need.
    pub fn rows(&self, program: &Schedule, sizes: &[Int], launch: &[Int]) -> Option<u64> {
        if program.rows.is_empty() || program.needs_no_rows().is_some_and(|when| holds_everywhere(program, when, sizes))
        {
            return Some(0);
        }
        let axes = program.frame.blocks.len() - launch.len();
        let first = [launch.to_vec()];
        let all = (3 - axes..3).fold(first.to_vec(), |all, k| {
            let along = move |n: u64| Int::from(self.low[k]) + Int::from(n);
            all.iter().flat_map(|b| (0..self.count[k]).map(move |n| [&b[..], &[along(n)]].concat())).collect()
        });
        let of_block = |block: &Vec<Int>| program.rows.iter().map(|row| bytes(program, row, sizes, block)).sum();
        all.iter().map(of_block).collect::<Option<Vec<u64>>>()?.into_iter().max()
    }
}

/// The launches in order, each with one index per loop over launches. `None` if there are none or too many.
pub fn launches(program: &Schedule, sizes: &[Int]) -> Option<Vec<Vec<Int>>> {
    let mut all = vec![Vec::new()];
    for row in &program.frame.blocks[..program.frame.launches] {
        let (first, last) = ends(row, sizes)?;
        all = all.iter().flat_map(|at: &Vec<Int>| (first..=last).map(|n| [&at[..], &[n]].concat())).collect();
        if all.is_empty() || all.len() > MOST_LAUNCHES {
            return None;
        }
    }
    Some(all)
}

/// The bytes of a row in a block, rounded up to a multiple of 16.
fn bytes(program: &Schedule, row: &Row, sizes: &[Int], block: &[Int]) -> Option<u64> {
    let mut bytes = program.cells(row) * program.cell_bytes(row.value);
    for inner in &program.frame.loops[row.level + 1..] {
        let iterations = if [&inner.low, &inner.high].iter().any(|bound| program.frame.has_length(bound)) {
            // The host does not know the lengths of a block.
            value(&inner.longest, sizes, block)?
        } else {
            value(&inner.high, sizes, block)? - value(&inner.low, sizes, block)? + 1
        };
        bytes *= iterations.max(0);
    }
    u64::try_from(bytes).ok().map(|bytes| bytes.next_multiple_of(16))
}

/// Whether a condition depends on the sizes of the call alone, and holds for them.
fn holds_everywhere(program: &Schedule, condition: &Condition, sizes: &[Int]) -> bool {
    let mut is_known = true;
    condition.each_form(&mut |form| {
        is_known &= !form.mentions(&|atom| !matches!(atom, Atom::Size(k) if !program.frame.is_length(*k)));
    });
    is_known && condition.holds(&at(sizes, &[]))
}

/// The first and the last index of a loop over launches or blocks.
fn ends(row: &Loop, sizes: &[Int]) -> Option<(Int, Int)> {
    Some((value(&row.low, sizes, &[])?, value(&row.high, sizes, &[])?))
}

/// A bound in a block; its index begins with that of the launch.
pub fn value(bound: &Bound, sizes: &[Int], block: &[Int]) -> Option<Int> {
    bound.value(&at(sizes, block))
}

fn at(sizes: &[Int], block: &[Int]) -> impl Fn(&Atom) -> Int {
    |atom: &Atom| match atom {
        Atom::Size(k) => sizes.get(*k).copied().unwrap_or_default(),
        Atom::Block(k) => block.get(*k).copied().unwrap_or_default(),
        _ => 0,
    }
}
