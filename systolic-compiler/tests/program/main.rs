//! The form of warp programs: no guard in a steady-state loop that its bounds imply, shared reads, staged boxes, loops
//! that the CPU makes of unrolled rows, and one list of passes.
mod borders;
mod cost;
mod merged;
mod paired;
mod passes;
mod shape;
mod support;
