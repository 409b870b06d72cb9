//! The proc macro: passes the user's tokens to the compiler, and finds the GPU code that a build script has compiled.
//! Users write `systolic!`, which calls this.
mod artifacts;

use proc_macro::TokenStream;

/// Expands kernels. The first token is a group with the path of the crate `systolic`; the others are the user's tokens.
#[proc_macro]
pub fn expand(tokens: TokenStream) -> TokenStream {
    systolic_compiler::expand(tokens.into(), &artifacts::find).into()
}

/// Expands kernels for an editor: the same types and functions without code, and every name of the kernels.
#[proc_macro]
pub fn expand_for_editor(tokens: TokenStream) -> TokenStream {
    systolic_compiler::expand_for_editor(tokens.into(), &|span| span.unwrap().start().into()).into()
}
