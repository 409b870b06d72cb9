//! Instructions of code that the cost model does not see one by one, read off the machine code that nvcc makes.

/// Words that uniform registers hold, of 63; the others hold bounds and strides.
pub const UNIFORM_WORDS: usize = 50;

/// Instructions for the address of a row of memory, one of them a product.
pub const ADDRESS: usize = 2;

/// Instructions for a comparison that a step evaluates: the form, and the comparison itself.
pub const COMPARISON: usize = 2;

/// Instructions per axis of an index that is a value: the border, and the address in 64 bits. A guess; nothing was measured.
pub const LOOKUP_AXIS: usize = 6;

/// To copy a piece of a stream between memory and shared memory: its address and its tests.
pub const PIECE: usize = 4;

/// To copy a piece of a staged box: its place, its address and its tests.
pub const BOX_PIECE: usize = 12;

/// Clocks in which a warp that runs alone copies a piece of the rows of its lanes. Nothing else happens meanwhile. From sums along
/// rows, two and four elements per step, on an H200.
pub const COPY_CLOCKS: f64 = 17.0;

/// The time of a read of a table in shared memory, in accesses without conflicts between banks, if lanes read random elements: for 1, 2,
/// 4, … copies of it. With one copy an H200 took 3.4 for a table of 24 × 24 scores; the others are expected numbers.
pub const TABLE_TURNS: [f64; 6] = [3.4, 3.2, 3.0, 2.7, 2.0, 1.0];

/// The instructions to fill a cell of a table.
pub const TABLE_CELL: usize = 12;

/// The time of a read at an index that is a value, in accesses to shared memory, if lanes read a few different entries. A guess;
/// nothing was measured.
pub const LOOKUP_ACCESSES: usize = 4;

/// Instructions per axis of an element that may lie outside.
pub const BORDER: usize = 3;

/// Instructions for a part of a word: a shift or mask, and the combination with its neighbours.
pub const PART: usize = 2;

/// The stored words of a step that wait in registers for its end; of more, each is stored at once.
pub const STORED_WORDS: usize = 64;

/// Instructions of a branch with two sides.
pub const SIDES: usize = 4;

/// Instructions per iteration of a loop: count, compare, jump.
pub const LOOP: usize = 3;

/// Instructions of a quotient or root of f32, as nvcc writes it.
pub const QUOTIENT: usize = 10;

/// Instructions of an exponential or logarithm of f32.
pub const POWER: usize = 20;

/// Instructions of a quotient or root of f64.
pub const QUOTIENT_64: usize = 24;

/// Instructions of an exponential or logarithm of f64.
pub const POWER_64: usize = 40;

/// Instructions of a sine, cosine, arctangent or hyperbolic sine or cosine of f32, for angles that are not large.
pub const ANGLE: usize = 60;

/// Instructions of a sine, cosine, arctangent or hyperbolic sine or cosine of f64.
pub const ANGLE_64: usize = 75;

/// Instructions of a tangent or hyperbolic tangent of f32.
pub const TANGENT: usize = 80;

/// Instructions of a tangent or hyperbolic tangent of f64.
pub const TANGENT_64: usize = 120;

/// Instructions of a power of f32 with any exponent.
pub const ANY_POWER: usize = 170;

/// Instructions of a power of f64 with any exponent.
pub const ANY_POWER_64: usize = 220;

/// Instructions of a quotient of integers of up to 4 bytes.
pub const DIVISION: usize = 20;

/// Instructions of a quotient of integers of 8 bytes.
pub const DIVISION_64: usize = 80;

/// Registers per lane for the place, addresses and bounds.
pub const OTHER_REGISTERS: usize = 18;
