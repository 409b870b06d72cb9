//! Turns a lawful map into a [`Layout`]: which time rows are loops of the program and which are unrolled, and
//! which iteration point every place has. One rule decides the medium that carries each class of reads.
//!
//! | file | holds |
//! | --- | --- |
//! | `layout` | loops, lanes, warps, instances of the step, and the bounds of loops |
//! | `inverse`, `narrow` | every leaf loop as a form of the place |
//! | `rule` | the medium of a class of reads |
//! | `faces` | what carries values from block to block and from launch to launch |
//! | `place_form`, `bound` | affine forms over places, and bounds of loops |
//! | `default`, `draft`, `orders` | the search for a map, for kernels that have none |
//! | `reads` | what these searches, and the one for GPUs, know of a kernel |
//! | `joined` | loops that may run as one, with other sizes |
//! | `shift` | shifts of variables, where they have no common order |
//! | `retime` | other orders of the time rows |
//! | `obstacle` | why there is no warp program |
mod bound;
mod default;
mod draft;
mod faces;
mod inverse;
mod jam;
mod joined;
mod layout;
mod narrow;
mod obstacle;
mod orders;
mod place_form;
mod reads;
mod retime;
mod rule;
mod shift;
mod totals;

pub use bound::Bound;
pub use default::{default_map, default_map_of};
pub use faces::{Face, FaceAxis, of_sizes};
pub use jam::{jammed, jammed_blocks};
pub use joined::Joined;
pub use layout::{Instance, Layout, Space, Target, TimeLoop, over_leaves};
pub use obstacle::Obstacle;
pub use place_form::{Atom, PlaceForm};
pub use reads::{Reads, constant_length, walks};
pub use retime::{Retimed, retimed};
pub use rule::{Medium, Source, medium, outermost};
pub use shift::choices_of_shifts;
