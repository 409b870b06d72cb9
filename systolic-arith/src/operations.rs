//! The operations as data. Each name is that of the function in [`ops`](crate::ops).

use std::fmt;

/// Defines an enum of operations with its `ALL`, `name` and `Display`.
macro_rules! operations {
    ($(#[$doc:meta])* $kind:ident [$count:literal] { $($(#[$each:meta])* $name:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum $kind {
            $($(#[$each])* $name,)*
        }

        impl $kind {
            /// Every operation of this kind.
            pub const ALL: [$kind; $count] = [$($kind::$name,)*];

            /// The name of its function in [`ops`](crate::ops).
            pub fn name(self) -> &'static str {
                match self {
                    $($kind::$name => $text,)*
                }
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

operations! {
    /// An operation on one value.
    UnaryOp [20] {
        /// `-a`, on numbers; wraps on integers.
        Neg = "neg",
        /// `!a`, on integers and `bool`.
        Not = "not",
        /// The absolute value of a number; wraps on integers.
        Abs = "abs",
        /// The square root of a float.
        Sqrt = "sqrt",
        /// e to the power of a float.
        Exp = "exp",
        /// The natural logarithm of a float.
        Ln = "ln",
        /// 2 to the power of a float.
        Exp2 = "exp2",
        /// The logarithm of a float to base 2.
        Log2 = "log2",
        /// The sine of a float.
        Sin = "sin",
        /// The cosine of a float.
        Cos = "cos",
        /// The tangent of a float.
        Tan = "tan",
        /// The angle whose tangent is a float.
        Atan = "atan",
        /// The hyperbolic sine of a float.
        Sinh = "sinh",
        /// The hyperbolic cosine of a float.
        Cosh = "cosh",
        /// The hyperbolic tangent of a float.
        Tanh = "tanh",
        /// The nearest integer that is not greater than a float.
        Floor = "floor",
        /// The nearest integer that is not smaller than a float.
        Ceil = "ceil",
        /// The integer nearest to a float; halves go away from zero.
        Round = "round",
        /// The integer nearest to a float; halves go to the even one.
        RoundEven = "round_even",
        /// The integer part of a float.
        Trunc = "trunc",
    }
}

impl UnaryOp {
    /// Whether only floats have this operation.
    pub fn is_of_floats(self) -> bool {
        !matches!(self, UnaryOp::Neg | UnaryOp::Not | UnaryOp::Abs)
    }

    /// Whether this rounds a float to an integer.
    pub fn is_rounding(self) -> bool {
        matches!(self, UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round | UnaryOp::RoundEven | UnaryOp::Trunc)
    }
}

operations! {
    /// An operation on two values of one type; the count of a shift may have another integer type.
    BinaryOp [13] {
        /// `a + b`.
        Add = "add",
        /// `a - b`.
        Sub = "sub",
        /// `a * b`.
        Mul = "mul",
        /// `a / b`.
        Div = "div",
        /// `a % b`.
        Rem = "rem",
        /// `a & b`, on integers and `bool`.
        And = "and",
        /// `a | b`, on integers and `bool`.
        Or = "or",
        /// `a ^ b`, on integers and `bool`.
        Xor = "xor",
        /// `a << n`, on integers.
        Shl = "shl",
        /// `a >> n`, on integers.
        Shr = "shr",
        /// The smaller value.
        Min = "min",
        /// The larger value.
        Max = "max",
        /// `a` to the power of `b`, on floats.
        Pow = "pow",
    }
}

operations! {
    /// A comparison of two values of one type; false is below true.
    CompareOp [6] {
        /// `a == b`.
        Eq = "eq",
        /// `a != b`.
        Ne = "ne",
        /// `a < b`.
        Lt = "lt",
        /// `a <= b`.
        Le = "le",
        /// `a > b`.
        Gt = "gt",
        /// `a >= b`.
        Ge = "ge",
    }
}
