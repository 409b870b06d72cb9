//! Counts to a time. Blocks run in waves, as many at a time as fit; a wave takes as long as the busiest part of the machine,
//! and at least as long as a block that runs alone.
use super::machine::{Machine, Pipe};
use super::mix::{Kind, Mix};

/// What bounds the time of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roof {
    /// Bytes from and to memory, each once.
    Memory,
    /// Bytes between the second cache and the multiprocessors.
    SecondCache,
    /// Instructions, or those of one pipe.
    Pipe(Pipe),
    /// What one block waits for: memory, and values that need each other.
    Latency,
    /// The rate at which blocks begin.
    Blocks,
    /// A few blocks at the edges, which run longer than all others.
    Edges,
}

impl Roof {
    pub fn name(self) -> &'static str {
        match self {
            Roof::Memory => "memory",
            Roof::SecondCache => "second cache",
            Roof::Pipe(pipe) => pipe.name(),
            Roof::Latency => "latency",
            Roof::Blocks => "blocks",
            Roof::Edges => "edges",
        }
    }
}

/// One kind of block: all that it does.
#[derive(Clone, Debug, Default)]
pub struct Load {
    pub blocks: f64,
    /// Of all its warps.
    pub mix: Mix,
    /// Lines that its accesses fall into, and numbers that its lanes pick.
    pub lines: f64,
    pub picks: f64,
    /// Bytes from the second cache and to it, and how many stores those are.
    pub loaded: f64,
    pub stored: f64,
    pub stores: f64,
    /// Instructions of its longest loop.
    pub loop_length: f64,
    pub at_edge: bool,
    pub alone: Alone,
}

impl Load {
    /// Of so many warps, where this is of one.
    pub fn of_all(self, warps: f64) -> Load {
        Load {
            mix: self.mix * warps,
            lines: self.lines * warps,
            picks: self.picks * warps,
            loaded: self.loaded * warps,
            stored: self.stored * warps,
            stores: self.stores * warps,
            ..self
        }
    }
}

/// What one warp does when nobody else runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone {
    /// Clocks in which it does something.
    pub doing: f64,
    /// Clocks in which it waits for what lies near.
    pub near: f64,
    /// How often it waits for what lies far. What is asked for some steps ahead counts for a part.
    pub waits: f64,
}

impl Alone {
    /// Its clocks, where what lies far takes so many.
    pub fn clocks(&self, far: f64) -> f64 {
        self.doing + self.near + self.waits * far
    }

    /// Its clocks where memory is busy `memory` clocks meanwhile: busy all the time, it takes twice as long to answer.
    fn beside(&self, far: f64, memory: f64) -> f64 {
        // t = doing + near + waits · far · (1 + memory / t)
        let (sum, waiting) = (self.clocks(far), self.waits * far);
        (sum + (sum * sum + 4.0 * waiting * memory).sqrt()) / 2.0
    }
}

/// A launch: what runs, how much of it at a time.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The blocks away from edges first.
    pub loads: Vec<Load>,
    /// Blocks of a multiprocessor at a time, and the warps of one.
    pub resident: usize,
    pub warps: usize,
    /// Bytes that come from memory and go there.
    pub read: f64,
    pub written: f64,
}

/// The time of a launch in seconds, by each roof as if it were the only one, and by all.
#[derive(Clone, Debug)]
pub struct Time {
    pub roofs: Vec<(Roof, f64)>,
    pub total: f64,
    pub roof: Roof,
    /// Blocks of a multiprocessor by those at a time.
    pub waves: f64,
}

pub fn time(machine: &Machine, launch: &Launch) -> Time {
    let each = launch.blocks().max(1.0) / machine.multiprocessors;
    let waves = Waves::new(each, launch.resident.max(1) as f64);
    let parts = parts(machine, launch);
    let memory = parts.first().map_or(0.0, |(_, clocks)| *clocks);
    let alone = launch.loads.first().map_or(Alone::default(), |l| l.alone);
    let (busiest, most) = greatest(&parts);
    let wave = |blocks: f64| (blocks * most).max(alone.beside(machine.far, blocks * memory));
    let seconds = |clocks: f64| clocks / machine.clock;
    let mut roofs: Vec<(Roof, f64)> =
        parts.iter().map(|(roof, clocks)| (*roof, seconds(waves.clocks(|blocks| blocks * clocks)))).collect();
    roofs.push((Roof::Latency, seconds(waves.clocks(|blocks| alone.beside(machine.far, blocks * memory)))));
    let begin = seconds(each * machine.block_clocks(launch.warps));
    roofs.push((Roof::Blocks, begin));
    let inner = if wave(waves.resident) > waves.resident * most { Roof::Latency } else { busiest };
    let mut bounds = vec![(inner, seconds(waves.clocks(wave))), (Roof::Blocks, begin)];
    if let Some(clocks) = edges(machine, launch, &waves, &wave) {
        roofs.push((Roof::Edges, seconds(clocks)));
        bounds.push((Roof::Edges, seconds(clocks)));
    }
    let (roof, longest) = greatest(&bounds);
    Time { total: longest + machine.launch, roof, roofs, waves: each / waves.resident }
}

