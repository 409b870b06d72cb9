//! Whether a fault is right: its witness is put into the equations and places, and what the fault says must be seen.
mod equations;
mod maps;
mod witness;

use crate::placement::Placement;
use crate::world::World;
use systolic_compiler::fault::{
    BlocksFact, BoundsFact, BroadcastFact, CausalityFact, CollisionFact, CycleFact, DefinedFact, Fact, Fault,
    LanesFact, Law, MatrixFact, OutputsFact, ResourcesFact,
};
use systolic_compiler::model::{Kernel, Mapping, Places};

/// More points than this are not enumerated: only those around the witness are looked at.
const MOST_POINTS: usize = 200_000;

/// Whether a fault says that the decision procedure gave up, which no witness can show.
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
            | Fact::Blocks(BlocksFact::Undecided { .. })
    )
}

/// Whether this is a fault that numbers can show, so that [`confirm`] has a say.
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

/// Says why the fault is not seen at its witness, if it is not. A fault of a map needs the map it is about.
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
    let witness = fault.witness.as_ref().ok_or("it has no witness")?;
    let sizes = witness::sizes(kernel, witness)?;
    let world = World::new(kernel, &sizes);
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
    let placement = Placement::new(kernel, mapping, places, &sizes);
    match &fault.fact {
        Fact::Collision(fact) => maps::collision(&placement, fact, witness),
        Fact::Causality(fact) => maps::causality(&placement, fact, witness),
        Fact::Broadcast(fact) => maps::broadcast(&placement, fact, witness),
        Fact::Blocks(fact) => maps::blocks(&placement, fact, fault.at, witness),
        _ => Err(format!("points do not decide the law {}", fault.law())),
    }
}
