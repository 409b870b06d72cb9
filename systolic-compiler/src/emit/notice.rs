//! Warns at compile time about kernels and maps that run point by point, on the name of the kernel or map.
//!
//! Proc macros cannot warn on stable Rust. They can use a deprecated item, and rustc warns of that use with the item's note.
//! So the warning belongs to the lint `deprecated` and follows its level. `#[allow(point_by_point)]` above a kernel leaves
//! the item out, which is silent under every level, including `forbid`.
use super::arguments::Header;
use super::attributes::Attributes;
use super::doc;
use super::generated::GeneratedType;
use super::names;
use crate::compile::{Programs, Which, which};
use crate::laws::Lawful;
use crate::mapping::{Obstacle, Target};
#[cfg(feature = "tools")]
use crate::region::Region;
use crate::sorted::{SortedMap, SortedSet};
use crate::syntax::tree;
use proc_macro2::TokenStream;
use quote::quote_spanned;

/// A warning, for commands that show it as rustc does.
#[cfg(feature = "tools")]
#[derive(Clone, Debug)]
pub struct Notice {
    pub text: String,
    /// The name of the kernel or of the map.
    pub at: Region,
}

/// The warnings of a lawful kernel. `programs` has those for a CPU.
#[cfg(feature = "tools")]
pub fn notices(tree: &tree::Kernel, instances: &[Lawful], programs: &Programs) -> Vec<Notice> {
    let generated_types = GeneratedType::of(tree);
    let found = found(tree, programs, &generated_types, instances);
    found.into_iter().map(|(generated, text)| Notice { text, at: generated.name.at }).collect()
}

/// One item per warning.
pub fn items(header: &Header<'_>, generated_types: &[GeneratedType], instances: &[Lawful]) -> TokenStream {
    let cfg = Attributes::of(&header.tree.attributes).cfg;
    let found = found(header.tree, &header.programs, generated_types, instances);
    found.into_iter().map(|(generated, note)| item(generated, &cfg, &note)).collect()
}

/// One warning per type and reason. A map for which another type has already warned is left out.
fn found<'g>(
    tree: &tree::Kernel,
    programs: &Programs,
    generated_types: &'g [GeneratedType],
    instances: &[Lawful],
) -> Vec<(&'g GeneratedType, String)> {
    let is_silent = Attributes::of(&tree.attributes).silent;
    let mut all = Vec::new();
    let mut warned: SortedSet<(Which, Obstacle)> = SortedSet::new();
    for generated in generated_types.iter().filter(|_| !is_silent) {
        let listed = || instances.iter().filter(|lawful| generated.admits(lawful.kernel()));
        let mut found: SortedMap<Obstacle, Vec<&Lawful>> = SortedMap::new();
        let mut now = SortedSet::new();
        for lawful in listed() {
            let runs = which(generated.map, lawful, Target::Cpu);
            if programs.passes(lawful, runs).is_some() {
                continue;
            }
            let Err(obstacle) = programs.get(lawful, runs, Target::Cpu) else { continue };
            if !warned.contains(&(runs, obstacle)) {
                found.or_default(obstacle).push(lawful);
                now.insert((runs, obstacle));
            }
        }
        warned.extend(now);
        let count = listed().count();
        all.extend(found.iter().map(|(obstacle, some)| (generated, text(tree, generated, *obstacle, some, count))));
    }
    all
}

fn text(tree: &tree::Kernel, generated: &GeneratedType, obstacle: Obstacle, some: &[&Lawful], count: usize) -> String {
    let map = generated.map.and_then(|position| tree.maps.get(position)?.name.as_ref());
    let mut subject = match map {
        Some(map) => format!("map `{}` of kernel `{}`", map.text, tree.name.text),
        None => format!("kernel `{}`", tree.name.text),
    };
    if some.len() < count {
        subject = format!("{subject} with {}", doc::instances(some));
    }
    format!(
        "{subject} runs point by point: {obstacle}. `#[allow(point_by_point)]` above the kernel turns this warning off"
    )
}

fn item(generated: &GeneratedType, cfg: &[TokenStream], note: &str) -> TokenStream {
    let word = "POINT_BY_POINT";
    let (definition, usage) = (names::identifier(word, generated.emitted()), names::identifier(word, generated.span()));
    quote_spanned! {generated.emitted()=>
        #(#cfg)*
        const _: () = {
            #[deprecated(note = #note)]
            const #definition: () = ();
            #usage
        };
    }
}
