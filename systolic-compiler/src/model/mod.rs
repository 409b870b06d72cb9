//! A kernel instance with every name resolved: loops, sizes and guards as affine forms, expressions typed.
//! `resolve` turns a tree into one `Kernel` per combination of generics, or into faults.
mod affine;
mod build;
mod compact;
mod constant;
mod copies;
mod direct;
mod expressions;
mod guards;
mod hull;
mod infer;
mod instances;
mod interleaved;
mod lengths;
mod map_names;
mod maps;
mod names;
mod one_map;
mod places;
mod rank;
mod reads;
mod scope;
mod shift;
mod sizes;
mod type_conditions;
mod types;
mod uniform;

pub use build::{Resolved, resolve};
pub use compact::gcd;
pub use copies::moved;
pub use hull::hull;
pub use instances::{Argument, Instance};
pub use interleaved::Interleaved;
pub use lengths::{Length, Lengths};
pub use map_names::RowName;
pub use maps::{Mapping, MatrixClause, Node, Stage, Tile, Wishes};
pub use names::twice;
pub use one_map::{FreeLoop, changed, free_loops, fresh_name, number, resolve_map, taken_names};
pub use places::{Places, Row, RowKind};
pub use reads::{Access, Read, Reader};
pub use scope::size_names;
pub use shift::{Shift, Shifted};

use crate::region::{Name, Region};
pub use crate::syntax::tree::{Device, StageMedium};
pub use systolic_arith::{BinaryOp, CompareOp, Type, UnaryOp, Value};
pub use systolic_sets::{Form, Formula, Int};

/// One instance of a kernel. Its affine forms are over its dimensions: the sizes first, then the loops.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub name: Name,
    pub instance: Instance,
    /// Run-time sizes, in the order in which the signature mentions them; then lengths, one per way in which they are indexed.
    pub sizes: Vec<Size>,
    pub loops: Vec<Loop>,
    pub parameters: Vec<Parameter>,
    pub outputs: Vec<Output>,
    pub constants: Vec<Constant>,
    /// One per variable, in source order.
    pub equations: Vec<Equation>,
    pub stores: Vec<Store>,
    /// The kernel's `where`, over the sizes.
    pub conditions: Vec<Condition>,
    /// The maps whose `where` admits this instance, in source order, without those that have to be completed.
    pub maps: Vec<Mapping>,
    /// The numbers of the maps that have to be completed, among all maps of the kernel.
    pub open: Vec<usize>,
}

impl Kernel {
    /// The type of an array's elements; a `size` parameter counts as `i64`.
    pub fn element(&self, array: Array) -> Type {
        match array {
            Array::Parameter(k) => match &self.parameters[k].kind {
                ParameterKind::Array { ty, .. } | ParameterKind::Const { ty, .. } | ParameterKind::Scalar { ty } => *ty,
                ParameterKind::Size => Type::I64,
            },
            Array::Constant(k) => self.constants[k].ty,
        }
    }

    /// The border of an array.
    pub fn border(&self, array: Array) -> Option<&Border> {
        match array {
            Array::Parameter(k) => match &self.parameters[k].kind {
                ParameterKind::Array { border, .. } | ParameterKind::Const { border, .. } => border.as_ref(),
                ParameterKind::Scalar { .. } | ParameterKind::Size => None,
            },
            Array::Constant(k) => self.constants[k].border.as_ref(),
        }
    }

    /// Whether one of the kernel's maps is for this instance: a map's `where` may exclude some.
    pub fn has_map(&self, position: usize) -> bool {
        self.open.contains(&position) || self.maps.iter().any(|map| map.position == position)
    }

    /// The number of dimensions of its affine forms.
    pub fn dims(&self) -> usize {
        self.sizes.len() + self.loops.len()
    }

    /// Whether the bounds of no loop depend on another loop.
    pub fn is_box(&self) -> bool {
        self.loops.iter().all(|l| l.low.dims().max(l.high.dims()) <= self.sizes.len())
    }

    /// The dimension of loop `k`.
    pub fn loop_dim(&self, k: usize) -> usize {
        self.sizes.len() + k
    }

    /// What every law may assume about the sizes: each is at least 1, the kernel's `where` holds, and every length lies in its
    /// range.
    pub fn assumptions(&self) -> Formula {
        let mut all: Vec<Formula> = (0..self.call_sizes()).map(|k| Formula::AtLeast(Form::var(k).plus(-1))).collect();
        all.extend(self.lengths().map(|length| length.in_range(&Form::var(length.size))));
        all.extend(self.conditions.iter().map(|c| c.formula.clone()));
        Formula::All(all)
    }

    /// The points within the loops, including the assumptions on sizes, whatever lengths outside their arrays are.
    pub fn within_loops(&self) -> Formula {
        let mut all = vec![self.assumptions()];
        for (k, l) in self.loops.iter().enumerate() {
            all.push(Formula::within(&Form::var(self.loop_dim(k)), &l.low, &l.high));
        }
        Formula::All(all)
    }

    /// The iteration points, including the assumptions on sizes.
    pub fn domain(&self) -> Formula {
        if self.lengths().next().is_none() {
            return self.within_loops();
        }
        let mut all = vec![self.within_loops()];
        let here: Vec<Form> = (0..self.dims()).map(Form::var).collect();
        all.extend(self.lengths().filter(|l| self.reaches_beyond(l)).map(|l| self.least_outside(&l, &here)));
        Formula::All(all)
    }
}

