//! How much of something a message shows before it is shortened.

/// Characters of a ring of dependences.
pub const RING: usize = 170;

/// Characters of equations that are shown joined to one.
pub const JOINED_CODE: usize = 150;

/// Arms of such an expression.
pub const JOINED_ARMS: usize = 16;

/// Characters of a kernel header on one line.
pub const LINE: usize = 100;

/// Stores that replace one with a division in its index.
pub const STORES: i128 = 4;

/// Characters of suggested code.
pub const CODE: usize = 120;

/// Characters of a line with two suggested statements.
pub const STATEMENTS: usize = 190;

/// Instances on the page of a kernel; where there are more, they are counted.
pub const INSTANCES: usize = 12;

/// Points that a picture of a map is chosen from.
pub const POINTS: usize = 60_000;

/// Places in a picture; a page that one can still read, and of few kilobytes.
pub const SPOTS: usize = 2_000;

/// Registers of a fold in a picture.
pub const FOLD: i128 = 64;

/// Dependences in a picture.
pub const LINKS: usize = 9_000;

/// Steps of a block that a picture is chosen to have.
pub const STEPS: i128 = 24;

/// Blocks that a picture is chosen to have.
pub const BLOCKS: i128 = 4;

/// Iterations of a loop that a picture is chosen to have at least.
pub const LOOP: i128 = 8;

/// Combinations of sizes among which those of a picture are chosen.
pub const SIZE_CHOICES: usize = 4_096;

/// A size of a picture of a refused map that its counterexample does not name.
pub const SMALL: i128 = 8;

/// Characters of a line of emitted Rust on a page, where the code can be broken.
pub const CODE_LINE: usize = 110;
