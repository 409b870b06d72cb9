//! The picture of a map at given sizes: everything that `cargo systolic explain` shows, as data. Printers add nothing.
use crate::model::{Int, RowKind};

/// A kernel instance under a map, at sizes that are small enough to draw.
#[derive(Clone, Debug)]
pub struct Picture {
    pub kernel: String,
    /// `T = f32, Q = 5`, or nothing.
    pub instance: String,
    /// What part of the kernel this is, if it runs as several.
    pub part: Option<Part>,
    pub map: MapShown,
    /// The sizes of the call, by name. Lengths are as great as they may be.
    pub sizes: Vec<(String, Int)>,
    pub loops: Vec<String>,
    pub rows: Vec<RowShown>,
    /// How many of the block rows are launches.
    pub launches: usize,
    pub fold: Int,
    /// Lanes per warp and warps per block that have points.
    pub lanes: Int,
    pub warps: Int,
    /// The equations, then the stores.
    pub statements: Vec<Statement>,
    pub source: Vec<CodeLine>,
    /// The block rows of every block that is shown, in order.
    pub blocks: Vec<Vec<Int>>,
    /// The time rows of every step, in order.
    pub steps: Vec<Vec<Int>>,
    pub spots: Vec<Spot>,
    pub wires: Vec<Wire>,
    pub loads: Vec<Load>,
    /// How many spots are left out because there are too many.
    pub omitted: usize,
    pub program: Vec<CodeLine>,
    /// What is emitted: CUDA for a GPU, and for a CPU the Rust of a block.
    pub code: Vec<CodeLine>,
    /// Why there is no program.
    pub without_program: Option<String>,
    /// There is none for a CPU.
    pub cost: Option<CostShown>,
    /// A measured time on a CPU.
    pub measured: Option<Measured>,
    pub refused: Option<Refused>,
}

/// A kernel without a map may run as a series: launches on a GPU, passes on a CPU, each with a map of its own.
#[derive(Clone, Debug)]
pub struct Part {
    /// From 1.
    pub number: usize,
    pub count: usize,
    /// The variables and outputs of the kernel that it computes.
    pub computes: Vec<String>,
    /// The arrays that it takes from parts before it, and those that it leaves for later ones.
    pub takes: Vec<String>,
    pub leaves: Vec<String>,
    /// `launch` or `pass`.
    pub word: &'static str,
    /// The time of all parts together: predicted for a GPU, and measured.
    pub predicted: Option<f64>,
    pub measured: Option<Measured>,
}

/// The map, and where it comes from.
#[derive(Clone, Debug)]
pub struct MapShown {
    pub name: Option<String>,
    pub origin: Origin,
    /// As it can be pasted into the kernel.
    pub text: String,
    /// `cpu` or `gpu`: what the program is for.
    pub on: &'static str,
}

/// Where a map comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It stands in the kernel.
    Written,
    /// It stands in the kernel, and the compiler has completed it.
    Completed,
    /// A build script has searched for it, and kept it.
    Kept,
    /// The macro's first lawful map, without a search.
    Rules,
    /// The macro's map for a CPU.
    RulesOfCpu,
}

impl Origin {
    /// A phrase for people.
    pub fn words(self) -> &'static str {
        match self {
            Origin::Written => "as the kernel writes it",
            Origin::Completed => "an open map, completed by the compiler",
            Origin::Kept => "found by the search of the build script",
            Origin::RulesOfCpu => "the kernel has none for CPUs: the macro takes this one, by its rules",
            Origin::Rules => {
                "the kernel has none: this is the first lawful map, by the macro's rules; a build script searches for a faster one"
            }
        }
    }
}

/// One coordinate of a place: `s = ci + q`.
#[derive(Clone, Debug)]
pub struct RowShown {
    pub name: String,
    pub kind: RowKind,
    /// What it is in terms of the map's loops.
    pub form: String,
    /// Whether it is a time row that the program unrolls inside a step of its innermost loop.
    pub unrolled: bool,
}

/// An equation or a store.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The variable or the output.
    pub name: String,
    pub is_store: bool,
    /// The indices of the value or element at a spot, over its point.
    pub index: Vec<Affine>,
    /// Lines of the source, from the first to the last.
    pub lines: (usize, usize),
}

/// A line of code, with what it belongs to.
#[derive(Clone, Debug, Default)]
pub struct CodeLine {
    pub text: String,
    /// The statements that it computes or writes.
    pub statements: Vec<usize>,
    /// The values of the program that it mentions, the one that it defines first.
    pub values: Vec<usize>,
}

/// An affine form over the loops of a point, at known sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    pub coefs: Vec<Int>,
    pub constant: Int,
}

impl Affine {
    pub fn at(&self, point: &[Int]) -> Int {
        self.coefs.iter().zip(point).map(|(c, x)| c * x).sum::<Int>() + self.constant
    }
}

