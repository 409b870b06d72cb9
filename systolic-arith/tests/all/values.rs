//! Values: which types have which operations, and that nothing panics.

use crate::support::edges;
use systolic_arith::{BinaryOp, Bits, CompareOp, Float, Number, Scalar, Type, UnaryOp, Value, bf16, f16, ops};

#[test]
fn types_and_names() {
    for ty in Type::ALL {
        assert_eq!(Type::parse(ty.name()), Some(ty));
        assert_eq!(ty.to_string(), ty.name());
        assert_eq!(ty.bits() as usize, 8 * ty.bytes());
        assert_eq!(ty.is_numeric(), ty.is_float() || ty.is_integer());
        assert_eq!(Value::zero(ty).ty(), ty);
        assert_eq!(Value::zero(ty).bits(), 0);
    }
    assert_eq!(Type::parse("f8"), None);
    assert_eq!(Type::ALL.iter().filter(|ty| ty.is_signed()).count(), 8);
    assert_eq!(UnaryOp::Exp.to_string(), "exp");
    assert_eq!(BinaryOp::Shl.name(), "shl");
    assert_eq!(format!("{:>4}", CompareOp::Le), "  le");
}

#[test]
fn bits_there_and_back() {
    for ty in Type::ALL {
        for bits in edges(ty) {
            let kept = if ty == Type::Bool { bits & 1 } else { bits };
            assert_eq!(Value::from_bits(ty, bits).bits(), kept);
            let above = bits | u64::MAX.checked_shl(ty.bits()).unwrap_or(0);
            assert_eq!(Value::from_bits(ty, above).bits(), kept);
        }
    }
    let nan = Value::F32(f32::NAN);
    assert!(nan.same_bits(Value::F32(-f32::NAN)));
    assert!(!nan.same_bits(Value::F64(f64::NAN)));
    assert!(!nan.same_bits(Value::F32(0.0)));
    assert!(!Value::F32(0.0).same_bits(Value::F32(-0.0)));
    assert!(!Value::I32(0).same_bits(Value::U32(0)));
    assert_eq!(Value::from(1_u8).to_string(), "1");
    assert_eq!(Value::from(1_f32).to_string(), "1.0");
}

#[test]
fn what_fits() {
    for ty in Type::ALL {
        let (float, integer) = (ty.is_float(), ty.is_integer());
        for a in edges(ty) {
            let a = Value::from_bits(ty, a);
            for op in UnaryOp::ALL {
                let fits = match op {
                    UnaryOp::Neg | UnaryOp::Abs => float || integer,
                    UnaryOp::Not => !float,
                    _ => float,
                };
                let found = Value::unary(op, a);
                assert_eq!(found.map(Value::ty), fits.then_some(ty), "{op} {ty}");
            }
            for other in Type::ALL {
                let b = Value::from_bits(other, 1);
                for op in BinaryOp::ALL {
                    let fits = match op {
                        BinaryOp::Shl | BinaryOp::Shr => integer && other.is_integer(),
                        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => ty == other && !float,
                        BinaryOp::Pow => ty == other && float,
                        _ => ty == other && (float || integer),
                    };
                    let found = Value::binary(op, a, b);
                    assert_eq!(found.map(Value::ty), fits.then_some(ty), "{op} {ty} {other}");
                }
                for op in CompareOp::ALL {
                    assert_eq!(Value::compare(op, a, b).is_some(), ty == other);
                }
                let fits = ty == other && ty.is_numeric();
                assert_eq!(Value::fma(a, b, a).is_some(), fits);
                assert_eq!(Value::fma(a, a, b).is_some(), fits);
            }
        }
    }
}

/// Compares the operations on values with the generic functions, on all pairs of edge values. Neither may panic.
#[test]
fn values_and_functions_agree() {
    fn pairs<T: Scalar>(check: impl Fn(T, T)) {
        for a in edges(T::TYPE) {
            for b in edges(T::TYPE) {
                check(T::of_bits(a), T::of_bits(b));
            }
        }
    }
    fn agree<T: Scalar>(op: BinaryOp, a: T, b: T, result: T) {
        let found = Value::binary(op, a.value(), b.value()).unwrap();
        assert!(found.same_bits(result.value()), "{a:?} {op} {b:?}");
    }
    fn numbers<T: Number>() {
        pairs(|a: T, b: T| {
            agree(BinaryOp::Add, a, b, ops::add(a, b));
            agree(BinaryOp::Sub, a, b, ops::sub(a, b));
            agree(BinaryOp::Mul, a, b, ops::mul(a, b));
            agree(BinaryOp::Div, a, b, ops::div(a, b));
            agree(BinaryOp::Rem, a, b, ops::rem(a, b));
            agree(BinaryOp::Min, a, b, ops::min(a, b));
            agree(BinaryOp::Max, a, b, ops::max(a, b));
            for c in edges(T::TYPE) {
                let c = T::of_bits(c);
                let found = Value::fma(a.value(), b.value(), c.value()).unwrap();
                assert!(found.same_bits(ops::fma(a, b, c).value()));
            }
        });
    }
    fn bits<T: Bits>() {
        pairs(|a: T, b: T| {
            agree(BinaryOp::And, a, b, ops::and(a, b));
            agree(BinaryOp::Or, a, b, ops::or(a, b));
            agree(BinaryOp::Xor, a, b, ops::xor(a, b));
        });
    }
    fn floats<T: Float>() {
        for a in edges(T::TYPE) {
            let a = T::of_bits(a);
            let results = [
                (UnaryOp::Sqrt, ops::sqrt(a)),
                (UnaryOp::Exp, ops::exp(a)),
                (UnaryOp::Ln, ops::ln(a)),
                (UnaryOp::Exp2, ops::exp2(a)),
                (UnaryOp::Log2, ops::log2(a)),
                (UnaryOp::Sin, ops::sin(a)),
                (UnaryOp::Cos, ops::cos(a)),
                (UnaryOp::Tan, ops::tan(a)),
                (UnaryOp::Atan, ops::atan(a)),
                (UnaryOp::Sinh, ops::sinh(a)),
                (UnaryOp::Cosh, ops::cosh(a)),
                (UnaryOp::Tanh, ops::tanh(a)),
                (UnaryOp::Floor, ops::floor(a)),
                (UnaryOp::Ceil, ops::ceil(a)),
                (UnaryOp::Round, ops::round(a)),
                (UnaryOp::RoundEven, ops::round_even(a)),
                (UnaryOp::Trunc, ops::trunc(a)),
            ];
            assert_eq!(results.len(), UnaryOp::ALL.iter().filter(|op| op.is_of_floats()).count());
            for (op, result) in results {
                let found = Value::unary(op, a.value()).unwrap();
                assert!(found.same_bits(result.value()), "{op} {a:?}");
            }
        }
        pairs(|a: T, b: T| agree(BinaryOp::Pow, a, b, ops::pow(a, b)));
        numbers::<T>();
    }
    floats::<f16>();
    floats::<bf16>();
    floats::<f32>();
    floats::<f64>();
    numbers::<i8>();
    numbers::<i64>();
    numbers::<u8>();
    numbers::<u64>();
    bits::<i16>();
    bits::<u32>();
    bits::<bool>();
}

#[test]
fn bool_is_logic() {
    assert!(ops::xor(true, false) && ops::not(false) && !ops::and(true, false));
    assert!(ops::or(true, false) && ops::lt(false, true) && !ops::lt(true, true));
    assert!(ops::le(true, true) && !ops::le(true, false) && ops::ge(true, false));
}
