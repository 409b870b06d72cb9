//! Parses tokens to a tree and prints a tree as text. Checks only the grammar; names, types and laws come later.
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

pub use map::CLAUSES;
pub use print::{
    print, print_array, print_assign, print_clause, print_expr, print_kernel, print_map, print_output_type,
};

pub use words::FUNCTIONS;
pub(crate) use words::is_reserved;

use crate::fault::Fault;
use proc_macro2::TokenStream;
use syn::buffer::TokenBuffer;

/// The result of parsing a block.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The kernels without a fault, in the order written.
    pub block: tree::Block,
    /// In the order found, which is the order of the source.
    pub faults: Vec<Fault>,
    /// One for every faulty kernel whose name could be read.
    pub skeletons: Vec<Skeleton>,
}

/// The part of a faulty kernel's header that could be read. It suffices to emit the kernel's signature, so that its
/// callers do not fail too.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// Without conditions, body and maps.
    pub header: tree::Kernel,
    /// Whether generics, parameters and outputs were read without a fault.
    pub complete_header: bool,
}

/// Parses a block. A kernel with a fault becomes a skeleton. After a fault, reading continues at the next parameter,
/// statement or clause, so that one pass reports several faults.
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

/// The canonical text of a kernel, without attributes and visibility.
pub fn text(kernel: &tree::Kernel) -> String {
    print_kernel(&tree::Kernel { attributes: Vec::new(), visibility: TokenStream::new(), ..kernel.clone() })
}
