//! The single parameter of a kernel: little-endian words of 8 bytes, in the order of the kernel's struct.
use super::element::Element;
use crate::error::Error;

/// The number of words in 4 KiB.
const MOST: usize = 512;

/// The parameter of a kernel under construction.
#[derive(Debug)]
pub struct Params {
    words: [u64; MOST],
    used: usize,
    /// The number of words that did not fit.
    lost: usize,
}

impl Params {
    pub fn new() -> Self {
        Params { words: [0; MOST], used: 0, lost: 0 }
    }

    /// Appends a number or an address.
    pub fn push(&mut self, word: u64) {
        match self.words.get_mut(self.used) {
            Some(place) => {
                *place = word;
                self.used += 1;
            }
            None => self.lost += 1,
        }
    }

    /// Appends a word that [`put`](Params::put) replaces. Returns its place.
    pub fn hole(&mut self) -> usize {
        self.push(0);
        self.used - 1
    }

    /// Replaces the word at a place.
    pub fn put(&mut self, place: usize, word: u64) {
        self.words[place] = word;
    }

    /// Appends elements, padded to a multiple of 8 bytes.
    pub fn elements<T: Element>(&mut self, elements: &[T]) {
        let size = size_of::<T>();
        for group in elements.chunks(8 / size) {
            let place = |(k, x): (usize, &T)| x.bits() << (8 * size * k);
            self.push(group.iter().enumerate().map(place).fold(0, |word, bits| word | bits));
        }
    }

    /// Returns the whole parameter with `last` appended. The next call replaces `last`. Fails if the words do not fit in 4 KiB.
    pub fn with(&mut self, last: impl IntoIterator<Item = u64>) -> Result<&[u64], Error> {
        let (used, lost) = (self.used, self.lost);
        last.into_iter().for_each(|word| self.push(word));
        let (all, left) = (self.used, self.lost);
        (self.used, self.lost) = (used, lost);
        if left > 0 {
            let (value, limit) = (8 * (all + left) as i128, 8 * MOST as i128);
            return Err(Error::Limit { what: "the bytes of the kernel's parameters".to_string(), value, limit });
        }
        Ok(&self.words[..all])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic_arith::f16;

    fn check(make: impl FnOnce(&mut Params), bytes: &[u8]) {
        let mut params = Params::new();
        make(&mut params);
        let made: Vec<u8> = params.with([]).unwrap().iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(made, bytes);
    }

    #[test]
    fn every_piece_is_padded_to_eight_bytes() {
        check(|p| p.elements(&[1u8, 2, 3]), &[1, 2, 3, 0, 0, 0, 0, 0]);
        check(|p| p.elements(&[-1i16, 2]), &[0xff, 0xff, 2, 0, 0, 0, 0, 0]);
        check(|p| p.elements(&[1.0f32, -2.0, 0.5]), &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f, 0, 0, 0, 0]);
        check(|p| p.elements(&[1.0f64]), &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
        check(|p| p.elements(&[f16::ONE]), &[0, 0x3c, 0, 0, 0, 0, 0, 0]);
        check(|p| p.elements(&[true]), &[1, 0, 0, 0, 0, 0, 0, 0]);
        check(|p| p.elements(&[-1i8; 9]), &[[255u8; 9].as_slice(), &[0; 7]].concat());
        check(|p| p.elements::<f32>(&[]), &[]);
        check(|p| p.push(0x0102), &[2, 1, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn last_words_are_replaced() {
        let mut params = Params::new();
        params.push(7);
        assert_eq!(params.with([1, 2]), Ok(&[7, 1, 2][..]));
        assert_eq!(params.with([3]), Ok(&[7, 3][..]));
        assert!(params.with([0; MOST]).is_err());
        assert_eq!(params.with([]), Ok(&[7][..]));
    }

    #[test]
    fn a_hole_is_filled() {
        let mut params = Params::new();
        params.push(7);
        let hole = params.hole();
        params.push(9);
        params.put(hole, 8);
        assert_eq!(params.with([]), Ok(&[7, 8, 9][..]));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let mut params = Params::new();
        params.elements(&[0u8; 4096]);
        assert_eq!(params.with([]).map(<[u64]>::len), Ok(512));
        params.elements(&[0u8; 9]);
        let what = "the bytes of the kernel's parameters".to_string();
        assert_eq!(params.with([]), Err(Error::Limit { what, value: 4112, limit: 4096 }));
    }
}
