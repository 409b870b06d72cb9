//! The documents say what is so: their code compiles, their numbers and paths are those of the sources.
mod book;
mod glossary;
mod house;
mod language;
mod performance;
mod project;
mod readme;
mod records;
mod text;
mod tutorial;
