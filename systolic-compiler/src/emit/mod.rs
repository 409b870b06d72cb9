//! Turns lawful kernels into Rust. A kernel becomes a type. Each of its instances implements a hidden trait with the code,
//! and the public functions require that trait, so an instance that is not listed is a compile error that lists the others.
//! No item of the user's changes the meaning of emitted code; `generated` explains why.
//!
//! | file | contents |
//! | --- | --- |
//! | `generated` | the types of a kernel, its own and one per named map, and their items |
//! | `function` | a function of these types: its public signature, and the hidden one that instances implement |
//! | `parameter` | the arguments that a caller may pass for an array, for rustc's messages |
//! | `notice` | a warning on the name of a kernel or map that runs point by point |
//! | `scope` | names that cannot clash with items of the user's |
//! | `arguments` | parameters and outputs as Rust types |
//! | `attributes`, `doc` | attributes and documentation of the items |
//! | `reference` | the body of `reference`: `nest` and `keys` order the points, `body`, `forms` and `literal` compute |
//! | `run` | the bodies of `run` and `run_into`; `cpu` has the part for the CPU |
//! | `launch` | the body of `launch`, and the embedded code that `cuda` has compiled |
//! | `passes` | on a CPU, a kernel that no map suits as several kernels, each with a map of its own |
//! | `inner` | a kernel inside the code of another one |
//! | `demand` | the steps and the scratch memory that a call needs, checked before it runs |
//! | `describe` | the body of `describe`: a blueprint for the runtime |
//! | `editor` | what an editor sees instead of all this: the same types and functions without code, and every name of the kernel |
//! | `parts` | `run_on`, for arrays that are distributed over a mesh, and the data that says how the kernel can be cut |
//! | `relays` | the kernel that ranks of a mesh run where values are carried from part to part, and its data |
//! | `signature` | the data from which the runtime solves for the sizes |
mod arguments;
mod attributes;
mod body;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod demand;
mod describe;
mod doc;
mod editor;
mod forms;
mod function;
mod generated;
mod inner;
mod key;
mod keys;
mod launch;
mod literal;
mod names;
mod nest;
mod notice;
mod parameter;
#[cfg(feature = "mesh")]
mod parts;
mod passes;
mod reference;
#[cfg(feature = "mesh")]
mod relays;
mod run;
mod scope;
mod signature;
#[cfg(test)]
mod tests;

#[cfg(feature = "tools")]
pub use cpu::listing;
#[cfg(feature = "search")]
pub use cuda::members;
#[cfg(feature = "tools")]
pub use cuda::{Mentions, mentions};
#[cfg(feature = "cuda")]
pub use cuda::{Speed, Unit, unit, units, variant};
pub use editor::{Before, editor};
pub use key::key;
#[cfg(feature = "tools")]
pub use notice::{Notice, notices};

use crate::compile::Programs;
use crate::laws::Lawful;
use crate::link::ArtifactStore;
use crate::sorted::SortedSet;
use crate::syntax::tree;
use arguments::Header;
use function::Function;
use generated::GeneratedType;
use proc_macro2::TokenStream;

/// Emits the items of a kernel whose instances are all lawful. `krate` is the path of the crate `systolic`.
/// `programs` has those for both targets.
pub fn kernel(
    krate: &TokenStream,
    artifacts: ArtifactStore<'_>,
    tree: &tree::Kernel,
    instances: &[Lawful],
    programs: Programs,
) -> TokenStream {
    let header = Header::of(krate, tree, Some(instances), programs);
    let functions = functions(&header, artifacts);
    let generated_types = GeneratedType::of(tree);
    let (items, notice) = (
        generated::items(&header, &generated_types, &functions, instances),
        notice::items(&header, &generated_types, instances),
    );
    items.into_iter().chain(notice).collect()
}

/// Emits the same types and functions for a kernel with faults, so that its callers do not fail too; a call returns an
/// `Err`. A type whose name is in `taken` is left out: a second definition would be another error.
pub fn stub(krate: &TokenStream, tree: &tree::Kernel, taken: &SortedSet<String>) -> TokenStream {
    let header = Header::of(krate, tree, None, Programs::default());
    let functions = functions(&header, &|_| Err(String::new()));
    let mut taken = taken.clone();
    let generated_types =
        GeneratedType::of(tree).into_iter().filter(|generated| taken.insert(generated.name.text.clone()));
    generated::stub_items(&header, &generated_types.collect::<Vec<_>>(), &functions)
}

/// The names of the types of a kernel: its own, then those of its named maps.
pub fn type_names(tree: &tree::Kernel) -> Vec<crate::region::Name> {
    GeneratedType::of(tree).into_iter().map(|generated| generated.name).collect()
}

/// The `cfg` attributes of a kernel.
pub fn cfg_attributes(tree: &tree::Kernel) -> Vec<TokenStream> {
    attributes::Attributes::of(&tree.attributes).cfg
}

/// The functions of every type of a kernel.
fn functions<'h>(header: &'h Header<'h>, artifacts: ArtifactStore<'h>) -> Vec<Function<'h>> {
    #[cfg_attr(not(feature = "mesh"), allow(unused_mut))]
    let mut functions = vec![
        run::run(header),
        run::run_into(header),
        run::run_on(header, artifacts),
        launch::launch(header, artifacts),
        reference::function(header),
        describe::function(header, artifacts),
        launch::choice(header),
        launch::plan(header, artifacts),
        signature::function(header),
    ];
    // A scalar has no parts.
    #[cfg(feature = "mesh")]
    if !header.tree.outputs.iter().any(|output| output.is_scalar) {
        functions.extend([parts::run_on(header), parts::function(header)]);
    }
    functions
}
