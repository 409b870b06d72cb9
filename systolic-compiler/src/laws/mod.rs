//! The laws that are emptiness of integer sets: a model goes in, faults or a lawful kernel come out.
//! One file a law, each under its formula; the stages run in the order of `check`.
mod blocks;
mod bounds;
mod broadcast;
mod busy;
mod causality;
mod collision;
mod cycle;
mod defined;
mod footprint;
mod lanes;
mod lengths;
mod matrix;
mod order;
mod outputs;
mod reach;
mod resources;
mod reverse;
mod ring;
mod set;
#[cfg(feature = "mesh")]
pub mod split;
mod suggest;
mod tickets;
mod waiting;
mod witness;

pub use busy::one_lane;
pub use cycle::components;
pub use order::{Direction, Key, Order};
pub use resources::registers_of;
pub use suggest::ONE_LANE;
pub use tickets::Tickets;
pub use waiting::{Count, Edge, Rotation, Waiting, stays, waiting};

use crate::dependence::{Dependences, Ranges};
use crate::fault::{BlocksFact, CausalityFact, Fact, Fault, Faults, SizesFact};
use crate::model::{Device, Kernel, Mapping, Places, Reader, RowKind};
use crate::planted::{planted, planted_law};
use crate::sorted;
use crate::sorted::SortedSet;

/// A kernel instance that obeys every law, with the order that shows it has no cycle.
/// Only this module can build one: what follows never rejects.
#[derive(Clone, Debug)]
pub struct Lawful {
    kernel: Kernel,
    order: Order,
    maps: Vec<LawfulMap>,
    /// Maps that were completed otherwise for a CPU.
    on_cpu: Vec<LawfulMap>,
}

/// A map that obeys every law.
#[derive(Clone, Debug)]
pub struct LawfulMap {
    mapping: Mapping,
    /// The kernel under the map, if it shifts variables or computes directly what they pass on.
    changed: Option<Box<Kernel>>,
    places: Places,
    ranges: Ranges,
    dependences: Dependences,
    unused: SortedSet<Edge>,
    tickets: Option<Tickets>,
}

impl Lawful {
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    pub fn order(&self) -> &Order {
        &self.order
    }

    pub fn maps(&self) -> &[LawfulMap] {
        &self.maps
    }

    /// The map at this position among the kernel's maps.
    pub fn map(&self, position: usize, on: Device) -> Option<&LawfulMap> {
        let on_cpu = self.on_cpu.iter().filter(|_| on == Device::Cpu);
        on_cpu.chain(&self.maps).find(|map| map.mapping.position == position)
    }

    /// Adds a map that was completed, and its other form for a CPU.
    pub fn complete(&mut self, map: Option<LawfulMap>, on_cpu: Option<LawfulMap>) {
        if let Some(map) = map {
            self.kernel.maps.push(map.mapping.clone());
            sorted::sort_by_key(&mut self.kernel.maps, |mapping| mapping.position);
            self.maps.push(map);
            sorted::sort_by_key(&mut self.maps, |map| map.mapping.position);
            self.on_cpu.extend(on_cpu);
        }
    }
}

impl LawfulMap {
    /// The kernel that the map runs: the kernel it was proved for, or that kernel under the map's `shift` and `direct`.
    pub fn kernel<'k>(&'k self, of: &'k Kernel) -> &'k Kernel {
        self.changed.as_deref().unwrap_or(of)
    }

    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The classes of every read.
    pub fn dependences(&self) -> &Dependences {
        &self.dependences
    }

    /// Reads that no point makes, where a block has no room for them, or needs much memory; empty where it has room for all.
    pub fn unused(&self) -> &SortedSet<Edge> {
        &self.unused
    }

    /// The order of blocks, if values cross them.
    pub fn tickets(&self) -> Option<&Tickets> {
        self.tickets.as_ref()
    }

    /// The least and greatest value of every row that is known when compiling.
    pub fn ranges(&self) -> &Ranges {
        &self.ranges
    }
}

