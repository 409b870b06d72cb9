//! A lawful map to places and wires: which rows are loops of the program and which are written out, every leaf as a
//! form of the place, every read as classes of wires, and the medium of each by one rule.
mod bound;
mod default;
mod draft;
mod index;
mod inverse;
mod layout;
mod narrow;
mod obstacle;
mod orders;
mod retime;
mod rule;

pub use bound::Bound;
pub use default::default_map;
pub use index::{Atom, Index};
pub use layout::{Instance, Layout, Rolled, Space, Target};
pub use obstacle::Obstacle;
pub use retime::{Retimed, retimed};
pub use rule::{Medium, Source, medium, outermost};
