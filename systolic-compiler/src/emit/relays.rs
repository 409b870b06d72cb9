//! What `run_on` needs where values are carried from part to part: the code of the kernel that ranks run then, and its data.
use super::arguments::Header;
use super::inner::inner;
use super::literal::{self, number};
use super::names::{identifier, ours};
use super::parts::{along_of, axis_of};
use super::signature;
use crate::compile::{Programs, by_rules};
use crate::laws::split::{Chunked, Stored, split};
use crate::mapping::Target;
use crate::model::Kernel;
use crate::relay::{self, Carrying, Relay};
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
    let (split, carrying) = (axis_of(&private, &relay.split), carrying_of(krate, &relay.carrying));
    let chunks = relay.chunks.as_ref().map(|chunks| {
        let Chunked { split, stored, least, .. } = &chunks.chunked;
        let (split, least) = (axis_of(&private, split), number(*least));
        let stored = stored.iter().map(|stored| match stored {
            Stored::Rows(along) => {
                let along = along_of(&private, along);
                quote!(#private::Stored::Rows(#along))
            }
            Stored::First => quote!(#private::Stored::First),
            Stored::Last => quote!(#private::Stored::Last),
        });
        let carrying = optional(&private, chunks.carrying.as_ref().map(|carrying| carrying_of(krate, carrying)));
        quote!(#private::Chunks { split: #split, stored: &[#(#stored),*], least: #least, carrying: #carrying })
    });
    let chunks = optional(&private, chunks);
    quote!(#private::Relay { split: #split, carrying: #carrying, chunks: #chunks })
}

fn optional(private: &TokenStream, value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(#private::Option::Some(#value)),
        None => quote!(#private::Option::None),
    }
}

fn carrying_of(krate: &TokenStream, carrying: &Carrying) -> TokenStream {
    let (is_backward, reach, lowest) = (carrying.is_backward, number(carrying.reach), number(carrying.lowest));
    let carried = carrying.carried.iter().map(|carried| {
        let lengths = carried.lengths.iter().map(|length| signature::form(krate, length));
        quote!(&[#(#lengths),*])
    });
    quote!(#krate::__private::Carrying {
        is_backward: #is_backward, reach: #reach, lowest: #lowest, carried: &[#(#carried),*],
    })
}

/// A module with the code of the kernel, and the path to its functions. `None` where an invariant of the compiler does not hold.
fn module(krate: &TokenStream, relay: &Relay) -> Option<(TokenStream, TokenStream)> {
    let instances = std::slice::from_ref(&relay.lawful);
    let programs = Programs::new(&relay.tree, instances, &[Target::Cpu], &by_rules).ok()?;
    Some(inner(krate, &ours("relay", relay.axis), (&relay.tree, &relay.lawful), programs, NO_CODE))
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
    let along = Arrays::of(krate, Some(&relay.carrying), "g");
    let in_chunks = Arrays::of(krate, relay.chunks.as_ref().and_then(|chunks| chunks.carrying.as_ref()), "h");
    let (Arrays { numbers, names, types }, chunks) = (&along, &in_chunks);
    let (held, held_numbers, held_types) = (&chunks.names, &chunks.numbers, &chunks.types);
    let next: Vec<Ident> = (0..held.len()).map(|k| ours("i", k)).collect();
    let windows = (!held.is_empty()).then(|| quote!(windows[2], windows[3],));
    quote! {
        #module
        #(let mut #held = #arrangement::room_to_hold::<#held_types>(&plan, #held_numbers)?;)*
        while #arrangement::next(&mut plan) {
            let windows = #arrangement::windows(&plan);
            #(let mut #names = #arrangement::room_to_give::<#types>(&plan, #numbers)?;)*
            #(let mut #next = #arrangement::room_to_hold::<#held_types>(&plan, #held_numbers)?;)*
            #path::run_into(
                site,
                #(#passed,)*
                #(#arrangement::take::<#types>(&plan, #numbers)?.view(),)*
                windows[0],
                windows[1],
                #(#held.view(),)*
                #windows
                #(#places,)*
                #(#names.view_mut(),)*
                #(#next.view_mut(),)*
            )
            .map_err(<#krate::Error as #krate::__private::From<_>>::from)?;
            #keeps
            #(#arrangement::give(&plan, #numbers, #names)?;)*
            #(#held = #next;)*
        }
    }
}

/// The arrays that are taken and given along one loop: their numbers, the names of variables, their elements and ranks.
#[derive(Default)]
struct Arrays {
    numbers: Vec<Literal>,
    names: Vec<Ident>,
    types: Vec<TokenStream>,
}

impl Arrays {
    fn of(krate: &TokenStream, carrying: Option<&Carrying>, letter: &str) -> Arrays {
        let mut arrays = Arrays::default();
        for (k, carried) in carrying.into_iter().flat_map(|carrying| &carrying.carried).enumerate() {
            let element = literal::ty(krate, carried.ty);
            let rank = identifier(&format!("Ix{}", carried.lengths.len()), Span::call_site());
            arrays.numbers.push(Literal::usize_unsuffixed(k));
            arrays.names.push(ours(letter, k));
            arrays.types.push(quote!(#element, #krate::ndarray::#rank));
        }
        arrays
    }
}
