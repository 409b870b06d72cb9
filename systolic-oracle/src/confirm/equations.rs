//! Confirms faults of the equations at their witnesses.
use super::witness::{other, point, same, says};
use crate::world::{World, holds, in_range, minus, value};
use systolic_compiler::fault::{BoundsFact, CycleFact, DefinedFact, OutputsFact, Witness};
use systolic_compiler::model::{Array, Form, Int, Kernel, ParameterKind, Reader};
use systolic_compiler::region::Region;

/// Confirms that the read at `at` happens at the point, and that the index the fault points at leaves the domain.
pub fn defined(world: &World, fact: &DefinedFact, at: Region, witness: &Witness) -> Result<(), String> {
    let DefinedFact::Outside { variable, loop_name, below, index, bound } = fact else {
        return Err("a limit".to_string());
    };
    let point = point(world, &witness.point)?;
    let mut why = "it points at no read of a variable".to_string();
    for read in &world.reads {
        let axis = read.index_at.iter().position(|r| same(*r, at));
        if axis.is_none() && !same(read.at, at) || world.kernel.equations[read.variable].variable.text != *variable {
            continue;
        }
        let source = minus(&point, &read.distance);
        let Some(k) = world.kernel.loops.iter().position(|l| l.name.text == *loop_name) else {
            return Err(format!("there is no loop {loop_name}"));
        };
        let (low, high) = world.bounds(k, &source);
        why = if !world.is_active(&read.path, &point) {
            format!("{point:?} does not read there")
        } else if source[k] != *index || axis.is_some_and(|axis| axis != k) {
            format!("index {loop_name} of {source:?} is not {index}")
        } else if !says(world, witness.other.as_deref(), &source) {
            format!("it reads {source:?}")
        } else if *bound != if *below { low } else { high } {
            format!("the bounds of {loop_name} are {low}..{high}")
        } else if *below && source[k] >= low || !*below && source[k] < high {
            format!("index {loop_name} of {source:?} is within {low}..{high}")
        } else {
            return Ok(());
        };
    }
    Err(why)
}

/// Confirms that the access or store at `at` happens at the point and that this element is out of range.
pub fn bounds(world: &World, fact: &BoundsFact, at: Region, witness: &Witness) -> Result<(), String> {
    let point = point(world, &witness.point)?;
    if let BoundsFact::Empty { axis, .. } = fact {
        let happens = world.accesses.iter().any(|access| {
            let here = same(access.at, at) || access.index_at.iter().any(|r| same(*r, at));
            let empty = array_dims(world, access.array).get(*axis).is_some_and(|n| *n <= 0);
            here && empty && world.is_active(&access.path, &point)
        });
        return if happens { Ok(()) } else { Err("no read of an empty array there".to_string()) };
    }
    let BoundsFact::Outside { array, axis, index, length, store } = fact else { return Err("a limit".to_string()) };
    let leaves = |forms: &[Form], dims: &[Int]| -> Result<(), String> {
        let found = world.index(forms, &point);
        if found.get(*axis) != Some(index) || dims.get(*axis).map(|n| (*n).max(0)) != Some((*length).max(0)) {
            return Err(format!("axis {axis} of {array} is read at {found:?} of {dims:?}"));
        }
        if witness.element.as_ref().is_some_and(|e| *e != found) {
            return Err(format!("the element is {found:?}"));
        }
        if (0..*length).contains(index) { Err(format!("{index} is within {length}")) } else { Ok(()) }
    };
    let mut why = "it points at no access of an array".to_string();
    for access in world.accesses.iter().filter(|_| !store) {
        if !same(access.at, at) && !access.index_at.iter().any(|r| same(*r, at)) {
            continue;
        }
        if !world.is_active(&access.path, &point) {
            why = format!("{point:?} does not read there");
            continue;
        }
        if world.has_element(access.array, &world.index(&access.index, &point)) {
            why = "the element exists, or a border says what it is".to_string();
            continue;
        }
        match leaves(&access.index, &array_dims(world, access.array)) {
            Ok(()) => return Ok(()),
            Err(text) => why = text,
        }
    }
    for s in world.kernel.stores.iter().filter(|_| *store) {
        if !same(s.at, at) && !s.index_at.iter().any(|r| same(*r, at)) {
            continue;
        }
        if !holds(&s.guard, &world.at(&point)) {
            why = format!("{point:?} does not store there");
            continue;
        }
        match leaves(&s.index, &world.output_shape(s.output)) {
            Ok(()) => return Ok(()),
            Err(text) => why = text,
        }
    }
    Err(why)
}

fn array_dims(world: &World, array: Array) -> Vec<Int> {
    match array {
        Array::Constant(k) => world.kernel.constants[k].dims.clone(),
        Array::Parameter(k) => match &world.kernel.parameters[k].kind {
            ParameterKind::Array { dims, .. } => dims.iter().map(|d| value(d, &world.sizes)).collect(),
            ParameterKind::Const { dims, .. } => dims.clone(),
            ParameterKind::Scalar { .. } | ParameterKind::Size => Vec::new(),
        },
    }
}

