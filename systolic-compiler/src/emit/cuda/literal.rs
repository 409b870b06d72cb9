//! Literals of C++ that keep all bits of a value.
use crate::model::Value;

pub fn literal(value: Value) -> String {
    match value {
        Value::F32(v) if v.is_finite() => format!("{v:?}f"),
        Value::F64(v) if v.is_finite() => format!("{v:?}"),
        Value::F32(v) => format!("of_bits<f32>({:#x}u)", v.to_bits()),
        Value::F64(v) => format!("of_bits<f64>({:#x}ull)", v.to_bits()),
        Value::F16(_) => format!("f16{{{:#06x}}}", value.bits()),
        Value::Bf16(_) => format!("bf16{{{:#06x}}}", value.bits()),
        Value::Bool(v) => v.to_string(),
        Value::I8(v) => format!("i8({v})"),
        Value::I16(v) => format!("i16({v})"),
        // C++ has no literals for the smallest integers.
        Value::I32(v) if v == i32::MIN => "i32(-2147483647 - 1)".to_string(),
        Value::I32(v) => v.to_string(),
        Value::I64(v) if v == i64::MIN => "i64(-9223372036854775807ll - 1)".to_string(),
        Value::I64(v) => format!("{v}ll"),
        Value::U8(v) => format!("u8({v})"),
        Value::U16(v) => format!("u16({v})"),
        Value::U32(v) => format!("{v}u"),
        Value::U64(v) => format!("{v}ull"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_bits() {
        assert_eq!(literal(Value::F32(0.1)), "0.1f");
        assert_eq!(literal(Value::F32(1e30)), "1e30f");
        assert_eq!(literal(Value::F32(-0.0)), "-0.0f");
        assert_eq!(literal(Value::F32(f32::INFINITY)), "of_bits<f32>(0x7f800000u)");
        assert_eq!(literal(Value::F64(2.0)), "2.0");
    }

    #[test]
    fn least_integers_are_sums() {
        assert_eq!(literal(Value::I32(i32::MIN)), "i32(-2147483647 - 1)");
        assert_eq!(literal(Value::I8(-128)), "i8(-128)");
    }
}
