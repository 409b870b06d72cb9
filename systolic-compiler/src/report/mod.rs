//! What a mapping is worth, as data: places, steps, projections, wires, registers and shuffles. The numbers that depend
//! on sizes are left as sets, to be asked when the sizes are known.
mod blueprint;
mod map_text;
mod wires;

pub use blueprint::{Blueprint, BlueprintRow, of_map, without_map};
pub use map_text::map_text;
pub use wires::{BlueprintWire, Carrier};