/// One run of an iteration point: where, when, and which statements run there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// By number in `Picture::blocks`.
    pub block: usize,
    pub warp: Int,
    pub lane: Int,
    /// The register of the fold.
    pub register: Int,
    /// By number in `Picture::steps`.
    pub step: usize,
    /// The loops of the kernel. Under shifts, those of the shifted kernel.
    pub point: Vec<Int>,
    /// Whether it lies in the halo of an overlap: computed here a second time, and stored elsewhere.
    pub halo: bool,
    /// The statements that run here, by number.
    pub statements: Vec<usize>,
}

/// What carries a value from its producer to its consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    Register,
    Shuffle,
    Shared,
    Row,
    Face,
    Memory,
    Load,
    Value,
    Store,
}

impl Carrier {
    pub const ALL: [Carrier; 9] = [
        Carrier::Register,
        Carrier::Shuffle,
        Carrier::Shared,
        Carrier::Row,
        Carrier::Face,
        Carrier::Memory,
        Carrier::Load,
        Carrier::Value,
        Carrier::Store,
    ];

    /// A word for keys and classes.
    pub fn word(self) -> &'static str {
        match self {
            Carrier::Register => "register",
            Carrier::Shuffle => "shuffle",
            Carrier::Shared => "shared",
            Carrier::Row => "row",
            Carrier::Face => "face",
            Carrier::Memory => "memory",
            Carrier::Load => "load",
            Carrier::Value => "value",
            Carrier::Store => "store",
        }
    }

    /// A phrase for people.
    pub fn words(self) -> &'static str {
        match self {
            Carrier::Register => "register: stays in its lane",
            Carrier::Shuffle => "shuffle: to another lane of the warp",
            Carrier::Shared => "shared memory: to another warp of the block",
            Carrier::Row => "row of memory: waits for a later iteration of an outer loop",
            Carrier::Face => "face in global memory: to another block or a later launch",
            Carrier::Memory => "memory: the map runs point by point",
            Carrier::Load => "input: loaded from an array",
            Carrier::Value => "constant: passed by value",
            Carrier::Store => "output: stored to an array",
        }
    }
}

/// All reads of one kind: the same variable at the same distance through the same medium.
#[derive(Clone, Debug)]
pub struct Wire {
    /// The statement that reads, and the one that computes the value.
    pub reader: usize,
    pub variable: usize,
    /// Consumer minus producer, as the kernel writes it.
    pub distance: Vec<Int>,
    pub carrier: Carrier,
    /// How the value goes: `from the lane 1 below, 1 step before`.
    pub words: String,
    /// The consumer and the producer of each dependence, as spots. `None`: the producer is not shown.
    pub links: Vec<(usize, Option<usize>)>,
}

/// All reads of one element of an array, or of the element that a copy equals.
#[derive(Clone, Debug)]
pub struct Load {
    pub reader: usize,
    pub array: String,
    pub index: Vec<Affine>,
    /// The lengths of the array's axes.
    pub dims: Vec<Int>,
    /// `clamp`, if the array has a border.
    pub border: Option<String>,
    pub carrier: Carrier,
    /// Why it is loaded where the equation reads a variable; otherwise nothing.
    pub words: String,
    /// The spots that read it.
    pub spots: Vec<usize>,
}

/// A measured time.
#[derive(Clone, Debug)]
pub struct Measured {
    pub seconds: f64,
    pub device: String,
    /// `R=12, C=3000`
    pub sizes: String,
}

/// The predicted cost of a launch.
#[derive(Clone, Debug)]
pub struct CostShown {
    pub machine: String,
    pub sizes: Vec<(String, Int)>,
    pub seconds: f64,
    /// The roof that binds, and what it means.
    pub roof: String,
    pub meaning: &'static str,
    /// Every roof with the time that it alone would allow, and what it means that it binds.
    pub roofs: Vec<(String, f64, &'static str)>,
    pub blocks: f64,
    pub registers: usize,
    pub warps: usize,
    pub read: f64,
    pub written: f64,
    /// A measured time, and on which device.
    pub measured: Option<(f64, String)>,
}

/// Why a map is refused, and the points that show it.
#[derive(Clone, Debug)]
pub struct Refused {
    pub law: String,
    /// The message of the compiler: fact, witness, help.
    pub message: String,
    /// What the two points have to do with each other.
    pub relation: &'static str,
    /// The consumer first, if one reads from the other.
    pub points: Vec<Marked>,
    /// Whether the first reads a value of the second.
    pub is_read: bool,
    /// The kernel as its file has it, if no point is shown. Files are read by others.
    pub written: Vec<WrittenLine>,
}

/// A line of a file, and the characters in it that a law refuses, from the first to the one after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenLine {
    pub text: String,
    pub lit: Option<(usize, usize)>,
}

/// A point of a witness.
#[derive(Clone, Debug)]
pub struct Marked {
    /// `consumer`, `producer`, `point`, `other point`.
    pub role: &'static str,
    /// `c = 1, q = 0`
    pub point: String,
    /// `cb = 0, s = 1, t = 0`
    pub place: String,
    /// Its spot, if it is shown.
    pub spot: Option<usize>,
}
