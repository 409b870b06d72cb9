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
use crate::compile::{Which, which};
use crate::laws::Lawful;
use crate::mapping::{Obstacle, Target};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use std::collections::{BTreeMap, BTreeSet};

/// One item per type and reason. A map for which another type has already warned is left out.
pub fn items(header: &Header<'_>, generated_types: &[GeneratedType], instances: &[Lawful]) -> TokenStream {
    let attributes = Attributes::of(&header.tree.attributes);
    let mut items = TokenStream::new();
    let mut warned: BTreeSet<(Which, Obstacle)> = BTreeSet::new();
    for generated in generated_types.iter().filter(|_| !attributes.silent) {
        let listed = || instances.iter().filter(|lawful| generated.admits(lawful.kernel()));
        let mut found: BTreeMap<Obstacle, Vec<&Lawful>> = BTreeMap::new();
        let mut now = BTreeSet::new();
        for lawful in listed() {
            let Err(obstacle) = header.on_cpu(generated, lawful) else { continue };
            let warning = (which(generated.map, lawful, Target::Cpu), obstacle);
            if !warned.contains(&warning) {
                found.entry(obstacle).or_default().push(lawful);
                now.insert(warning);
            }
        }
        warned.append(&mut now);
        let all = listed().count();
        items.extend(found.iter().map(|(obstacle, some)| item(header, generated, &attributes, *obstacle, some, all)));
    }
    items
}

fn item(
    header: &Header<'_>,
    generated: &GeneratedType,
    attributes: &Attributes,
    obstacle: Obstacle,
    some: &[&Lawful],
    all: usize,
) -> TokenStream {
    let map = generated.map.and_then(|position| header.tree.maps.get(position)?.name.as_ref());
    let mut subject = match map {
        Some(map) => format!("map `{}` of kernel `{}`", map.text, header.tree.name.text),
        None => format!("kernel `{}`", header.tree.name.text),
    };
    if some.len() < all {
        subject = format!("{subject} with {}", doc::instances(some));
    }
    let note = format!(
        "{subject} runs point by point: {obstacle}. `#[allow(point_by_point)]` above the kernel turns this warning off"
    );
    let (cfg, word) = (&attributes.cfg, "POINT_BY_POINT");
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
