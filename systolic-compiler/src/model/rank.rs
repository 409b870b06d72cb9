//! The law `rank`: ∀ read or store a[i₁, …, iₙ]: n is the number of dimensions of a, 1 to 4 for arrays.
use crate::fault::{Fault, Faults, Kind, RankFact};
use crate::region::{Name, Region};
use crate::syntax::tree;

/// Checks that a name has `expected` indices.
pub fn indices(at: Region, name: &str, kind: Kind, expected: usize, found: usize, faults: &mut Faults) {
    if expected != found {
        faults.push(Fault::new(at, RankFact::Indices { name: name.to_string(), kind, expected, found }));
    }
}

/// Checks that the left side of an equation has one index per loop. A name similar to an output's may be meant as that
/// output.
pub fn left_side(assign: &tree::Assign, kernel: &tree::Kernel, loops: usize, faults: &mut Faults) {
    if assign.indices.len() == loops {
        return;
    }
    let fact = RankFact::Indices {
        name: assign.target.text.clone(),
        kind: Kind::Variable,
        expected: loops,
        found: assign.indices.len(),
    };
    let fault = Fault::new(assign.at, fact);
    let outputs = kernel.outputs.iter().map(|o| o.name.text.as_str());
    faults.push(match crate::fault::nearest(&assign.target.text, outputs) {
        Some(output) => {
            fault.with_edit(format!("if the output `{output}` is meant, write its name"), assign.target.at, output)
        }
        None => {
            let all: Vec<&str> = kernel.loops.iter().map(|l| l.name.text.as_str()).collect();
            fault.with_advice(format!(
                "the left side names every loop, in order: `{}[{}]`",
                assign.target.text,
                all.join(", ")
            ))
        }
    });
}

/// Checks that an array has one to four dimensions.
pub fn dimensions(name: &Name, array: &tree::ArrayType, faults: &mut Faults) {
    if !(1..=4).contains(&array.dims.len()) {
        faults.push(Fault::new(array.at, RankFact::Dimensions { name: name.text.clone(), found: array.dims.len() }));
    }
}

/// Checks that the lists of a constant are nested as deep as it has dimensions.
pub fn nesting(name: &Name, depth: usize, value: &tree::Value, faults: &mut Faults) {
    let wrong = |at: Region| Fault::new(at, RankFact::Nesting { name: name.text.clone(), expected: depth });
    match (value, depth) {
        (tree::Value::Literal(_), 0) => {}
        (tree::Value::List { items, .. }, 1..) => {
            // A flat list is one mistake, however many elements it has.
            for item in items {
                let before = faults.len();
                nesting(name, depth - 1, item, faults);
                if faults.len() > before {
                    break;
                }
            }
        }
        (tree::Value::Literal(e), _) => faults.push(wrong(e.at)),
        (tree::Value::List { at, .. }, _) => faults.push(wrong(*at)),
    }
}
