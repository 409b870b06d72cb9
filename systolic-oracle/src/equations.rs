//! The laws of the equations at given sizes: defined, bounds, cycle, outputs.
use crate::cycle::find_ring;
use crate::violation::{Site, Violation};
use crate::world::{World, holds, in_range, minus};
use std::collections::BTreeMap;
use systolic_compiler::fault::Law;
use systolic_compiler::model::{Int, Kernel};

/// All violations of the equations at these sizes. Sizes that the kernel excludes have none.
pub fn violations(kernel: &Kernel, sizes: &[Int]) -> Vec<Violation> {
    let world = World::new(kernel, sizes);
    if !world.is_assumed() {
        return Vec::new();
    }
    let points = world.points();
    let mut found = Vec::new();
    for point in &points {
        defined(&world, point, &mut found);
        bounds(&world, point, &mut found);
    }
    if let Some((read, point)) = find_ring(&world, &points) {
        let other = minus(&point, &world.reads[read].distance);
        found.push(Violation { law: Law::Cycle, site: Site::Read(read), point, other: Some(other), element: None });
    }
    outputs(&world, &points, &mut found);
    found
}

fn defined(world: &World, point: &[Int], found: &mut Vec<Violation>) {
    for (n, read) in world.reads.iter().enumerate() {
        let source = minus(point, &read.distance);
        if !world.contains(&source) && world.is_active(&read.path, point) {
            found.push(Violation {
                law: Law::Defined,
                site: Site::Read(n),
                point: point.to_vec(),
                other: Some(source),
                element: None,
            });
        }
    }
}

fn bounds(world: &World, point: &[Int], found: &mut Vec<Violation>) {
    let mut broken = |site, element| {
        found.push(Violation { law: Law::Bounds, site, point: point.to_vec(), other: None, element: Some(element) });
    };
    for (n, access) in world.accesses.iter().enumerate() {
        let index = world.index(&access.index, point);
        if !world.has_element(access.array, &index) && world.is_active(&access.path, point) {
            broken(Site::Access(n), index);
        }
    }
    for (n, store) in world.kernel.stores.iter().enumerate() {
        let index = world.index(&store.index, point);
        if !in_range(&index, &world.output_shape(store.output)) && holds(&store.guard, &world.at(point)) {
            broken(Site::Store(n), index);
        }
    }
}

fn outputs(world: &World, points: &[Vec<Int>], found: &mut Vec<Violation>) {
    let mut stored: BTreeMap<(usize, Vec<Int>), (usize, Vec<Int>)> = BTreeMap::new();
    for point in points {
        for (n, store) in world.kernel.stores.iter().enumerate() {
            if !holds(&store.guard, &world.at(point)) {
                continue;
            }
            let element = world.index(&store.index, point);
            if let Some((_, first)) = stored.insert((store.output, element.clone()), (n, point.clone())) {
                found.push(Violation {
                    law: Law::Outputs,
                    site: Site::Store(n),
                    point: point.clone(),
                    other: Some(first),
                    element: Some(element),
                });
            }
        }
    }
    let whole = |output: &usize| world.kernel.outputs[*output].rest.is_none();
    for output in (0..world.kernel.outputs.len()).filter(whole) {
        for element in elements(&world.output_shape(output)) {
            if !stored.contains_key(&(output, element.clone())) {
                found.push(Violation {
                    law: Law::Outputs,
                    site: Site::Output(output),
                    point: Vec::new(),
                    other: None,
                    element: Some(element),
                });
            }
        }
    }
}

/// All indices of an array.
fn elements(shape: &[Int]) -> Vec<Vec<Int>> {
    let mut all = vec![Vec::new()];
    for n in shape {
        all = all.iter().flat_map(|e: &Vec<Int>| (0..*n).map(|i| [e.as_slice(), &[i]].concat())).collect();
    }
    all
}
