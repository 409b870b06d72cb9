//! The compiler behind `systolic!`, without rustc and without I/O. The whole pipeline on one page:
//!
//! ```text
//! tokens ─ syntax ─▶ tree ─ model ─▶ instances ─ laws ─▶ lawful kernels
//!             └───────────────┴───────────────────┴─▶ faults: messages on the user's tokens
//!
//! lawful kernels ─ mapping ─▶ layouts ─ lower ─▶ programs ─ optimise ─▶ programs ─ schedule ─▶ schedules     (`compile`)
//!                                                   └───────────────────────────────┴─▶ internal errors on the kernel's name
//!
//! lawful kernels, schedules ─ emit ─▶ Rust, CUDA, launch plans
//! ```
//!
//! In a build script, `search` finds the map of a kernel that has none: it writes maps, proves and compiles them, and asks `cost`
//! which is the fastest.
pub mod advice;
pub mod compile;
#[cfg(feature = "search")]
pub mod cost;
pub mod dependence;
pub mod emit;
#[cfg(feature = "tools")]
pub mod evaluate;
#[cfg(feature = "tools")]
pub mod explain;
pub mod fault;
pub mod fill;
#[cfg(feature = "tools")]
pub mod interpret;
pub mod laws;
pub mod link;
pub mod lower;
pub mod mapping;
pub mod model;
pub mod optimise;
pub mod planted;
pub mod program;
pub mod region;
#[cfg(feature = "mesh")]
pub mod relay;
pub mod report;
pub mod schedule;
#[cfg(feature = "search")]
pub mod search;
pub mod series;
pub mod sketch;
pub mod sorted;
pub mod syntax;
pub mod target;

use crate::sorted::{SortedMap, SortedSet};
use compile::{Programs, Which, by_rules};
use fault::{Fault, InstanceFaults, Kind, NamesFact};
use laws::Lawful;
use mapping::Target;
use proc_macro2::{TokenStream, TokenTree};
use syntax::{Skeleton, tree};

/// A block, checked: what is lawful, what is not, and why.
#[derive(Debug, Default)]
pub struct Checked {
    /// Kernels without a fault, with all their instances.
    pub kernels: Vec<(tree::Kernel, Vec<Lawful>)>,
    /// Kernels with a fault after parsing.
    pub faulty: Vec<tree::Kernel>,
    /// Kernels that could be read in part.
    pub skeletons: Vec<Skeleton>,
    /// Everything found, in the order of the text.
    pub faults: Vec<Fault>,
}

/// Tokens to lawful kernels: parse, resolve, prove.
pub fn check(tokens: TokenStream) -> Checked {
    let parsed = syntax::parse(tokens.clone());
    let mut checked = Checked { faults: parsed.faults, skeletons: parsed.skeletons, ..Checked::default() };
    let mut taken: SortedMap<String, Option<String>> = SortedMap::new();
    for kernel in parsed.block.kernels {
        let clashes = type_clashes(&kernel, &mut taken);
        match if clashes.is_empty() { prove(&kernel) } else { Err(clashes) } {
            Ok(instances) => checked.kernels.push((kernel, instances)),
            Err(mut faults) => {
                let cfg = emit::cfg_attributes(&kernel);
                faults.iter_mut().for_each(|f| f.cfg.clone_from(&cfg));
                checked.faults.extend(faults);
                checked.faulty.push(kernel);
            }
        }
    }
    region::sort_by_place(&tokens, &mut checked.faults, |f| f.at);
    checked
}

/// One kernel: all its instances lawful, or the faults of the first stage that has any, with advice that was tried.
pub fn prove(kernel: &tree::Kernel) -> Result<Vec<Lawful>, Vec<Fault>> {
    judge(kernel, true).map_err(|faults| advice::improve(kernel, faults, &verdict))
}

/// What the laws say of a changed kernel, and which of its maps gain nothing.
fn verdict(kernel: &tree::Kernel) -> advice::Verdict {
    let lawful = match judge(kernel, false) {
        Ok(lawful) => lawful,
        Err(faults) => return advice::Verdict { faults, one_lane: Vec::new() },
    };
    let maps = lawful.iter().flat_map(|l| l.maps().iter().map(move |m| (l.kernel(), m)));
    let idle = maps.filter(|(kernel, map)| laws::one_lane(kernel, map));
    advice::Verdict { faults: Vec::new(), one_lane: idle.map(|(_, map)| map.mapping().position).collect() }
}

/// The verdict on a kernel, with or without the search for other maps.
fn judge(kernel: &tree::Kernel, helped: bool) -> Result<Vec<Lawful>, Vec<Fault>> {
    let resolved = model::resolve(kernel);
    if !resolved.faults.is_empty() {
        return Err(resolved.faults);
    }
    let mut lawful = Vec::new();
    let mut faults = InstanceFaults::default();
    for (instance, pending) in resolved.kernels.into_iter().zip(resolved.pending) {
        let name = instance.instance.to_string();
        match laws::judge(instance, pending, helped) {
            Ok(mut instance) => {
                faults.add(name, fill::fill(kernel, &mut instance));
                lawful.push(instance);
            }
            Err(found) => faults.add(name, found),
        }
    }
    if faults.is_empty() { Ok(lawful) } else { Err(faults.merge()) }
}

