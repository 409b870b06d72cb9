//! The only parameter of an entry, filled as the runtime does: pieces of 8 bytes, with the addresses left open.
use crate::grid::Grid;
use crate::layout::Layout;
use systolic_compiler::evaluate::{Input, Inputs, Tensor};
use systolic_compiler::model::{Kernel, ParameterKind, Type};

/// A word of the parameter.
#[derive(Clone, Copy)]
pub enum Word {
    Number(u64),
    /// The address of a piece of memory: the arrays are numbered first, then the rooms.
    Address(usize),
}

#[derive(Clone, Default)]
pub struct Params {
    pub bytes: Vec<u8>,
    /// The offsets at which addresses are stored, each with the number of the piece of memory.
    pub addresses: Vec<(usize, usize)>,
}

impl Params {
    /// What all launches have in common: arrays in these layouts, constants, scalars and sizes.
    pub fn new(kernel: &Kernel, sizes: &[u64], (inputs, outputs): (&Inputs, &[Tensor]), layouts: &[Layout]) -> Params {
        let mut params = Params::default();
        for (parameter, input) in kernel.parameters.iter().zip(&inputs.parameters) {
            match (&parameter.kind, input) {
                (ParameterKind::Array { ty, .. }, Input::Array(tensor)) => params.array(*ty, tensor, layouts),
                (ParameterKind::Const { ty, .. }, Input::Array(tensor)) => params.elements(*ty, tensor),
                (ParameterKind::Scalar { .. }, Input::Scalar(value)) => params.push(Word::Number(value.bits())),
                _ => {}
            }
        }
        for (output, tensor) in kernel.outputs.iter().zip(outputs) {
            params.array(output.ty, tensor, layouts);
        }
        params.with(sizes.iter().map(|size| Word::Number(*size)))
    }

    /// The parameter with more words at its end.
    pub fn with(mut self, words: impl IntoIterator<Item = Word>) -> Params {
        words.into_iter().for_each(|word| self.push(word));
        self
    }

    /// The words for the blocks of a launch, and for the rows of each.
    pub fn of_blocks(grid: &Grid, rows: Word, row_bytes: u64) -> impl Iterator<Item = Word> {
        let low = grid.low.map(|low| Word::Number(low as u64));
        let last = [Word::Number(grid.linear.into()), rows, Word::Number(row_bytes)];
        low.into_iter().chain(grid.count.map(Word::Number)).chain(last)
    }

    fn array(&mut self, ty: Type, tensor: &Tensor, layouts: &[Layout]) {
        // No address comes before those of the arrays, so this is the number of this one.
        let number = self.addresses.len();
        let shape: Vec<u64> = tensor.shape.iter().map(|n| *n as u64).collect();
        let strides = layouts[number].strides(&shape, ty.bytes());
        self.push(Word::Address(number));
        shape.into_iter().chain(strides).for_each(|word| self.push(Word::Number(word)));
    }

    fn elements(&mut self, ty: Type, tensor: &Tensor) {
        self.bytes.extend(dense(ty, tensor));
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    fn push(&mut self, word: Word) {
        let word = match word {
            Word::Number(word) => word,
            Word::Address(piece) => {
                self.addresses.push((self.bytes.len(), piece));
                0
            }
        };
        self.bytes.extend(word.to_le_bytes());
    }
}

/// The bytes of the elements without gaps.
pub fn dense(ty: Type, tensor: &Tensor) -> Vec<u8> {
    let element = |bits: u64| bits.to_le_bytes().into_iter().take(ty.bytes());
    tensor.values.iter().flat_map(|value| element(value.bits())).collect()
}
