//! What a mapping is worth, as data: places, steps, projections and wires. The numbers that depend on sizes are left
//! as sets, to be asked when the sizes are known.
mod blueprint;
mod medium;

pub use blueprint::{Blueprint, BlueprintRow, BlueprintWire, of_map, without_map};
pub use medium::{Medium, medium};
