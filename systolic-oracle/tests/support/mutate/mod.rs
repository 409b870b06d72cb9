//! Mutants of kernels: every kind of mistake that a user can make, by seed, each with the laws that it may break.
mod blocks;
mod bounds;
mod broadcast;
mod causality;
mod clauses;
mod collision;
mod cycle;
mod defined;
mod lanes;
mod matrix;
mod names;
mod outputs;
mod parse;
mod rank;
mod resources;
mod reverse;
mod rows;
mod sizes;
mod syntax;
mod types;
mod uniform;
mod walk;

use systolic_compiler::fault::Law::{self, *};
use systolic_compiler::syntax::print_kernel;
use systolic_compiler::syntax::tree::Kernel;
use systolic_oracle::Random;

pub struct Kind {
    pub name: &'static str,
    /// The laws that it may break. A mutant may also be lawful by chance.
    pub laws: &'static [Law],
    make: fn(&mut Case) -> Option<()>,
    /// Applies only to kernels whose text contains this word.
    only: &'static str,
}

pub struct Mutant {
    pub kind: &'static str,
    pub laws: &'static [Law],
    pub of: String,
    pub text: String,
    /// Positions of which a fault must point at one; empty if many positions are acceptable.
    pub places: Vec<String>,
}

/// A kernel that is being changed.
struct Case<'r> {
    kernel: Kernel,
    random: &'r mut Random,
    places: Vec<String>,
    /// Set by kinds that change tokens.
    text: Option<String>,
}

/// The laws that may break once an equation reads elsewhere: those of the equations, then those of the wires of a map.
const READS: &[Law] = &[Defined, Bounds, Cycle, Types, Collision, Lanes, Causality, Broadcast, Blocks, Resources];
const GUARDS: &[Law] = &[Defined, Bounds, Cycle, Outputs, Types, Causality, Broadcast, Blocks, Resources];
const WIRES: &[Law] = &[Causality, Broadcast, Blocks, Resources];
const ROWS: &[Law] = &[Matrix, Names, Collision, Lanes, Causality, Broadcast, Blocks, Resources];

const fn kind(name: &'static str, laws: &'static [Law], make: fn(&mut Case) -> Option<()>) -> Kind {
    Kind { name, laws, make, only: "" }
}

/// The kinds that aim at a law.
pub fn kinds_of(law: Law) -> &'static [Kind] {
    match law {
        Syntax => syntax::KINDS,
        Names => names::KINDS,
        Rank => rank::KINDS,
        Types => types::KINDS,
        Sizes => sizes::KINDS,
        Uniform => uniform::KINDS,
        Defined => defined::KINDS,
        Bounds => bounds::KINDS,
        Cycle => cycle::KINDS,
        Outputs => outputs::KINDS,
        Matrix => matrix::KINDS,
        Reverse => reverse::KINDS,
        Collision => collision::KINDS,
        Lanes => lanes::KINDS,
        Causality => causality::KINDS,
        Broadcast => broadcast::KINDS,
        Blocks => blocks::KINDS,
        Resources => resources::KINDS,
    }
}

/// All kinds.
pub fn kinds() -> Vec<&'static Kind> {
    Law::ALL.into_iter().flat_map(kinds_of).collect()
}

/// A mutant of a kind, or `None` if this kernel has nothing to change.
pub fn mutant(kind: &Kind, kernel: &Kernel, seed: u64) -> Option<Mutant> {
    if !print_kernel(kernel).contains(kind.only) {
        return None;
    }
    let mut random = Random::new(seed);
    let mut case = Case { kernel: kernel.clone(), random: &mut random, places: Vec::new(), text: None };
    (kind.make)(&mut case)?;
    let text = case.text.unwrap_or_else(|| print_kernel(&case.kernel));
    let of = kernel.name.text.clone();
    Some(Mutant { kind: kind.name, laws: kind.laws, of, text, places: case.places })
}

/// Mutants of every kind, `each` per kind, over the workloads in a random order.
pub fn mutants(workloads: &[Kernel], each: usize, seed: u64) -> Vec<Mutant> {
    let mut all: Vec<Mutant> = Vec::new();
    for (n, kind) in kinds().into_iter().enumerate() {
        let mut random = Random::new(seed.wrapping_mul(1000) + n as u64);
        let mut order: Vec<usize> = (0..workloads.len()).collect();
        random.shuffle(&mut order);
        let mut of_kind: Vec<Mutant> = Vec::new();
        for k in order.iter().cycle().take(2 * workloads.len()) {
            if of_kind.len() == each {
                break;
            }
            let Some(made) = mutant(kind, &workloads[*k], random.below(1 << 62) as u64) else { continue };
            if made.text != print_kernel(&workloads[*k]) && !of_kind.iter().any(|m| m.text == made.text) {
                of_kind.push(made);
            }
        }
        all.extend(of_kind);
    }
    all
}
