//! What `run_on` needs where values are carried from part to part: the code of the kernel that ranks run then, and its data.
use super::arguments::{Header, Over};
use super::function::Function;
use super::generated::{GeneratedType, hidden};
use super::literal::{self, number};
use super::names::{identifier, ours};
use super::parts::axis_of;
use super::{launch, reference, run, signature};
use crate::compile::{Programs, by_rules};
use crate::laws::split::split;
use crate::link::Compiled;
use crate::mapping::Target;
use crate::model::Kernel;
use crate::relay::{self, Relay};
use crate::target::limits;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// How each of the leading axes is cut as a pipeline, if it cannot be cut otherwise; or why it is not.
pub fn relays(header: &Header<'_>, kernel: &Kernel) -> Vec<Result<Relay, String>> {
    let of = |axis| match split(kernel, axis) {
        Ok(_) => Err("no value is carried along this axis".to_string()),
        Err(_) => relay::relay(header.tree, kernel, axis),
    };
    (0..limits::MESH_AXES).map(of).collect()
}

/// The data, `&'static [Result<Relay, &str>; 3]`.
pub fn constant(krate: &TokenStream, relays: &[Result<Relay, String>]) -> TokenStream {
    let private = quote!(#krate::__private);
    let relays = relays.iter().map(|relay| match relay {
        Ok(relay) => {
            let relay = of(krate, relay);
            quote!(#private::Result::Ok(#relay))
        }
        Err(why) => quote!(#private::Result::Err(#why)),
    });
    quote!({
        static RELAYS: [#private::Result<#private::Relay, &#private::primitive::str>; 3] = [#(#relays),*];
        &RELAYS
    })
}

fn of(krate: &TokenStream, relay: &Relay) -> TokenStream {
    let private = quote!(#krate::__private);
    let split = axis_of(&private, &relay.split);
    let (is_backward, reach, lowest) = (relay.is_backward, number(relay.reach), number(relay.lowest));
    let carried = relay.carried.iter().map(|carried| {
        let lengths = carried.lengths.iter().map(|length| signature::form(krate, length));
        quote!(&[#(#lengths),*])
    });
    quote!(#private::Relay {
        split: #split, is_backward: #is_backward, reach: #reach, lowest: #lowest, carried: &[#(#carried),*],
    })
}

/// A module with the code of the kernel, and the path to its functions. `None` where an invariant of the compiler does not hold.
fn module(krate: &TokenStream, relay: &Relay) -> Option<(TokenStream, TokenStream)> {
    let instances = std::slice::from_ref(&relay.lawful);
    let programs = Programs::new(&relay.tree, instances, &[Target::Cpu], &by_rules).ok()?;
    let header = Header::of(krate, &relay.tree, Some(instances), programs);
    let nothing = |_: &str| -> Result<Compiled, String> { Err(NO_CODE.to_string()) };
    let functions: Vec<Function<'_>> = vec![
        run::run_into(&header),
        run::run_on(&header, &nothing),
        reference::function(&header),
        launch::plan(&header, &nothing),
        signature::function(&header),
    ];
    let own = GeneratedType { name: relay.tree.name.clone(), map: None };
    let (module, code, instance) = (ours("relay", relay.axis), own.code(), own.instance());
    let arguments = header.arguments(Over::Instance(&relay.lawful.kernel().instance));
    let items = hidden(&header, &functions, &relay.lawful);
    let items = quote!(mod #module { use #krate::__private::scope::*; #items });
    Some((items, quote!(<#module::#code<#arguments> as #module::#instance<#arguments>>)))
}

/// Why a GPU does not run it.
const NO_CODE: &str = "kernels whose values are carried from rank to rank run on the CPU";

/// The loop over the pieces of a call that runs by this relay. `passed` are the arguments for the parameters, `places` those for the
/// outputs, and `keeps` keeps what a piece computed.
pub fn pieces(
    krate: &TokenStream,
    relay: &Relay,
    arrangement: &TokenStream,
    (passed, places, keeps): (&[TokenStream], &[TokenStream], &TokenStream),
) -> TokenStream {
    let Some((module, path)) = module(krate, relay) else {
        let name = &relay.tree.name.text;
        let error = quote!(#krate::__private::From::from(#krate::Error::NotCompiled { kernel: #name }));
        return quote!(return #krate::__private::Result::Err(#error););
    };
    let numbers: Vec<Literal> = (0..relay.carried.len()).map(Literal::usize_unsuffixed).collect();
    let given: Vec<Ident> = (0..relay.carried.len()).map(|k| ours("g", k)).collect();
    let types = relay.carried.iter().map(|carried| {
        let element = literal::ty(krate, carried.ty);
        let rank = identifier(&format!("Ix{}", carried.lengths.len()), Span::call_site());
        quote!(#element, #krate::ndarray::#rank)
    });
    let types: Vec<TokenStream> = types.collect();
    quote! {
        #module
        while #arrangement::next(&mut plan) {
            let [taken, given] = #arrangement::windows(&plan);
            #(let mut #given = #arrangement::room_to_give::<#types>(&plan, #numbers)?;)*
            #path::run_into(
                site,
                #(#passed,)*
                #(#arrangement::take::<#types>(&plan, #numbers)?.view(),)*
                taken,
                given,
                #(#places,)*
                #(#given.view_mut()),*
            )
            .map_err(<#krate::Error as #krate::__private::From<_>>::from)?;
            #keeps
            #(#arrangement::give(&plan, #numbers, #given)?;)*
        }
    }
}
