//! Every fact that a law can state, one type a law.
use super::Law;

macro_rules! facts {
    ($($law:ident($ty:ident)),* $(,)?) => {
        /// What is wrong, under its law.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Fact { $($law($ty)),* }

        impl Fact {
            pub fn law(&self) -> Law {
                match self { $(Fact::$law(_) => Law::$law),* }
            }
        }

        $(impl From<$ty> for Fact {
            fn from(fact: $ty) -> Fact { Fact::$law(fact) }
        })*
    };
}

facts! {
    Syntax(SyntaxFact), Names(NamesFact), Rank(RankFact), Types(TypesFact), Sizes(SizesFact), Uniform(UniformFact),
    Defined(DefinedFact), Bounds(BoundsFact), Cycle(CycleFact), Outputs(OutputsFact), Matrix(MatrixFact),
    Reverse(ReverseFact), Collision(CollisionFact), Lanes(LanesFact), Causality(CausalityFact),
    Broadcast(BroadcastFact), Blocks(BlocksFact), Resources(ResourcesFact),
}

#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxFact {
    /// "expected `;` after the equation, found `}`"
    Expected { expected: String, found: String },
    /// A word that is almost a keyword: `kernl`, `til`.
    Misspelt { found: String, keyword: String },
    /// Nested or chained too deep: a limit.
    TooDeep { limit: usize },
    /// More tokens than a block may have: a limit.
    TooLong { limit: usize },
    /// An integer literal that does not fit 127 bits.
    LiteralTooLarge { text: String },
    /// `map { lanes s; lanes t; }`: a clause that may stand once.
    Repeated { what: String },
    /// A word of Rust or the grammar where a name must stand.
    Reserved { word: String },
    /// A construct of Rust that this language has not: `x.abs()`, `let`, `+=`, `match`.
    NotHere { what: String },
}

/// What a name stands for, in the words of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Kernel,
    Generic,
    TypeGeneric,
    Size,
    Array,
    ConstArray,
    Scalar,
    SizeParameter,
    Output,
    Constant,
    Loop,
    Variable,
    Map,
    Row,
    Function,
    Type,
}