/// Confirms that every value of the cycle reads the next, the last the first, and that the fault points at a read of
/// the first.
pub fn cycle(world: &World, fact: &CycleFact, at: Region, witness: &Witness) -> Result<(), String> {
    let CycleFact::Ring { steps, .. } = fact else { return Err("a limit".to_string()) };
    let variable = |name: &String| {
        world.kernel.equations.iter().position(|e| e.variable.text == *name).ok_or(format!("no variable {name}"))
    };
    if steps.is_empty() {
        return Err("the ring is empty".to_string());
    }
    if point(world, &witness.point)? != steps[0].1 {
        return Err("the witness is not the first of the ring".to_string());
    }
    let mut pointed = false;
    let second = &steps[1 % steps.len()].1;
    if steps.len() > 1 && !says(world, witness.other.as_deref(), second) {
        return Err("the other point is not the second of the ring".to_string());
    }
    for (k, (name, at_point)) in steps.iter().enumerate() {
        let (next, from) = &steps[(k + 1) % steps.len()];
        let (reader, source) = (Reader::Equation(variable(name)?), variable(next)?);
        if !world.contains(at_point) {
            return Err(format!("{at_point:?} is no point"));
        }
        let mut reads = world.reads.iter().filter(|read| {
            read.reader == reader
                && read.variable == source
                && minus(at_point, &read.distance) == *from
                && world.is_active(&read.path, at_point)
        });
        match reads.clone().next() {
            None => return Err(format!("{name} at {at_point:?} does not read {next} at {from:?}")),
            Some(_) if k == 0 => pointed = reads.any(|read| same(read.at, at)),
            Some(_) => {}
        }
    }
    if pointed { Ok(()) } else { Err("it does not point at the first read of the ring".to_string()) }
}

/// Confirms that two stores write one element, or that no point stores an element.
pub fn outputs(world: &World, fact: &OutputsFact, at: Region, witness: &Witness) -> Result<(), String> {
    let element = witness.element.as_ref().ok_or("the witness has no element")?;
    let output = |name: &String| {
        world.kernel.outputs.iter().position(|o| o.name.text == *name).ok_or(format!("no output {name}"))
    };
    let stores = |output: usize, point: &[Int]| -> Vec<usize> {
        let kernel = world.kernel;
        (0..kernel.stores.len())
            .filter(|n| {
                let s = &kernel.stores[*n];
                s.output == output && holds(&s.guard, &world.at(point)) && world.index(&s.index, point) == *element
            })
            .collect()
    };
    match fact {
        OutputsFact::Twice { output: name, same_store, .. } => {
            let output = output(name)?;
            let first = point(world, &witness.point)?;
            let second = point(world, other(witness)?)?;
            let pairs: Vec<(usize, usize)> = stores(output, &first)
                .into_iter()
                .flat_map(|a| stores(output, &second).into_iter().map(move |b| (a, b)))
                .filter(|(a, b)| (*a, &first) != (*b, &second) && (a == b) == *same_store)
                .collect();
            if pairs.is_empty() {
                return Err(format!("{first:?} and {second:?} do not both store {element:?}"));
            }
            if !pairs.iter().any(|(a, b)| same(world.kernel.stores[*a.max(b)].at, at)) {
                return Err("it does not point at the later store".to_string());
            }
            Ok(())
        }
        OutputsFact::Never { output: name, .. } => {
            let output = output(name)?;
            if !in_range(element, &world.output_shape(output)) {
                return Err(format!("{element:?} is no element of {:?}", world.output_shape(output)));
            }
            match find_store(world, output, element) {
                Some(point) => Err(format!("{point:?} stores it")),
                None => Ok(()),
            }
        }
        _ => Err("nothing that points show".to_string()),
    }
}

/// Finds a point that stores an element, by enumerating the points that the indices allow.
fn find_store(world: &World, output: usize, element: &[Int]) -> Option<Vec<Int>> {
    world.kernel.stores.iter().filter(|s| s.output == output).find_map(|store| {
        let mut found = None;
        let narrow = |outer: &[Int], (low, high): (Int, Int)| {
            // An index whose innermost loop is this one determines the value of the loop.
            let dim = world.kernel.loop_dim(outer.len());
            for (form, wanted) in store.index.iter().zip(element) {
                if form.dims() == dim + 1 {
                    let (rest, c) = (wanted - value(form, &world.at(outer)), form.coef(dim));
                    let v = rest.div_euclid(c);
                    if rest % c != 0 || v < low || v >= high {
                        return (low, low);
                    }
                    return (v, v + 1);
                }
            }
            (low, high)
        };
        world.walk(&mut Vec::new(), &narrow, &mut |point| {
            if holds(&store.guard, &world.at(point)) && world.index(&store.index, point) == element {
                found = Some(point.to_vec());
            }
            found.is_none()
        });
        found
    })
}

/// Confirms that the parameters of a launch exceed its limit: 8 bytes per array or size, all others by value.
pub fn parameters(kernel: &Kernel) -> Result<(), String> {
    const MOST: Int = 4096;
    let bytes = |kind: &ParameterKind| match kind {
        ParameterKind::Array { .. } | ParameterKind::Size => 8,
        ParameterKind::Const { ty, dims, .. } => dims.iter().product::<Int>() * ty.bytes() as Int,
        ParameterKind::Scalar { ty } => ty.bytes() as Int,
    };
    let all: Int = kernel.parameters.iter().map(|p| bytes(&p.kind)).sum();
    let total = all + 8 * (kernel.outputs.len() + kernel.call_sizes()) as Int;
    if total > MOST { Ok(()) } else { Err(format!("{total} bytes of parameters")) }
}
