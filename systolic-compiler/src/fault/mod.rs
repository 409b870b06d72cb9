//! Faults as data: the law, the region, the fact, a witness in numbers, and help that can be pasted.
//! Only `wording` turns them into text.
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
pub use tokens::{compile_error, internal_error};
pub use wording::message;

use crate::region::Region;
use proc_macro2::TokenStream;

/// One violation of a law at one region.
#[derive(Clone, Debug)]
pub struct Fault {
    pub at: Region,
    pub fact: Fact,
    pub witness: Option<Witness>,
    pub help: Option<Help>,
    /// The first instance that has it, such as `Q = 5`, unless all instances have the same fault.
    pub instance: Option<String>,
    /// The map's name, if the kernel has several maps.
    pub map: Option<String>,
    /// How a map was completed, if it was open.
    pub filling: Option<Filling>,
    /// The `cfg` attributes of the kernel: the error is emitted under the same conditions.
    pub cfg: Vec<TokenStream>,
}

impl Fault {
    pub fn new(at: Region, fact: impl Into<Fact>) -> Fault {
        Fault {
            at,
            fact: fact.into(),
            witness: None,
            help: None,
            instance: None,
            map: None,
            filling: None,
            cfg: Vec::new(),
        }
    }

    pub fn law(&self) -> Law {
        self.fact.law()
    }

    pub fn with_witness(mut self, witness: Witness) -> Fault {
        self.witness = Some(witness);
        self
    }

    /// Adds advice as a sentence.
    pub fn with_advice(mut self, text: impl Into<String>) -> Fault {
        self.help = Some(Help { text: text.into(), edits: Vec::new() });
        self
    }

    /// Adds advice with code that replaces the tokens at `at`.
    pub fn with_edit(mut self, text: impl Into<String>, at: Region, code: impl Into<String>) -> Fault {
        self.help = Some(Help { text: text.into(), edits: vec![Edit { at, code: code.into() }] });
        self
    }
}

/// The attempts to complete an open map, of which a fault concerns the best.
#[derive(Clone, Debug)]
pub struct Filling {
    pub attempts: usize,
    /// The text of the map with them, and its position in the kernel.
    pub map: String,
    pub position: usize,
    /// The clauses that were added or filled in.
    pub clauses: Vec<String>,
}

/// Help for a fault: a sentence, and the edits it offers.
#[derive(Clone, Debug)]
pub struct Help {
    pub text: String,
    pub edits: Vec<Edit>,
}

/// Replaces the tokens at `at` by `code`.
#[derive(Clone, Debug)]
pub struct Edit {
    pub at: Region,
    pub code: String,
}

/// The counterexample of a fault: sizes, and one or two iteration points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub sizes: Vec<(String, i128)>,
    /// The point at which the law is violated.
    pub point: Vec<(String, i128)>,
    /// The other point: the one read from, the one that also stores, or the one at the same place.
    pub other: Option<Vec<(String, i128)>>,
    /// The array element concerned, or the indices that are out of range.
    pub element: Option<Vec<i128>>,
}
