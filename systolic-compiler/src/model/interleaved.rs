//! Interleaved elements, such as the colours of a picture: the loop over them and the loop over the groups run as one, if a kernel does
//! the same with all elements of a group.
//!
//! ```text
//! for r in 0..R, c in 0..C, k in 0..3 { y[r, c, k] = x[r, c - 1, k] + x[r, c + 1, k]; }       x: [u8; R, C, 3]
//!
//! for r in 0..R, m in 0..3 * C { y[r, m] = x[r, m - 3] + x[r, m + 3]; }                       x: [u8; R, 3 * C]
//! ```
//!
//! Then lanes are elements that follow each other in memory, and nothing has to be sorted. With m = 3c + k the points are the same, and
//! so are their values: a comparison of c with a number of groups f is one of m with 3f, since c ≥ f if and only if m ≥ 3f, and
//! c ≤ f if and only if m ≤ 3f + 2. A border of `x` still applies to whole groups.
use super::{Array, Element, Expr, ExprKind, Form, Formula, Int, Kernel, ParameterKind, copies};
use crate::target::cpu;

/// A kernel in which two loops are one.
#[derive(Clone, Debug)]
pub struct Interleaved {
    /// The kernel. The loop over the elements of a group has one iteration.
    pub kernel: Kernel,
    /// Whether the last two axes of a parameter are one.
    pub inputs: Vec<bool>,
    /// How many elements a group has.
    pub count: Int,
}

impl Kernel {
    /// The kernel with the loop over the elements of a group and the loop over the groups as one, if all outputs are interleaved like
    /// that, all elements of a group are treated alike, and lanes have other loops where values move along the groups. `None` if there
    /// are no such loops.
    pub fn interleaved(&self) -> Option<Interleaved> {
        let index = &self.stores.first()?.index;
        let [.., groups, elements] = index.as_slice() else { return None };
        let alone = |form: &Form| (0..self.loops.len()).find(|l| *form == Form::var(self.loop_dim(*l)));
        let (groups, elements) = (alone(groups)?, alone(elements)?);
        let of = &self.loops[elements];
        let is_short = of.high.is_constant() && (2..=cpu::MERGED_ELEMENTS).contains(&of.high.constant);
        if groups == elements || !is_short || of.low != Form::constant(0) || self.lengths().next().is_some() {
            return None;
        }
        let (group, element) = (self.loop_dim(groups), self.loop_dim(elements));
        Loops { kernel: self, groups, group, element, count: of.high.constant }.joined(elements)
    }
}

/// The dimensions of both loops, and how many elements a group has.
struct Loops<'k> {
    kernel: &'k Kernel,
    /// The loop over the groups.
    groups: usize,
    group: usize,
    element: usize,
    count: Int,
}

