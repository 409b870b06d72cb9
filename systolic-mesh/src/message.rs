//! Messages: a header that says which step of which mesh they belong to and how long they are, then the content.
use crate::error::Error;
use systolic::Element;
use systolic::ndarray::{ArrayView, ArrayViewMut, Dimension};

/// The first bytes of every message.
const MARK: [u8; 4] = *b"mesh";
/// The bytes of a header: the mark, the number of the step, the length of the content.
const HEADER: usize = 20;

/// A message that is being written.
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// An empty message of this step.
    pub fn new(step: u64) -> Writer {
        let mut bytes = MARK.to_vec();
        bytes.extend(step.to_le_bytes());
        bytes.extend(0u64.to_le_bytes());
        Writer { bytes }
    }

    /// Appends bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a number.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Appends the elements in order.
    pub fn elements<T: Element, D: Dimension>(&mut self, elements: ArrayView<'_, T, D>) {
        self.bytes.reserve(elements.len() * T::TYPE.bytes());
        elements.iter().for_each(|element| put(&mut self.bytes, *element));
    }

    /// The message, with its length in the header.
    pub fn finish(mut self) -> Vec<u8> {
        let length = (self.bytes.len() - HEADER) as u64;
        self.bytes[HEADER - 8..HEADER].copy_from_slice(&length.to_le_bytes());
        self.bytes
    }
}

/// A message that was received.
pub struct Reader {
    bytes: Vec<u8>,
    at: usize,
    rank: usize,
}

impl Reader {
    /// Checks the header of a message from a rank.
    pub fn new(bytes: Vec<u8>, rank: usize, step: u64) -> Result<Reader, Error> {
        let wrong = |why: String| Error::Message { rank, why };
        if bytes.len() < HEADER {
            return Err(wrong(format!("was cut short: expected a header of {HEADER} bytes, got {}", bytes.len())));
        }
        if bytes[..4] != MARK {
            return Err(wrong("is not one of a mesh".to_string()));
        }
        let number = |from: usize| bytes[from..from + 8].iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        let (its, length, got) = (number(4), number(12), (bytes.len() - HEADER) as u64);
        if length != got {
            return Err(wrong(format!("was cut short: expected {length} bytes, got {got}")));
        }
        if its != step {
            return Err(wrong(format!("belongs to step {its}, expected step {step}")));
        }
        Ok(Reader { bytes, at: HEADER, rank })
    }

    /// The next bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&[u8], Error> {
        let left = self.bytes.len() - self.at;
        if count > left {
            let why = format!("was cut short: expected {count} more bytes, got {left}");
            return Err(Error::Message { rank: self.rank, why });
        }
        self.at += count;
        Ok(&self.bytes[self.at - count..self.at])
    }

    /// The next number.
    pub fn number(&mut self) -> Result<u64, Error> {
        Ok(self.bytes(8)?.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte)))
    }

    /// All that is left.
    pub fn rest(&mut self) -> &[u8] {
        let at = std::mem::replace(&mut self.at, self.bytes.len());
        &self.bytes[at..]
    }

    /// Fills the elements in order.
    pub fn elements<T: Element, D: Dimension>(&mut self, mut elements: ArrayViewMut<'_, T, D>) -> Result<(), Error> {
        let width = T::TYPE.bytes();
        let bytes = self.bytes(elements.len() * width)?;
        elements.iter_mut().zip(bytes.chunks_exact(width)).for_each(|(element, bytes)| *element = get(bytes));
        Ok(())
    }

    /// Checks that nothing is left.
    pub fn end(self) -> Result<(), Error> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            more => Err(Error::Message { rank: self.rank, why: format!("is {more} bytes too long") }),
        }
    }
}

/// Appends an element, the lowest byte first.
pub fn put<T: Element>(bytes: &mut Vec<u8>, element: T) {
    bytes.extend_from_slice(&element.bits().to_le_bytes()[..T::TYPE.bytes()]);
}

/// The element in these bytes.
pub fn get<T: Element>(bytes: &[u8]) -> T {
    T::of_bits(bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic::ndarray::arr1;

    fn message() -> Vec<u8> {
        let mut writer = Writer::new(7);
        writer.number(5);
        writer.elements(arr1(&[1.5f32, -0.0]).view());
        writer.finish()
    }

    #[test]
    fn what_was_written_is_read() {
        let mut reader = Reader::new(message(), 1, 7).unwrap();
        let mut elements = arr1(&[0.0f32; 2]);
        assert_eq!(reader.number().unwrap(), 5);
        reader.elements(elements.view_mut()).unwrap();
        assert_eq!(elements.map(|x| x.to_bits()), arr1(&[1.5f32.to_bits(), (-0.0f32).to_bits()]));
        reader.end().unwrap();
    }

    #[test]
    fn a_message_that_was_cut_anywhere_is_an_error() {
        let whole = message();
        for length in 0..whole.len() {
            let error = Reader::new(whole[..length].to_vec(), 3, 7).err().expect("it was cut").to_string();
            assert!(error.starts_with("a message from rank 3 was cut short: expected "), "{error}");
        }
    }

    #[test]
    fn a_message_of_another_step_or_program_is_an_error() {
        let error = Reader::new(message(), 2, 8).err().expect("another step").to_string();
        assert_eq!(error, "a message from rank 2 belongs to step 7, expected step 8");
        let error = Reader::new(vec![0; 64], 2, 8).err().expect("no mark").to_string();
        assert_eq!(error, "a message from rank 2 is not one of a mesh");
        let mut reader = Reader::new(message(), 2, 7).unwrap();
        reader.number().unwrap();
        assert_eq!(reader.end().unwrap_err().to_string(), "a message from rank 2 is 8 bytes too long");
    }
}
