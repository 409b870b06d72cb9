//! How fast a GPU is, for the cost model: measured by `bench/gpu/peers/micro.cu`, whose name of each stands beside it, or from a data sheet.
//! None was fitted to a kernel.

/// Seconds from the end of a block until another, which waits for it, goes on: a chain of blocks with 32 values each on an H200.
pub const HOP_SECONDS: f64 = 1.0e-6;

/// What runs instructions of some kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipe {
    /// All instructions go through it.
    Issue,
    Fma,
    Fma64,
    Alu,
    Convert,
    /// Shuffles, loads and stores.
    Exchange,
    /// Numbers passed by value, at an index of each lane.
    Picks,
}

impl Pipe {
    pub const ALL: [Pipe; 7] =
        [Pipe::Issue, Pipe::Fma, Pipe::Fma64, Pipe::Alu, Pipe::Convert, Pipe::Exchange, Pipe::Picks];

    pub fn name(self) -> &'static str {
        match self {
            Pipe::Issue => "issue",
            Pipe::Fma => "fma",
            Pipe::Fma64 => "f64",
            Pipe::Alu => "alu",
            Pipe::Convert => "conversions",
            Pipe::Exchange => "exchange",
            Pipe::Picks => "picks",
        }
    }
}

/// What a warp can be told to do, by what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A product added, f32, with one operand that all lanes share; a sum or a product alone costs as much.
    Fma,
    /// A product added, f32, of three values that every lane has of its own.
    OwnFma,
    /// The same of f64, and all else that f64 does.
    Fma64,
    /// Integers added, compared, shifted; a choice; the least, the greatest; a move.
    Alu,
    /// A product of integers, and an address.
    Mad,
    /// Between f16 and f32.
    Half,
    /// Other conversions, and the seeds of quotients, roots and powers.
    Convert,
    /// A value of 4 bytes from another lane.
    Shuffle,
    /// A load or a store of up to 16 bytes a lane.
    Access,
    /// A load or a store of shared memory.
    Shared,
    /// Numbers that all lanes share, fetched.
    Uniform,
    /// A wait for the other warps of a block.
    Barrier,
    /// Jumps.
    Control,
}

impl Kind {
    pub const ALL: [Kind; 13] = [
        Kind::Fma,
        Kind::OwnFma,
        Kind::Fma64,
        Kind::Alu,
        Kind::Mad,
        Kind::Half,
        Kind::Convert,
        Kind::Shuffle,
        Kind::Access,
        Kind::Shared,
        Kind::Uniform,
        Kind::Barrier,
        Kind::Control,
    ];

    /// A word for people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fma => "fma",
            Kind::OwnFma => "fma of own values",
            Kind::Fma64 => "f64",
            Kind::Alu => "alu",
            Kind::Mad => "integer products",
            Kind::Half => "f16 conversions",
            Kind::Convert => "conversions",
            Kind::Shuffle => "shuffles",
            Kind::Access => "accesses",
            Kind::Shared => "shared accesses",
            Kind::Uniform => "uniform fetches",
            Kind::Barrier => "barriers",
            Kind::Control => "jumps",
        }
    }
}

/// The speed of one GPU.
#[derive(Clone, Debug)]
pub struct Timing {
    pub multiprocessors: f64,
    /// Clocks a second under load: `clock`.
    pub clock: f64,
    /// Bytes a second, half read and half written: `copy_dram`.
    pub bandwidth: f64,
    /// Bytes a second between the second cache and all multiprocessors, and of stores alone: `copy_l2`, `write_l2`.
    pub second_cache: f64,
    pub second_cache_stores: f64,
    /// Clocks of a multiprocessor for a store of one lane: `rate_put_one`.
    pub store: f64,
    /// Clocks until a load has come from memory, where nobody else asks: `chase_dram`. With everybody asking it takes twice as
    /// long: `flow_…`.
    pub far: f64,
    /// The same from the second cache: `chase_l2`.
    pub second: f64,
    /// The same from the first cache: published, not measured.
    pub near: f64,
    /// Lanes a clock of a multiprocessor that begin an instruction: `rate_add_i32`, which two pipes share.
    pub issue: f64,
    /// The same where each quarter has but one warp: `body_1536_alone`, of products alone.
    pub alone: f64,
    /// Lanes a clock of a multiprocessor and clocks until a result can be used, by kind: `rate_…`, `wait_…`; products of f32
    /// from `rate_fma_shared`, of f64 from `roof.cu`.
    pub kinds: [(Kind, Pipe, f64, f64); Kind::ALL.len()],
    /// Clocks of a multiprocessor for each line of 128 bytes that an access falls into: `rate_near_4`; `rate_near_16` says
    /// that four lines take four times as long.
    pub line: f64,
    /// Clocks of a multiprocessor for a number that a lane picks: `rate_pick`.
    pub pick: f64,
    /// Loops of so many instructions run at such a part of the speed: `body_…`; longer ones are no slower.
    pub fetch: &'static [(f64, f64)],
    /// Clocks of a multiprocessor from block to block, by warps: `blocks_of_…`.
    pub blocks_begin: &'static [(usize, f64)],
    /// Seconds of a launch among others: published, `launch` measures it.
    pub launch: f64,
}

