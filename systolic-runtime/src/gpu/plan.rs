//! The launch plan of a kernel, which emitted code contains.
use crate::limits::Demand;
use crate::order::Order;

/// The launch plan of a kernel. Functions take the sizes as their first argument.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The name for messages: `conv2d_rows::<f32, 3, 3>`.
    pub kernel: &'static str,
    /// Its code; empty if there is none.
    pub images: &'static [Image],
    /// Why there is no code, if there is none.
    pub why: &'static str,
    /// The prefix of the names of its entries, which end in `_wide`, `_any` and `_64`.
    pub entry: &'static str,
    /// The arrays with vectorised accesses. If there are none, there is no entry `_wide`.
    pub wide: &'static [Wide],
    /// The warps of a block.
    pub warps: u32,
    /// Bytes of dynamic shared memory per block, without scratch rows; a multiple of 16.
    pub shared: u32,
    /// The first block along each axis; axis 0 is the slowest.
    pub low: fn(&[i64]) -> [i64; 3],
    /// The last block along each axis; if it is below the first, there are no blocks.
    pub high: fn(&[i64]) -> [i64; 3],
    /// What blocks leave for other blocks and launches: at most one entry, and none if there is nothing of that.
    pub far: &'static [Far],
    /// The bytes of scratch rows of a block, which hold values for later steps; a multiple of 16. The second argument is the
    /// launch.
    pub rows: fn(&[i64], [i64; 2], [i64; 3]) -> i64,
    /// Whether `rows` depends on the block.
    pub rows_vary: bool,
    /// An upper bound on the points of a block.
    pub points: fn(&[i64]) -> i128,
    /// An upper bound on the evaluations of the equations by the warps of a block.
    pub evaluations: fn(&[i64]) -> i128,
    /// An upper bound on the absolute value of every number that the kernel computes for indices.
    pub magnitude: fn(&[i64]) -> i128,
    /// How fast it is, by the cost model of the compiler.
    pub speed: Speed,
    /// The same kernel in other ways, which may be faster for some sizes.
    pub variants: &'static [Variant],
}

/// Another way to run the same kernel.
#[derive(Clone, Copy, Debug)]
pub enum Variant {
    /// Another map.
    Map(Plan),
    /// Several launches, each with a map of its own.
    Series(Series),
}

/// A kernel as a series of launches, which run one after another. Arrays in device memory carry values from one to later ones.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// The seconds that a launch takes.
    pub launch: f64,
    /// The arrays between launches.
    pub between: &'static [Face],
    /// The arrays of every launch, in the order in which they run.
    pub parts: &'static [Part],
    /// Their plans.
    pub members: &'static [Plan],
}

/// The arrays of one launch of a series, in the order of its parameter: all inputs of the kernel, those that it `reads`, its `outputs`,
/// those that it `stores`.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The outputs of the kernel that it stores, by number.
    pub outputs: &'static [usize],
    /// The arrays between launches that it reads.
    pub reads: &'static [usize],
    /// The arrays between launches that it stores.
    pub stores: &'static [usize],
}

/// The way that a launch takes.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// One map.
    Map(&'static Plan),
    /// A series of launches.
    Series(&'static Series),
}

/// What of a device decides which way a launch takes.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// The number of multiprocessors.
    pub multiprocessors: u32,
    /// The bytes of device memory.
    pub memory: u64,
}

/// What blocks leave for other blocks and launches, and the order of both.
#[derive(Clone, Copy, Debug)]
pub struct Far {
    /// The number of loops over launches.
    pub launches: usize,
    /// The first launch along each loop; 0 beyond the last loop.
    pub low: fn(&[i64]) -> [i64; 2],
    /// The last launch along each loop.
    pub high: fn(&[i64]) -> [i64; 2],
    /// The memory that carries values, each in the order of the kernel's parameter.
    pub faces: &'static [Face],
    /// The order of the blocks of a launch, if they wait for each other; at most one entry.
    pub order: &'static [Order<'static>],
}

/// Memory that carries values from block to block.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// The bytes of a value.
    pub bytes: usize,
    /// Appends its lengths.
    pub lengths: fn(&[i64], &mut Vec<i128>),
}

/// How fast a plan is. All are 0 if nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Speed {
    /// Seconds per point if all multiprocessors are busy.
    pub busy: f64,
    /// Seconds per point of a block that runs alone.
    pub alone: f64,
    /// The blocks that a multiprocessor holds at a time.
    pub resident: u32,
}

impl Speed {
    /// Nothing is known.
    pub const UNKNOWN: Speed = Speed { busy: 0.0, alone: 0.0, resident: 1 };
}

/// The part of a plan's predicted time below which a variant is taken instead: on an H200 predictions were wrong by up to a third.
const WORTH: f64 = 0.7;

/// The arrays between launches take at most 1/`MEMORY` of the device's memory, if there is a plan without them.
const MEMORY: u64 = 4;

// The functions of a plan without code. No closures: the crate of every kernel without code would compile those.

fn first(_: &[i64]) -> [i64; 3] {
    [0; 3]
}

fn last(_: &[i64]) -> [i64; 3] {
    [-1; 3]
}

