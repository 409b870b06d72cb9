//! The steps that only change schedules of GPUs. Build scripts compile them (feature `cuda`); the macro has no use for such
//! schedules, because it embeds what a build script has compiled, and `describe` counts the program.
mod alone;
mod launch;
mod paired;
mod pipeline;
mod prefetch;
mod skip;
mod stream;
mod vectorise;
mod versions;
mod whole_rows;

pub use paired::Paired;
pub use pipeline::{Pipeline, Slot};
pub use prefetch::{Access, accesses};
pub use stream::{Rows, Stream, Streams, verify_streams};

use super::Schedule;
use crate::program::Program;

/// Schedules the innermost loop of a program.
pub fn schedule(program: Program) -> Schedule {
    scheduled(program, true)
}

/// The same without the version for blocks whose outer loops run once: enough to predict the time at large sizes.
pub fn draft(program: Program) -> Schedule {
    scheduled(program, false)
}

fn scheduled(program: Program, is_complete: bool) -> Schedule {
    let mut versions = versions::versions(&program, is_complete);
    skip::skip(&program, &mut versions);
    let paired = paired::paired(&program, &versions);
    if paired.is_none() {
        vectorise::vectorise(&program, &mut versions);
        stream::stream(&program, &mut versions);
    }
    prefetch::prefetch(&program, &mut versions);
    Schedule { paired, ..Schedule::new(program, versions) }
}
