//! What warp programs look like: no guard in a steady loop that its bounds settle, shared reads, staged boxes, loops that
//! the CPU makes of rows written out, and one list of passes.
mod cost;
mod passes;
mod shape;
mod support;
