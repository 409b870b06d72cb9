//! A kernel instance with every name resolved: loops, sizes and guards as affine forms, expressions typed.
//! `resolve` turns a tree into one `Kernel` a combination of generics, or into faults.
mod affine;
mod build;
mod compact;
mod constant;
mod copies;
mod expressions;
mod guards;
mod infer;
mod instances;
mod map_names;
mod maps;
mod names;
mod places;
mod rank;
mod reads;
mod scope;
mod sizes;
mod type_conditions;
mod types;
mod uniform;

pub use build::{Resolved, resolve};
pub use compact::gcd;
pub use copies::moved;
pub use instances::{Argument, Instance};
pub use map_names::RowName;
pub use maps::{Mapping, MatrixClause, Node, Stage, Tile, Wishes};
pub use names::twice;
pub use places::{Places, Row, RowKind};
pub use reads::{Access, Read, Reader};
pub use scope::size_names;

use crate::region::{Name, Region};
pub use crate::syntax::tree::{Device, StageMedium};
pub use systolic_arith::{BinaryOp, CompareOp, Type, UnaryOp, Value};
pub use systolic_sets::{Form, Formula, Int};

/// One instance of a kernel. Forms are over its dimensions: the sizes first, then the loops.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub name: Name,
    pub instance: Instance,
    /// Run-time sizes in order of appearance in the signature.
    pub sizes: Vec<Size>,
    pub loops: Vec<Loop>,
    pub parameters: Vec<Parameter>,
    pub outputs: Vec<Output>,
    pub constants: Vec<Constant>,
    /// One a variable, in the order written.
    pub equations: Vec<Equation>,
    pub stores: Vec<Store>,
    /// The kernel's `where`, over the sizes.
    pub conditions: Vec<Condition>,
    /// The maps whose `where` admits this instance, in the order written.
    pub maps: Vec<Mapping>,
}

impl Kernel {
    /// The type of an array's elements; a size counts as one.
    pub fn element(&self, array: Array) -> Type {
        match array {
            Array::Parameter(k) => match &self.parameters[k].kind {
                ParameterKind::Array { ty, .. } | ParameterKind::Const { ty, .. } | ParameterKind::Scalar { ty } => *ty,
                ParameterKind::Size => Type::I64,
            },
            Array::Constant(k) => self.constants[k].ty,
        }
    }

    /// The number of dimensions of its forms.
    pub fn dims(&self) -> usize {
        self.sizes.len() + self.loops.len()
    }

    /// The dimension of loop `k`.
    pub fn loop_dim(&self, k: usize) -> usize {
        self.sizes.len() + k
    }

    /// What every law may assume of the sizes: each at least 1, and the kernel's `where`.
    pub fn assumptions(&self) -> Formula {
        let mut all: Vec<Formula> = (0..self.sizes.len()).map(|k| Formula::AtLeast(Form::var(k).plus(-1))).collect();
        all.extend(self.conditions.iter().map(|c| c.formula.clone()));
        Formula::All(all)
    }

    /// The points of the loops, with the assumptions.
    pub fn domain(&self) -> Formula {
        let mut all = vec![self.assumptions()];
        for (k, l) in self.loops.iter().enumerate() {
            all.push(Formula::within(&Form::var(self.loop_dim(k)), &l.low, &l.high));
        }
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
    /// The value of parameter `parameter`, a `size`.
    Parameter { parameter: usize },
    /// Solved from dimension `axis` of array parameter `parameter`: size = (length − rest) / coefficient.
    Shape { parameter: usize, axis: usize },
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
    /// Its array type where it was written, and its text.
    pub written: Option<(Region, String)>,
}

#[derive(Clone, Debug)]
pub enum ParameterKind {
    Array {
        ty: Type,
        dims: Vec<Form>,
        border: Option<Border>,
    },
    /// Passed by value; dims are numbers of the instance.
    Const {
        ty: Type,
        dims: Vec<Int>,
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
    /// A scalar parameter, by position.
    Scalar(usize),
}

impl Border {
    /// Whether a read outside the array takes one of its elements, and not a number.
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
    pub dims: Vec<Form>,
    pub at: Region,
}

/// A constant of the body. A scalar has no dims and one value.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Name,
    pub ty: Type,
    pub dims: Vec<Int>,
    /// Row-major.
    pub values: Vec<Value>,
}

#[derive(Clone, Debug)]
pub struct Equation {
    pub variable: Name,
    pub ty: Type,
    pub value: Expr,
    /// The element this variable stands for at every point, where it is a copy.
    pub copy: Option<Element>,
}

/// An element of an input: the array at index forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub array: Array,
    pub index: Vec<Form>,
}

/// What can be indexed by affine forms, or is a scalar (no index).
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
}

/// A condition of the kernel's `where` on sizes, as written and as a formula.
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
    /// An element of a parameter or constant, or a scalar one (no index).
    Element {
        element: Element,
        index_at: Vec<Region>,
    },
    /// Variable `variable` at the point `z − distance`.
    Read {
        variable: usize,
        distance: Vec<Int>,
        index_at: Vec<Region>,
    },
    /// An affine form as an `i64`. Its cast to another type is a `Cast` around it.
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
    /// Contracted from a sum of a product by the rule of the language, or written `fma(a, b, c)`: a · b + c.
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
    /// A condition on indices alone: one side is evaluated, the laws know which.
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
