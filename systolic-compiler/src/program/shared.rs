//! The layout of a block's shared memory: where rings, staged boxes and tables lie, and how many bytes they take.
use super::{Operation, Program, Ring, Stage};
use crate::mapping::{PlaceForm, Target};
use crate::model::{Array, Int, Type};
use crate::target::{GPU, tuning};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    pub array: Array,
    pub ty: Type,
    /// The number of its elements.
    pub count: Int,
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
        for table in program.tables() {
            let size = table.count * table.ty.bytes() as Int;
            if size <= tuning::TABLE_BYTES && bytes + size <= GPU.block_shared_bytes - tuning::TABLE_BYTES {
                tables.push((table, bytes));
                bytes += (size + 15) / 16 * 16;
            }
        }
        Shared { rings, stages, counted, tables, bytes }
    }
}

impl Program {
    /// The arrays without memory that are read at indices which are values, each once; none on a CPU, which has a cache.
    fn tables(&self) -> Vec<Table> {
        let mut found: Vec<Table> = Vec::new();
        for inst in self.values.iter().filter(|_| self.target == Target::Gpu) {
            let Operation::Lookup { array, .. } = inst.operation else { continue };
            if self.in_memory(array) || found.iter().any(|table| table.array == array) {
                continue;
            }
            let mut lengths = self.operand(array).dims.iter().map(PlaceForm::number);
            let count = lengths.try_fold(1, |product: Int, length| product.checked_mul(length?));
            found.extend(count.map(|count| Table { array, ty: inst.ty, count }));
        }
        found
    }

    /// The bytes of a ring: its slots for all lanes of the block.
    pub fn ring_bytes(&self, ring: &Ring) -> Int {
        ring.slots() * self.warp_count() * 32 * self.values[ring.value.0].ty.bytes() as Int
    }
}

impl Stage {
    /// The bytes of the box, with the padding of its rows.
    pub fn bytes(&self) -> Int {
        let rows: Int = self.extents.split_last().map_or(1, |(_, outer)| outer.iter().product());
        rows.saturating_mul(self.pitch).saturating_mul(self.ty.bytes() as Int)
    }
}