/// Proves an instance lawful, or says why not. `pending` are faults found earlier whose stage comes only now.
pub fn check(kernel: Kernel, pending: Vec<Fault>) -> Result<Lawful, Vec<Fault>> {
    judge(kernel, pending, true)
}

/// The same; without `helped` no other map is searched for: where only the verdict matters, that would be lost time.
pub fn judge(kernel: Kernel, pending: Vec<Fault>, helped: bool) -> Result<Lawful, Vec<Fault>> {
    let mut faults = Faults::default();
    sizes(&kernel, &mut faults);
    stop(&mut faults)?;
    defined::check(&kernel, &mut faults);
    bounds::check(&kernel, &mut faults);
    let mut cycles = Faults::default();
    let order = cycle::check(&kernel, &mut cycles);
    // A read that leaves the domain may be all that keeps an order from being found: no limit is said beside it.
    let is_defined = faults.is_empty();
    faults.extend(cycles.into_vec().into_iter().filter(|f| is_defined || !cycle::is_limit(f)));
    outputs::check(&kernel, &mut faults);
    faults.forget(planted_law());
    let Some(order) = order.filter(|_| faults.is_empty()) else { return Err(faults.into_vec()) };
    if !pending.is_empty() {
        return Err(pending);
    }
    let mut maps = Vec::new();
    for mapping in &kernel.maps {
        match check_map(&kernel, mapping) {
            Ok(map) => maps.push(map),
            Err(mut found) => {
                if helped {
                    suggest::rows(&kernel, mapping, &mut found);
                    suggest::tiles(&kernel, mapping, &mut found);
                }
                if kernel.maps.len() > 1 {
                    let name = mapping.name.as_ref().map_or("the unnamed map".to_string(), |n| n.text.clone());
                    found.iter_mut().for_each(|f| f.map = Some(name.clone()));
                }
                faults.extend(found);
            }
        }
    }
    resources::parameters(&kernel, &mut faults);
    if !faults.is_empty() {
        return Err(faults.into_vec());
    }
    Ok(Lawful { kernel, order, maps, on_cpu: Vec::new() })
}

/// The order that shows that a kernel has no cycle, if one is found.
pub fn order_of(kernel: &Kernel) -> Option<Order> {
    let mut faults = Faults::default();
    cycle::check(kernel, &mut faults).filter(|_| faults.is_empty())
}

/// A kernel that no sizes fulfil would obey every law and compute nothing.
fn sizes(kernel: &Kernel, faults: &mut Faults) {
    if let Some(condition) = kernel.conditions.last()
        && matches!(set::ask(kernel.sizes.len(), &kernel.assumptions()), set::Asked::Empty)
    {
        faults.push(Fault::new(condition.at, SizesFact::NoSizes { condition: condition.text.clone() }));
    }
    lengths::some_length(kernel, faults);
}

/// Proves one map of a kernel lawful: for maps that the compiler makes itself.
pub fn prove_map(kernel: &Kernel, mapping: &Mapping) -> Result<LawfulMap, Vec<Fault>> {
    check_map(kernel, mapping)
}

