//! The launches of a call whose values go from block to block or from launch to launch: their number, the memory between them, and
//! the order of their blocks.
#![allow(unsafe_code)]
use super::grid::Grid;
use super::plan::{Far, Plan};
use super::queue::{Purpose, Queue, State};
use super::raw::Rows;
use super::work::Work;
use crate::error::Error;
use crate::limits::Demand;
use crate::order::Order;

/// The flags and the order begin at multiples of this many bytes.
const ALIGNED: usize = 256;

/// The most resident blocks in order that are limited; more are few enough for a multiprocessor in any case.
const MOST_LIMITED: u64 = 8;

/// Bytes of shared memory that a block asks for beyond its part, so that one more does not fit.
const LIMIT_BYTES: u64 = 1024;

/// What is far from a block: other launches and blocks.
#[derive(Debug)]
pub struct Distant {
    /// The number of loops over launches, the first and the last launch.
    launches: (usize, [i64; 2], [i64; 2]),
    /// The lengths of every face, and the bytes of its values.
    faces: Vec<(Vec<u64>, usize)>,
    order: Option<Order<'static>>,
    /// The blocks along each axis.
    count: [u64; 3],
    blocks: u64,
}

impl Distant {
    /// Fails if a face is longer than any memory.
    pub fn new(plan: &Plan, sizes: &[i64], grid: &Grid) -> Result<Distant, Error> {
        let none = Distant {
            launches: (0, [0; 2], [0; 2]),
            faces: Vec::new(),
            order: None,
            count: grid.count,
            blocks: grid.blocks,
        };
        let Some(Far { launches, low, high, faces, order }) = plan.far.first() else { return Ok(none) };
        let mut all = Vec::with_capacity(faces.len());
        for face in *faces {
            let mut lengths = Vec::new();
            (face.lengths)(sizes, &mut lengths);
            let bytes = Demand::product(&lengths).saturating_mul(face.bytes as i128);
            if isize::try_from(bytes).is_err() {
                return Err(Error::no_device_memory(Purpose::Faces.text(), bytes as u128));
            }
            all.push((lengths.into_iter().map(|n| u64::try_from(n).unwrap_or(0)).collect(), face.bytes));
        }
        let launches = (*launches, low(sizes), high(sizes));
        Ok(Distant { launches, faces: all, order: order.first().copied(), ..none })
    }

    /// The first and the last launch.
    pub fn ends(&self) -> [[i64; 2]; 2] {
        let (_, low, high) = self.launches;
        [low, high]
    }

    /// Visits every launch, in order, until one fails.
    pub fn each_launch(&self, visit: &mut dyn FnMut([i64; 2]) -> Result<(), Error>) -> Result<(), Error> {
        let (_, low, high) = self.launches;
        for a in low[0]..=high[0] {
            for b in low[1]..=high[1] {
                visit([a, b])?;
            }
        }
        Ok(())
    }

    /// The words of the parameter for a launch.
    pub fn launch(&self, at: [i64; 2]) -> impl Iterator<Item = u64> {
        at.into_iter().take(self.launches.0).map(|n| n as u64)
    }

    /// The boxes of blocks that are launched one after another. Blocks that wait for each other are launched together.
    pub fn pieces(&self, grid: Grid, most: u64) -> impl Iterator<Item = Grid> {
        let ordered = self.order.is_some();
        let most = if ordered { u64::MAX } else { most };
        // In order they are numbered along x: their place is that of their ticket.
        grid.pieces(most).map(move |piece| Grid { linear: piece.linear || ordered, ..piece })
    }

    /// The dynamic shared memory of a block that needs `shared` bytes of at most `room`. Blocks in order that cannot run yet only
    /// take memory bandwidth from those they wait for, so no more of them are resident than can run at a time: each asks for more
    /// shared memory than it needs.
    pub fn shared(&self, shared: u32, room: u32, multiprocessors: u32) -> u32 {
        let Some(order) = self.order else { return shared };
        let along = |k: usize| order.tickets[k].unsigned_abs().saturating_mul(self.count[k].saturating_sub(1));
        let turns = (0..3).map(along).fold(1u64, u64::saturating_add);
        // About twice as many as run on average.
        let together = self.blocks.saturating_mul(2) / turns + 1;
        let resident = together.div_ceil(multiprocessors.max(1).into());
        if resident > MOST_LIMITED {
            return shared;
        }
        let asked = u64::from(room) / (resident + 1) + LIMIT_BYTES;
        shared.max(asked.min(room.into()) as u32 / 16 * 16)
    }

