//! Affine forms and formulas as Rust expressions over the sizes `s0, s1, …` and the loops `i0, i1, …`.
use super::literal::index;
use super::names::ours;
use crate::model::{Form, Formula, Int, Kernel};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The variable that holds a dimension.
pub fn dimension(kernel: &Kernel, dim: usize) -> Ident {
    match dim.checked_sub(kernel.sizes.len()) {
        Some(l) => ours("i", l),
        None => ours("s", dim),
    }
}

/// `2 * s0 - i1 + 3`
pub fn form(kernel: &Kernel, form: &Form) -> TokenStream {
    let mut tokens = TokenStream::new();
    for (dim, coef) in form.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
        let name = dimension(kernel, dim);
        let first = tokens.is_empty();
        tokens.extend(match (first, *coef < 0) {
            (true, false) => quote!(),
            (_, true) => quote!(-),
            (false, false) => quote!(+),
        });
        tokens.extend(match coef.saturating_abs() {
            1 => quote!(#name),
            c => {
                let c = index(c);
                quote!(#c * #name)
            }
        });
    }
    let constant = form.constant;
    if tokens.is_empty() {
        return suffixed(constant);
    }
    let size = index(constant.saturating_abs());
    match constant {
        0 => {}
        c if c < 0 => tokens.extend(quote!(- #size)),
        _ => tokens.extend(quote!(+ #size)),
    }
    tokens
}

/// A number on its own needs a suffix: Rust would infer `i32`.
fn suffixed(v: Int) -> TokenStream {
    let v = v.clamp(-Int::from(i64::MAX), i64::MAX.into());
    let literal = proc_macro2::Literal::i64_suffixed(v.unsigned_abs().try_into().unwrap_or(i64::MAX));
    if v < 0 { quote!(-#literal) } else { quote!(#literal) }
}

/// `[i0 - 1, i1]`
pub fn list(kernel: &Kernel, forms: &[Form]) -> TokenStream {
    let forms = forms.iter().map(|f| form(kernel, f));
    quote!([#(#forms),*])
}

/// A formula as a `bool`.
pub fn formula(kernel: &Kernel, f: &Formula) -> TokenStream {
    match f {
        Formula::True => quote!(true),
        Formula::False => quote!(false),
        Formula::AtLeast(f) => {
            let f = form(kernel, f);
            // Not `>= 0`: clippy asks to write `i - 1 >= 0` as `i > 0`.
            quote!(#f > -1)
        }
        Formula::Zero(f) => {
            let f = form(kernel, f);
            quote!(#f == 0)
        }
        // A remainder is neither negative nor as large as the modulus.
        Formula::Remainder { modulus, is, .. } if *modulus < 1 || *is < 0 || is >= modulus => quote!(false),
        Formula::Remainder { form: f, modulus, is } => {
            let (f, modulus, is) = (form(kernel, f), index(*modulus), index(*is));
            quote!((#f).rem_euclid(#modulus) == #is)
        }
        Formula::All(all) => joined(kernel, all, quote!(&&), true),
        Formula::Any(any) => joined(kernel, any, quote!(||), false),
        Formula::Not(f) => {
            let f = formula(kernel, f);
            quote!(!(#f))
        }
    }
}

fn joined(kernel: &Kernel, parts: &[Formula], sign: TokenStream, none: bool) -> TokenStream {
    let mut tokens = TokenStream::new();
    for part in parts {
        let inner = formula(kernel, part);
        let inner = match part {
            Formula::All(_) | Formula::Any(_) if parts.len() > 1 => quote!((#inner)),
            _ => inner,
        };
        if !tokens.is_empty() {
            tokens.extend(sign.clone());
        }
        tokens.extend(inner);
    }
    if tokens.is_empty() { quote!(#none) } else { tokens }
}
