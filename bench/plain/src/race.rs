//! Two ways to compute the same result: both are verified bit by bit, then timed in turn, round by round.
use std::hint::black_box;
use std::time::{Duration, Instant};

/// An element whose bits can be compared.
pub trait Bits: Copy + Default {
    fn bits(self) -> u64;
    /// A value that no kernel computes everywhere.
    fn spoiled() -> Self;
}

macro_rules! bits {
    ($($type:ident by |$x:ident| $bits:expr, $spoiled:expr;)+) => {
        $(impl Bits for $type {
            fn bits(self) -> u64 {
                let $x = self;
                $bits
            }
            fn spoiled() -> Self {
                $spoiled
            }
        })+
    };
}

bits! {
    f32 by |x| x.to_bits().into(), -12345.0;
    f64 by |x| x.to_bits(), -12345.0;
    i32 by |x| x as u32 as u64, -12345;
    i16 by |x| x as u16 as u64, -12345;
    u8 by |x| x.into(), 123;
    u32 by |x| x.into(), 12345;
}

/// The times of a row of the table.
pub struct Row {
    pub name: &'static str,
    pub ours: Duration,
    pub plain: Duration,
}

impl Row {
    pub fn ratio(&self) -> f64 {
        self.ours.as_secs_f64() / self.plain.as_secs_f64()
    }
}

pub struct Races {
    /// Only those whose name holds one of these words; all if there are none.
    pub only: Vec<String>,
    pub rounds: usize,
    pub rows: Vec<Row>,
}

impl Races {
    /// Runs one race. Both ways fill the output.
    pub fn run<T: Bits>(
        &mut self,
        name: &'static str,
        elements: usize,
        mut ours: impl FnMut(&mut Vec<T>),
        mut plain: impl FnMut(&mut Vec<T>),
    ) {
        if !self.only.is_empty() && !self.only.iter().any(|word| name.contains(word.as_str())) {
            return;
        }
        let mut first = vec![T::spoiled(); elements];
        let mut second = vec![T::default(); elements];
        ours(&mut first);
        plain(&mut second);
        if let Some(k) = (0..elements).find(|k| first[*k].bits() != second[*k].bits()) {
            println!("{name:<34} WRONG at {k}: {:x} {:x}", first[k].bits(), second[k].bits());
            return;
        }
        let counts = [calls(|| ours(&mut first)), calls(|| plain(&mut second))];
        let mut least = [Duration::MAX; 2];
        for _ in 0..self.rounds {
            least[0] = least[0].min(time(counts[0], || ours(&mut first)));
            least[1] = least[1].min(time(counts[1], || plain(&mut second)));
        }
        let row = Row { name, ours: least[0], plain: least[1] };
        let each = |time: Duration| time.as_secs_f64() * 1e9 / elements as f64;
        println!("{:<34} {:>9.3} {:>9.3} {:>7.2}", row.name, each(row.ours), each(row.plain), row.ratio());
        self.rows.push(row);
    }
}

/// How many calls take about a millisecond.
fn calls(mut work: impl FnMut()) -> u32 {
    let mut count = 1;
    loop {
        let start = Instant::now();
        (0..count).for_each(|_| work());
        if start.elapsed() > Duration::from_micros(700) || count > 1 << 20 {
            return count;
        }
        count *= 2;
    }
}

/// The time of a call.
fn time(count: u32, mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..count {
        black_box(work());
    }
    start.elapsed() / count
}

/// Numbers that look random and are always the same.
pub fn noise<T>(count: usize, of: impl Fn(u32) -> T) -> Vec<T> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    };
    (0..count).map(|_| of(next())).collect()
}

pub fn floats(count: usize) -> Vec<f32> {
    noise(count, |x| x as f32 / u32::MAX as f32 - 0.5)
}

pub fn bytes(count: usize) -> Vec<u8> {
    noise(count, |x| (x >> 11) as u8)
}
