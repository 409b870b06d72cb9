//! Determines the map of a kernel that a type runs on a target, and its program.
use super::face::Face;
use crate::compile::compile;
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::{Obstacle, Target, default_map};
use crate::model::Device;
use crate::schedule::Schedule;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// One of a kernel's maps by number, or the default map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    Map(usize),
    Default,
}

/// The map of a type. For the kernel's own type: the first map that is not restricted to the other device.
pub fn which(face: &Face, lawful: &Lawful, target: Target) -> Which {
    let other = match target {
        Target::Cpu => Device::Gpu,
        Target::Gpu => Device::Cpu,
    };
    let fits = |map: &&LawfulMap| match face.map {
        Some(position) => map.mapping().position == position,
        None => map.mapping().on != Some(other),
    };
    lawful.maps().iter().find(fits).map_or(Which::Default, |map| Which::Map(map.mapping().position))
}

/// The program of a map. Fails with the reason if no warp program can run it.
pub fn program(lawful: &Lawful, which: Which, target: Target) -> Result<Schedule, Obstacle> {
    match which {
        Which::Map(position) => {
            let map = lawful.maps().iter().find(|map| map.mapping().position == position).ok_or(Obstacle::NoMap)?;
            compile(lawful.kernel(), map, target)
        }
        Which::Default => compile(lawful.kernel(), &default_map(lawful).ok_or(Obstacle::NoMap)?, target),
    }
}

type Made = Result<Rc<Schedule>, Obstacle>;

/// The CPU programs of a kernel's instances. Several functions of several types need one; each is built once.
#[derive(Default)]
pub struct Programs {
    made: RefCell<BTreeMap<(String, Which), Made>>,
}

impl Programs {
    /// The program that a type runs on a CPU. Fails with the reason if it runs point by point.
    pub fn on_cpu(&self, face: &Face, lawful: &Lawful) -> Made {
        let which = which(face, lawful, Target::Cpu);
        let key = (lawful.kernel().instance.to_string(), which);
        let made = || program(lawful, which, Target::Cpu).map(Rc::new);
        self.made.borrow_mut().entry(key).or_insert_with(made).clone()
    }
}
