//! The syntax tree of a `systolic!` block, with source regions. Names and types are not resolved.
//! Equality ignores regions, so that a tree can be compared with the one parsed from its printed text.
use crate::region::{Name, Region};
use proc_macro2::TokenStream;

/// `systolic! { … }`: kernels in source order.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub kernels: Vec<Kernel>,
}

/// One kernel with its maps.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// `#[…]` and doc comments, as written; they are copied to the generated type.
    pub attributes: Vec<TokenStream>,
    /// `pub`, `pub(crate)`, … or nothing, as written.
    pub visibility: TokenStream,
    pub name: Name,
    pub generics: Vec<Generic>,
    pub parameters: Vec<Parameter>,
    pub outputs: Vec<Output>,
    /// Conditions of the kernel's `where`.
    pub conditions: Vec<Expr>,
    pub constants: Vec<Constant>,
    pub loops: Vec<Loop>,
    pub statements: Vec<Statement>,
    pub maps: Vec<Map>,
    /// From the word `kernel` to the closing brace.
    pub at: Region,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Generic {
    pub name: Name,
    pub list: GenericList,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GenericList {
    /// `const Q: usize in [2, 5]`. `= 5` gives one value and sets `single`, so that it prints as written.
    Numbers { values: Vec<(u64, Region0)>, single: bool },
    /// `type T in [f32, f64]`.
    Types { values: Vec<Name> },
}

/// A region that equality ignores.
#[derive(Clone, Copy, Debug)]
pub struct Region0(pub Region);
impl PartialEq for Region0 {
    fn eq(&self, _: &Region0) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: Name,
    pub kind: ParameterKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ParameterKind {
    /// `x: [f32; R, C] border clamp`, or lengths: `n: [u32; K] in 1..=N`
    Array { array: ArrayType, border: Option<Border>, lengths: Option<Lengths> },
    /// `w: const [f32; P, Q]`, with a border if it is read at indices that are values
    Const { array: ArrayType, border: Option<Border> },
    /// `a: f32`
    Scalar { ty: Name },
    /// `steps: size`
    Size,
}

/// `in 1..=N`: the elements of the array are lengths in this range.
#[derive(Clone, Debug)]
pub struct Lengths {
    pub least: (u64, Region0),
    pub most: Expr,
    pub at: Region,
}

/// `[f32; R, C + 1]`
#[derive(Clone, Debug)]
pub struct ArrayType {
    pub element: Name,
    pub dims: Vec<Expr>,
    pub at: Region,
}

#[derive(Clone, Debug)]
pub struct Border {
    pub mode: BorderMode,
    pub at: Region,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BorderMode {
    Zero,
    Clamp,
    Reflect,
    Symmetric,
    Wrap,
    /// A literal or the name of a scalar parameter.
    Constant(Expr),
}

/// `z: [f32; N]`, `z: [f32; N] rest 0.0` or `s: f32`
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub name: Name,
    /// Without dimensions for a scalar.
    pub array: ArrayType,
    pub is_scalar: bool,
    /// What elements hold that no point stores: always `Int`, `Float` or `Bool`.
    pub rest: Option<Expr>,
}

/// `const K: [f32; 3] = [0.25, 0.5, 0.25];`, `const K: [i32; 2] border zero = [1, 2];` or `const A: f32 = 0.5;`
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub name: Name,
    pub ty: ConstantType,
    pub border: Option<Border>,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ConstantType {
    Array(ArrayType),
    Scalar(Name),
}

/// A literal, or nested lists of them.
#[derive(Clone, Debug)]
pub enum Value {
    /// Always `Int`, `Float` or `Bool`.
    Literal(Expr),
    List {
        items: Vec<Value>,
        at: Region,
    },
}

/// `i in low..high`
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub name: Name,
    pub low: Expr,
    pub high: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `V[i, j] = expr;` or `z[affine, …] = expr;`. Name resolution tells them apart.
    Assign(Assign),
    /// `if guard { store+ }`
    If { condition: Expr, stores: Vec<Assign> },
}

#[derive(Clone, Debug)]
pub struct Assign {
    pub target: Name,
    pub indices: Vec<Expr>,
    pub value: Expr,
    /// The left side: `V[i, j]`.
    pub at: Region,
}

/// An expression. Values, indices, conditions and constants share one grammar; the model tells them apart.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub at: Region,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A leading minus belongs to the literal. The suffix is a type name.
    Int {
        value: i128,
        suffix: Option<String>,
    },
    /// Digits with a point or an exponent, without underscores, with a sign if negative.
    Float {
        text: String,
        suffix: Option<String>,
    },
    Bool(bool),
    Name(String),
    /// `_`: a number of a map that the compiler chooses.
    Hole,
    /// `V[i - 1, j]`, `x[r + p, c]`
    Index {
        name: Name,
        indices: Vec<Expr>,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `operand as ty`
    Cast {
        operand: Box<Expr>,
        ty: Name,
    },
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `min(a, b)`
    Call {
        function: Name,
        arguments: Vec<Expr>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    BitAnd,
    BitXor,
    BitOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl Expr {
    /// An integer.
    pub fn number(at: Region, value: i128) -> Expr {
        Expr { kind: ExprKind::Int { value, suffix: None }, at }
    }
}

#[derive(Clone, Debug)]
pub struct Map {
    /// `map auto`: the compiler adds what is missing. Unless the map has a name, its name is `auto`.
    pub auto: bool,
    pub name: Option<Name>,
    pub on: Option<Device>,
    pub conditions: Vec<Expr>,
    pub clauses: Vec<Clause>,
    /// The word `map`.
    pub at: Region,
}

impl Map {
    /// Whether the compiler has to complete it.
    pub fn is_open(&self) -> bool {
        self.auto || self.clauses.iter().any(|clause| clause.kind.number().is_some_and(|n| n.kind == ExprKind::Hole))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    Cpu,
    Gpu,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub kind: ClauseKind,
    /// From its first word to its semicolon.
    pub at: Region,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    Tile {
        of: Name,
        by: Expr,
        outer: Name,
        inner: Name,
    },
    Blocks(Vec<Name>),
    /// `blocks (ib, jb) in order`: a block waits for those whose values it reads.
    Ordered(Vec<Name>),
    /// `launches (tb)`: one launch after another.
    Launches(Vec<Name>),
    Warps(Vec<Name>),
    SpaceTime {
        old: Vec<Name>,
        new: Vec<Name>,
        matrix: Matrix,
        reverse: Option<Matrix>,
    },
    Lanes {
        loops: Vec<Name>,
        fold: Option<Expr>,
    },
    Reorder(Vec<Name>),
    Unroll(Vec<Name>),
    Stage {
        array: Name,
        medium: StageMedium,
        at: Name,
    },
    /// `by k` or `by (before, after)`; `after` is `None` if both sides are `before`.
    Overlap {
        of: Name,
        before: Expr,
        after: Option<Expr>,
    },
    /// `resident 24`: at least this many warps per multiprocessor.
    Resident(Expr),
    /// `ahead 4`: the prefetch distance of loads, in steps.
    Ahead(Expr),
    /// `shift V by (2, 0)`: one number per loop.
    Shift {
        of: Name,
        by: Vec<Expr>,
    },
    /// `direct`: what variables only pass on is computed at every point.
    Direct,
}

impl ClauseKind {
    /// The number of a clause that may be `_`.
    pub fn number(&self) -> Option<&Expr> {
        match self {
            ClauseKind::Tile { by, .. } => Some(by),
            ClauseKind::Lanes { fold, .. } => fold.as_ref(),
            ClauseKind::Resident(number) | ClauseKind::Ahead(number) => Some(number),
            _ => None,
        }
    }

    /// The same, to be filled in.
    pub fn number_mut(&mut self) -> Option<&mut Expr> {
        match self {
            ClauseKind::Tile { by, .. } => Some(by),
            ClauseKind::Lanes { fold, .. } => fold.as_mut(),
            ClauseKind::Resident(number) | ClauseKind::Ahead(number) => Some(number),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageMedium {
    Shared,
    Registers,
}

#[derive(Clone, Debug)]
pub struct Matrix {
    pub rows: Vec<MatrixRow>,
    pub at: Region,
}

#[derive(Clone, Debug)]
pub struct MatrixRow {
    pub entries: Vec<Expr>,
    pub at: Region,
}

macro_rules! equal_but_for_places {
    ($($ty:ty: $($field:ident),+;)*) => {$(
        impl PartialEq for $ty {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&+
            }
        }
    )*};
}
equal_but_for_places! {
    ArrayType: element, dims;
    Border: mode;
    Lengths: least, most;
    Assign: target, indices, value;
    Expr: kind;
    Map: auto, name, on, conditions, clauses;
    Clause: kind;
    Matrix: rows;
    MatrixRow: entries;
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Kernel) -> bool {
        let text = |tokens: &[TokenStream]| tokens.iter().map(ToString::to_string).collect::<Vec<_>>();
        text(&self.attributes) == text(&other.attributes)
            && self.visibility.to_string() == other.visibility.to_string()
            && self.name == other.name
            && self.generics == other.generics
            && self.parameters == other.parameters
            && self.outputs == other.outputs
            && self.conditions == other.conditions
            && self.constants == other.constants
            && self.loops == other.loops
            && self.statements == other.statements
            && self.maps == other.maps
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Literal(a), Value::Literal(b)) => a == b,
            (Value::List { items: a, .. }, Value::List { items: b, .. }) => a == b,
            _ => false,
        }
    }
}
