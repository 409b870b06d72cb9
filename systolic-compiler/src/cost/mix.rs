//! Instructions of a warp, counted by kind; and which pipe of the machine runs a kind.
use std::ops::{Add, AddAssign, Mul};

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

/// How many instructions of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mix([f64; Kind::ALL.len()]);

impl Mix {
    pub fn of(kind: Kind, count: f64) -> Mix {
        let mut mix = Mix::default();
        mix.0[kind as usize] = count;
        mix
    }

    pub fn get(&self, kind: Kind) -> f64 {
        self.0[kind as usize]
    }

    pub fn add(&mut self, kind: Kind, count: usize) {
        self.0[kind as usize] += count as f64;
    }

    /// All instructions.
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }
}

impl Add for Mix {
    type Output = Mix;

    fn add(mut self, other: Mix) -> Mix {
        self += other;
        self
    }
}

impl AddAssign for Mix {
    fn add_assign(&mut self, other: Mix) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, more)| *mine += more);
    }
}

impl Mul<f64> for Mix {
    type Output = Mix;

    fn mul(self, by: f64) -> Mix {
        Mix(self.0.map(|count| count * by))
    }
}
