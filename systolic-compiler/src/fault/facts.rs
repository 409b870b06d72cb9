//! Every fact that a law can report, one type per law.
use super::Law;

macro_rules! facts {
    ($($law:ident($ty:ident)),* $(,)?) => {
        /// What is wrong, by law.
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
    /// Nested too deep: a limit.
    TooDeep { limit: usize },
    /// More tokens than a block may have: a limit.
    TooLong { limit: usize },
    /// An integer literal that does not fit 127 bits.
    LiteralTooLarge { text: String },
    /// A clause that may occur once only: `map { lanes s; lanes t; }`.
    Repeated { what: String },
    /// A keyword of Rust or of the grammar where a name is expected.
    Reserved { word: String },
    /// A construct of Rust that this language does not have: `x.abs()`, `let`, `+=`, `match`.
    NotHere { what: String },
}

/// The kind of a name, as messages call it.
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
        expected: Kind,
    },
    Twice {
        name: String,
        first: Kind,
        second: Kind,
    },
    /// A map's type `K_NAME` has the name of another item of the block.
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
    /// A name of one kind where another kind is expected.
    Wrong {
        name: String,
        is: Kind,
        expected: Kind,
    },
    /// Lengths that are indexed by other loops than at their first use: a limit.
    OtherLoops {
        text: String,
        first: String,
    },
    /// A clause on a loop that another clause already uses.
    Taken {
        name: String,
        by: &'static str,
    },
    /// A use of a loop that was replaced by its tile's loops.
    Tiled {
        name: String,
        outer: String,
        inner: String,
    },
    /// `overlap` on a loop that is not tiled.
    NotTiled {
        name: String,
    },
    /// `overlap` on a loop that a tile introduced: a limit.
    OverlapInner {
        name: String,
    },
    /// `unroll` on a loop that is not a time loop.
    NotTime {
        name: String,
    },
    /// `unroll` on a time loop of run-time length.
    RunTimeLength {
        name: String,
    },
    /// `reorder` does not list exactly the sequential loops.
    Reorder {
        expected: Vec<String>,
    },
    TooMany {
        clause: &'static str,
        limit: usize,
    },
    /// `stage … at` a loop that `space_time` takes, or one that is unrolled.
    StageAt {
        name: String,
    },
    /// A map's `where` that mentions more than generics.
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
    /// `shift V by (1);` where the kernel has two loops.
    Shift { name: String, expected: usize, found: usize },
    /// A constant whose lists are not nested as deep as it has dimensions.
    Nesting { name: String, expected: usize },
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypesFact {
    /// Two different types where one is required.
    Mismatch {
        expected: String,
        found: String,
        because: String,
    },
    /// Lengths that are no integers.
    Lengths {
        found: String,
    },
    /// Nothing determines the type.
    NoType {
        what: String,
    },
    /// An operation that the type does not have.
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
    /// `1.5` where an integer is expected.
    FloatLiteral {
        text: String,
        ty: String,
    },
    /// An index where a value is expected.
    /// An index that is a value, but no integer.
    IndexType {
        ty: String,
    },
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
    /// A literal suffix that is not a type.
    Suffix {
        suffix: String,
    },
    /// A border value that is neither a literal nor a scalar parameter of the array's type.
    BorderValue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SizesFact {
    /// No input's shape and no `size` parameter determines it.
    NotGiven {
        name: String,
    },
    /// It occurs in an input's shape, but always beside another unknown size.
    NotAlone {
        name: String,
        beside: Vec<String>,
    },
    Overflow {
        text: String,
    },
    /// Lengths whose range is empty at all sizes.
    NoLengths {
        name: String,
        range: String,
    },
    /// A number beyond the limit for affine forms.
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
    /// A number outside its clause's range: `resident 100`.
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
    /// A dimension of a `const` array or constant that is out of range, or differs from the number of elements written.
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
    /// No sizes satisfy the assumptions.
    NoSizes {
        condition: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum UniformFact {
    /// A variable's index is not its loop plus a constant.
    Index {
        variable: String,
        expected_loop: String,
        text: String,
    },
    /// The left side of an equation does not list the loops in order.
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
    /// Lengths at an index that is not a loop plus a constant: a limit.
    LengthIndex {
        text: String,
        lengths: String,
    },
    /// A bound that mentions this loop or an inner one.
    InnerLoop {
        name: String,
        of: String,
    },
    /// A remainder in any other form than `a % k == c`, such as `i % 2 != 0`.
    RemainderForm {
        text: String,
    },
    /// Division or remainder of something that is not constant in the instance.
    RunTimeDivision {
        text: String,
    },
    /// Division or remainder of a loop: `x[r / 2]`.
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
    /// An index that is a value, into an array without a border.
    ByValue {
        array: String,
    },
    /// A read whose border takes an element of the array, where the array is empty.
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
    /// Variables and points; each reads the next, and the last reads the first.
    Ring { steps: Vec<(String, Vec<i128>)>, loops: Vec<String> },
    /// Neither a ring nor an order was found: a limit.
    NoOrder { variables: Vec<String> },
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutputsFact {
    Twice { output: String, is_scalar: bool, same_store: bool },
    Never { output: String, is_scalar: bool, stored_anywhere: bool },
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
    /// Row `row` is a linear combination of the rows above it: `2·s - t`.
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
    /// The product gives this form of the loops instead of loop `loop_name`.
    NotInverse {
        loop_name: String,
        becomes: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum CollisionFact {
    /// Two points share one place, given by the values of its rows.
    Same {
        place: Vec<(String, i128)>,
    },
    Undecided,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LanesFact {
    NoLanes,
    /// The clauses of an automatic map use all loops.
    NothingFits,
    RunTime {
        row: String,
    },
    TooMany {
        rows: Vec<String>,
        extent: i128,
        limit: i128,
        fold: i128,
    },
    TooManyWarps {
        rows: Vec<String>,
        extent: i128,
    },
    Undecided {
        row: String,
    },
}

/// A dependence that a map violates, with the times of its consumer and producer.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub variable: String,
    /// The time rows by name, with their values at the consumer (`runs`) and at the producer (`computed`).
    pub runs: Vec<(String, i128)>,
    pub computed: Vec<(String, i128)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CausalityFact {
    Later { look: Look, row: String },
    LaterLaunch { variable: String, row: String, runs: i128, computed: i128 },
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
    /// Values of one step that depend on each other: a ring of (variable, register).
    NoOrder {
        ring: Vec<(String, i128)>,
        fold: i128,
    },
    Undecided {
        variable: String,
    },
}

/// How far an overlap reaches before a tile and after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Widths {
    pub found: (i128, i128),
    pub needed: (i128, i128),
}

#[derive(Clone, Debug, PartialEq)]
pub enum BlocksFact {
    Crosses {
        variable: String,
        loop_name: String,
        from: i128,
        to: i128,
        /// How far all chains of reads reach below the tile and beyond it, if constant.
        reach: Option<(i128, i128)>,
    },
    Narrow {
        variable: String,
        of: String,
        reach: i128,
        low: i128,
        high: i128,
        /// What the map has and what is wide enough, if a constant is.
        widths: Option<Widths>,
        /// The generic numbers of the instance.
        numbers: Vec<(String, i128)>,
    },
    /// A length that changes within a block, because its loop is neither a block loop nor a sequential one: a limit.
    Lengths {
        length: String,
        loop_name: String,
    },
    /// A shift along a loop that lengths depend on: a limit.
    ShiftedLengths {
        length: String,
        loop_name: String,
    },
    /// Blocks in order that wait for each other: how often which displacement leads back to the same block.
    Ring {
        loops: Vec<String>,
        ring: Vec<(i128, Vec<i128>)>,
    },
    /// More displacements between blocks than a block may wait for: a limit.
    Displacements {
        count: usize,
        limit: usize,
    },
    /// Values cross blocks, and a tile overlaps: a limit.
    OverlapInOrder {
        of: String,
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
    /// More copies of the step's body than the limit.
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
    /// Values that wait in memory for later steps take far more memory than there are points.
    Scratch {
        bytes: i128,
        points: i128,
        variables: Vec<(String, i128)>,
    },
    /// Shared memory of ring buffers for variables and of staged parameters.
    Shared {
        bytes: i128,
        limit: i128,
        parts: Vec<(String, i128)>,
    },
}
