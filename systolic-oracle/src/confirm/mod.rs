//! Checks a fault: evaluates the equations and places at its witness and compares them with what the fault states.
mod equations;
mod maps;
mod witness;

use crate::items::Items;
use crate::placement::Placement;
use crate::world::World;
use systolic_compiler::fault::{
    BlocksFact, BoundsFact, BroadcastFact, CausalityFact, CollisionFact, CycleFact, DefinedFact, Fact, Fault,
    LanesFact, Law, MatrixFact, OutputsFact, ResourcesFact,
};
use systolic_compiler::model::{Kernel, Mapping, Places};

/// With more points than this, only those around the witness are enumerated.
const MOST_POINTS: usize = 200_000;

/// Whether a fault states that the decision procedure gave up, which no witness can confirm.
pub fn is_limit(fault: &Fault) -> bool {
    matches!(
        fault.fact,
        Fact::Defined(DefinedFact::Undecided)
            | Fact::Bounds(BoundsFact::Undecided { .. })
            | Fact::Cycle(CycleFact::NoOrder { .. })
            | Fact::Outputs(OutputsFact::Undecided { .. })
            | Fact::Collision(CollisionFact::Undecided)
            | Fact::Lanes(LanesFact::Undecided { .. })
            | Fact::Causality(CausalityFact::Undecided { .. })
            | Fact::Broadcast(BroadcastFact::Undecided { .. })
            | Fact::Blocks(
                BlocksFact::Undecided { .. }
                    | BlocksFact::Displacements { .. }
                    | BlocksFact::OverlapInOrder { .. }
                    | BlocksFact::Lengths { .. }
                    | BlocksFact::ShiftedLengths { .. }
            )
    )
}

/// Whether [`confirm`] can check this fault by numbers.
pub fn is_confirmable(fault: &Fault) -> bool {
    !is_limit(fault)
        && match fault.law() {
            Law::Defined | Law::Bounds | Law::Cycle | Law::Collision | Law::Lanes => true,
            Law::Reverse | Law::Causality | Law::Broadcast | Law::Blocks => true,
            Law::Resources => matches!(fault.fact, Fact::Resources(ResourcesFact::Parameters { .. })),
            Law::Matrix => {
                matches!(fault.fact, Fact::Matrix(MatrixFact::Dependent { .. } | MatrixFact::TooManyRows { .. }))
            }
            Law::Outputs => !matches!(fault.fact, Fact::Outputs(OutputsFact::NotAGuard { .. })),
            _ => false,
        }
}

/// Checks a fault at its witness. Fails with the reason if the fault is not visible there, or if a fault of a map is
/// given without its map.
pub fn confirm(kernel: &Kernel, map: Option<(&Mapping, &Places)>, fault: &Fault) -> Result<(), String> {
    if let Fact::Lanes(fact) = &fault.fact {
        let (mapping, places) = map.ok_or("a fault of a map, but no map is given")?;
        return maps::lanes(kernel, mapping, places, fact, fault);
    }
    if let Fact::Matrix(_) = &fault.fact {
        let (mapping, _) = map.ok_or("a fault of a map, but no map is given")?;
        return maps::matrix(mapping);
    }
    if let Fact::Reverse(_) = &fault.fact {
        let (mapping, _) = map.ok_or("a fault of a map, but no map is given")?;
        return maps::reverse(mapping);
    }
    if let Fact::Resources(_) = &fault.fact {
        return equations::parameters(kernel);
    }
    if let Fact::Blocks(BlocksFact::Ring { ring, .. }) = &fault.fact {
        let (mapping, places) = map.ok_or("a fault of a map, but no map is given")?;
        return maps::ring(kernel, mapping, places, ring);
    }
    let witness = fault.witness.as_ref().ok_or("it has no witness")?;
    let sizes = witness::sizes(kernel, witness)?;
    let items = Items::of_witness(kernel, &witness.sizes);
    let world = World::new(kernel, &sizes).with_items(items.clone());
    if !world.is_assumed() {
        return Err(format!("sizes {sizes:?} are not among those assumed"));
    }
    match &fault.fact {
        Fact::Defined(fact) => return equations::defined(&world, fact, fault.at, witness),
        Fact::Bounds(fact) => return equations::bounds(&world, fact, fault.at, witness),
        Fact::Cycle(fact) => return equations::cycle(&world, fact, fault.at, witness),
        Fact::Outputs(fact) => return equations::outputs(&world, fact, fault.at, witness),
        _ => {}
    }
    let (mapping, places) = map.ok_or("a fault of a map, but no map is given")?;
    let placement = Placement::with_items(kernel, mapping, places, &sizes, items);
    match &fault.fact {
        Fact::Collision(fact) => maps::collision(&placement, fact, witness),
        Fact::Causality(fact) => maps::causality(&placement, fact, witness),
        Fact::Broadcast(fact) => maps::broadcast(&placement, fact, witness),
        Fact::Blocks(fact) => maps::blocks(&placement, fact, fault.at, witness),
        _ => Err(format!("points do not decide the law {}", fault.law())),
    }
}
