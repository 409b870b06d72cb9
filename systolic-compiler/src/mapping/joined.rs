//! Loops that may run as one. Where arrays are accessed only at the point itself, rows that follow each other in memory are one
//! long row:
//!
//! ```text
//! for r in 0..R, c in 0..C { y[r, c] = x[r, c] + 1; }        at R = 1000, C = 8
//!
//! is the same kernel at R = 1, C = 8000, with the same elements in the same order
//! ```
//!
//! Nothing is proved or compiled again: the code runs with other sizes. So it is lawful, and right, if the kernel computes the
//! same elements for them: neither the loops nor their sizes may occur anywhere else.
use crate::model::{Array, Form, Kernel, Parameter, ParameterKind, SizeSource};

/// Loops that may run as one, and where arrays have them.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The sizes of the loops. The last becomes the product, the others 1.
    pub sizes: Vec<usize>,
    /// The first of their axes in each parameter that has them.
    pub inputs: Vec<Option<usize>>,
    /// The same of each output.
    pub outputs: Vec<Option<usize>>,
}

impl Joined {
    /// The longest sequence of loops of a kernel that may run as one.
    pub fn of(kernel: &Kernel) -> Option<Joined> {
        let index = &kernel.stores.first()?.index;
        let ends = (2..=index.len()).rev().flat_map(|n| (n..=index.len()).map(move |end| end - n..end));
        ends.into_iter().find_map(|axes| {
            let loops: Option<Vec<usize>> = index[axes].iter().map(|form| alone(kernel, form)).collect();
            Loops::new(kernel, loops?)?.joined()
        })
    }
}

/// The loop whose index a form is.
fn alone(kernel: &Kernel, form: &Form) -> Option<usize> {
    (0..kernel.loops.len()).find(|l| *form == Form::var(kernel.loop_dim(*l)))
}

struct Loops<'k> {
    kernel: &'k Kernel,
    loops: Vec<usize>,
    sizes: Vec<usize>,
}

impl<'k> Loops<'k> {
    /// The loops, if each runs from 0 to a size of its own that follows from a shape.
    fn new(kernel: &'k Kernel, loops: Vec<usize>) -> Option<Loops<'k>> {
        let size = |l: &usize| {
            let of = &kernel.loops[*l];
            let size = (0..kernel.sizes.len()).find(|k| of.high == Form::var(*k) && of.low == Form::constant(0))?;
            matches!(kernel.sizes[size].source, SizeSource::Shape { .. }).then_some(size)
        };
        let sizes: Vec<usize> = loops.iter().map(size).collect::<Option<_>>()?;
        let twice = |list: &[usize]| (1..list.len()).any(|k| list[..k].contains(&list[k]));
        (!twice(&sizes) && !twice(&loops)).then_some(Loops { kernel, loops, sizes })
    }

    /// Whether a dimension is one of the loops or sizes.
    fn is_meant(&self, dim: usize) -> bool {
        self.sizes.contains(&dim) || self.loops.iter().any(|l| self.kernel.loop_dim(*l) == dim)
    }

    fn joined(&self) -> Option<Joined> {
        let kernel = self.kernel;
        // Lengths depend on loops.
        if kernel.lengths().next().is_some() {
            return None;
        }
        let is_meant = |dim: usize| self.is_meant(dim);
        let others = kernel.loops.iter().enumerate().filter(|(l, _)| !self.loops.contains(l)).map(|(_, of)| of);
        let bounded = others.into_iter().any(|of| of.low.mentions(&is_meant) || of.high.mentions(&is_meant));
        let moves = kernel.reads().iter().any(|read| self.loops.iter().any(|l| read.distance[*l] != 0));
        if bounded
            || moves
            || kernel.depends(&is_meant)
            || kernel.conditions.iter().any(|c| c.formula.mentions(&is_meant))
        {
            return None;
        }
        let input = |parameter: &Parameter| match &parameter.kind {
            ParameterKind::Array { dims, .. } => self.axes(dims, &self.sizes),
            _ => Some(None),
        };
        let inputs: Vec<Option<usize>> = kernel.parameters.iter().map(input).collect::<Option<_>>()?;
        let outputs: Vec<Option<usize>> =
            kernel.outputs.iter().map(|output| self.axes(&output.dims, &self.sizes)).collect::<Option<_>>()?;
        let dims: Vec<usize> = self.loops.iter().map(|l| kernel.loop_dim(*l)).collect();
        let accessed = kernel.accesses().iter().all(|access| {
            let first = match access.array {
                Array::Parameter(k) => inputs[k],
                Array::Constant(_) => None,
            };
            self.axes(access.index, &dims) == Some(first)
        });
        let looked_up = kernel.lookups().iter().any(|(array, ..)| match array {
            Array::Parameter(k) => inputs[*k].is_some(),
            Array::Constant(_) => false,
        });
        let stored = kernel.stores.iter().all(|store| self.axes(&store.index, &dims) == Some(outputs[store.output]));
        let everywhere = outputs.iter().all(Option::is_some);
        (accessed && stored && everywhere && !looked_up).then(|| Joined { sizes: self.sizes.clone(), inputs, outputs })
    }

    /// Where forms are exactly these dimensions, one after another, and no other form mentions the loops or sizes:
    /// `Some(Some(axis))`; where none mentions them: `Some(None)`.
    fn axes(&self, forms: &[Form], dims: &[usize]) -> Option<Option<usize>> {
        let mentioned: Vec<usize> =
            (0..forms.len()).filter(|k| forms[*k].mentions(&|dim| self.is_meant(dim))).collect();
        let Some(first) = mentioned.first() else { return Some(None) };
        let are_these = mentioned.len() == dims.len()
            && dims.iter().enumerate().all(|(k, dim)| forms.get(first + k) == Some(&Form::var(*dim)));
        are_these.then_some(Some(*first))
    }
}
