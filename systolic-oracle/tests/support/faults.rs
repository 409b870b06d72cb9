//! Examines faults: their positions in the text, and whether brute force confirms them.
use std::borrow::Cow;
use systolic_compiler::fault::{Edit, Fact, Fault, Law, OutputsFact};
use systolic_compiler::model::{self, Int, Kernel};
use systolic_compiler::region::Region;
use systolic_compiler::syntax::{print_kernel, tree};
use systolic_compiler::{Checked, evaluate};
use systolic_oracle::{Items, World, confirm, is_confirmable, is_limit, placed, places};

/// Only sizes with at most this many points are evaluated.
const FEW: usize = 1500;

/// The bytes of a region in the text it was parsed from.
pub fn bytes(at: Region) -> std::ops::Range<usize> {
    at.start.byte_range().start..at.end.byte_range().end
}

/// The part of the text that a region covers, with single spaces.
pub fn pointed(text: &str, at: Region) -> String {
    let range = bytes(at);
    let part = text.get(range.clone()).unwrap_or_else(|| panic!("{range:?} is no part of\n{text}"));
    part.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text with the edits of a help applied.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<_> = edits.iter().map(|e| (bytes(e.at), e.code.as_str())).collect();
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_string();
    for (range, code) in edits {
        text.replace_range(range, code);
    }
    text
}

/// The numbers of a witness in one line: sizes | point | other point | element.
pub fn numbers(fault: &Fault) -> String {
    let Some(witness) = &fault.witness else { return String::new() };
    let named = |list: &[(String, Int)]| list.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join(" ");
    let mut parts = vec![named(&witness.sizes), named(&witness.point)];
    parts.extend(witness.other.as_deref().map(named));
    parts.extend(witness.element.as_ref().map(|e| format!("{e:?}")));
    parts.join(" | ")
}

/// Whether any fault states that the decision procedure gave up.
pub fn any_limit(checked: &Checked) -> bool {
    checked.faults.iter().any(is_limit)
}

/// The kernel of a checked text that a fault belongs to.
pub fn owner<'c>(checked: &'c Checked, fault: &Fault) -> Option<&'c tree::Kernel> {
    let inside = |k: &&tree::Kernel| bytes(k.at).contains(&bytes(fault.at).start);
    checked.faulty.iter().find(inside)
}

/// The problems of the faults of a text: spans outside it, and witnesses that brute force does not confirm.
pub fn doubts(text: &str, checked: &Checked) -> Vec<String> {
    let mut wrong = Vec::new();
    let stage = checked.faults.iter().map(|f| f.law().stage()).min();
    for fault in &checked.faults {
        let range = bytes(fault.at);
        if text.get(range.clone()).is_none_or(str::is_empty) {
            wrong.push(format!("{} points at {range:?}, outside the text", fault.law()));
        }
        if checked.faulty.len() + checked.kernels.len() <= 1 && Some(fault.law().stage()) != stage {
            wrong.push(format!("{} belongs to a later stage", fault.law()));
        }
        if let Some(kernel) = owner(checked, fault) {
            wrong.extend(doubt(kernel, fault));
        }
    }
    wrong
}

/// The reason why brute force does not confirm a fault, if it does not. Faults that no point can show are accepted.
pub fn doubt(kernel: &tree::Kernel, fault: &Fault) -> Option<String> {
    if let Fact::Outputs(OutputsFact::Never { output, stored_anywhere: false, .. }) = &fault.fact {
        // The output is never stored, so there is no point to check.
        return print_kernel(kernel).contains(&format!(" {output}[")).then(|| format!("{output} is stored"));
    }
    if !is_confirmable(fault) {
        return None;
    }
    let resolved = model::resolve(kernel);
    let instances = &resolved.kernels;
    let Some(instance) =
        instances.iter().find(|k| fault.instance.as_ref().is_none_or(|i| *i == k.instance.to_string()))
    else {
        return Some(format!("no instance {:?}", fault.instance));
    };
    let fits = |m: &&model::Mapping| {
        let name = m.name.as_ref().map_or("the unnamed map", |n| n.text.as_str());
        fault.map.as_ref().is_none_or(|f| f == name)
    };
    let map = instance.maps.iter().find(fits);
    // Laws on equations speak of the kernel as it is written.
    let of_map = map.filter(|_| fault.law() >= Law::Matrix);
    let under = of_map.map_or(Cow::Borrowed(instance), |m| placed(instance, m));
    let map = map.map(|m| (m, places(&under, m)));
    let confirmed = confirm(&under, map.as_ref().map(|(m, p)| (*m, p)), fault);
    let seen = confirmed.and_then(|()| does_not_evaluate(instance, fault));
    seen.err().map(|why| format!("{} ({}): {why}", fault.law(), numbers(fault)))
}

/// If the equations are broken at the witness, their evaluation must fail there too.
fn does_not_evaluate(kernel: &Kernel, fault: &Fault) -> Result<(), String> {
    let Some(witness) = fault.witness.as_ref().filter(|_| fault.law() <= Law::Outputs) else { return Ok(()) };
    // Lengths come after the sizes.
    let sizes: Vec<Int> = witness.sizes.iter().map(|(_, v)| *v).take(kernel.call_sizes()).collect();
    let items = Items::of_witness(kernel, &witness.sizes);
    let world = |items: Items| World::new(kernel, &sizes).with_items(items);
    let few = sizes.len() == kernel.call_sizes() && !world(items.clone()).has_more_points_than(FEW);
    let mut inputs = evaluate::random_inputs(kernel, &sizes, 0);
    items.write(kernel, &sizes, &mut inputs);
    if few && evaluate::evaluate(kernel, &sizes, &inputs).is_ok() {
        return Err(format!("it evaluates at {sizes:?}"));
    }
    Ok(())
}
