//! Literals: ties between the 16-bit floats, texts next to them, and ranges.

use crate::support::{Format, Random};
use systolic_arith::{Type, Value, int_fits, parse_float};

fn check(text: &str, ty: Type, bits: u16) {
    let found = parse_float(text, ty).map(|value| (value.ty(), value.bits()));
    assert_eq!(found, Some((ty, u64::from(bits))), "{text} as {ty}");
}

/// Every kth midpoint in full digits, and numbers that differ from it in a far digit.
fn check_midpoints(ty: Type, format: &Format, step: usize) {
    let last = format.finite().end - 1;
    for bits in format.finite().step_by(step).chain([0, last]) {
        let middle = format!("{:.160}", format.midpoint(bits));
        let above = format!("{middle}{}1", "0".repeat(40));
        let trimmed = middle.trim_end_matches(['0']);
        let mut below = trimmed.trim_end_matches('.').to_string().into_bytes();
        // Decrement the last nonzero digit and append nines.
        if let Some(digit) = below.iter_mut().rev().find(|digit| **digit != b'0' && **digit != b'.') {
            *digit -= 1;
        }
        let mut below = String::from_utf8(below).unwrap();
        if !trimmed.ends_with('.') {
            below.push_str(&"9".repeat(60));
            check(&below, ty, bits);
            check(&format!("-{below}"), ty, bits | 0x8000);
        }
        if bits == last {
            assert!(parse_float(&middle, ty).is_none());
            assert!(parse_float(&above, ty).is_none());
            continue;
        }
        check(&middle, ty, bits + (bits & 1));
        check(&above, ty, bits + 1);
        check(&format!("-{above}"), ty, (bits + 1) | 0x8000);
        check(&format!("+{middle}e0"), ty, bits + (bits & 1));
        // The same number with its decimal point moved far away.
        let digits = above.replace('.', "");
        let places = above.len() - above.find('.').unwrap() - 1;
        check(&format!("{digits}E-{places}"), ty, bits + 1);
        check(&format!("0.{}{digits}e{}", "0".repeat(300), 300 + digits.len() - places), ty, bits + 1);
    }
}

#[test]
fn ties_of_the_16_bit_floats() {
    check_midpoints(Type::F16, &Format::f16(), 7);
    check_midpoints(Type::Bf16, &Format::bf16(), 31);
}

#[test]
fn random_decimals() {
    let mut random = Random(12);
    let (half, brain) = (Format::f16(), Format::bf16());
    for _ in 0..20_000 {
        let x = random.single();
        if !x.is_finite() {
            continue;
        }
        // These digits are exact, so the table rounds the same number.
        let text = format!("{:.149}", x);
        let small = half.round(x as f64);
        match small & 0x7fff {
            0x7c00 => assert!(parse_float(&text, Type::F16).is_none()),
            _ => check(&text, Type::F16, small),
        }
        let small = brain.round(x as f64);
        match small & 0x7fff {
            0x7f80 => assert!(parse_float(&text, Type::Bf16).is_none()),
            _ => check(&text, Type::Bf16, small),
        }
        let again = parse_float(&text, Type::F32).unwrap();
        assert_eq!(again.bits(), u64::from(x.to_bits()));
    }
}

#[test]
fn what_is_a_literal() {
    for ty in [Type::F16, Type::Bf16, Type::F32, Type::F64] {
        let one = int_fits(1, ty).unwrap();
        for text in ["1", "1.", "1.0", "+1", "10e-1", "0.1e1", "0_1.0_0", "1e_0", "1e-0", ".1E+1"] {
            assert!(parse_float(text, ty).unwrap().same_bits(one), "{text}");
        }
        for text in
            ["", ".", "-", "_", "_1", "-_1", "inf", "nan", "-inf", "1e", "e1", "0x1", "1f32", "1 ", "--1", "1..0"]
        {
            assert!(parse_float(text, ty).is_none(), "{text}");
        }
        for text in ["1e400", "-1e99999999999999999999", "1e9223372036854775807"] {
            assert!(parse_float(text, ty).is_none(), "{text}");
        }
        for text in ["0", "1e-400", "1e-99999999999999999999", "0e99999999999999999999"] {
            assert_eq!(parse_float(text, ty).unwrap().bits(), 0, "{text}");
        }
        let minus_zero = parse_float("-0.0", ty).unwrap();
        assert_eq!(minus_zero.bits(), 1 << (ty.bits() - 1));
    }
    assert!(parse_float("1", Type::I32).is_none());
    assert!(parse_float("1", Type::Bool).is_none());
}

#[test]
fn integer_literals() {
    for ty in Type::ALL.into_iter().filter(|ty| ty.is_integer()) {
        let width = ty.bits();
        let (low, high) = match ty.is_signed() {
            true => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
            false => (0, (1_i128 << width) - 1),
        };
        for fits in [low, low + 1, 0, 1, high - 1, high] {
            let value = int_fits(fits, ty).unwrap();
            assert_eq!(value.ty(), ty);
            assert_eq!(value.bits() as i128, fits & ((1 << width) - 1));
        }
        for outside in [low - 1, high + 1, i128::MIN, i128::MAX] {
            assert!(int_fits(outside, ty).is_none());
        }
    }
    assert!(int_fits(1, Type::Bool).is_none());
    assert!(int_fits(65519, Type::F16).unwrap().same_bits(Value::from_bits(Type::F16, 0x7bff)));
    assert!(int_fits(65520, Type::F16).is_none());
    assert!(int_fits(-65520, Type::F16).is_none());
    for value in [i128::MIN, i128::MAX, (1 << 100) + (1 << 92), (1 << 100) + (1 << 92) + 1] {
        for ty in [Type::Bf16, Type::F32, Type::F64] {
            let parsed = parse_float(&value.to_string(), ty).unwrap();
            assert!(int_fits(value, ty).unwrap().same_bits(parsed), "{value} as {ty}");
        }
    }
}
