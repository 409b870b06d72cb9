//! The layout of a block's shared memory: where rings, staged boxes and tables lie, and how many bytes they take.
use super::{Operation, Program, Ring, Stage};
use crate::mapping::{Atom, PlaceForm, Target};
use crate::model::{Array, Int, Type};
use crate::sorted::SortedMap;
use crate::target::{GPU, gpu, tuning};

/// Offsets in the shared memory of a block, in bytes. Each is a multiple of 16.
pub struct Shared {
    /// Of every ring.
    pub rings: Vec<Int>,
    /// Of every staged box.
    pub stages: Vec<Int>,
    /// The bytes of rings and boxes, which the law `resources` counts.
    pub counted: Int,
    /// The tables, each with its offset.
    pub tables: Vec<(Table, Int)>,
    /// The bytes that all of them take.
    pub bytes: Int,
}

/// A constant, or a parameter that is passed by value, which lanes read at different indices. Such reads of constant memory take
/// turns, so every block copies it to shared memory first.
///
/// There it has one more element along every axis: what an index outside reads, so that no element needs a test. And lanes read
/// from several copies, in banks of their own, as far as there is room: those that read different words of one bank take turns.
///
/// ```text
/// word 0 of copy 0   word 0 of copy 1   …   word 1 of copy 0   word 1 of copy 1   …
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub array: Array,
    pub ty: Type,
    /// The lengths of its axes in shared memory, with the additional elements.
    pub lengths: Vec<Int>,
    /// How often it lies there.
    pub copies: Int,
}

impl Table {
    /// The number of elements of a copy.
    pub fn count(&self) -> Int {
        self.lengths.iter().product()
    }

    /// The bytes of a word, which holds one element or several.
    pub fn word_bytes(&self) -> Int {
        (self.ty.bytes() as Int).max(GPU.word_bytes as Int)
    }

    /// The bytes that `count` neighbours take in all copies, in whole words.
    fn row_bytes(&self, count: Int) -> Int {
        let word = self.word_bytes();
        (count * self.ty.bytes() as Int + word - 1) / word * word * self.copies
    }

    /// The bytes from an element to the next one along an axis other than the last: those of whole rows.
    pub fn stride(&self, axis: usize) -> Int {
        let Some((last, outer)) = self.lengths.split_last() else { return 0 };
        let row = self.row_bytes(*last);
        row * outer[axis + 1..].iter().product::<Int>()
    }

    /// The bytes of all copies.
    pub fn bytes(&self) -> Int {
        match self.lengths.as_slice() {
            [] => 0,
            [only] => self.row_bytes(*only),
            [first, ..] => first * self.stride(0),
        }
    }
}

impl Shared {
    /// Places all rings, then all boxes, then the tables for which there is room.
    pub fn of(program: &Program) -> Shared {
        let mut bytes: Int = 0;
        let mut place = |size: Int| {
            let at = bytes;
            bytes += (size + 15) / 16 * 16;
            at
        };
        let rings = program.rings.iter().map(|ring| place(program.ring_bytes(ring))).collect();
        let stages = program.stages.iter().map(|stage| place(stage.bytes())).collect();
        let counted = bytes;
        let mut tables = Vec::new();
        let room = tuning::TABLE_COPIES_BYTES * program.warp_count();
        for mut table in program.tables() {
            if table.bytes() > tuning::TABLE_BYTES
                || bytes + table.bytes() > GPU.block_shared_bytes - tuning::TABLE_BYTES
            {
                continue;
            }
            // Each warp of a block makes room for more copies, and a block that reads the table often has time for them. Every GPU
            // has this much shared memory for a block.
            let fits = room.min(gpu::SHARED_EVERYWHERE - bytes) / table.bytes();
            let filled =
                program.reads_of(table.array) * program.warp_count() * gpu::LANES / tuning::READS_PER_COPIED_CELL;
            let most = fits.min(filled / table.count()).min(gpu::LANES * GPU.word_bytes as Int / table.word_bytes());
            while 2 * table.copies <= most {
                table.copies *= 2;
            }
            let at = bytes;
            bytes += (table.bytes() + 15) / 16 * 16;
            tables.push((table, at));
        }
        Shared { rings, stages, counted, tables, bytes }
    }
}

