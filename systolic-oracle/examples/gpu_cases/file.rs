//! The file of cases: words of 8 bytes, little endian, and byte strings preceded by their length.
//!
//! ```text
//! file    = MAGIC kernels, kernel…
//! kernel  = seed, key, cases, case…
//! case    = sizes, size…, arrays, array…, calls, call…
//! array   = is it an output, type, rank, length…, the bytes of its elements without gaps: before, after
//! call    = entry, warps, (lead, pitch) of every array, rooms, room…, launches, launch…
//! room    = bytes, its first bytes before, are these written before every launch, is it known after, its bytes after
//! launch  = blocks along x, y, z, shared bytes, params, addresses, (offset, piece)…
//! ```
//!
//! Text and bytes are written as a count followed by the data. A call fills its arrays and rooms, then runs its launches one after
//! another; then all memory must be as it is expected. An array starts `lead` bytes after a multiple of 256, with its rows `pitch`
//! bytes apart. A room is memory beside the arrays and starts at such a multiple; its remaining bytes are 255 before. An offset into
//! the params is where the address of a piece of memory is stored: pieces are the arrays, then the rooms. Both are numbered from 0.
use crate::call::Call;
use crate::case::Case;
use crate::far::Room;

/// The magic number at the start of a file.
const MAGIC: u64 = 0x7379_7374_6f6c_6964;

#[derive(Default)]
pub struct File {
    bytes: Vec<u8>,
    kernels: u64,
}

impl File {
    pub fn kernel(&mut self, seed: u64, key: &str, cases: &[Case]) {
        self.kernels += 1;
        self.word(seed);
        self.bytes(key.as_bytes());
        self.word(cases.len() as u64);
        cases.iter().for_each(|case| self.case(case));
    }

    /// The whole file.
    pub fn finish(self) -> Vec<u8> {
        [&MAGIC.to_le_bytes()[..], &self.kernels.to_le_bytes(), &self.bytes].concat()
    }

    fn case(&mut self, case: &Case) {
        self.words(&case.sizes);
        self.word(case.arrays.len() as u64);
        for array in &case.arrays {
            self.word(array.is_output.into());
            self.bytes(array.ty.name().as_bytes());
            self.words(&array.shape);
            self.bytes(&array.before);
            self.bytes(&array.after);
        }
        self.word(case.calls.len() as u64);
        case.calls.iter().for_each(|call| self.call(call));
    }

    fn call(&mut self, call: &Call) {
        self.bytes(call.entry.as_bytes());
        self.word(call.warps);
        call.layouts.iter().for_each(|layout| {
            self.word(layout.lead as u64);
            self.word(layout.pitch as u64);
        });
        self.word(call.rooms.len() as u64);
        for Room { bytes, before, again, after } in &call.rooms {
            self.word(*bytes);
            self.bytes(before);
            self.word((*again).into());
            self.word(after.is_some().into());
            self.bytes(after.as_deref().unwrap_or_default());
        }
        self.word(call.launches.len() as u64);
        for launch in &call.launches {
            launch.blocks.iter().for_each(|n| self.word(*n));
            self.word(launch.shared);
            self.bytes(&launch.params.bytes);
            self.word(launch.params.addresses.len() as u64);
            launch.params.addresses.iter().for_each(|(offset, piece)| {
                self.word(*offset as u64);
                self.word(*piece as u64);
            });
        }
    }

    fn word(&mut self, word: u64) {
        self.bytes.extend(word.to_le_bytes());
    }

    /// Writes the number of words, then the words.
    fn words(&mut self, words: &[u64]) {
        self.word(words.len() as u64);
        words.iter().for_each(|word| self.word(*word));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        self.bytes.extend(bytes);
    }
}
