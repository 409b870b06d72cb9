//! The blocks of a launch, spread over the cores.
#[cfg(all(optimised, target_arch = "aarch64"))]
use super::level::Neon;
#[cfg(all(optimised, target_arch = "x86_64"))]
use super::level::{Avx2, Avx512};
use super::level::{Door, Level, Plain, Simd, fence, level};
use super::ordered;
use super::rows::Scratch;
use crate::error::{Error, Failure};
use crate::limits::Demand;
use crate::order::Order;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The work of a kernel, per block.
pub trait Block: Sync {
    /// No lane reads a value of another lane, so a block may run in groups of lanes, one group after another.
    const APART: bool = false;

    /// The lanes that have points: those from 0 to here. The others may be left out.
    const LANES: usize = super::LANES;

    /// Roughly the number of live values of 4 bytes per lane. The width of a group is chosen so that they fit in registers.
    const LIVE: usize = 0;

    /// How many of these have at most 16 bits.
    const NARROW: usize = 0;

    /// Roughly the bytes of all values of a block if each had its own stack slot.
    const FRAME: usize = 0;

    /// Whether there is code for the plain level even in builds that have other levels, which nearly every CPU supports. A long
    /// block has none, to save compile time: its caller checks [`is_plain`] first, and then runs the kernel in another way.
    const PLAIN: bool = true;

    /// Whether there is code for AVX-512. A very long block has none and runs with AVX2 instead.
    const AVX512: bool = true;

    /// Returns the demand of a block.
    fn demand(&self) -> Demand {
        Demand::default()
    }

    /// Runs one block, or the part of a group of lanes. The implementation and everything it calls must be marked
    /// `#[cfg_attr(optimised, inline(always))]`: only inlined code is compiled with the instructions of the level.
    fn run<S: Simd>(&self, simd: S, block: [i64; 3], scratch: &Scratch) -> Result<(), Failure>;
}

/// Hides the value of a loop bound from the compiler, so that it does not unroll the loop.
#[cfg_attr(optimised, inline(always))]
pub fn opaque(bound: i64) -> i64 {
    std::hint::black_box(bound)
}

/// About the cost of waking other threads. Work that is done sooner stays on one thread.
const SMALL: Duration = Duration::from_micros(20);

/// Pieces of work per thread, so that a thread that is delayed does not delay the whole launch.
const PIECES: u64 = 16;

/// Runs all blocks from `low` to `high`, inclusive, in any order, at the best level of this CPU. A small call stays on this
/// thread. If a block fails, its error is returned and other blocks may not have run.
pub fn launch<B: Block>(block: &B, low: [i64; 3], high: [i64; 3]) -> Result<(), Failure> {
    let token = if B::AVX512 { Token::best() } else { Token::at(level().min(Level::Avx2)) };
    spread(&Compiled { token, block }, block.demand(), B::FRAME, low, high)
}

/// [`launch`] at a level, or at the next lower one that this CPU has. An unoptimised build has only the plain level.
pub fn launch_on<B: Block>(level: Level, block: &B, low: [i64; 3], high: [i64; 3]) -> Result<(), Failure> {
    let level = if B::AVX512 { level } else { level.min(Level::Avx2) };
    spread(&Compiled { token: Token::at(level), block }, block.demand(), B::FRAME, low, high)
}

/// Runs all blocks from `low` to `high`, inclusive, each after the blocks that it waits for. If a block fails, its error is returned
/// and other blocks may not have run.
pub fn launch_in_order<B: Block>(block: &B, low: [i64; 3], high: [i64; 3], order: Order<'_>) -> Result<(), Failure> {
    let token = if B::AVX512 { Token::best() } else { Token::at(level().min(Level::Avx2)) };
    in_order(&Compiled { token, block }, block.demand(), B::FRAME, low, high, order)
}

/// Returns whether this CPU has only the plain level in a build that has others. Then blocks without code for the plain level
/// cannot be launched.
pub fn is_plain() -> bool {
    HAS_OTHERS && matches!(Token::at(level()), Token::Plain)
}

/// Why a block that has no code for the plain level runs point by point on this CPU, if it does.
pub fn without_level() -> Option<&'static str> {
    is_plain().then_some("this CPU has none of the vector instructions that the map is compiled for")
}

/// Whether the build has levels besides the plain one. If not, every block has code for the plain level.
const HAS_OTHERS: bool = cfg!(all(optimised, any(target_arch = "x86_64", target_arch = "aarch64")));

/// The level of a launch.
#[derive(Clone, Copy, Debug)]
enum Token {
    Plain,
    #[cfg(all(optimised, target_arch = "aarch64"))]
    Neon(Neon),
    #[cfg(all(optimised, target_arch = "x86_64"))]
    Avx2(Avx2),
    #[cfg(all(optimised, target_arch = "x86_64"))]
    Avx512(Avx512),
}

