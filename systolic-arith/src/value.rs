//! Values that carry their type, for evaluators. The operations are those of [`ops`].

use std::fmt;

use crate::{BinaryOp, Bits, CompareOp, Float, Integer, Number, Scalar, Type, UnaryOp, bf16, f16, ops};

/// A typed value.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// An `f16`.
    F16(f16),
    /// A `bf16`.
    Bf16(bf16),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// An `i8`.
    I8(i8),
    /// An `i16`.
    I16(i16),
    /// An `i32`.
    I32(i32),
    /// An `i64`.
    I64(i64),
    /// A `u8`.
    U8(u8),
    /// A `u16`.
    U16(u16),
    /// A `u32`.
    U32(u32),
    /// A `u64`.
    U64(u64),
    /// A `bool`.
    Bool(bool),
}

/// Matches on a value, with one expression each for floats, integers and `bool`.
macro_rules! by_kind {
    ($value:expr, |$x:ident| $float:expr, $integer:expr, $bool:expr $(,)?) => {
        match $value {
            Value::F16($x) => $float,
            Value::Bf16($x) => $float,
            Value::F32($x) => $float,
            Value::F64($x) => $float,
            Value::I8($x) => $integer,
            Value::I16($x) => $integer,
            Value::I32($x) => $integer,
            Value::I64($x) => $integer,
            Value::U8($x) => $integer,
            Value::U16($x) => $integer,
            Value::U32($x) => $integer,
            Value::U64($x) => $integer,
            Value::Bool($x) => $bool,
        }
    };
}

/// Matches on a value, with one expression for all types.
macro_rules! by_type {
    ($value:expr, |$x:ident| $body:expr) => {
        by_kind!($value, |$x| $body, $body, $body)
    };
}

/// Binds a name to the Rust type of a [`Type`] in an expression.
macro_rules! with_type {
    ($ty:expr, $name:ident => $numeric:expr, $bool:expr) => {
        match $ty {
            Type::F16 => {
                type $name = f16;
                $numeric
            }
            Type::Bf16 => {
                type $name = bf16;
                $numeric
            }
            Type::F32 => {
                type $name = f32;
                $numeric
            }
            Type::F64 => {
                type $name = f64;
                $numeric
            }
            Type::I8 => {
                type $name = i8;
                $numeric
            }
            Type::I16 => {
                type $name = i16;
                $numeric
            }
            Type::I32 => {
                type $name = i32;
                $numeric
            }
            Type::I64 => {
                type $name = i64;
                $numeric
            }
            Type::U8 => {
                type $name = u8;
                $numeric
            }
            Type::U16 => {
                type $name = u16;
                $numeric
            }
            Type::U32 => {
                type $name = u32;
                $numeric
            }
            Type::U64 => {
                type $name = u64;
                $numeric
            }
            Type::Bool => $bool,
        }
    };
}

impl Value {
    /// The type.
    pub fn ty(self) -> Type {
        by_type!(self, |x| type_of(x))
    }

    /// The bits, zero-extended.
    pub fn bits(self) -> u64 {
        by_type!(self, |x| Scalar::bits(x))
    }

    /// The value with these bits. Bits above the width are ignored; for `bool`, those above the lowest.
    pub fn from_bits(ty: Type, bits: u64) -> Value {
        with_type!(ty, T => T::of_bits(bits).value(), bool::of_bits(bits).value())
    }

    /// Whether both have the same type and bits. NaNs of one type count as equal, because which NaN an operation gives
    /// depends on the machine.
    pub fn same_bits(self, other: Value) -> bool {
        self.ty() == other.ty() && (self.bits() == other.bits() || (self.is_nan() && other.is_nan()))
    }

    /// Whether this is a NaN.
    pub fn is_nan(self) -> bool {
        by_type!(self, |x| ops::ne(x, x))
    }

    /// Zero, +0 or false.
    pub fn zero(ty: Type) -> Value {
        Value::from_bits(ty, 0)
    }

    /// Applies an operation. Returns `None` if the type does not have it.
    pub fn unary(op: UnaryOp, a: Value) -> Option<Value> {
        by_kind!(a, |x| float_unary(op, x), integer_unary(op, x), bits_unary(op, x))
    }

    /// Applies an operation. Returns `None` if the types differ or do not have it. The count of a shift may have
    /// another integer type.
    pub fn binary(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        by_kind!(
            a,
            |x| match op {
                BinaryOp::Pow => Some(ops::pow(x, alike(x, b)?).value()),
                _ => number_binary(op, x, alike(x, b)?),
            },
            match op {
                BinaryOp::Shl => Some(ops::shl(x, b.shift_count()?).value()),
                BinaryOp::Shr => Some(ops::shr(x, b.shift_count()?).value()),
                _ => integer_binary(op, x, alike(x, b)?),
            },
            bits_binary(op, x, alike(x, b)?),
        )
    }

    /// Compares two values. Returns `None` if the types differ.
    pub fn compare(op: CompareOp, a: Value, b: Value) -> Option<bool> {
        by_type!(a, |x| Some(compare(op, x, alike(x, b)?)))
    }

    /// `self * factor + summand`, rounded once. Returns `None` if the types differ or are `bool`.
    pub fn fma(self, factor: Value, summand: Value) -> Option<Value> {
        by_kind!(
            self,
            |x| Some(ops::fma(x, alike(x, factor)?, alike(x, summand)?).value()),
            Some(ops::fma(x, alike(x, factor)?, alike(x, summand)?).value()),
            {
                let _ = x;
                None
            },
        )
    }