/// The blocks of a multiprocessor, some at a time.
struct Waves {
    resident: f64,
    /// Waves that are full, and the blocks of the one behind them, if there is one.
    full: f64,
    rest: f64,
}

impl Waves {
    fn new(each: f64, resident: f64) -> Waves {
        let resident = resident.min(each.ceil());
        let full = (each / resident).floor();
        // A multiprocessor has whole blocks.
        Waves { resident, full, rest: (each - full * resident).ceil() }
    }

    /// The clocks of all waves, by those of one of so many blocks.
    fn clocks(&self, wave: impl Fn(f64) -> f64) -> f64 {
        self.full * wave(self.resident) + if self.rest > 0.0 { wave(self.rest) } else { 0.0 }
    }

    /// The waves before the last one, and its blocks.
    fn last(&self) -> (f64, f64) {
        if self.rest > 0.0 { (self.full, self.rest) } else { (self.full - 1.0, self.resident) }
    }
}

impl Launch {
    pub fn blocks(&self) -> f64 {
        self.loads.iter().map(|l| l.blocks).sum()
    }
}

/// Clocks of a multiprocessor that a block keeps each part of the machine busy: the mean of all blocks.
fn parts(machine: &Machine, launch: &Launch) -> Vec<(Roof, f64)> {
    let blocks = launch.blocks().max(1.0);
    let mean = |of: &dyn Fn(&Load) -> f64| launch.loads.iter().map(|l| l.blocks * of(l)).sum::<f64>() / blocks;
    let a_clock = |bytes_a_second: f64| bytes_a_second / machine.clock / machine.multiprocessors;
    let memory = (launch.read + launch.written) / blocks / a_clock(machine.bandwidth);
    let second = |l: &Load| {
        let stores = (l.stores * machine.store).max(l.stored / a_clock(machine.second_cache_stores));
        stores.max((l.loaded + l.stored) / a_clock(machine.second_cache))
    };
    let mut parts = vec![(Roof::Memory, memory), (Roof::SecondCache, mean(&second))];
    parts.extend(Pipe::ALL.iter().map(|pipe| (Roof::Pipe(*pipe), mean(&|l| busy(machine, l, *pipe)))));
    parts
}

/// Clocks of a multiprocessor that a block keeps a pipe busy.
fn busy(machine: &Machine, load: &Load, pipe: Pipe) -> f64 {
    let slow = 1.0 / machine.fetch_rate(load.loop_length);
    let of = |kind: &Kind| load.mix.get(*kind) * 32.0 / machine.lanes(*kind);
    let kinds: f64 = Kind::ALL.iter().filter(|k| machine.pipe(**k) == pipe).map(of).sum();
    match pipe {
        Pipe::Issue => load.mix.total() * 32.0 / machine.issue * slow,
        Pipe::Exchange => kinds + load.lines * machine.line,
        Pipe::Picks => load.picks * machine.pick,
        _ => kinds * slow,
    }
}

/// Clocks of the pipe that a block keeps busy longest.
pub fn busiest(machine: &Machine, load: &Load) -> f64 {
    Pipe::ALL.iter().map(|pipe| busy(machine, load, *pipe)).fold(0.0, f64::max)
}

/// Clocks until a block at an edge has ended that begins with the last wave: it shares with the others as long as they run,
/// and is alone then.
fn edges(machine: &Machine, launch: &Launch, waves: &Waves, wave: &impl Fn(f64) -> f64) -> Option<f64> {
    let edge = launch.loads.get(1)?;
    let (before, others) = waves.last();
    let shared = wave(others);
    // What it does takes as many turns as there are blocks; what it waits for takes twice as long while memory is busy.
    let doing = (busiest(machine, edge) * others).max(edge.alone.doing);
    let beside = doing + edge.alone.near + 2.0 * edge.alone.waits * machine.far;
    let done = (shared / beside).min(1.0);
    Some(before * wave(waves.resident) + shared.min(beside) + (1.0 - done) * edge.alone.clocks(machine.far))
}

fn greatest(all: &[(Roof, f64)]) -> (Roof, f64) {
    all.iter().copied().fold((Roof::Memory, 0.0), |most, one| if one.1 > most.1 { one } else { most })
}