impl Token {
    /// Returns the best level of this CPU.
    #[inline(never)]
    fn best() -> Token {
        static BEST: OnceLock<Token> = OnceLock::new();
        *BEST.get_or_init(|| Token::at(level()))
    }

    /// Returns this level, or the next lower one that this CPU has.
    #[inline(never)]
    fn at(level: Level) -> Token {
        #[cfg(all(optimised, target_arch = "x86_64"))]
        {
            if let Some(simd) = Avx512::new().filter(|_| level >= Level::Avx512) {
                return Token::Avx512(simd);
            }
            if let Some(simd) = Avx2::new().filter(|_| level >= Level::Avx2) {
                return Token::Avx2(simd);
            }
        }
        #[cfg(all(optimised, target_arch = "aarch64"))]
        if let Some(simd) = Neon::new().filter(|_| level >= Level::Neon) {
            return Token::Neon(simd);
        }
        let _ = level;
        Token::Plain
    }
}

/// Runs blocks of a kernel. A trait object, so that the code that spreads blocks over threads is compiled once, in this crate,
/// and not for every kernel and level in the user's crate. One virtual call runs many blocks.
trait Work: Sync {
    fn run(&self, blocks: Blocks, scratch: &mut Scratch) -> Result<(), Failure>;
}

/// The error for a long block at a level for which it has no code. Emitted code never launches it there.
#[cold]
#[inline(never)]
fn not_compiled() -> Failure {
    Error::NotCompiled { kernel: "a long block" }.into()
}

/// The code of a kernel at a level.
struct Compiled<'b, B> {
    token: Token,
    block: &'b B,
}

impl<B: Block> Work for Compiled<'_, B> {
    fn run(&self, blocks: Blocks, scratch: &mut Scratch) -> Result<(), Failure> {
        match self.token {
            // A constant condition, so that the code for the level is not compiled.
            Token::Plain if const { HAS_OTHERS && !B::PLAIN } => Err(not_compiled()),
            Token::Plain => Plain.run(self.block, blocks, scratch),
            #[cfg(all(optimised, target_arch = "aarch64"))]
            Token::Neon(simd) => simd.run(self.block, blocks, scratch),
            #[cfg(all(optimised, target_arch = "x86_64"))]
            Token::Avx2(simd) => simd.run(self.block, blocks, scratch),
            #[cfg(all(optimised, target_arch = "x86_64"))]
            Token::Avx512(_) if const { !B::AVX512 } => Err(not_compiled()),
            #[cfg(all(optimised, target_arch = "x86_64"))]
            Token::Avx512(simd) => simd.run(self.block, blocks, scratch),
        }
    }
}

/// Runs blocks on this thread. The scratch memory is owned here, so that no other crate compiles the code that frees it.
fn run_blocks(work: &dyn Work, blocks: Blocks) -> Result<(), Failure> {
    Scratch::with(|scratch| {
        let result = work.run(blocks, scratch);
        fence();
        result
    })
}

/// Stack slots per value: without optimisation every value has several.
const PLACES: usize = if cfg!(optimised) { 2 } else { 8 };

/// The bytes of stack that are available on any thread.
const ROOM: usize = 512 << 10;

/// Runs blocks where the stack is large enough: most kernels on this thread and rayon's, very long ones on a thread pool of
/// their own.
#[inline(never)]
fn spread(work: &dyn Work, demand: Demand, frame: usize, low: [i64; 3], high: [i64; 3]) -> Result<(), Failure> {
    let Some(mut blocks) = Blocks::new(low, high)? else { return Ok(()) };
    blocks.concurrent = if demand.is_small(blocks.left) { 1 } else { demand.concurrent_blocks()? };
    with_stack(frame, || run_here(work, blocks))
}

/// The same for blocks in order.
#[inline(never)]
fn in_order(
    work: &dyn Work,
    demand: Demand,
    frame: usize,
    low: [i64; 3],
    high: [i64; 3],
    order: Order<'_>,
) -> Result<(), Failure> {
    let Some(blocks) = Blocks::new(low, high)? else { return Ok(()) };
    let tickets = order.blocks(blocks.lengths)?;
    let threads = rayon_core::current_num_threads() as u64;
    let workers = match demand.is_small(blocks.left) {
        true => 1,
        false => demand.concurrent_blocks()?.min(threads).min(blocks.left),
    };
    let run = |number: u32| {
        let one = Blocks { next: number.into(), left: 1, at: None, ..blocks };
        run_blocks(work, one)
    };
    with_stack(frame, || ordered::run(&tickets, order, blocks.lengths, workers as usize, &run))
}

