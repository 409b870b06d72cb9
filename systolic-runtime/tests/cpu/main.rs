//! Tests vectors on the CPU against the scalar definition, at every level of this machine.
mod apart;
mod arrays;
mod operations;
mod positions;
mod random;
mod shuffles;
mod walks;