/// A run-time size and where its value comes from.
#[derive(Clone, Debug)]
pub struct Size {
    pub name: String,
    pub source: SizeSource,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeSource {
    /// The value of parameter number `parameter`, a `size`.
    Parameter { parameter: usize },
    /// Solved from dimension `axis` of array parameter number `parameter`: size = (length − rest) / coefficient.
    Shape { parameter: usize, axis: usize },
    /// A length: the element of array parameter number `parameter` at these loops, each plus a constant. It is no size of a call:
    /// other iterations of the loops have other lengths.
    Length { parameter: usize, index: Vec<(usize, Int)> },
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub name: Name,
    pub low: Form,
    /// Exclusive.
    pub high: Form,
    pub low_at: Region,
    pub high_at: Region,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Name,
    pub kind: ParameterKind,
    /// The region and the text of its array type.
    pub written: Option<(Region, String)>,
}

#[derive(Clone, Debug)]
pub enum ParameterKind {
    Array {
        ty: Type,
        dims: Vec<Form>,
        border: Option<Border>,
        /// The range of the elements, if they are lengths.
        lengths: Option<Lengths>,
    },
    /// Passed by value; the dimensions are constants of the instance. Only reads at indices that are values use the border.
    Const {
        ty: Type,
        dims: Vec<Int>,
        border: Option<Border>,
    },
    Scalar {
        ty: Type,
    },
    Size,
}

#[derive(Clone, Debug)]
pub enum Border {
    Zero,
    Clamp,
    /// Mirrored; the element at the edge is not repeated.
    Reflect,
    /// Mirrored; the element at the edge is repeated.
    Symmetric,
    Wrap,
    Constant(Value),
    /// The value of a scalar parameter, by number.
    Scalar(usize),
}

impl Border {
    /// Whether a read outside the array gives one of its elements, not a fixed value.
    pub fn leads_back(&self) -> bool {
        match self {
            Border::Clamp | Border::Reflect | Border::Symmetric | Border::Wrap => true,
            Border::Zero | Border::Constant(_) | Border::Scalar(_) => false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Output {
    pub name: Name,
    pub ty: Type,
    /// That of a scalar is one dimension of length 1.
    pub dims: Vec<Form>,
    pub is_scalar: bool,
    /// What elements hold that no point stores; without it, every element must be stored.
    pub rest: Option<Value>,
    pub at: Region,
    /// The region and the text of its array type.
    pub array_at: Region,
    pub written: String,
}

/// A constant of the body. A scalar has no dimensions and one value.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Name,
    pub ty: Type,
    pub dims: Vec<Int>,
    /// Only reads at indices that are values use it.
    pub border: Option<Border>,
    /// Row-major.
    pub values: Vec<Value>,
}

#[derive(Clone, Debug)]
pub struct Equation {
    pub variable: Name,
    pub ty: Type,
    pub value: Expr,
    /// If the variable is a copy: the input element that it equals at every point.
    pub copy: Option<Element>,
    /// How far a map shifts it along every loop; empty in the kernel as it is written.
    pub shift: Vec<Int>,
    /// The points of the loops at which it has a value: all of them, unless a map shifts variables.
    pub runs: Formula,
}

/// An element of an array: the array and its affine indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub array: Array,
    pub index: Vec<Form>,
}

/// An array with affine indices, or a scalar (no index).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Array {
    /// An array, `const` or scalar parameter.
    Parameter(usize),
    /// A constant of the body.
    Constant(usize),
}

#[derive(Clone, Debug)]
pub struct Store {
    pub guard: Formula,
    pub output: usize,
    pub index: Vec<Form>,
    pub index_at: Vec<Region>,
    pub value: Expr,
    /// The left side, `z[c]`.
    pub at: Region,
    /// How far a map shifts it along every loop; empty in the kernel as it is written.
    pub shift: Vec<Int>,
}

/// A condition on sizes from the kernel's `where`, as text and as a formula.
#[derive(Clone, Debug)]
pub struct Condition {
    pub text: String,
    pub formula: Formula,
    pub at: Region,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub at: Region,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Literal(Value),
    /// An element of a parameter or constant; a scalar has no index.
    Element {
        element: Element,
        index_at: Vec<Region>,
    },
    /// An element of an array with a border, at indices that are values of type `i64`. Outside, the border applies.
    Lookup {
        array: Array,
        index: Vec<Expr>,
    },
    /// Variable number `variable` at the point `z − distance`, where `z` is the reader's point.
    Read {
        variable: usize,
        distance: Vec<Int>,
        index_at: Vec<Region>,
    },
    /// An affine form as an `i64`. A conversion to another type is a `Cast` around it.
    Index(Form),
    /// A guard as a `bool`.
    Holds(Formula),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    /// Arithmetic, bit operations, shifts, `min` and `max`; on `bool` also `&&`, `||` as `And`, `Or`.
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// a · b + c with one rounding: written `fma(a, b, c)`, or contracted from a sum with a product by the language's rule.
    Fma {
        a: Box<Expr>,
        b: Box<Expr>,
        c: Box<Expr>,
    },
    Compare {
        op: CompareOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Cast {
        operand: Box<Expr>,
    },
    /// A condition on indices alone: only the side taken is evaluated, and the laws know which.
    If {
        guard: Formula,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// A condition on values: both sides are evaluated.
    Select {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
}
