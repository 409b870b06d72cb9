//! Faults as data: the law, the place, the fact, a witness in numbers, and help that can be pasted.
//! Words are put to them in `wording` alone.
mod collect;
mod facts;
mod law;
mod nearest;
mod tokens;
mod wording;

pub use collect::{Faults, InstanceFaults};
pub use facts::*;
pub use law::Law;
pub use nearest::nearest;
pub use tokens::compile_error;
pub use wording::message;

use crate::region::Region;
use proc_macro2::TokenStream;

/// One broken law at one place.
#[derive(Clone, Debug)]
pub struct Fault {
    pub at: Region,
    pub fact: Fact,
    pub witness: Option<Witness>,
    pub help: Option<Help>,
    /// The first instance that has it, where not all have: `Q = 5`.
    pub instance: Option<String>,
    /// The map's name, where the kernel has several maps.
    pub map: Option<String>,
    /// The `cfg` attributes of the kernel: where they do not hold, nothing is said.
    pub cfg: Vec<TokenStream>,
}

impl Fault {
    pub fn new(at: Region, fact: impl Into<Fact>) -> Fault {
        Fault { at, fact: fact.into(), witness: None, help: None, instance: None, map: None, cfg: Vec::new() }
    }

    pub fn law(&self) -> Law {
        self.fact.law()
    }

    pub fn with_witness(mut self, witness: Witness) -> Fault {
        self.witness = Some(witness);
        self
    }

    /// Advice in words.
    pub fn with_advice(mut self, text: impl Into<String>) -> Fault {
        self.help = Some(Help { text: text.into(), edits: Vec::new() });
        self
    }

    /// Code to put in place of `at`.
    pub fn with_edit(mut self, text: impl Into<String>, at: Region, code: impl Into<String>) -> Fault {
        self.help = Some(Help { text: text.into(), edits: vec![Edit { at, code: code.into() }] });
        self
    }
}

/// What to do about a fault: a sentence, and the code it offers.
#[derive(Clone, Debug)]
pub struct Help {
    pub text: String,
    pub edits: Vec<Edit>,
}

/// Replace the tokens at `at` by `code`.
#[derive(Clone, Debug)]
pub struct Edit {
    pub at: Region,
    pub code: String,
}

/// Numbers that show the fault: sizes, and one or two points of the loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub sizes: Vec<(String, i128)>,
    /// The point where it happens.
    pub point: Vec<(String, i128)>,
    /// The other point: read from, stored twice, sharing the place.
    pub other: Option<Vec<(String, i128)>>,
    /// The array element concerned, or the indices that leave.
    pub element: Option<Vec<i128>>,
}