/// Runs a function where the stack has room for a block whose values take this many bytes.
fn with_stack(frame: usize, run: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    let needed = frame.saturating_mul(PLACES);
    if needed <= ROOM {
        return run();
    }
    // As many threads as the caller's pool has, so that a limit on it holds here too.
    let threads = rayon_core::ThreadPoolBuilder::new().num_threads(rayon_core::current_num_threads());
    let threads = threads.stack_size(needed.saturating_add(4 * ROOM)).build();
    let none = |_| Error::no_memory("the stacks of threads", needed as u128, 1);
    threads.map_err(none)?.install(run)
}

/// Runs blocks on this thread until it is clear that the work is worth waking other threads.
fn run_here(work: &dyn Work, mut blocks: Blocks) -> Result<(), Failure> {
    if blocks.left == 1 || blocks.concurrent < 2 {
        // Not timed: reading the clock may cost more than a small call.
        return run_blocks(work, blocks);
    }
    let start = Instant::now();
    let mut together = 1;
    while blocks.left > 0 {
        run_blocks(work, blocks.split(together))?;
        let spent = start.elapsed();
        if spent >= SMALL {
            break;
        }
        // Small blocks are timed several at a time.
        together = if spent < SMALL / 4 { 2 * together } else { together };
    }
    if blocks.left < 2 {
        return run_blocks(work, blocks);
    }
    let threads = rayon_core::current_num_threads() as u64;
    if threads < 2 {
        return run_blocks(work, blocks);
    }
    // A piece runs its blocks one after another. So if fewer blocks than threads may run at the same time, that is also the
    // number of pieces.
    let pieces = PIECES.saturating_mul(threads);
    let pieces = blocks.left.min(if blocks.concurrent < threads { blocks.concurrent } else { pieces });
    run_pieces(work, blocks, pieces, 0..pieces)
}

/// Runs some of the pieces of the blocks, half of them on another thread if one is free. Returns the error of the first piece
/// that failed.
fn run_pieces(work: &dyn Work, blocks: Blocks, pieces: u64, range: Range<u64>) -> Result<(), Failure> {
    let count = range.end - range.start;
    if count < 2 {
        return run_blocks(work, blocks.piece(range.start, pieces));
    }
    let middle = range.start + count / 2;
    let run = |range| run_pieces(work, blocks, pieces, range);
    let (first, second) = rayon_core::join(|| run(range.start..middle), || run(middle..range.end));
    first.and(second)
}

/// Some of the blocks of a grid, the last axis fastest.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    low: [i64; 3],
    lengths: [u64; 3],
    next: u64,
    left: u64,
    /// The layer, row and column of the next block, if known.
    at: Option<[u64; 3]>,
    /// The number of blocks that may run at the same time.
    concurrent: u64,
}

impl Blocks {
    /// Returns all blocks of a grid, or `None` if it is empty. Fails if their number exceeds 64 bits.
    fn new(low: [i64; 3], high: [i64; 3]) -> Result<Option<Blocks>, Error> {
        let mut lengths = [0; 3];
        let mut left: u64 = 1;
        for k in 0..3 {
            if high[k] < low[k] {
                return Ok(None);
            }
            // 2⁶⁴ values, the whole range of an axis, do not fit.
            let n = high[k].abs_diff(low[k]).checked_add(1);
            let Some((n, product)) = n.and_then(|n| Some((n, left.checked_mul(n)?))) else {
                let what = "the number of blocks".to_string();
                let value = (i128::from(high[k]) - i128::from(low[k]) + 1).saturating_mul(left.into());
                return Err(Error::Limit { what, value, limit: u64::MAX.into() });
            };
            (lengths[k], left) = (n, product);
        }
        Ok(Some(Blocks { low, lengths, next: 0, left, at: Some([0; 3]), concurrent: u64::MAX }))
    }

    /// Splits off and returns the first `count` blocks, or all if there are fewer.
    fn split(&mut self, count: u64) -> Blocks {
        let count = count.min(self.left);
        let first = Blocks { left: count, ..*self };
        self.next += count;
        self.at = None;
        self.left -= count;
        first
    }

    /// Returns piece `k` of `n` pieces of about equal size.
    fn piece(self, k: u64, n: u64) -> Blocks {
        let cut = |k: u64| (u128::from(self.left) * u128::from(k) / u128::from(n)) as u64;
        let (from, to) = (cut(k), cut(k + 1));
        Blocks { next: self.next + from, left: to - from, at: None, ..self }
    }