/// Types that a kernel would define a second time in its block. `taken` has the kernel whose map defines a type, if any.
fn type_clashes(kernel: &tree::Kernel, taken: &mut SortedMap<String, Option<String>>) -> Vec<Fault> {
    let mut clashes = Vec::new();
    for name in emit::type_names(kernel) {
        let of = (name != kernel.name).then(|| kernel.name.text.clone());
        let clash = match (taken.get(&name.text), &of) {
            (None, _) => {
                taken.insert(name.text.clone(), of);
                continue;
            }
            (Some(None), None) => model::twice(&name, Kind::Kernel, Kind::Kernel),
            (Some(Some(of)), _) | (Some(None), Some(of)) => {
                let fact = NamesFact::TypeClash { ty: name.text.clone(), kernel: of.clone() };
                Fault::new(name.at, fact).with_advice("give the map or the kernel another name")
            }
        };
        clashes.push(clash);
    }
    clashes
}

/// Tokens to CUDA: a source for every program of a lawful kernel that a GPU can run. What has faults is left out: the
/// macro reports it. A kernel without a map gets the first lawful one; build scripts search for a better one (`search`).
#[cfg(feature = "cuda")]
pub fn units(tokens: TokenStream) -> Vec<emit::Unit> {
    check(tokens).kernels.iter().flat_map(|(kernel, instances)| units_of(kernel, instances)).collect()
}

/// The same for one lawful kernel. A broken invariant gives none: the macro reports it, on the kernel's name.
#[cfg(feature = "cuda")]
pub fn units_of(kernel: &tree::Kernel, instances: &[Lawful]) -> Vec<emit::Unit> {
    let programs = Programs::new(kernel, instances, &[Target::Gpu], &by_rules);
    programs.map_or(Vec::new(), |programs| emit::units(kernel, instances, &programs))
}

/// The same for a build script: a kernel without a map gets the map that was kept, or one that a search finds.
#[cfg(feature = "search")]
pub fn searched_units(tokens: TokenStream, effort: search::Effort<'_>) -> Vec<emit::Unit> {
    let checked = check(tokens);
    checked.kernels.iter().flat_map(|(kernel, instances)| search::units_of(kernel, instances, effort)).collect()
}

/// Tokens to tokens for an editor: the types and functions of all kernels without code, their names, and the faults. The first
/// token is a group that holds the path of the crate `systolic`; `before` gives the empty place before a token.
pub fn expand_for_editor(tokens: TokenStream, before: emit::Before<'_>) -> TokenStream {
    let (krate, block) = split_path(tokens);
    let checked = check(block.clone());
    let lawful = checked.kernels.iter().map(|(kernel, instances)| (kernel, instances.as_slice()));
    let faulty = checked.faulty.iter().chain(checked.skeletons.iter().map(|s| &s.header));
    let mut out = TokenStream::new();
    let mut defined = SortedSet::new();
    let all: Vec<_> = lawful.chain(faulty.map(|kernel| (kernel, [].as_slice()))).collect();
    // In the order of the text, whatever is wrong: an editor compares the expansions of two texts.
    for token in block.clone() {
        let at = region::identity(token.span());
        for (kernel, instances) in all.iter().filter(|(kernel, _)| region::identity(kernel.name.at.start) == at) {
            // A second definition would be another error.
            if defined.insert(kernel.name.text.clone()) {
                out.extend(emit::editor(&krate, &block, kernel, instances, before));
            }
        }
    }
    out.extend(checked.faults.iter().map(fault::compile_error));
    out
}

/// The path of the crate `systolic`, which is the first token, and the kernels after it.
fn split_path(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let mut tokens = tokens.into_iter();
    let krate = match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        other => other.into_iter().collect(),
    };
    (krate, tokens.collect())
}

/// Tokens to tokens: the macro. The first token is a group that holds the path of the crate `systolic`. What a build
/// script compiled for a GPU comes from the artifacts.
pub fn expand(tokens: TokenStream, artifacts: link::ArtifactStore<'_>) -> TokenStream {
    let (krate, block) = split_path(tokens);
    let checked = check(block);
    let mut out = TokenStream::new();
    let mut defined = SortedSet::new();
    for (kernel, instances) in &checked.kernels {
        defined.extend(emit::type_names(kernel).into_iter().map(|n| n.text));
        // What a build script found for a GPU is what runs there.
        let find = |lawful: &Lawful, which: Which, target: Target| {
            let text = || artifacts(&emit::key(kernel, lawful.kernel(), which)).ok()?.map;
            let found = if target == Target::Gpu { text() } else { None };
            found.and_then(|text| fill::kept(kernel, lawful, which, &text)).or_else(|| by_rules(lawful, which, target))
        };
        match Programs::new(kernel, instances, &[Target::Cpu, Target::Gpu], &find) {
            Ok(programs) => out.extend(emit::kernel(&krate, artifacts, kernel, instances, programs)),
            Err(broken) => {
                out.extend(emit::stub(&krate, kernel, &SortedSet::new()));
                let cfg = emit::cfg_attributes(kernel);
                out.extend(fault::internal_error(&kernel.name, &cfg, &broken.to_string()));
            }
        }
    }
    let headers = checked.skeletons.iter().map(|s| &s.header);
    for kernel in checked.faulty.iter().chain(headers) {
        out.extend(emit::stub(&krate, kernel, &defined));
        defined.extend(emit::type_names(kernel).into_iter().map(|n| n.text));
    }
    out.extend(checked.faults.iter().map(fault::compile_error));
    out
}
