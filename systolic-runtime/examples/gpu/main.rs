//! Checks the runtime on a real GPU: copies, streams, launches, and calls that must fail.
//! `cargo run --release -p systolic-runtime --features cuda --example gpu`
mod arrays;
mod faults;
mod kernels;
mod launches;
mod sequences;
mod series;
mod streams;

use systolic_runtime::{Error, Gpu};

/// A description and the check.
type Check = (&'static str, fn(&Gpu) -> Result<(), Error>);

/// The last check makes the device unusable.
const CHECKS: &[Check] = &[
    ("arrays of any stride, there and back", arrays::round_trips),
    ("arrays without elements", arrays::nothing),
    ("arrays pinned on the host", arrays::pinned),
    ("shapes that differ", arrays::shapes),
    ("more memory than there is", arrays::too_much),
    ("launches in order", streams::in_order),
    ("two streams over one array", streams::two),
    ("an array dropped in flight", streams::dropped),
    ("a stream dropped in flight", streams::stream_dropped),
    ("several threads", streams::threads),
    ("events and time", streams::time),
    ("series of launches", series::in_turn),
    ("recorded sequences", sequences::replayed),
    ("futures", sequences::awaited),
    #[cfg(feature = "cuda")]
    ("memory of others", sequences::memory_of_others),
    ("grids, folded and not", launches::grids),
    ("rows in shared memory and beside it", launches::rows),
    ("entries by alignment", launches::entries),
    ("too many blocks", launches::too_many),
    ("the price of a launch", launches::price),
    ("code that is not for this device", faults::foreign),
    ("code that is broken", faults::broken),
    ("a kernel that fails", faults::fails),
];

fn main() {
    let gpu = match Gpu::new(0) {
        Ok(gpu) => gpu,
        Err(why) => return println!("skipped: no CUDA device ({why})"),
    };
    let properties = gpu.properties();
    println!("{properties}: {properties:?}");
    for (name, check) in CHECKS {
        match check(&gpu) {
            Ok(()) => println!("ok: {name}"),
            Err(error) => {
                println!("FAILED: {name}: {error}");
                std::process::exit(1);
            }
        }
    }
    println!("all {} checks passed", CHECKS.len());
}