#[derive(Clone, Debug, PartialEq)]
pub enum NamesFact {
    Unknown {
        name: String,
        wanted: Kind,
    },
    Twice {
        name: String,
        first: Kind,
        second: Kind,
    },
    /// A map's type `K_NAME` is also another item of the block.
    TypeClash {
        ty: String,
        kernel: String,
    },
    /// Two maps without a name for the same device and condition.
    SecondUnnamed,
    OutputRead {
        name: String,
    },
    InputWritten {
        name: String,
        kind: Kind,
    },
    /// `if guard { V[…] = … }`
    EquationInIf {
        name: String,
    },
    /// A name of one kind where another is wanted.
    Wrong {
        name: String,
        is: Kind,
        wanted: Kind,
    },
    /// A clause on a loop that another clause has.
    Taken {
        name: String,
        by: &'static str,
    },
    /// A loop that was tiled is no longer there.
    Tiled {
        name: String,
        outer: String,
        inner: String,
    },
    /// `overlap` on a loop that no `tile` names.
    NotTiled {
        name: String,
    },
    /// `overlap` on a loop that a tile made: a limit.
    OverlapInner {
        name: String,
    },
    /// `unroll` on what is no time loop.
    NotTime {
        name: String,
    },
    /// `unroll` on a time loop of run-time length.
    RunTimeLength {
        name: String,
    },
    /// `reorder` is not exactly the sequential loops.
    Reorder {
        expected: Vec<String>,
    },
    TooMany {
        clause: &'static str,
        limit: usize,
    },
    /// `stage … at` a loop that `space_time` takes, or one that is not rolled.
    StageAt {
        name: String,
    },
    /// A `where` of a map that mentions more than generics.
    MapCondition {
        name: String,
    },
    /// `T == f64` that is not a whole condition of a `where`.
    TypesCompared {
        text: String,
    },
    /// A loop variable in a dimension or in the kernel's `where`.
    LoopInSize {
        name: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum RankFact {
    /// `x[i]` where `x` has two dimensions.
    Indices { name: String, kind: Kind, expected: usize, found: usize },
    /// More than four dimensions, or none.
    Dimensions { name: String, found: usize },
    /// A constant whose lists are not nested as its dimensions are.
    Nesting { name: String, expected: usize },
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypesFact {
    /// Two types meet.
    Mismatch {
        expected: String,
        found: String,
        because: String,
    },
    /// Nothing says which.
    NoType {
        what: String,
    },
    /// An operation that the type has not.
    NoOperation {
        operation: String,
        ty: String,
    },
    LiteralRange {
        text: String,
        ty: String,
        low: String,
        high: String,
    },
    /// `1.5` where an integer stands.
    FloatLiteral {
        text: String,
        ty: String,
    },
    /// An index where a value stands.
    IndexAsValue {
        text: String,
    },
    NoCast {
        from: String,
        to: String,
    },
    Arguments {
        function: String,
        expected: String,
        found: usize,
    },
    /// A literal suffix that is no type.
    Suffix {
        suffix: String,
    },
    /// A border value that is neither a literal nor a scalar parameter of the array's type.
    BorderValue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SizesFact {
    /// No input's shape and no `size` parameter gives it.
    NotGiven {
        name: String,
    },
    /// It appears in an input, but with another unknown beside it in every dimension.
    NotAlone {
        name: String,
        beside: Vec<String>,
    },
    Overflow {
        text: String,
    },
    /// A number over what forms may hold: a limit.
    TooLarge {
        text: String,
        limit: i128,
    },
    TileBelowOne {
        value: i128,
    },
    FoldBelowOne {
        value: i128,
    },
    /// `resident 100`
    OutOfRange {
        clause: &'static str,
        value: i128,
        least: i128,
        most: i128,
    },
    OverlapNegative {
        value: i128,
    },
    DivisionByZero {
        text: String,
    },
    Modulus {
        value: i128,
    },
    /// A dimension of a `const` array or constant that is below 1, or differs from the elements written.
    Elements {
        name: String,
        expected: i128,
        found: usize,
    },
    /// A dimension of a `const` parameter that mentions a run-time size.
    RunTimeConst {
        name: String,
    },
    NoInstances,
    TooManyInstances {
        limit: usize,
    },
    /// A kernel without any size or with sizes that no assumption admits.
    NoSizes {
        condition: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum UniformFact {
    /// A variable's index is not loop index plus constant.
    Index {
        variable: String,
        expected_loop: String,
        text: String,
    },
    /// The left side of an equation is not the loops in order.
    LeftSide {
        variable: String,
        expected: Vec<String>,
    },
    NotAffine {
        text: String,
        what: &'static str,
    },
    /// An index that is a value: a limit.
    ValueIndex {
        text: String,
    },
    /// A bound that mentions this loop or an inner one.
    InnerLoop {
        name: String,
        of: String,
    },
    /// `i % 2 != 0` and the like.
    RemainderForm {
        text: String,
    },
    /// Division or remainder of something that is not a constant of the instance.
    RunTimeDivision {
        text: String,
    },
    /// The same of a loop: `x[r / 2]`.
    LoopDivision {
        text: String,
        of: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum DefinedFact {
    Outside { variable: String, loop_name: String, below: bool, index: i128, bound: i128 },
    Undecided,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BoundsFact {
    Outside {
        array: String,
        axis: usize,
        index: i128,
        length: i128,
        store: bool,
    },
    /// A read whose border takes the nearest element, where there is none.
    Empty {
        array: String,
        axis: usize,
    },
    Undecided {
        array: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum CycleFact {
    /// Variable and point, from the first on; the last reads the first.
    Ring { steps: Vec<(String, Vec<i128>)>, loops: Vec<String> },
    /// Neither a ring nor an order was found: a limit.
    NoOrder { variables: Vec<String> },
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutputsFact {
    Twice { output: String, same_store: bool },
    Never { output: String, stored_anywhere: bool },
    NotAGuard { output: String },
    Undecided { output: String, what: &'static str },
}

#[derive(Clone, Debug, PartialEq)]
pub enum MatrixFact {
    Rows {
        expected: usize,
        found: usize,
    },
    Columns {
        expected: usize,
        found: usize,
    },
    /// Row `row` is a combination of the rows above it: `2·s - t`.
    Dependent {
        row: String,
        combination: String,
    },
    Entry {
        text: String,
        limit: i128,
    },
    Repeated {
        name: String,
    },
    /// More rows than loops.
    TooManyRows {
        rows: usize,
        loops: usize,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum ReverseFact {
    Shape {
        rows: usize,
        columns: usize,
        found_rows: usize,
        found_columns: usize,
    },
    /// Loop `loop_name` comes out as this form of the loops instead.
    NotInverse {
        loop_name: String,
        becomes: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum CollisionFact {
    /// Two points, one place: the rows' values.
    Same {
        place: Vec<(String, i128)>,
    },
    Undecided,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LanesFact {
    NoLanes,
    RunTime { row: String },
    TooMany { rows: Vec<String>, extent: i128, limit: i128, fold: i128 },
    TooManyWarps { rows: Vec<String>, extent: i128 },
    Undecided { row: String },
}

/// How far a read looks back: a variable, and its place against the reader's.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub variable: String,
    /// Time rows by name: when the reader runs, and when the value is made.
    pub runs: Vec<(String, i128)>,
    pub made: Vec<(String, i128)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CausalityFact {
    Later { look: Look, row: String },
    Undecided { variable: String },
}

#[derive(Clone, Debug, PartialEq)]
pub enum BroadcastFact {
    Warps {
        look: Look,
        row: String,
        from: i128,
        to: i128,
    },
    /// Values of one step that wait for each other, in a ring of (variable, register).
    NoOrder {
        ring: Vec<(String, i128)>,
        fold: i128,
    },
    Undecided {
        variable: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum BlocksFact {
    Crosses {
        variable: String,
        loop_name: String,
        from: i128,
        to: i128,
        /// How far every chain of reads goes below the tile and beyond it, where that is a constant.
        reach: Option<(i128, i128)>,
    },
    Narrow {
        variable: String,
        of: String,
        reach: i128,
        low: i128,
        high: i128,
    },
    Undecided {
        variable: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum ResourcesFact {
    Parameters {
        bytes: i128,
        limit: i128,
    },
    /// The body of a step would be written out too often: a limit.
    Instances {
        count: i128,
        limit: i128,
    },
    Registers {
        registers: i128,
        limit: i128,
        variables: Vec<(String, i128)>,
    },
    /// A block has far more steps than points.
    Steps {
        row: String,
        evaluations: i128,
        points: i128,
        per_point: i128,
    },
    /// Values that wait in rows of memory, of which most are never used.
    Scratch {
        bytes: i128,
        points: i128,
        variables: Vec<(String, i128)>,
    },
    /// Rings of variables and staged parameters.
    Shared {
        bytes: i128,
        limit: i128,
        parts: Vec<(String, i128)>,
    },
}
