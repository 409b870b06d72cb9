//! A kernel inside the code of another one, which calls it: its items in a module, and the path to its functions.
use super::arguments::{Header, Over};
use super::function::Function;
use super::generated::{GeneratedType, hidden};
use super::{launch, reference, run, signature};
use crate::compile::Programs;
use crate::laws::Lawful;
use crate::link::Compiled;
use crate::syntax::tree;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The module and the path. It runs on a CPU only; `why` says why a GPU does not run it.
pub fn inner(
    krate: &TokenStream,
    module: &Ident,
    (tree, lawful): (&tree::Kernel, &Lawful),
    programs: Programs,
    why: &str,
) -> (TokenStream, TokenStream) {
    let header = Header::of(krate, tree, Some(std::slice::from_ref(lawful)), programs);
    let nothing = |_: &str| -> Result<Compiled, String> { Err(why.to_string()) };
    let functions: Vec<Function<'_>> = vec![
        run::run_into(&header),
        run::run_on(&header, &nothing),
        reference::function(&header),
        launch::plan(&header, &nothing),
        signature::function(&header),
    ];
    let own = GeneratedType { name: tree.name.clone(), map: None };
    let (code, instance) = (own.code(), own.instance());
    let arguments = header.arguments(Over::Instance(&lawful.kernel().instance));
    let items = hidden(&header, &functions, lawful);
    let items = quote!(mod #module { use #krate::__private::scope::*; #items });
    (items, quote!(<#module::#code<#arguments> as #module::#instance<#arguments>>))
}
