//! The instructions of a warp, counted by kind.
use crate::target::timing::Kind;
use std::ops::{Add, AddAssign, Mul};

/// The number of instructions of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mix([f64; Kind::ALL.len()]);

impl Mix {
    /// Instructions of one kind.
    pub fn of(kind: Kind, count: f64) -> Mix {
        let mut mix = Mix::default();
        mix.0[kind as usize] = count;
        mix
    }

    /// The number of instructions of a kind.
    pub fn get(&self, kind: Kind) -> f64 {
        self.0[kind as usize]
    }

    /// Adds instructions of a kind.
    pub fn add(&mut self, kind: Kind, count: usize) {
        self.0[kind as usize] += count as f64;
    }

    /// The number of all instructions.
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