fn no_rows(_: &[i64], _: [i64; 2], _: [i64; 3]) -> i64 {
    0
}

fn nothing(_: &[i64]) -> i128 {
    0
}

impl Plan {
    /// A plan without code.
    pub const NOTHING: Plan = Plan {
        kernel: "",
        images: &[],
        why: "",
        entry: "",
        wide: &[],
        warps: 1,
        shared: 0,
        low: first,
        high: last,
        far: &[],
        rows: no_rows,
        rows_vary: false,
        points: nothing,
        evaluations: nothing,
        magnitude: nothing,
        speed: Speed::UNKNOWN,
        variants: &[],
    };

    /// Returns this plan or, if it is clearly faster for these sizes on this machine, a variant. Which one depends on nothing else.
    pub fn at(&'static self, sizes: &[i64], machine: Machine) -> Way {
        let alone = self.images.is_empty();
        let seconds = if alone { f64::INFINITY } else { self.seconds(sizes, machine.multiprocessors) * WORTH };
        let mut best = (seconds, Way::Map(self));
        for variant in self.usable() {
            let (seconds, way, fits) = match variant {
                Variant::Map(plan) => (plan.seconds(sizes, machine.multiprocessors), Way::Map(plan), true),
                Variant::Series(series) => {
                    let most = i128::from(machine.memory / MEMORY);
                    (series.seconds(sizes, machine.multiprocessors), Way::Series(series), series.bytes(sizes) <= most)
                }
            };
            if seconds < best.0 && (fits || alone) {
                best = (seconds, way);
            }
        }
        best.1
    }

    /// The variants that have code.
    pub fn usable(&'static self) -> impl Iterator<Item = &'static Variant> {
        self.variants.iter().filter(|variant| variant.is_usable())
    }

    /// The plans whose code a device needs to run the kernel: this one or, without code of its own, those of a series.
    pub fn needed(&'static self) -> impl Iterator<Item = &'static Plan> {
        let series = self.usable().filter(|_| self.images.is_empty()).find_map(|variant| match variant {
            Variant::Series(series) => Some(series.members),
            Variant::Map(_) => None,
        });
        series.unwrap_or(std::slice::from_ref(self)).iter()
    }

    /// Predicts the time for these sizes. Blocks run in waves of as many as all multiprocessors hold. Every wave takes at least
    /// as long as one block alone, and so does every block of a chain of those that wait for each other.
    fn seconds(&self, sizes: &[i64], multiprocessors: u32) -> f64 {
        let (low, high) = ((self.low)(sizes), (self.high)(sizes));
        let blocks: f64 = low.iter().zip(high).map(|(low, high)| (high as f64 - *low as f64 + 1.0).max(0.0)).product();
        let points = (self.points)(sizes) as f64;
        let at_once = f64::from(multiprocessors.max(1)) * f64::from(self.speed.resident.max(1));
        let waves = (blocks / at_once).ceil().max(self.chain(low, high));
        (blocks * points * self.speed.busy).max(waves * points * self.speed.alone)
    }

    /// About how many blocks wait for each other one after another; 0 if none do.
    fn chain(&self, low: [i64; 3], high: [i64; 3]) -> f64 {
        let Some(order) = self.far.first().and_then(|far| far.order.first()) else { return 0.0 };
        let axes = (0..3).filter(|k| order.waits.iter().any(|wait| wait[*k] != 0));
        1.0 + axes.map(|k| (high[k] as f64 - low[k] as f64).max(0.0)).sum::<f64>()
    }
}

impl Variant {
    /// Whether it has code.
    fn is_usable(&self) -> bool {
        match self {
            Variant::Map(plan) => !plan.images.is_empty(),
            Variant::Series(Series { parts, members, .. }) => {
                parts.len() == members.len() && members.iter().all(|member| !member.images.is_empty())
            }
        }
    }
}

impl Series {
    /// Predicts the time for these sizes: that of all launches, and what each costs beside the first.
    fn seconds(&self, sizes: &[i64], multiprocessors: u32) -> f64 {
        let all: f64 = self.members.iter().map(|member| member.seconds(sizes, multiprocessors)).sum();
        all + self.launch * self.members.len().saturating_sub(1) as f64
    }

    /// The bytes of the arrays between launches, without padding.
    fn bytes(&self, sizes: &[i64]) -> i128 {
        let bytes = |face: &Face| {
            let mut lengths = Vec::new();
            (face.lengths)(sizes, &mut lengths);
            Demand::product(&lengths).saturating_mul(face.bytes as i128)
        };
        self.between.iter().map(bytes).fold(0, i128::saturating_add)
    }
}

/// Code for a device.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// The architecture: 90 for `sm_90`.
    pub arch: u32,
    /// Whether the code is PTX text, which the driver compiles for this architecture or a later one. Otherwise it is a
    /// cubin for exactly this architecture.
    pub ptx: bool,
    /// The code.
    pub bytes: &'static [u8],
}

/// An array with vectorised accesses.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// The array, by its position among all arrays, inputs first.
    pub array: usize,
    /// The bytes of an access. The address and all strides in bytes must be multiples of it.
    pub bytes: u32,
    /// How many of the last axes are one with the axis before them. Their strides do not matter.
    pub merged: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: Image = Image { arch: 75, ptx: true, bytes: &[] };

