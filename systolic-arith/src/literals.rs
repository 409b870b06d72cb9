//! Converts numbers in source text to values: each is rounded once, and numbers that do not fit are rejected.

use crate::halves::{bf16_from_f32, bf16_from_integer, f16_from_f32, f16_from_integer, odd};
use crate::{Type, Value, bf16, f16};

/// A decimal literal such as `1_000`, `.5`, `2.` or `-1e-3`, rounded once to a float type. Returns `None` if the text
/// is not such a literal, if it rounds to infinity, or if the type is not a float.
pub fn parse_float(text: &str, ty: Type) -> Option<Value> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    // Rust's parser also accepts words such as `inf`, but no underscores.
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let plain = text.replace('_', "");
    match ty {
        Type::F32 => finite(plain.parse::<f32>().ok()?).map(Value::F32),
        Type::F64 => finite(plain.parse::<f64>().ok()?).map(Value::F64),
        Type::F16 => fitting_f16(f16_from_f32(odd_from_decimal(&plain)?)),
        Type::Bf16 => fitting_bf16(bf16_from_f32(odd_from_decimal(&plain)?)),
        _ => None,
    }
}

/// An integer literal in a numeric type: exact in an integer type, rounded once in a float type. Returns `None` if it
/// is out of range or the type is `bool`.
pub fn int_fits(value: i128, ty: Type) -> Option<Value> {
    match ty {
        Type::F16 => fitting_f16(f16_from_integer(value)),
        Type::Bf16 => fitting_bf16(bf16_from_integer(value)),
        Type::F32 => finite(value as f32).map(Value::F32),
        Type::F64 => finite(value as f64).map(Value::F64),
        Type::I8 => value.try_into().ok().map(Value::I8),
        Type::I16 => value.try_into().ok().map(Value::I16),
        Type::I32 => value.try_into().ok().map(Value::I32),
        Type::I64 => value.try_into().ok().map(Value::I64),
        Type::U8 => value.try_into().ok().map(Value::U8),
        Type::U16 => value.try_into().ok().map(Value::U16),
        Type::U32 => value.try_into().ok().map(Value::U32),
        Type::U64 => value.try_into().ok().map(Value::U64),
        Type::Bool => None,
    }
}

/// The float, or `None` if it is not finite.
fn finite<T: Into<f64> + Copy>(x: T) -> Option<T> {
    x.into().is_finite().then_some(x)
}

/// The value, or `None` if it is not finite.
fn fitting_f16(x: f16) -> Option<Value> {
    x.is_finite().then_some(Value::F16(x))
}

/// The value, or `None` if it is not finite.
fn fitting_bf16(x: bf16) -> Option<Value> {
    x.is_finite().then_some(Value::Bf16(x))
}

/// A decimal number rounded to odd.
fn odd_from_decimal(text: &str) -> Option<f32> {
    let double: f64 = text.parse().ok()?;
    let single = double as f32;
    let side = if double == f64::from(single) {
        // The number is an f32 or was rounded to one; only its digits tell which.
        Decimal::of(text).cmp(&Decimal::of(&format!("{:.149}", double.abs())))
    } else {
        // No f32 lies between the number and `double`, so both lie on the same side.
        double.abs().total_cmp(&f64::from(single).abs())
    };
    Some(odd(single, side))
}

/// The exact magnitude of a decimal number: 0.`digits` times ten to the power of `point`. There are no zeros at either
/// end of the digits, so that the derived order is that of the numbers.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Decimal {
    point: i64,
    digits: Vec<u8>,
}

impl Decimal {
    /// Parses a text that Rust's float parser has accepted.
    fn of(text: &str) -> Decimal {
        let text = text.trim_start_matches(['-', '+']);
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let Some(first) = all.iter().position(|&digit| digit != b'0') else {
            return Decimal { point: i64::MIN, digits: Vec::new() };
        };
        let last = all.iter().rposition(|&digit| digit != b'0').unwrap_or(first);
        // A number whose exponent exceeds i64 is larger than any float, or smaller than any except 0.
        let far = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
        let point = exponent.parse().unwrap_or(far);
        Decimal { point: point.saturating_add(whole.len() as i64 - first as i64), digits: all[first..=last].to_vec() }
    }
}
