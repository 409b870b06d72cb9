//! Looks up the numbers of a witness by name, and compares regions of the source text.
use crate::placement::{Instance, Placement};
use crate::world::World;
use systolic_compiler::fault::Witness;
use systolic_compiler::model::{Int, Kernel};
use systolic_compiler::region::Region;

fn named(list: &[(String, Int)], name: &str) -> Option<Int> {
    list.iter().find(|(n, _)| n == name).map(|(_, v)| *v)
}

pub fn sizes(kernel: &Kernel, witness: &Witness) -> Result<Vec<Int>, String> {
    let size = |name: &String| named(&witness.sizes, name).ok_or(format!("the witness has no size {name}"));
    kernel.sizes.iter().take(kernel.call_sizes()).map(|s| size(&s.name)).collect()
}

/// The loop values in a list. Fails if they are not a point of the domain.
pub fn point(world: &World, list: &[(String, Int)]) -> Result<Vec<Int>, String> {
    let value = |name: &String| named(list, name).ok_or(format!("the witness has no loop {name}"));
    let point: Vec<Int> = world.kernel.loops.iter().map(|l| value(&l.name.text)).collect::<Result<_, _>>()?;
    if !world.contains(&point) {
        return Err(format!("{point:?} is no point at sizes {:?}", world.sizes));
    }
    Ok(point)
}

pub fn other(witness: &Witness) -> Result<&[(String, Int)], String> {
    witness.other.as_deref().ok_or("the witness has no other point".to_string())
}

/// Whether a list states these loop values, or states nothing. They need not be a point of the domain.
pub fn says(world: &World, list: Option<&[(String, Int)]>, loops: &[Int]) -> bool {
    let named = |list: &[(String, Int)]| {
        world.kernel.loops.iter().zip(loops).all(|(l, v)| named(list, &l.name.text) == Some(*v))
    };
    list.is_none_or(named)
}

/// The instances that the list can refer to, for a reader with this shift: if it names loops of tiles, those with these values.
pub fn instances(placement: &Placement, list: &[(String, Int)], shift: &[Int]) -> Result<Vec<Instance>, String> {
    let point = point(&placement.world, list)?;
    moved(placement, list, &point, shift)
}

/// The same for two points with one place: points of the kernel that have this shift or, if some variable has none there, points
/// of the map.
pub fn places(placement: &Placement, list: &[(String, Int)], shift: Option<&[Int]>) -> Result<Vec<Instance>, String> {
    let world = if shift.is_some() { &placement.world } else { &placement.space };
    let point = point(world, list)?;
    moved(placement, list, &point, shift.unwrap_or(&vec![0; point.len()]))
}

fn moved(placement: &Placement, list: &[(String, Int)], point: &[Int], shift: &[Int]) -> Result<Vec<Instance>, String> {
    let at: Vec<Int> = point.iter().zip(shift).map(|(p, s)| p + s).collect();
    let mut instances = placement.instances(&at);
    instances.retain(|instance| {
        let nodes = placement.mapping.nodes.iter().zip(instance);
        // The loops of the kernel are told before the shift.
        nodes.into_iter().skip(at.len()).all(|(node, v)| named(list, &node.name.text).is_none_or(|w| w == *v))
    });
    if instances.is_empty() {
        return Err(format!("no run of {point:?} has the loops of tiles that the witness says"));
    }
    Ok(instances)
}

/// Whether two regions start and end at the same positions.
pub fn same(a: Region, b: Region) -> bool {
    let ends = |r: Region| (r.start.start(), r.end.end());
    let ((s, e), (t, f)) = (ends(a), ends(b));
    (s.line, s.column, e.line, e.column) == (t.line, t.column, f.line, f.column)
}