/// The speed of an NVIDIA H200.
pub const H200: Timing = Timing {
    multiprocessors: 132.0,
    clock: 1.98e9,
    bandwidth: 4.007e12,
    second_cache: 7.473e12,
    second_cache_stores: 4.299e12,
    store: 4.58,
    far: 654.0,
    second: 287.0,
    near: 33.0,
    issue: 126.3,
    alone: 121.3,
    kinds: [
        (Kind::Fma, Pipe::Fma, 126.2, 4.0),
        (Kind::OwnFma, Pipe::Fma, 70.0, 4.0),
        (Kind::Fma64, Pipe::Fma64, 63.7, 8.1),
        (Kind::Alu, Pipe::Alu, 63.6, 4.5),
        (Kind::Mad, Pipe::Fma, 63.8, 4.0),
        (Kind::Half, Pipe::Alu, 64.0, 5.0),
        (Kind::Convert, Pipe::Convert, 16.0, 17.1),
        (Kind::Shuffle, Pipe::Exchange, 32.0, 23.9),
        (Kind::Access, Pipe::Issue, 126.3, 0.0),
        (Kind::Shared, Pipe::Exchange, 31.7, 23.0),
        (Kind::Uniform, Pipe::Issue, 126.3, 0.0),
        (Kind::Barrier, Pipe::Issue, 15.4, 14.1),
        (Kind::Control, Pipe::Issue, 126.3, 5.0),
    ],
    line: 1.04,
    pick: 2.0,
    fetch: &[(1024.0, 1.0), (2048.0, 0.988), (2304.0, 0.871), (2560.0, 0.509)],
    blocks_begin: &[(1, 157.6), (16, 156.6), (32, 176.6)],
    launch: 2.2e-6,
};

impl Timing {
    fn row(&self, kind: Kind) -> &(Kind, Pipe, f64, f64) {
        &self.kinds[kind as usize]
    }

    /// The pipe that runs a kind.
    pub fn pipe(&self, kind: Kind) -> Pipe {
        self.row(kind).1
    }

    /// Lanes a clock of a multiprocessor.
    pub fn lanes(&self, kind: Kind) -> f64 {
        self.row(kind).2
    }

    /// Clocks until a result can be used.
    pub fn wait(&self, kind: Kind) -> f64 {
        self.row(kind).3
    }

    /// The part of its speed at which a loop of so many instructions runs.
    pub fn fetch_rate(&self, instructions: f64) -> f64 {
        between(self.fetch.iter().copied(), instructions)
    }

    /// Clocks from block to block.
    pub fn block_clocks(&self, warps: usize) -> f64 {
        between(self.blocks_begin.iter().map(|(warps, clocks)| (*warps as f64, *clocks)), warps as f64)
    }
}

/// The number at a place between measured ones, on straight lines; beyond the ends it stays.
fn between(points: impl Iterator<Item = (f64, f64)>, at: f64) -> f64 {
    let mut before: Option<(f64, f64)> = None;
    for (x, y) in points {
        match before {
            _ if at > x => before = Some((x, y)),
            None => return y,
            Some((x0, y0)) => return y0 + (y - y0) * (at - x0) / (x - x0),
        }
    }
    before.map_or(0.0, |(_, y)| y)
}