    /// Blocks of 128 columns, and variants with 32 columns; one has no code.
    static PLAN: Plan = Plan {
        images: &[CODE],
        high: |sizes| [0, 0, (sizes[0] - 1) / 128],
        points: |_| 128,
        speed: Speed { busy: 1e-9, alone: 1e-7, resident: 1 },
        variants: &[
            Variant::Map(Plan { speed: Speed { busy: 1e-12, alone: 1e-12, resident: 1 }, ..Plan::NOTHING }),
            Variant::Map(Plan {
                images: &[CODE],
                high: |sizes| [0, 0, (sizes[0] - 1) / 32],
                points: |_| 32,
                speed: Speed { busy: 1.5e-9, alone: 1e-7, resident: 1 },
                ..Plan::NOTHING
            }),
        ],
        ..Plan::NOTHING
    };

    fn map(plan: &'static Plan, sizes: &[i64], multiprocessors: u32) -> &'static Plan {
        match plan.at(sizes, Machine { multiprocessors, memory: 1 << 30 }) {
            Way::Map(plan) => plan,
            Way::Series(_) => panic!("there is no series"),
        }
    }

    /// Launches of as many blocks as there are columns, with an array of all columns between them.
    const SERIES: Series = Series {
        launch: 1e-6,
        between: &[Face { bytes: 4, lengths: |sizes, to| to.push(sizes[0].into()) }],
        parts: &[Part { outputs: &[], reads: &[], stores: &[0] }, Part { outputs: &[0], reads: &[0], stores: &[] }],
        members: &[MEMBER, MEMBER],
    };

    const MEMBER: Plan = Plan {
        images: &[CODE],
        high: |sizes| [0, 0, sizes[0] - 1],
        points: |_| 1,
        speed: Speed { busy: 1e-12, alone: 1e-9, resident: 1 },
        ..Plan::NOTHING
    };

    #[test]
    fn blocks_that_wait_for_each_other_take_as_long_as_their_longest_chain() {
        static ORDERED: Plan = Plan {
            high: |sizes| [0, sizes[0] - 1, sizes[1] - 1],
            far: &[Far {
                launches: 0,
                low: |_| [0; 2],
                high: |_| [0; 2],
                faces: &[],
                order: &[Order { tickets: [0, 1, 1], waits: &[[0, 1, 0], [0, 0, 1]] }],
            }],
            ..MEMBER
        };
        let seconds = |sizes: &[i64]| ORDERED.seconds(sizes, 1000);
        assert_eq!(seconds(&[1, 1]), 1e-9);
        assert!((seconds(&[10, 5]) - 14e-9).abs() < 1e-15);
        assert!((seconds(&[1, 50]) - 50e-9).abs() < 1e-15);
    }

    #[test]
    fn a_series_is_taken_where_it_is_faster_and_fits() {
        static PLAN: Plan = Plan {
            speed: Speed { busy: 1e-11, alone: 1e-8, resident: 1 },
            variants: &[Variant::Series(SERIES)],
            ..MEMBER
        };
        let is_series = |columns: i64, memory: u64| {
            matches!(PLAN.at(&[columns], Machine { multiprocessors: 100, memory }), Way::Series(_))
        };
        assert!(!is_series(10_000, 1 << 30), "a second launch takes longer");
        assert!(is_series(1_000_000, 1 << 30));
        assert!(!is_series(1_000_000, 15_000_000), "a quarter of the memory is less than the array");
        assert_eq!(PLAN.needed().count(), 1);
    }

    #[test]
    fn without_a_map_the_series_is_taken_in_any_case() {
        static PLAN: Plan = Plan { variants: &[Variant::Series(SERIES)], ..Plan::NOTHING };
        assert!(matches!(PLAN.at(&[8], Machine { multiprocessors: 100, memory: 0 }), Way::Series(_)));
        assert_eq!(PLAN.needed().count(), 2);
        static BROKEN: Plan = Plan {
            variants: &[Variant::Series(Series { members: &[MEMBER, Plan::NOTHING], ..SERIES })],
            ..Plan::NOTHING
        };
        assert_eq!((BROKEN.usable().count(), BROKEN.needed().count()), (0, 1));
    }

    #[test]
    fn sizes_and_the_device_decide() {
        let columns = |sizes: &[i64], multiprocessors: u32| (map(&PLAN, sizes, multiprocessors).points)(sizes);
        // Few blocks: narrow ones fill the machine.
        assert_eq!(columns(&[4096], 128), 32);
        assert_eq!(columns(&[4096], 16), 128);
        assert_eq!(columns(&[1 << 24], 128), 128);
        assert_eq!(columns(&[1], 128), 32);
    }

    #[test]
    fn without_variants_nothing_is_chosen() {
        static ALONE: Plan = Plan { images: &[CODE], ..Plan::NOTHING };
        assert!(std::ptr::eq(map(&ALONE, &[], 132), &ALONE));
    }
}
