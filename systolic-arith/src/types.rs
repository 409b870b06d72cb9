//! The types a kernel computes with.

use std::fmt;

/// An element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Type {
    /// IEEE half precision.
    F16,
    /// The upper half of an `f32`.
    Bf16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// 8 bits, signed.
    I8,
    /// 16 bits, signed.
    I16,
    /// 32 bits, signed.
    I32,
    /// 64 bits, signed.
    I64,
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, unsigned.
    U64,
    /// True or false.
    Bool,
}

impl Type {
    /// Every type.
    pub const ALL: [Type; 13] = [
        Type::F16,
        Type::Bf16,
        Type::F32,
        Type::F64,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::U8,
        Type::U16,
        Type::U32,
        Type::U64,
        Type::Bool,
    ];

    /// The name in source text, as in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Type::F16 => "f16",
            Type::Bf16 => "bf16",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::U8 => "u8",
            Type::U16 => "u16",
            Type::U32 => "u32",
            Type::U64 => "u64",
            Type::Bool => "bool",
        }
    }

    /// The type of this name; `None` if there is none.
    pub fn parse(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// The number of 4-byte registers that a value takes.
    pub fn words(self) -> usize {
        self.bytes().div_ceil(4)
    }

    /// The size in memory; 1 for `bool`.
    pub fn bytes(self) -> usize {
        match self {
            Type::I8 | Type::U8 | Type::Bool => 1,
            Type::F16 | Type::Bf16 | Type::I16 | Type::U16 => 2,
            Type::F32 | Type::I32 | Type::U32 => 4,
            Type::F64 | Type::I64 | Type::U64 => 8,
        }
    }

    /// The size in memory in bits; 8 for `bool`.
    pub fn bits(self) -> u32 {
        8 * self.bytes() as u32
    }

    /// Whether this is one of the four float types.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::Bf16 | Type::F32 | Type::F64)
    }

    /// Whether this is one of the eight integer types; `bool` is not.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Type::Bool
    }

    /// Whether this has negative values: signed integers and floats.
    pub fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64)
    }

    /// Whether this is a float or an integer type.
    pub fn is_numeric(self) -> bool {
        self != Type::Bool
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
