//! The rules of the arithmetic, checked by definitions that share no code with the crate.

mod casts;
mod elementary;
mod floats;
mod functions;
mod halves;
mod integers;
mod literals;
mod precise;
mod support;
mod values;
