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

/// Instances on the page of a kernel; where there are more, they are counted.
pub const INSTANCES: usize = 12;
