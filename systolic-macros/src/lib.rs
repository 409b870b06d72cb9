//! The door to the compiler: tokens in, tokens out, and what a build script has left for a GPU. Users write `systolic!`,
//! which calls this.
mod shelf;

use proc_macro::TokenStream;

/// Expands kernels. The first token is a group that holds the path of the crate `systolic`, the others are the user's.
#[proc_macro]
pub fn expand(tokens: TokenStream) -> TokenStream {
    systolic_compiler::expand(tokens.into(), &shelf::find).into()
}
