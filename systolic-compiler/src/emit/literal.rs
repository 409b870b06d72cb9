//! Types, values and numbers as tokens.
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use systolic_arith::{Type, Value};
use systolic_sets::Int;

/// The Rust type, as a path that nothing in the user's scope can hide.
pub fn ty(krate: &TokenStream, ty: Type) -> TokenStream {
    let name = format_ident!("{}", ty.name());
    match ty {
        Type::F16 | Type::Bf16 => quote!(#krate::#name),
        _ => quote!(#krate::__private::primitive::#name),
    }
}

/// A value of a kernel.
pub fn value(krate: &TokenStream, value: Value) -> TokenStream {
    match value {
        Value::F32(v) if v.is_finite() => signed(v.is_sign_negative(), Literal::f32_suffixed(v.abs())),
        Value::F64(v) if v.is_finite() => signed(v.is_sign_negative(), Literal::f64_suffixed(v.abs())),
        Value::F16(_) | Value::Bf16(_) | Value::F32(_) | Value::F64(_) => {
            let ty = ty(krate, value.ty());
            let bits = Literal::u64_unsuffixed(value.bits());
            quote!(<#ty>::from_bits(#bits))
        }
        Value::I8(v) => integer(krate, v.into(), Type::I8),
        Value::I16(v) => integer(krate, v.into(), Type::I16),
        Value::I32(v) => integer(krate, v.into(), Type::I32),
        Value::I64(v) => integer(krate, v.into(), Type::I64),
        Value::U8(v) => integer(krate, v.into(), Type::U8),
        Value::U16(v) => integer(krate, v.into(), Type::U16),
        Value::U32(v) => integer(krate, v.into(), Type::U32),
        Value::U64(v) => integer(krate, v.into(), Type::U64),
        Value::Bool(v) => quote!(#v),
    }
}

/// An integer literal of this type. The literal has no sign, so the minus is a separate token, also for `-128i8`.
fn integer(krate: &TokenStream, v: Int, ty: Type) -> TokenStream {
    let literal = format!("{}{ty}", v.unsigned_abs()).parse::<Literal>();
    match literal {
        Ok(literal) => signed(v < 0, literal),
        // Does not occur: digits with a suffix are a literal.
        Err(_) => {
            let (bare, ty) = (number(v), self::ty(krate, ty));
            quote!((#bare as #ty))
        }
    }
}

fn signed(negative: bool, literal: Literal) -> TokenStream {
    if negative { quote!(-#literal) } else { quote!(#literal) }
}

/// A number whose type is inferred from its context.
pub fn number(v: Int) -> TokenStream {
    signed(v < 0, Literal::u128_unsuffixed(v.unsigned_abs()))
}

/// An index. The laws and the runtime keep indices within 64 bits; a constant beyond them is never used.
pub fn index(v: Int) -> TokenStream {
    number(v.clamp(-Int::from(i64::MAX), i64::MAX.into()))
}