    /// `self as ty`. Returns `None` if Rust has no such cast: from `bool` to a float, and from a number to `bool`.
    pub fn cast(self, ty: Type) -> Option<Value> {
        by_kind!(
            self,
            |x| with_type!(ty, T => Some(ops::cast::<_, T>(x).value()), None),
            with_type!(ty, T => Some(ops::cast::<_, T>(x).value()), None),
            match ty {
                Type::Bool => Some(self),
                // A bool is cast like the integer 0 or 1.
                _ if ty.is_integer() => Value::U8(ops::cast(x)).cast(ty),
                _ => None,
            },
        )
    }

    /// Returns the number that a value of an integer type stands for; `None` for other types.
    #[inline]
    pub fn integer(self) -> Option<i128> {
        Some(match self {
            Value::I8(v) => v.into(),
            Value::I16(v) => v.into(),
            Value::I32(v) => v.into(),
            Value::I64(v) => v.into(),
            Value::U8(v) => v.into(),
            Value::U16(v) => v.into(),
            Value::U32(v) => v.into(),
            Value::U64(v) => v.into(),
            _ => return None,
        })
    }

    /// `value as ty`. Returns `None` for `bool`.
    pub fn from_i64(value: i64, ty: Type) -> Option<Value> {
        Value::I64(value).cast(ty)
    }

    /// This value as a shift count; `None` if it is not an integer.
    fn shift_count(self) -> Option<u32> {
        by_kind!(
            self,
            |x| {
                let _ = x;
                None
            },
            Some(x.shift_count()),
            {
                let _ = x;
                None
            },
        )
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Debug prints the decimal point of a float such as 1.0.
        by_type!(self, |x| fmt::Debug::fmt(x, f))
    }
}

/// Conversions from the Rust types.
macro_rules! from {
    ($($name:ident)+) => {
        $(impl From<$name> for Value {
            fn from(x: $name) -> Value {
                x.value()
            }
        })+
    };
}

from!(f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool);

/// The type of a scalar.
fn type_of<T: Scalar>(_: T) -> Type {
    T::TYPE
}

/// The content of a value; `None` if its type is not that of `_like`.
fn alike<T: Scalar>(_like: T, value: Value) -> Option<T> {
    T::of_value(value)
}

fn float_unary<T: Float>(op: UnaryOp, a: T) -> Option<Value> {
    let result = match op {
        UnaryOp::Neg => ops::neg(a),
        UnaryOp::Abs => ops::abs(a),
        UnaryOp::Sqrt => ops::sqrt(a),
        UnaryOp::Exp => ops::exp(a),
        UnaryOp::Ln => ops::ln(a),
        UnaryOp::Exp2 => ops::exp2(a),
        UnaryOp::Log2 => ops::log2(a),
        UnaryOp::Sin => ops::sin(a),
        UnaryOp::Cos => ops::cos(a),
        UnaryOp::Tan => ops::tan(a),
        UnaryOp::Atan => ops::atan(a),
        UnaryOp::Sinh => ops::sinh(a),
        UnaryOp::Cosh => ops::cosh(a),
        UnaryOp::Tanh => ops::tanh(a),
        UnaryOp::Floor => ops::floor(a),
        UnaryOp::Ceil => ops::ceil(a),
        UnaryOp::Round => ops::round(a),
        UnaryOp::RoundEven => ops::round_even(a),
        UnaryOp::Trunc => ops::trunc(a),
        UnaryOp::Not => return None,
    };
    Some(result.value())
}

fn integer_unary<T: Integer>(op: UnaryOp, a: T) -> Option<Value> {
    match op {
        UnaryOp::Neg => Some(ops::neg(a).value()),
        UnaryOp::Abs => Some(ops::abs(a).value()),
        _ => bits_unary(op, a),
    }
}

fn bits_unary<T: Bits>(op: UnaryOp, a: T) -> Option<Value> {
    match op {
        UnaryOp::Not => Some(ops::not(a).value()),
        _ => None,
    }
}

fn number_binary<T: Number>(op: BinaryOp, a: T, b: T) -> Option<Value> {
    let result = match op {
        BinaryOp::Add => ops::add(a, b),
        BinaryOp::Sub => ops::sub(a, b),
        BinaryOp::Mul => ops::mul(a, b),
        BinaryOp::Div => ops::div(a, b),
        BinaryOp::Rem => ops::rem(a, b),
        BinaryOp::Min => ops::min(a, b),
        BinaryOp::Max => ops::max(a, b),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Pow => {
            return None;
        }
    };
    Some(result.value())
}

fn integer_binary<T: Integer>(op: BinaryOp, a: T, b: T) -> Option<Value> {
    number_binary(op, a, b).or_else(|| bits_binary(op, a, b))
}

fn bits_binary<T: Bits>(op: BinaryOp, a: T, b: T) -> Option<Value> {
    let result = match op {
        BinaryOp::And => ops::and(a, b),
        BinaryOp::Or => ops::or(a, b),
        BinaryOp::Xor => ops::xor(a, b),
        _ => return None,
    };
    Some(result.value())
}

fn compare<T: Scalar>(op: CompareOp, a: T, b: T) -> bool {
    match op {
        CompareOp::Eq => ops::eq(a, b),
        CompareOp::Ne => ops::ne(a, b),
        CompareOp::Lt => ops::lt(a, b),
        CompareOp::Le => ops::le(a, b),
        CompareOp::Gt => ops::gt(a, b),
        CompareOp::Ge => ops::ge(a, b),
    }
}
