//! Which map of a kernel a type runs on a target, and its program.
use super::face::Face;
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::{Target, default_map};
use crate::model::Device;
use crate::program::{Program, choose};

/// One of a kernel's maps by its position, or the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    Map(usize),
    Default,
}

/// The map of a type; of the kernel's own the first that is not marked for the other device.
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

/// The program of a map; `None` where no warp program runs it.
pub fn program(lawful: &Lawful, which: Which, target: Target) -> Option<Program> {
    match which {
        Which::Map(position) => {
            let map = lawful.maps().iter().find(|map| map.mapping().position == position)?;
            choose(lawful.kernel(), map, target)
        }
        Which::Default => choose(lawful.kernel(), &default_map(lawful)?, target),
    }
}
