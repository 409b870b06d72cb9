//! What the tests that try to break the front end share: text in, faults out, brute force as the judge.
#![allow(dead_code)]
pub mod mutate;
pub mod rejected;
pub mod tricky;

use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;
use systolic_compiler::fault::{Edit, Fact, Fault, OutputsFact};
use systolic_compiler::model::{self, Int, Kernel, Places};
use systolic_compiler::region::Region;
use systolic_compiler::syntax::{self, print_kernel, tree};
use systolic_compiler::{Checked, check};
use systolic_oracle::{Placement, Step, World, confirm, is_confirmable, is_limit, map_violations, violations};

/// Sizes with so few points are looked at.
const FEW: usize = 700;

/// A number from the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The whole front end on a text.
pub fn check_text(text: &str) -> Checked {
    match text.parse::<TokenStream>() {
        Ok(tokens) => check(tokens),
        Err(error) => panic!("no tokens: {error}\n{text}"),
    }
}

/// The bytes of a region in the text it was parsed from.
pub fn bytes(at: Region) -> std::ops::Range<usize> {
    at.start.byte_range().start..at.end.byte_range().end
}

/// What a region covers in its text, with single blanks.
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

/// Whether brute force sees what a fault says; faults that no point can show are taken at their word.
pub fn doubt(kernel: &tree::Kernel, fault: &Fault) -> Option<String> {
    if let Fact::Outputs(OutputsFact::Never { output, stored_anywhere: false }) = &fault.fact {
        // Nothing is stored in it at all: there is no point to look at.
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
    let map = instance.maps.iter().find(fits).map(|m| (m, Places::new(instance, m)));
    confirm(instance, map.as_ref().map(|(m, p)| (*m, p)), fault)
        .err()
        .map(|why| format!("{} ({}): {why}", fault.law(), numbers(fault)))
}

/// The kernel of a checked text that a fault belongs to.
pub fn owner<'c>(checked: &'c Checked, fault: &Fault) -> Option<&'c tree::Kernel> {
    let inside = |k: &&tree::Kernel| bytes(k.at).contains(&bytes(fault.at).start);
    checked.faulty.iter().find(inside)
}

/// What is wrong with the faults of a text: spans outside it, witnesses that brute force does not see.
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

/// Whether any of the faults says that the decision procedure gave up.
pub fn any_limit(checked: &Checked) -> bool {
    checked.faults.iter().any(is_limit)
}

/// Sizes to look at: small ones, and for every size in turn those around the tiles while the others stay at 1 and 2.
fn sizes(kernel: &Kernel) -> Vec<Vec<Int>> {
    let count = kernel.sizes.len();
    let mut all: Vec<Vec<Int>> = (1..=6).map(|v| vec![v; count]).collect();
    let tiles = kernel.maps.iter().flat_map(|m| m.nodes.iter().filter_map(|n| n.tile.as_ref().map(|t| t.by)));
    let mut around: Vec<Int> = tiles.flat_map(|by| [by - 1, by, by + 1, 2 * by + 1]).filter(|v| *v > 1).collect();
    around.extend([3, 5]);
    around.sort_unstable();
    around.dedup();
    for k in 0..count {
        for v in &around {
            for rest in [1, 2] {
                let mut sizes = vec![rest; count];
                sizes[k] = *v;
                all.push(sizes);
            }
        }
    }
    all.sort();
    all.dedup();
    all.retain(|s| !World::new(kernel, s).has_more_points_than(FEW));
    all
}

/// What brute force has against an accepted instance.
pub fn objection(kernel: &Kernel) -> Option<String> {
    let sizes = sizes(kernel);
    for s in &sizes {
        if let Some(v) = violations(kernel, s).first() {
            return Some(format!("accepted, but at sizes {s:?}: {v}"));
        }
    }
    for mapping in &kernel.maps {
        let places = Places::new(kernel, mapping);
        let mut step = Step::default();
        for s in &sizes {
            if let Some(v) = map_violations(kernel, mapping, &places, s).first() {
                return Some(format!("map accepted, but at sizes {s:?}: {v}"));
            }
            let placement = Placement::new(kernel, mapping, &places, s);
            if placement.world.is_assumed() {
                step.add(&placement, placement.world.points().iter().flat_map(|p| placement.instances(p)));
            }
        }
        if let Some(example) = step.rings().first() {
            return Some(format!("map accepted, but its step has no order: {:?}", example.sink));
        }
    }
    None
}

/// What brute force has against the accepted kernels of a text.
pub fn objections(checked: &Checked) -> Vec<String> {
    let mut all = Vec::new();
    for (_, instances) in &checked.kernels {
        // Instances differ in numbers; the first and the last are looked at.
        let ends = instances.first().into_iter().chain(instances.last().filter(|_| instances.len() > 1));
        all.extend(ends.filter_map(|lawful| objection(lawful.kernel())));
    }
    all
}

/// The kernels of the workloads, one tree each, with at most two values a generic.
pub fn workloads() -> Vec<tree::Kernel> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("the workloads").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let mut kernels = Vec::new();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(file).expect("text");
        for block in blocks(text.parse().expect("tokens")) {
            let parsed = syntax::parse(block);
            assert!(parsed.faults.is_empty(), "{}: {:?}", file.display(), parsed.faults);
            kernels.extend(parsed.block.kernels);
        }
    }
    for kernel in &mut kernels {
        kernel.attributes.clear();
        kernel.visibility = TokenStream::new();
        for generic in &mut kernel.generics {
            match &mut generic.list {
                tree::GenericList::Numbers { values, .. } => values.truncate(2),
                tree::GenericList::Types { values } => values.truncate(1),
            }
        }
    }
    assert!(kernels.len() > 40, "only {} workloads", kernels.len());
    kernels
}

/// The contents of every `systolic! { … }` of a file.
pub fn blocks(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for k in 0..tokens.len() {
        if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group)] =
            &tokens[k..tokens.len().min(k + 3)]
            && name == "systolic"
            && bang.as_char() == '!'
        {
            found.push(group.stream());
        } else if let TokenTree::Group(group) = &tokens[k] {
            found.extend(blocks(group.stream()));
        }
    }
    found
}
