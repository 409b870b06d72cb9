//! Tokens to tree and tree to text. Nothing is decided here but the grammar: names, types and laws come later.
mod body;
mod depth;
mod expr;
mod input;
mod literal;
mod map;
mod operator;
mod otherwise;
mod parse;
mod print;
pub mod tree;
mod words;

pub use print::{print, print_assign, print_clause, print_expr, print_kernel};

use crate::fault::Fault;
use proc_macro2::TokenStream;
use syn::buffer::TokenBuffer;

/// What a block of tokens gave.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The kernels without a fault, in the order written.
    pub block: tree::Block,
    /// In the order found, which is the order written.
    pub faults: Vec<Fault>,
    /// One for every faulty kernel whose name could be read.
    pub skeletons: Vec<Skeleton>,
}

/// What could be read of the header of a faulty kernel: enough to emit its signature, so that its callers do not fail too.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// Without conditions, body and maps.
    pub header: tree::Kernel,
    /// Generics, parameters and outputs were read without a fault.
    pub complete_header: bool,
}

/// Reads a block. A faulty kernel is skipped; inside one, reading goes on at the next parameter, statement or clause.
pub fn parse(tokens: TokenStream) -> Parsed {
    let mut parsed = Parsed { block: tree::Block { kernels: Vec::new() }, faults: Vec::new(), skeletons: Vec::new() };
    match depth::check(&tokens) {
        Err(fault) => parsed.faults.push(*fault),
        Ok(()) => {
            let buffer = TokenBuffer::new2(tokens);
            parse::block(input::Input::block(buffer.begin()), &mut parsed);
        }
    }
    parsed
}

/// What a kernel says, in one layout: without attributes and visibility.
pub fn text(kernel: &tree::Kernel) -> String {
    print_kernel(&tree::Kernel { attributes: Vec::new(), visibility: TokenStream::new(), ..kernel.clone() })
}
