//! What kernels have that not all have: counted, so that it shows how often each is run.
use crate::case::Case;
use systolic_compiler::schedule::Schedule;

/// What a kernel has: what it is, whether it is there, and in which cases it matters.
type Kind = (&'static str, bool, fn(&Case) -> bool);

/// Words of the names of what a kernel may have, which a request may give.
pub const WORDS: [&str; 9] = ["blocks", "order", "faces", "launches", "rest", "lengths", "pairs", "streams", "double"];

/// Everything that a kernel has, each with the number of its cases in which that matters.
pub fn kinds(program: &Schedule, has_rest: bool, cases: &[Case]) -> Vec<(&'static str, usize)> {
    let (has_order, is_paired) = (program.tickets.is_some(), program.paired.is_some());
    let is_double = program.stages.iter().any(|stage| stage.is_double);
    let all: [Kind; 12] = [
        ("several blocks", true, several_blocks),
        ("blocks in an order", has_order, always),
        ("several blocks in an order", has_order, several_blocks),
        ("faces", !program.faces.is_empty(), always),
        ("several launches", program.frame.launches > 0, several_launches),
        ("a rest", has_rest, always),
        ("lengths by data", !program.frame.lengths.is_empty(), always),
        ("pairs of blocks", is_paired, always),
        ("pairs of blocks with rows", is_paired && !program.rows.is_empty(), always),
        ("streams", program.stream_bytes() > 0, always),
        ("staged boxes", !program.stages.is_empty(), always),
        ("staged boxes that are double", is_double, always),
    ];
    let counted = all.into_iter().filter(|(_, has, _)| *has);
    let counted = counted.map(|(kind, _, matters)| (kind, cases.iter().filter(|case| matters(case)).count()));
    counted.filter(|(_, cases)| *cases > 0).collect()
}

fn always(_: &Case) -> bool {
    true
}

fn several_blocks(case: &Case) -> bool {
    let mut launches = case.calls.iter().flat_map(|call| &call.launches);
    launches.any(|launch| launch.blocks.iter().product::<u64>() > 1)
}

fn several_launches(case: &Case) -> bool {
    case.calls.iter().all(|call| call.launches.len() > 1)
}
