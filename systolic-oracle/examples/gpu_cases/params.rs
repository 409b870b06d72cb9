//! The only parameter of an entry, filled as the runtime does: pieces of 8 bytes, with the addresses left open.
use crate::grid::Grid;
use crate::layout::Layout;
use systolic_compiler::evaluate::{Input, Inputs, Tensor};
use systolic_compiler::model::{Kernel, ParameterKind, Type};

#[derive(Default)]
pub struct Params {
    pub bytes: Vec<u8>,
    /// The offset at which the address of each array is stored; the scratch memory comes after the arrays.
    pub addresses: Vec<(usize, usize)>,
    /// The number of arrays so far.
    arrays: usize,
}

impl Params {
    /// The parameter with arrays in these layouts. With `in_scratch`, rows are kept in scratch memory.
    pub fn new(
        kernel: &Kernel,
        sizes: &[u64],
        (inputs, outputs): (&Inputs, &[Tensor]),
        layouts: &[Layout],
        grid: &Grid,
        in_scratch: bool,
    ) -> Params {
        let mut params = Params::default();
        for (parameter, input) in kernel.parameters.iter().zip(&inputs.parameters) {
            match (&parameter.kind, input) {
                (ParameterKind::Array { ty, .. }, Input::Array(tensor)) => params.array(*ty, tensor, layouts),
                (ParameterKind::Const { ty, .. }, Input::Array(tensor)) => params.elements(*ty, tensor),
                (ParameterKind::Scalar { .. }, Input::Scalar(value)) => params.word(value.bits()),
                _ => {}
            }
        }
        for (output, tensor) in kernel.outputs.iter().zip(outputs) {
            params.array(output.ty, tensor, layouts);
        }
        sizes.iter().for_each(|size| params.word(*size));
        grid.low.iter().for_each(|low| params.word(*low as u64));
        grid.count.iter().for_each(|count| params.word(*count));
        params.word(grid.linear.into());
        if in_scratch {
            params.address()
        } else {
            params.word(0)
        }
        params.word(grid.rows);
        params
    }

    fn array(&mut self, ty: Type, tensor: &Tensor, layouts: &[Layout]) {
        let shape: Vec<u64> = tensor.shape.iter().map(|n| *n as u64).collect();
        let strides = layouts[self.arrays].strides(&shape, ty.bytes());
        self.address();
        shape.into_iter().chain(strides).for_each(|word| self.word(word));
    }

    /// Reserves space for the address of the next array.
    fn address(&mut self) {
        self.addresses.push((self.bytes.len(), self.arrays));
        self.arrays += 1;
        self.word(0);
    }

    fn elements(&mut self, ty: Type, tensor: &Tensor) {
        self.bytes.extend(dense(ty, tensor));
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    fn word(&mut self, word: u64) {
        self.bytes.extend(word.to_le_bytes());
    }
}

/// The bytes of the elements without gaps.
pub fn dense(ty: Type, tensor: &Tensor) -> Vec<u8> {
    let element = |bits: u64| bits.to_le_bytes().into_iter().take(ty.bytes());
    tensor.values.iter().flat_map(|value| element(value.bits())).collect()
}
