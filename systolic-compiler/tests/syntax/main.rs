//! The parser and the printer: the trees of valid texts, the messages for invalid ones, and printing as the inverse of
//! parsing.
mod corpus;
mod faulty;
mod limits;
mod pasted;
mod random;

use proc_macro2::TokenStream;
use systolic_compiler::fault::{Fact, Fault, SyntaxFact};
use systolic_compiler::region::Region;
use systolic_compiler::syntax::{Parsed, parse, print, tree};

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Parses a text that must be valid.
fn block(text: &str) -> tree::Block {
    let Parsed { block, faults, skeletons } = parse(tokens(text));
    assert!(faults.is_empty(), "{}\n{text}", told(text, &faults));
    assert!(skeletons.is_empty());
    block
}

/// A kernel with this expression as the value of its equation.
fn equation(expr: &str) -> String {
    format!("kernel k(x: [f32; N]) -> (y: [f32; N]) {{ for i in 0..N {{ y[i] = {expr}; }} }}")
}

/// A kernel with these map clauses.
fn mapped(clauses: &str) -> String {
    format!("kernel k(x: [f32; N]) -> (y: [f32; N]) {{ for i in 0..N {{ y[i] = x[i]; }} map {{ {clauses} }} }}")
}

/// A kernel with these statements.
fn looped(statements: &str) -> String {
    format!("kernel k(x: [f32; N]) -> (y: [f32; N]) {{ for i in 0..N {{ {statements} }} }}")
}

fn value(block: &tree::Block) -> &tree::Expr {
    let [tree::Statement::Assign(assign)] = block.kernels[0].statements.as_slice() else { panic!("one equation") };
    &assign.value
}

fn source<'a>(text: &'a str, at: &Region) -> &'a str {
    text.get(at.start.byte_range().start..at.end.byte_range().end).unwrap_or("?")
}

fn told(text: &str, faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("{} @ {}", fact(fault), source(text, &fault.at))).collect::<Vec<_>>().join("\n")
}

/// The fault in one line, for use in tables.
fn fact(fault: &Fault) -> String {
    let Fact::Syntax(fact) = &fault.fact else { panic!("not of syntax: {fault:?}") };
    match fact {
        SyntaxFact::Expected { expected, found } => format!("expected {expected}, found {found}"),
        SyntaxFact::Misspelt { found, keyword } => format!("misspelt: {found}, {keyword}"),
        SyntaxFact::TooDeep { limit } => format!("too deep: {limit}"),
        SyntaxFact::TooLong { limit } => format!("too long: {limit}"),
        SyntaxFact::LiteralTooLarge { text } => format!("too large: {text}"),
        SyntaxFact::Repeated { what } => format!("repeated: {what}"),
        SyntaxFact::Reserved { word } => format!("reserved: {word}"),
        SyntaxFact::NotHere { what } => format!("not here: {what}"),
    }
}
