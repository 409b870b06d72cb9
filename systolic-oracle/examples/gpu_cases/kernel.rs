//! The random kernel of a seed: its source, and its cases at a few sizes.
use crate::case::{Case, case};
use crate::kinds::kinds;
use systolic_compiler::emit::Unit;
use systolic_compiler::{check, units_of};
use systolic_oracle::{few_sizes, random_kernel};

/// The most points of a kernel at one size.
const POINTS: usize = 400;
/// The same where it matters that there are several blocks.
const MORE_POINTS: usize = 4000;

pub struct Drawn {
    pub unit: Unit,
    pub cases: Vec<Case>,
    /// The sizes that gave no case.
    pub left_out: Vec<Skipped>,
    /// What it has that not all kernels have, each with the number of cases in which that matters.
    pub kinds: Vec<(&'static str, usize)>,
}

/// The reason why a seed, or a kernel at some sizes, gives nothing to launch.
pub struct Skipped(pub String);

pub fn skip(why: &str) -> Skipped {
    Skipped(why.to_string())
}

/// The random kernel of a seed. Fails if it is not lawful or has not exactly one program.
pub fn draw(seed: u64) -> Result<Drawn, Skipped> {
    let checked = check(random_kernel(seed).parse().map_err(|_| skip("no tokens"))?);
    // A random kernel has one instance.
    let ([], [(tree, instances)]) = (&checked.faults[..], &checked.kernels[..]) else { return Err(skip("refused")) };
    let [lawful] = &instances[..] else { return Err(skip("several instances")) };
    let unit = match <[Unit; 1]>::try_from(units_of(tree, instances)) {
        Ok([unit]) => unit,
        Err(units) => return Err(skip(if units.is_empty() { "no warp program" } else { "several programs" })),
    };
    let (kernel, program) = (lawful.kernel(), &unit.program);
    // Values between blocks and pairs of blocks need several blocks, and values between launches several launches.
    let is_far = !program.faces.is_empty() || program.tickets.is_some() || program.frame.launches > 0;
    let points = if is_far || program.paired.is_some() { MORE_POINTS } else { POINTS };
    let (mut cases, mut left_out) = (Vec::new(), Vec::new());
    for sizes in few_sizes(kernel, &kernel.maps, points, 3) {
        match case(kernel, &unit, &sizes, seed) {
            Ok(case) => cases.push(case),
            Err(why) => left_out.push(why),
        }
    }
    let has_rest = kernel.outputs.iter().any(|output| output.rest.is_some());
    let kinds = kinds(program, has_rest, &cases);
    if cases.is_empty() { Err(skip("no small sizes")) } else { Ok(Drawn { unit, cases, left_out, kinds }) }
}
