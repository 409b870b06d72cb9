//! What kernels have that not all have: counted, so that it shows how often each is run.
use crate::case::Case;
use systolic_compiler::schedule::Schedule;

/// What a kernel has: what it is, whether it is there, and in which cases it matters.
type Kind = (&'static str, bool, fn(&Case) -> bool);

/// Everything that a kernel has, each with the number of its cases in which that matters.
pub fn kinds(program: &Schedule, has_rest: bool, cases: &[Case]) -> Vec<(&'static str, usize)> {
    let (has_order, is_paired) = (program.tickets.is_some(), program.paired.is_some());
    let all: [Kind; 10] = [
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