    /// Takes the next block.
    #[inline(never)]
    pub fn take(&mut self) -> Option<[i64; 3]> {
        self.left = self.left.checked_sub(1)?;
        let [_, rows, columns] = self.lengths;
        let [layer, row, column] = match self.at {
            Some(at) => at,
            None => {
                let (rest, column) = (self.next.checked_div(columns)?, self.next.checked_rem(columns)?);
                [rest.checked_div(rows)?, rest.checked_rem(rows)?, column]
            }
        };
        self.next += 1;
        // Counts on from here, because a division takes longer than a small block.
        self.at = Some(if column + 1 < columns {
            [layer, row, column + 1]
        } else if row + 1 < rows {
            [layer, row + 1, 0]
        } else {
            [layer + 1, 0, 0]
        });
        // Each is below its length, so each sum is between low and high.
        Some([
            self.low[0].wrapping_add_unsigned(layer),
            self.low[1].wrapping_add_unsigned(row),
            self.low[2].wrapping_add_unsigned(column),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Notes the blocks that run; the number is the points that it claims per block.
    struct Note(Mutex<Vec<[i64; 3]>>, i128);

    impl Block for Note {
        fn demand(&self) -> Demand {
            Demand { points: self.1, ..Demand::default() }
        }

        fn run<S: Simd>(&self, _: S, block: [i64; 3], _: &Scratch) -> Result<(), Failure> {
            self.0.lock().unwrap().push(block);
            Ok(())
        }
    }

    fn check(low: [i64; 3], high: [i64; 3]) {
        let mut expected = Vec::new();
        for a in low[0]..=high[0] {
            for b in low[1]..=high[1] {
                for c in low[2]..=high[2] {
                    expected.push([a, b, c]);
                }
            }
        }
        for level in Level::available() {
            let mut note = Note(Mutex::new(Vec::new()), 0);
            for points in [0, 1] {
                note.1 = points;
                launch_on(level, &note, low, high).unwrap();
                let mut seen = std::mem::take(&mut *note.0.lock().unwrap());
                seen.sort();
                assert_eq!(seen, expected);
            }
        }
    }

    #[test]
    fn every_block_runs_once() {
        check([0; 3], [0; 3]);
        check([-3, 2, 5], [4, 3, 25]);
        check([0, 0, 7], [0, 0, 2006]);
        check([0, 0, 0], [0, -1, 5]);
        check([i64::MAX, i64::MIN, 0], [i64::MAX, i64::MIN, 1]);
    }

    /// Slow blocks that note their threads, with a frame of this size.
    struct Threads<const FRAME: usize>(Mutex<Vec<std::thread::ThreadId>>);

    impl<const FRAME: usize> Block for Threads<FRAME> {
        const FRAME: usize = FRAME;

        /// Few points per block: it is their number in all blocks that decides.
        fn demand(&self) -> Demand {
            Demand { points: 8, ..Demand::default() }
        }

        fn run<S: Simd>(&self, _: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
            std::thread::sleep(Duration::from_millis(1));
            self.0.lock().unwrap().push(std::thread::current().id());
            Ok(())
        }
    }

    /// Returns how many threads run `blocks` blocks in a pool of `pool` threads.
    fn threads<const FRAME: usize>(pool: usize, blocks: i64) -> usize {
        let note = Threads::<FRAME>(Mutex::new(Vec::new()));
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(pool).build().unwrap();
        pool.install(|| launch(&note, [0; 3], [0, 0, blocks - 1])).unwrap();
        let seen = note.0.into_inner().unwrap();
        assert_eq!(seen.len() as i64, blocks);
        seen.into_iter().collect::<std::collections::HashSet<_>>().len()
    }

    /// `docs/language.md` says so.
    #[test]
    fn a_call_keeps_to_the_pool_that_it_is_called_in() {
        assert_eq!(threads::<0>(1, 50), 1);
        assert!((2..=3).contains(&threads::<0>(3, 200)));
        // A frame that needs a thread pool of its own.
        assert_eq!(threads::<{ 64 << 20 }>(1, 50), 1);
        assert!((2..=3).contains(&threads::<{ 64 << 20 }>(3, 200)));
    }

    #[test]
    fn one_block_runs_on_one_thread() {
        assert_eq!(threads::<0>(3, 1), 1);
    }

    #[test]
    fn too_many_blocks_is_an_error() {
        let note = Note(Mutex::new(Vec::new()), 0);
        assert!(launch(&note, [i64::MIN, 0, 0], [i64::MAX, 0, 0]).is_err());
        assert!(launch(&note, [0; 3], [1 << 40, 1 << 40, 0]).is_err());
    }

    #[test]
    fn an_error_comes_back() {
        struct Fail;
        impl Block for Fail {
            fn run<S: Simd>(&self, _: S, block: [i64; 3], _: &Scratch) -> Result<(), Failure> {
                if block[2] == 777 { Err(Error::NotCompiled { kernel: "a test" }.into()) } else { Ok(()) }
            }
        }
        assert!(launch(&Fail, [0; 3], [0, 0, 1000]).is_err());
        assert!(launch(&Fail, [0; 3], [0, 0, 776]).is_ok());
    }
}
