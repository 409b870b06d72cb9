//! Lawful kernels to Rust. A kernel is a type; each of its instances implements a hidden trait with the code, and the
//! functions that users call ask for that trait: an instance that is not listed is then a compile error that lists
//! those that are. No item of the user's changes what emitted code means: `face` says how.
//!
//! | file | gives |
//! | --- | --- |
//! | `face` | the types of a kernel, its own and one a named map, and their items |
//! | `function` | a function of these types: what callers see, what instances implement |
//! | `parameter` | what a caller may pass for an array, for rustc's messages |
//! | `notice` | a warning on the name of what runs point by point |
//! | `scope` | names that no item of the user's is taken for |
//! | `arguments` | parameters and outputs as Rust types |
//! | `attributes`, `doc` | what stands above the items |
//! | `reference` | the body of `reference`: `nest` and `keys` order the points, `body`, `forms` and `literal` compute |
//! | `run` | the bodies of `run` and `run_into`, on the CPU by `cpu` |
//! | `launch` | the body of `launch`, and what `cuda` has compiled, embedded |
//! | `which` | the map that a type runs on a target, and its program |
//! | `demand` | the steps and the scratch memory that a call asks for, checked before it runs |
//! | `describe` | the body of `describe`: a blueprint for the runtime |
//! | `signature` | what the runtime solves sizes with |
mod arguments;
mod attributes;
mod body;
mod cpu;
mod cuda;
mod demand;
mod describe;
mod doc;
mod face;
mod forms;
mod function;
mod keys;
mod launch;
mod literal;
mod names;
mod nest;
mod notice;
mod parameter;
mod reference;
mod run;
mod scope;
mod signature;
#[cfg(test)]
mod tests;
mod which;

pub use cuda::{Unit, key, units};
pub use which::Which;

use crate::laws::Lawful;
use crate::link::Shelf;
use crate::syntax::tree;
use arguments::Header;
use face::Face;
use function::Function;
use proc_macro2::TokenStream;
use std::collections::BTreeSet;

/// The items of a kernel whose instances are all lawful. `krate` is the path of the crate `systolic`.
pub fn kernel(krate: &TokenStream, shelf: Shelf<'_>, tree: &tree::Kernel, instances: &[Lawful]) -> TokenStream {
    let header = Header::of(krate, tree, Some(instances));
    let functions = functions(&header, shelf);
    let faces = Face::of(tree);
    let (items, notice) =
        (face::items(&header, &faces, &functions, instances), notice::items(&header, &faces, instances));
    items.into_iter().chain(notice).collect()
}

/// The same types and functions for a kernel with faults, so that its callers do not fail too; a call gives an `Err`.
/// A type whose name is in `taken` is left out: its second definition would be one more error.
pub fn stub(krate: &TokenStream, tree: &tree::Kernel, taken: &BTreeSet<String>) -> TokenStream {
    let header = Header::of(krate, tree, None);
    let functions = functions(&header, &|_| Err(String::new()));
    let mut taken = taken.clone();
    let faces = Face::of(tree).into_iter().filter(|face| taken.insert(face.name.text.clone()));
    face::stub_items(&header, &faces.collect::<Vec<_>>(), &functions)
}

/// The names of the types that a kernel becomes: its own, then those of its named maps.
pub fn type_names(tree: &tree::Kernel) -> Vec<crate::region::Name> {
    Face::of(tree).into_iter().map(|face| face.name).collect()
}

/// The `cfg` attributes of a kernel.
pub fn cfg_attributes(tree: &tree::Kernel) -> Vec<TokenStream> {
    attributes::Attributes::of(&tree.attributes).cfg
}

/// The functions of every type of a kernel.
fn functions<'h>(header: &'h Header<'h>, shelf: Shelf<'h>) -> Vec<Function<'h>> {
    vec![
        run::run(header),
        run::run_into(header),
        run::run_on(header, shelf),
        launch::launch(header, shelf),
        reference::function(header),
        describe::function(header),
        launch::choice(header),
        launch::plan(header, shelf),
        signature::function(header),
    ]
}