/// The laws of one map, stage by stage.
fn check_map(kernel: &Kernel, mapping: &Mapping) -> Result<LawfulMap, Vec<Fault>> {
    let mut faults = Faults::default();
    lengths::shifts(kernel, mapping, &mut faults);
    stop(&mut faults)?;
    let changed = kernel.under(mapping).map(Box::new);
    let kernel = changed.as_deref().unwrap_or(kernel);
    if mapping.direct {
        // What is computed directly reads the element that would be passed on: at all points, not at the first alone.
        bounds::check(kernel, &mut faults);
        stop(&mut faults)?;
    }
    if let Some(clause) = &mapping.matrix {
        matrix::check(clause, &mut faults);
        if faults.is_empty() {
            reverse::check(clause, &mut faults);
        }
    }
    stop(&mut faults)?;
    let places = Places::new(kernel, mapping);
    collision::check(kernel, mapping, &places, &mut faults);
    let ranges = lanes::check(kernel, mapping, &places, &mut faults);
    stop(&mut faults)?;
    lengths::check(kernel, mapping, &mut faults);
    stop(&mut faults)?;
    resources::fold_registers(mapping, &mut faults);
    stop(&mut faults)?;
    let tickets = check_wires(kernel, mapping, &places, &ranges, &mut faults);
    stop(&mut faults)?;
    // Every message up to here speaks of the rows as the map writes them. What runs has the same order of steps without gaps.
    let compact = places.compact();
    let ranges = lanes::of_compact(kernel, mapping, &compact, &places, &ranges);
    let places = compact;
    resources::unrolled_instances(mapping, &places, &ranges, &mut faults);
    stop(&mut faults)?;
    resources::steps(mapping, &places, &ranges, &mut faults);
    stop(&mut faults)?;
    let dependences = Dependences::new(kernel, mapping, &places);
    let unused = resources::held(kernel, mapping, &places, &ranges, &dependences, &mut faults);
    stop(&mut faults)?;
    Ok(LawfulMap { mapping: mapping.clone(), changed, places, ranges, dependences, unused, tickets })
}

fn stop(faults: &mut Faults) -> Result<(), Vec<Fault>> {
    faults.forget(planted_law());
    if faults.is_empty() { Ok(()) } else { Err(std::mem::take(faults).into_vec()) }
}

/// Every class of every read: `blocks`, `causality`, `broadcast`. A copy is fed wherever its read leaves a tile.
/// The result is the order of blocks, if values cross them.
fn check_wires(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    ranges: &Ranges,
    faults: &mut Faults,
) -> Option<Tickets> {
    let dependences = Dependences::new(kernel, mapping, places);
    let mut same_time = Vec::new();
    let mut crossings = tickets::Crossings::default();
    for read in kernel.reads() {
        let copy = kernel.equations[read.variable].copy.is_some();
        let asked = if planted(76) { 1 } else { usize::MAX };
        for class in dependences.of(read.distance).iter().take(asked) {
            let leaves_block = class.moves(places, RowKind::Block);
            if copy && (class.crosses || leaves_block) {
                continue;
            }
            let fault = if class.launched {
                causality::launches(kernel, mapping, places, &read, class)
            } else if leaves_block && mapping.ordered {
                crossings.add(kernel, mapping, places, &read, class);
                None
            } else if leaves_block {
                blocks::check(kernel, mapping, places, &read, class)
            } else if class.moves(places, RowKind::Time) {
                causality::check(kernel, mapping, places, &read, class)
            } else if copy {
                None
            } else {
                let crossing = broadcast::warps(kernel, mapping, places, &read, class);
                if crossing.is_none() && matches!(read.reader, Reader::Equation(_)) {
                    same_time.push(broadcast::SameTime { read: read.clone(), class: class.clone() });
                }
                crossing
            };
            if let Some(fault) = fault {
                if !faults.iter().any(|told| one_decision(told, &fault)) {
                    faults.push(fault);
                }
                // One read, one error: its other classes break for the same reason.
                break;
            }
        }
    }
    blocks::overlaps(kernel, mapping, places, faults);
    let tickets = crossings.order(mapping, places, faults);
    if faults.is_empty() {
        broadcast::order(kernel, mapping, places, ranges, &same_time, faults);
    }
    tickets
}

/// Both come from one decision of the map: the order of one time row, or one loop as blocks. Every read against it
/// would say the same.
fn one_decision(a: &Fault, b: &Fault) -> bool {
    match (&a.fact, &b.fact) {
        (
            Fact::Causality(CausalityFact::Later { row: a, .. }),
            Fact::Causality(CausalityFact::Later { row: b, .. }),
        ) => a == b,
        (
            Fact::Blocks(BlocksFact::Crosses { loop_name: a, .. }),
            Fact::Blocks(BlocksFact::Crosses { loop_name: b, .. }),
        ) => a == b,
        _ => false,
    }
}
