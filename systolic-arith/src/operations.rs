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
    UnaryOp [6] {
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
    }
}

operations! {
    /// An operation on two values of one type; the count of a shift may have another integer type.
    BinaryOp [12] {
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