impl Loops<'_> {
    fn joined(&self, elements: usize) -> Option<Interleaved> {
        let kernel = self.kernel;
        let bounded = kernel.loops.iter().any(|l| self.are_in(&l.low) || self.are_in(&l.high));
        let moves = |l: usize| kernel.reads().iter().any(|read| read.distance[l] != 0);
        // Along groups values may move if another loop has points that do not wait for each other: otherwise lanes take the elements.
        let others = (0..kernel.loops.len()).any(|l| l != self.groups && l != elements && !moves(l));
        if bounded || moves(elements) || (moves(self.groups) && (!others || self.count > cpu::FEW_LANES)) {
            return None;
        }
        let mut joined = Kernel { maps: Vec::new(), open: Vec::new(), ..kernel.clone() };
        let bounds = &mut joined.loops[self.groups];
        (bounds.low, bounds.high) = (bounds.low.scale(self.count), bounds.high.scale(self.count));
        joined.loops[elements].high = Form::constant(1);
        let mut inputs: Vec<Option<bool>> = vec![None; kernel.parameters.len()];
        for equation in &mut joined.equations {
            self.value(&mut equation.value, &mut inputs)?;
            equation.runs = self.formula(&equation.runs)?;
        }
        for store in &mut joined.stores {
            let dims = &kernel.outputs[store.output].dims;
            store.index = self.index(&store.index, dims)?;
            store.guard = self.formula(&store.guard)?;
            self.value(&mut store.value, &mut inputs)?;
        }
        let inputs: Vec<bool> = inputs.into_iter().map(|input| input == Some(true)).collect();
        for (parameter, _) in joined.parameters.iter_mut().zip(&inputs).filter(|(_, is_joined)| **is_joined) {
            if let ParameterKind::Array { dims, .. } = &mut parameter.kind {
                self.axes(dims)?;
            }
        }
        joined.outputs.iter_mut().try_for_each(|output| self.axes(&mut output.dims))?;
        let copies = copies::find(&joined.equations, kernel.sizes.len(), kernel.call_sizes());
        joined.equations.iter_mut().zip(copies).for_each(|(equation, copy)| equation.copy = copy);
        Some(Interleaved { kernel: joined, inputs, count: self.count })
    }

    /// Whether a form has one of the loops.
    fn are_in(&self, form: &Form) -> bool {
        form.coef(self.group) != 0 || form.coef(self.element) != 0
    }

    /// Rewrites a value. `inputs` notes which parameters are interleaved like the outputs: all reads of one agree.
    fn value(&self, value: &mut Expr, inputs: &mut [Option<bool>]) -> Option<()> {
        let mut is_joined = true;
        value.for_each(&mut |e| is_joined &= self.one(&mut e.kind, inputs).is_some());
        is_joined.then_some(())
    }

    fn one(&self, kind: &mut ExprKind, inputs: &mut [Option<bool>]) -> Option<()> {
        match kind {
            ExprKind::Element { element: Element { array, index }, .. } => {
                let is_interleaved = index.iter().any(|form| self.are_in(form));
                if is_interleaved {
                    *index = self.index(index, self.dims(*array)?)?;
                }
                if let Array::Parameter(k) = array {
                    note(&mut inputs[*k], is_interleaved)?;
                }
            }
            // A distance of d groups is one of d * count elements.
            ExprKind::Read { distance, .. } => distance[self.groups] = distance[self.groups].checked_mul(self.count)?,
            ExprKind::Lookup { array: Array::Parameter(k), .. } => note(&mut inputs[*k], false)?,
            ExprKind::Index(form) if self.are_in(form) => return None,
            ExprKind::Holds(formula) | ExprKind::If { guard: formula, .. } => *formula = self.formula(formula)?,
            _ => {}
        }
        Some(())
    }

    /// The extents of an array parameter in memory.
    fn dims(&self, array: Array) -> Option<&[Form]> {
        let Array::Parameter(k) = array else { return None };
        match &self.kernel.parameters[k].kind {
            ParameterKind::Array { dims, .. } => Some(dims),
            _ => None,
        }
    }

    /// The index of an array with these extents whose last two axes are the loops, as an index with one axis for both.
    fn index(&self, index: &[Form], dims: &[Form]) -> Option<Vec<Form>> {
        let ([rows @ .., group, element], [.., count]) = (index, dims) else { return None };
        let rest = group.sub(&Form::var(self.group));
        let fits = *count == Form::constant(self.count)
            && *element == Form::var(self.element)
            && !rows.iter().chain([&rest]).any(|form| self.are_in(form));
        fits.then(|| [rows, &[Form::var(self.group).add(&rest.scale(self.count))]].concat())
    }

    /// Makes the last two axes of an array one.
    fn axes(&self, dims: &mut Vec<Form>) -> Option<()> {
        dims.pop().filter(|last| *last == Form::constant(self.count))?;
        dims.last_mut().map(|last| *last = last.scale(self.count))
    }

    /// A condition with the same points; `None` if it asks for more than the group.
    fn formula(&self, formula: &Formula) -> Option<Formula> {
        let all = |parts: &[Formula]| parts.iter().map(|part| self.formula(part)).collect::<Option<Vec<_>>>();
        Some(match formula {
            Formula::True | Formula::False => formula.clone(),
            Formula::AtLeast(form) => Formula::AtLeast(self.at_least(form)?),
            Formula::Zero(form) if self.are_in(form) => {
                let both = [self.at_least(form)?, self.at_least(&form.neg())?];
                Formula::All(both.map(Formula::AtLeast).to_vec())
            }
            Formula::Zero(_) => formula.clone(),
            Formula::Remainder { form, .. } if self.are_in(form) => return None,
            Formula::Remainder { .. } => formula.clone(),
            Formula::All(parts) => Formula::All(all(parts)?),
            Formula::Any(parts) => Formula::Any(all(parts)?),
            Formula::Not(part) => Formula::Not(Box::new(self.formula(part)?)),
        })
    }

    /// A form that is at least 0 at the elements of those groups at which this one is.
    fn at_least(&self, form: &Form) -> Option<Form> {
        if form.coef(self.element) != 0 {
            return None;
        }
        let group = Form::var(self.group);
        match form.coef(self.group) {
            0 => Some(form.clone()),
            1 => Some(form.sub(&group).scale(self.count).add(&group)),
            -1 => Some(form.add(&group).scale(self.count).plus(self.count - 1).sub(&group)),
            _ => None,
        }
    }
}

/// Notes whether a parameter is interleaved; fails where it was noted otherwise.
fn note(known: &mut Option<bool>, is_interleaved: bool) -> Option<()> {
    (*known.get_or_insert(is_interleaved) == is_interleaved).then_some(())
}