    /// Reserves the memory of all faces. Returns the words of the parameter: the address of each and its lengths.
    pub fn faces(&self, state: &mut State, queue: &Queue) -> Result<Vec<u64>, Error> {
        let bytes = |(lengths, bytes): &(Vec<u64>, usize)| {
            let cells = lengths.iter().fold(1u128, |all, n| all.saturating_mul((*n).into()));
            cells.saturating_mul(*bytes as u128).next_multiple_of(ALIGNED as u128)
        };
        let all = self.faces.iter().map(bytes).fold(0u128, u128::saturating_add);
        if all == 0 {
            return Ok(self
                .faces
                .iter()
                .flat_map(|(lengths, _)| std::iter::once(0).chain(lengths.iter().copied()))
                .collect());
        }
        let too_much = || Error::no_device_memory(Purpose::Faces.text(), all);
        let room = usize::try_from(all).ok().filter(|n| isize::try_from(*n).is_ok()).ok_or_else(too_much)?;
        let mut address = state.reserve(queue, Purpose::Faces, room)?;
        let mut words = Vec::new();
        for face in &self.faces {
            words.push(address);
            words.extend(&face.0);
            address += bytes(face) as u64;
        }
        Ok(words)
    }

    /// Clears the counter of tickets and the flags, and brings the order of blocks to the device if another one is there. Returns
    /// the words of the parameter.
    pub fn order(&self, work: &mut Work<'_>) -> Result<Vec<u64>, Error> {
        let Some(order) = self.order else { return Ok(Vec::new()) };
        let too_many = || Error::Grid { kernel: "blocks in order", blocks: self.count };
        let flags = usize::try_from(self.blocks).ok().and_then(|n| n.checked_mul(4)).ok_or_else(too_many)?;
        let room = flags.next_multiple_of(ALIGNED);
        let (state, queue, here) = (&mut *work.state, work.queue, Some((self.count, order.tickets)));
        let is_other = state.order != here;
        if is_other {
            state.forget_order();
        }
        let address = state.reserve(queue, Purpose::Order, ALIGNED + 2 * room)?;
        let (raw, at) = (&queue.context.raw, [address, address + ALIGNED as u64, address + (ALIGNED + room) as u64]);
        if is_other {
            let blocks = order.blocks(self.count)?;
            let rows = Rows { count: 1, bytes: flags, host: flags, device: flags };
            // SAFETY: the list has this many bytes, and the driver has read it when the queue is done.
            unsafe { raw.upload(queue.raw, blocks.as_ptr().cast(), at[2], rows)? };
            raw.finish(queue.raw)?;
            state.order = here;
        }
        work.clear(address, ALIGNED + flags)?;
        Ok(at.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan = Plan {
        far: &[Far {
            launches: 1,
            low: |_| [2, 0],
            high: |sizes| [sizes[0], 0],
            faces: &[super::super::plan::Face {
                bytes: 4,
                lengths: |sizes, to| to.extend_from_slice(&[2, sizes[1].into()]),
            }],
            order: &[Order { tickets: [0, 1, 1], waits: &[[0, 1, 0]] }],
        }],
        high: |_| [0, 3, 4],
        ..Plan::NOTHING
    };

    #[test]
    fn launches_follow_each_other_and_blocks_stay_together() {
        let sizes = [4, 10];
        let grid = Grid::new(&PLAN, &sizes).unwrap().unwrap();
        let far = Distant::new(&PLAN, &sizes, &grid).unwrap();
        let mut seen = Vec::new();
        far.each_launch(&mut |at| {
            seen.extend(far.launch(at));
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, [2, 3, 4]);
        let pieces: Vec<Grid> = far.pieces(grid, 3).collect();
        assert!(pieces.len() == 1 && pieces[0].linear && pieces[0].blocks == 20);
        assert!(Distant::new(&PLAN, &[4, i64::MAX], &grid).is_err());
    }

    #[test]
    fn no_more_blocks_are_resident_than_can_run() {
        let plan = Plan { high: |sizes| [0, sizes[0], sizes[0]], ..PLAN };
        let shared = |n: i64, needed: u32| {
            let grid = Grid::new(&plan, &[n, 1]).unwrap().unwrap();
            Distant::new(&plan, &[n, 1], &grid).unwrap().shared(needed, 200 << 10, 100)
        };
        // One row of blocks at a time: one block per multiprocessor.
        assert_eq!(shared(90, 0), 101 << 10);
        assert!((200 << 10) / shared(350, 0) == 4);
        assert_eq!(shared(5000, 48), 48);
        assert_eq!(shared(90, 150 << 10), 150 << 10);
    }

    #[test]
    fn nothing_is_far_from_most_kernels() {
        let plan = Plan { high: |_| [0; 3], ..Plan::NOTHING };
        let grid = Grid::new(&plan, &[]).unwrap().unwrap();
        let far = Distant::new(&plan, &[], &grid).unwrap();
        let mut count = 0;
        far.each_launch(&mut |at| {
            count += 1 + far.launch(at).count();
            Ok(())
        })
        .unwrap();
        assert_eq!((count, far.pieces(grid, 9).count()), (1, 1));
    }
}
