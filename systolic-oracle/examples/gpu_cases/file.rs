//! The file of cases: words of 8 bytes, little endian, and byte strings preceded by their length.
//!
//! ```text
//! file    = MAGIC kernels, kernel…
//! kernel  = seed, key, cases, case…
//! case    = sizes, size…, arrays, array…, launches, launch…
//! array   = is it an output, type, rank, length…, the bytes of its elements without gaps
//! launch  = entry, blocks along x, y, z, warps, shared bytes, scratch bytes, params, addresses, (offset, array)…,
//!           (lead, pitch) of every array
//! ```
//!
//! Text and bytes are written as a count followed by the data. The elements of an output are the expected ones. An
//! array starts `lead` bytes after a multiple of 256, with its rows `pitch` bytes apart. An offset into the params is
//! where the address of an array is stored; after the last array comes the address of the scratch memory.
use crate::kernel::Case;

/// The magic number at the start of a file.
const MAGIC: u64 = 0x7379_7374_6f6c_6963;

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
            self.bytes(&array.bytes);
        }
        self.word(case.launches.len() as u64);
        for launch in &case.launches {
            self.bytes(launch.entry.as_bytes());
            launch.blocks.iter().for_each(|n| self.word(*n));
            [launch.warps, launch.shared, launch.scratch].into_iter().for_each(|n| self.word(n));
            self.bytes(&launch.params.bytes);
            self.word(launch.params.addresses.len() as u64);
            launch.params.addresses.iter().for_each(|(offset, array)| {
                self.word(*offset as u64);
                self.word(*array as u64);
            });
            launch.layouts.iter().for_each(|layout| {
                self.word(layout.lead as u64);
                self.word(layout.pitch as u64);
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
