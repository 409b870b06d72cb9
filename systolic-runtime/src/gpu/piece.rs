//! Pieces of device memory: who owns them, and which work uses them. An array and the sequences that were recorded with it share its
//! piece.
use super::context::Context;
use super::raw::Address;
use super::sync::lock;
use super::uses::Uses;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A piece of device memory.
#[derive(Debug)]
pub struct Piece {
    context: Arc<Context>,
    /// 0 if it has no bytes.
    pub address: Address,
    pub uses: Mutex<Uses>,
    /// A sequence writes it, at any time from now on and without a borrow of the array.
    written_by_sequence: AtomicBool,
    owner: Owner,
}

/// Who frees a piece.
#[derive(Debug, PartialEq, Eq)]
enum Owner {
    /// The piece.
    Ours,
    /// Somebody else.
    #[cfg(feature = "cuda")]
    Lent,
}

impl Piece {
    /// Memory that `allocate` of this context has returned, or 0.
    pub fn ours(context: Arc<Context>, address: Address) -> Arc<Piece> {
        Arc::new(Piece {
            context,
            address,
            uses: Mutex::default(),
            written_by_sequence: AtomicBool::new(false),
            owner: Owner::Ours,
        })
    }

    /// Memory that another owner frees, after the piece was [closed](Uses::close) or is dropped.
    #[cfg(feature = "cuda")]
    pub fn lent(context: Arc<Context>, address: Address) -> Arc<Piece> {
        Arc::new(Piece {
            context,
            address,
            uses: Mutex::default(),
            written_by_sequence: AtomicBool::new(false),
            owner: Owner::Lent,
        })
    }
}

impl Piece {
    /// Notes that a sequence writes the memory.
    pub fn note_sequence(&self) {
        self.written_by_sequence.store(true, Ordering::Relaxed);
    }

    /// Returns whether a sequence writes the memory.
    pub fn is_written_by_sequence(&self) -> bool {
        self.written_by_sequence.load(Ordering::Relaxed)
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if self.address == 0 {
            return;
        }
        // An error means that the device is lost, and then nothing runs there any more.
        let _ = lock(&self.uses).finish();
        if self.owner == Owner::Ours {
            self.context.raw.free(self.address);
        }
    }
}