impl Program {
    /// Whether the boxes inside this many loops are double: all of them or none.
    pub fn has_double_boxes(&self, level: usize) -> bool {
        self.stages.iter().any(|stage| stage.level == level && stage.is_double)
    }

    /// The bank conflicts of a read: the largest number of different words that its lanes read from one bank. Lanes that read several
    /// words each take turns in groups.
    pub fn conflicts(&self, stage: &Stage, cell: &[PlaceForm]) -> usize {
        let (lanes, bytes) = (self.lane_count(), stage.ty.bytes() as Int);
        let access = (stage.together * bytes).max(GPU.word_bytes as Int);
        let group = (gpu::LANES * GPU.word_bytes as Int / access).max(1);
        let banks = (GPU.banks * GPU.word_bytes as Int / access).max(1);
        let mut worst = 1;
        for first in (0..lanes).step_by(group as usize) {
            let mut read: SortedMap<Int, Vec<Int>> = SortedMap::new();
            for lane in first..lanes.min(first + group) {
                let mut at = 0;
                for (k, form) in cell.iter().enumerate() {
                    let mut rest = lane;
                    let mut value = 0;
                    for row in (0..self.frame.lanes.len()).rev() {
                        value += form.coefficient(&Atom::Lane(row)) * (rest % self.frame.lanes[row]);
                        rest /= self.frame.lanes[row];
                    }
                    at = at * if k + 1 == cell.len() { stage.pitch } else { stage.extents[k] } + value;
                }
                let at = (at * bytes).div_euclid(access);
                let words = read.or_default(at.rem_euclid(banks));
                if !words.contains(&at) {
                    words.push(at);
                }
            }
            worst = worst.max(read.values().map(Vec::len).max().unwrap_or(1));
        }
        worst
    }

    /// The arrays without memory that are read at indices which are values, each once; none on a CPU, which has a cache.
    fn tables(&self) -> Vec<Table> {
        let mut found: Vec<Table> = Vec::new();
        for inst in self.values.iter().filter(|_| self.target == Target::Gpu) {
            let Operation::Lookup { array, .. } = inst.operation else { continue };
            if self.in_memory(array) || found.iter().any(|table| table.array == array) {
                continue;
            }
            let longer = |length: &PlaceForm| length.number()?.checked_add(1);
            let lengths: Option<Vec<Int>> = self.operand(array).dims.iter().map(longer).collect();
            let lengths = lengths.filter(|all| {
                all.iter().try_fold(1, |n: Int, m| n.checked_mul(*m)).is_some_and(|n| n <= tuning::TABLE_BYTES)
            });
            found.extend(lengths.map(|lengths| Table { array, ty: inst.ty, lengths, copies: 1 }));
        }
        found
    }

    /// About how often a lane reads a table in a block.
    fn reads_of(&self, read: Array) -> Int {
        let trips = self.frame.loops.iter().map(|l| l.longest.constant().unwrap_or(tuning::ASSUMED_LENGTH).max(1));
        let trips = trips.fold(1, |all: Int, trips| all.saturating_mul(trips).min(tuning::ASSUMED_LENGTH * GPU.banks));
        let reads = self.count(|o| matches!(o, Operation::Lookup { array, .. } if *array == read));
        trips.saturating_mul(reads as Int)
    }

    /// The bytes of a ring: its slots for all lanes of the block.
    pub fn ring_bytes(&self, ring: &Ring) -> Int {
        ring.slots() * self.warp_count() * 32 * self.values[ring.value.0].ty.bytes() as Int
    }
}

impl Stage {
    /// The bytes that it takes, with the padding of its rows.
    pub fn bytes(&self) -> Int {
        let copies = if self.is_double { 2 } else { 1 };
        self.cells().saturating_mul(self.ty.bytes() as Int).saturating_mul(copies)
    }

    /// How many of the copies that a lane makes are written one after another.
    pub fn unrolled(copies: Int) -> Int {
        copies.min(tuning::BOX_COPIES)
    }

    /// The bytes of an access that fills it where rows are aligned.
    pub fn bytes_of_piece(&self) -> usize {
        self.piece.unsigned_abs() as usize * self.ty.bytes()
    }

    /// The cells of one box, with the padding of its rows.
    pub fn cells(&self) -> Int {
        let rows: Int = self.extents.split_last().map_or(1, |(_, outer)| outer.iter().product());
        rows.saturating_mul(self.pitch)
    }
}
