//! How the leading axes of a kernel's outputs can be cut into parts that are computed apart from each other, each by the
//! same kernel at a smaller size.
//!
//! Axis m can be cut if one size N and one loop l run along it, and nothing else depends on where the loop stands:
//!
//! - The axis has length s·N + c in every array that has N among its dimensions, and is read and written at s·l + k, where
//!   k stays between constants.
//! - l runs from a constant to N plus a constant. No other loop, no condition of `where` and no value depends on l or N.
//! - Values go at most `behind` iterations backwards and `ahead` iterations forwards along l, over any chain of reads.
//! - A guard on l is decided by constants near one end: `l == 0`, `l < N - 2`, `l % 2 == 0`.
//!
//! A part then runs the kernel on the iterations from o to e of the whole, at the size e − o. Every array starts at its
//! element s·o. Rows of the result are those of the whole if the values they need lie `before` iterations after o, or o = 0,
//! and `after` iterations before e, or e = N: there guards, loops and borders decide as in the whole.
//!
//! A kernel whose values are carried along all of l can still be cut there, as a pipeline: [`relayed`]. A part then needs the values of
//! the last iterations before o. With them, the rest is as above, with the largest distance of a read in place of `behind`.
mod carried;
mod edges;

pub use carried::Carry;

use super::set::{ask, text};
use crate::model::{Array, Border, ExprKind, Form, Formula, Int, Kernel, ParameterKind, SizeSource};
use crate::target::limits;
use edges::Edges;
use systolic_sets::{Range, range};

/// How one axis of all outputs can be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The number of its size among the sizes of a call.
    pub size: usize,
    pub loop_name: String,
    /// How far values come from along the loop: iterations before and after the one that needs them.
    pub behind: Int,
    pub ahead: Int,
    /// The iterations between an inner end of a part and the first one whose value is that of the whole.
    pub before: Int,
    pub after: Int,
    /// A part begins at a multiple of this.
    pub modulus: Int,
    /// The least size of a part that is not the whole: a mirrored read stays inside.
    pub least: Int,
    /// Why the ends of the axis cannot be moved: a guard or something else that knows them.
    pub fixed: Option<String>,
    /// The axis of every array parameter that runs along the loop; `None` for those that do not depend on the loop.
    pub inputs: Vec<Option<Along>>,
    pub outputs: Vec<Along>,
}

/// An axis of an array that runs along a loop l: its length is `stride`·N + `rest`, its indices are `stride`·l + k with
/// `low` ≤ k ≤ `high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Along {
    pub axis: usize,
    pub stride: Int,
    pub rest: Int,
    pub low: Int,
    pub high: Int,
    /// What lies outside, if something is read there.
    pub outside: Outside,
}

/// What a read outside of an axis gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Nothing is read outside.
    Nothing,
    /// A value that is no element.
    Value,
    Clamp,
    Reflect,
    Symmetric,
    Wrap,
}

/// How axis `axis` of all outputs can be cut, or why it cannot.
pub fn split(kernel: &Kernel, axis: usize) -> Result<Split, String> {
    let at = Cut::find(kernel, axis)?;
    at.alone()?;
    let reach = carried::reach(kernel, at.l)?;
    Ok(at.split(kernel.outputs.len(), || at.outputs(axis), reach)?.0)
}

/// How axis `axis` of all outputs can be cut where values are carried along its loop, with what is carried and the least value of the
/// loop; or why it cannot.
pub fn relayed(kernel: &Kernel, axis: usize) -> Result<(Split, Carry, Int), String> {
    let at = Cut::find(kernel, axis)?;
    at.alone()?;
    if let Ok(reach) = carried::reach(kernel, at.l) {
        at.split(kernel.outputs.len(), || at.outputs(axis), reach)?;
        return Err(format!("blocks: no value is carried along all of `{}`", kernel.loops[at.l].name.text));
    }
    let carry = carried::carry(kernel, at.l)?.ok_or_else(|| carried::carried(kernel, at.l))?;
    let (split, lowest) = at.split(kernel.outputs.len(), || at.outputs(axis), carry.reaches())?;
    Ok((split, carry, lowest))
}

/// How the iterations of one loop can be run in chunks, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunked {
    /// As for the parts of a mesh, but without outputs.
    pub split: Split,
    /// Which rows of every output a chunk stores.
    pub stored: Vec<Stored>,
    /// The values that chunks take of the one before, if there are any.
    pub carry: Option<Carry>,
    /// The least value of the loop.
    pub lowest: Int,
    /// The least number of iterations of a chunk.
    pub least: Int,
}

/// What a chunk stores of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The rows along this axis.
    Rows(Along),
    /// All of it, if the chunk is the first one.
    First,
    /// All of it, if the chunk is the last one.
    Last,
}

/// How loop `l` can be run in chunks, looking at the first `outputs` of the outputs; or why it cannot.
pub fn chunked(kernel: &Kernel, l: usize, outputs: usize) -> Result<Chunked, String> {
    let high = &kernel.loops[l].high;
    let sizes: Vec<usize> = (0..kernel.sizes.len()).filter(|n| high.coef(*n) != 0).collect();
    let [n] = sizes.as_slice() else { return Err("sizes: the loop runs along no single size".to_string()) };
    let at = Cut { kernel, n: *n, l };
    at.alone()?;
    let carry = carried::carry(kernel, l)?;
    let (split, lowest) = at.split(outputs, || Ok(Vec::new()), carry.as_ref().map_or((0, 0), Carry::reaches))?;
    let (mut stored, mut least) = (Vec::new(), 1);
    for output in 0..outputs {
        let (what, iterations) = at.stored(output)?;
        stored.push(what);
        least = least.max(iterations);
    }
    Ok(Chunked { split, stored, carry, lowest, least })
}

impl Split {
    /// The largest of its numbers: what computes with them has 64 bits.
    fn largest(&self) -> Int {
        let along = self.inputs.iter().flatten().chain(&self.outputs);
        let numbers = along.flat_map(|along| [along.stride, along.rest, along.low, along.high]);
        let own = [self.behind, self.ahead, self.before, self.after, self.modulus, self.least];
        numbers.chain(own).map(Int::saturating_abs).max().unwrap_or(0)
    }
}

/// The size and the loop along which a kernel is cut.
pub(super) struct Cut<'k> {
    kernel: &'k Kernel,
    /// The number of the size.
    n: usize,
    /// The number of the loop.
    l: usize,
}

impl<'k> Cut<'k> {
    /// The one size of this axis in the first output, and the one loop that stores along it.
    fn find(kernel: &'k Kernel, axis: usize) -> Result<Cut<'k>, String> {
        let mut found: Option<Cut<'k>> = None;
        for (o, output) in kernel.outputs.iter().enumerate() {
            let name = &output.name.text;
            let Some(dim) = output.dims.get(axis) else {
                return Err(format!("rank: the output `{name}` has no axis {axis} that could be split"));
            };
            let mentioned: Vec<usize> = (0..kernel.sizes.len()).filter(|k| dim.coef(*k) != 0).collect();
            let [n] = mentioned.as_slice() else {
                let length = text(kernel, dim);
                return Err(format!(
                    "sizes: axis {axis} of the output `{name}` has the length `{length}`; only an axis with one run-time size can be split"
                ));
            };
            for store in kernel.stores.iter().filter(|store| store.output == o) {
                let index = &store.index[axis];
                let loops: Vec<usize> =
                    (0..kernel.loops.len()).filter(|k| index.coef(kernel.loop_dim(*k)) == dim.coef(*n)).collect();
                // Several loops may have that factor: the one that runs along the size is meant.
                let runs = |l: &&usize| kernel.loops[**l].high.coef(*n) != 0;
                let Some(l) = loops.iter().find(runs) else {
                    let index = text(kernel, index);
                    return Err(format!(
                        "blocks: `{name}` is stored at `{index}` along axis {axis}, which no loop over `{}` walks along",
                        kernel.sizes[*n].name
                    ));
                };
                let cut = Cut { kernel, n: *n, l: *l };
                if found.as_ref().is_some_and(|first| (first.n, first.l) != (cut.n, cut.l)) {
                    return Err(format!(
                        "blocks: the stores along axis {axis} do not all follow the same loop and size"
                    ));
                }
                found.get_or_insert(cut);
            }
        }
        found.ok_or_else(|| format!("rank: no output is stored along axis {axis}"))
    }

    fn loop_dim(&self) -> usize {
        self.kernel.loop_dim(self.l)
    }

    fn mentions(&self, form: &Form) -> bool {
        form.coef(self.n) != 0 || form.coef(self.loop_dim()) != 0
    }

    fn size_name(&self) -> &str {
        &self.kernel.sizes[self.n].name
    }

    /// The error for something that depends on where the loop stands.
    fn absolute(&self, what: &str) -> String {
        let (l, n) = (&self.kernel.loops[self.l].name.text, self.size_name());
        format!(
            "blocks: the result would depend on the mesh: {what} depends on where `{l}` stands in `0..{n}`, so a part cannot know it"
        )
    }

    /// The data, if values come from at most so many iterations before and after; and the least value of the loop. Of the outputs the
    /// first `count` matter.
    fn split(
        &self,
        count: usize,
        outputs: impl FnOnce() -> Result<Vec<Along>, String>,
        (behind, ahead): (Int, Int),
    ) -> Result<(Split, Int), String> {
        let mut edges = Edges::new(self);
        edges.loops()?;
        edges.guards()?;
        let mut inputs = self.input_axes()?;
        let mut least = 1;
        for (array, index, guard) in self.accesses()? {
            self.access(array, &index, &guard, &mut inputs)?;
        }
        for (input, parameter) in inputs.iter_mut().zip(self.arrays()) {
            let Some(along) = input else { continue };
            edges.reads(along);
            least = least.max(self.border(along, parameter, &edges));
        }
        let outputs = outputs()?;
        if let Some(output) = self.kernel.outputs.iter().take(count).find(|output| output.rest.is_some()) {
            edges.fixed.get_or_insert(format!("the output `{}` with its `rest`", output.name.text));
        }
        let split = Split {
            size: self.n,
            loop_name: self.kernel.loops[self.l].name.text.clone(),
            behind,
            ahead,
            before: edges.before,
            after: edges.after,
            modulus: edges.modulus,
            least,
            fixed: edges.fixed,
            inputs,
            outputs,
        };
        match split.largest() <= limits::NUMBER {
            true => Ok((split, edges.lowest)),
            false => {
                Err(format!("resources: a distance along `{}` is too large for a mesh (a limit)", split.loop_name))
            }
        }
    }

    /// The form without the loop and the size.
    fn rest(&self, form: &Form) -> Form {
        let mut coefs = form.coefs.clone();
        for dim in [self.n, self.loop_dim()] {
            if let Some(c) = coefs.get_mut(dim) {
                *c = 0;
            }
        }
        Form::new(coefs, form.constant)
    }

    /// The least and greatest value of a form over the points of the kernel where a guard holds. `Err` if there is none that
    /// is a constant; `Ok(None)` if there is no such point.
    fn bounds(&self, form: &Form, guard: &Formula) -> Result<Option<(Int, Int)>, ()> {
        if form.is_constant() {
            return Ok(Some((form.constant, form.constant)));
        }
        match range(self.kernel.dims(), &self.kernel.domain().and(guard.clone()), form) {
            Range::Bounds { low: Some(low), high: Some(high) } => Ok(Some((low, high))),
            Range::Empty => Ok(None),
            Range::Bounds { .. } | Range::GaveUp => Err(()),
        }
    }

    /// Nothing but arrays and the loop itself depends on the size: no condition, and no parameter gives it.
    fn alone(&self) -> Result<(), String> {
        let kernel = self.kernel;
        if let SizeSource::Parameter { parameter } = kernel.sizes[self.n].source {
            let name = &kernel.parameters[parameter].name.text;
            return Err(self.absolute(&format!("the parameter `{name}: size`")));
        }
        if let Some(condition) = kernel.conditions.iter().find(|c| c.formula.mentions(&|dim| dim == self.n)) {
            return Err(self.absolute(&format!("`where {}`", condition.text)));
        }
        match kernel.lengths().find(|length| length.range.most.coef(self.n) != 0) {
            Some(length) => {
                let name = &kernel.parameters[length.parameter].name.text;
                Err(self.absolute(&format!("the range of the lengths `{name}`")))
            }
            None => Ok(()),
        }
    }

    /// The array parameters, in order, by number.
    fn arrays(&self) -> Vec<usize> {
        let is_array = |k: &usize| matches!(self.kernel.parameters[*k].kind, ParameterKind::Array { .. });
        (0..self.kernel.parameters.len()).filter(is_array).collect()
    }

    /// The axis of every array parameter whose length follows the size, without its reads.
    fn input_axes(&self) -> Result<Vec<Option<Along>>, String> {
        let each = self.arrays().into_iter().map(|k| {
            let parameter = &self.kernel.parameters[k];
            let ParameterKind::Array { dims, .. } = &parameter.kind else { return Ok(None) };
            self.one_axis(&parameter.name.text, dims)
        });
        each.collect()
    }

    /// The one axis whose length is a multiple of the size plus a constant.
    fn one_axis(&self, name: &str, dims: &[Form]) -> Result<Option<Along>, String> {
        let axes: Vec<usize> = (0..dims.len()).filter(|axis| dims[*axis].coef(self.n) != 0).collect();
        let axis = match axes.as_slice() {
            [] => return Ok(None),
            [axis] => *axis,
            _ => {
                return Err(
                    self.absolute(&format!("`{name}`, which has the size `{}` along several axes,", self.size_name()))
                );
            }
        };
        let (stride, rest) = (dims[axis].coef(self.n), self.rest(&dims[axis]));
        if stride < 1 || !rest.is_constant() {
            let length = text(self.kernel, &dims[axis]);
            return Err(self.absolute(&format!("`{name}`, whose axis {axis} has the length `{length}`,")));
        }
        // No read yet: an empty range.
        let (low, high) = (Int::MAX, Int::MIN);
        Ok(Some(Along { axis, stride, rest: rest.constant, low, high, outside: Outside::Nothing }))
    }

    /// Every read of an array by an equation that computes something, with its guard. A variable that only passes elements
    /// along is read as the element that it equals.
    fn accesses(&self) -> Result<Vec<(Array, Vec<Form>, Formula)>, String> {
        let kernel = self.kernel;
        let mut found = Vec::new();
        let mut looked_up = None;
        self.computed(&mut |guard, expr| match &expr.kind {
            ExprKind::Element { element, .. } if !element.index.is_empty() => {
                found.push((element.array, element.index.clone(), guard.clone()));
            }
            ExprKind::Read { variable, distance, .. } => {
                if let Some(element) = &kernel.equations[*variable].copy {
                    let images = super::set::shifted(kernel, distance);
                    let index = element.index.iter().map(|form| form.substitute(&images)).collect();
                    found.push((element.array, index, guard.clone()));
                }
            }
            ExprKind::Lookup { array, .. } => looked_up = looked_up.or(self.follows(*array).then_some(*array)),
            _ => {}
        });
        if let Some(Array::Parameter(k)) = looked_up {
            let name = &kernel.parameters[k].name.text;
            return Err(self.absolute(&format!("`{name}`, which is read at an index that is a value,")));
        }
        for length in kernel.lengths() {
            let index = length.index.iter().map(|(l, plus)| Form::var(kernel.loop_dim(*l)).plus(*plus)).collect();
            found.push((Array::Parameter(length.parameter), index, Formula::True));
        }
        Ok(found)
    }

    /// Whether an axis of an array follows the size.
    fn follows(&self, array: Array) -> bool {
        let Array::Parameter(k) = array else { return false };
        match &self.kernel.parameters[k].kind {
            ParameterKind::Array { dims, .. } => dims.iter().any(|dim| dim.coef(self.n) != 0),
            _ => false,
        }
    }

    /// Visits the expressions of stores and of equations that are no copies, each with the guards around it.
    fn computed<'v>(&self, visit: &mut impl FnMut(&Formula, &'v crate::model::Expr))
    where
        'k: 'v,
    {
        let kernel = self.kernel;
        kernel.walk(&mut |reader, guard, _, expr| match reader {
            crate::model::Reader::Equation(n) if kernel.equations[n].copy.is_some() => {}
            _ => visit(guard, expr),
        });
    }

    /// Adds a read to the axis of its array that follows the loop. On other axes a read does not depend on the loop.
    fn access(
        &self,
        array: Array,
        index: &[Form],
        guard: &Formula,
        inputs: &mut [Option<Along>],
    ) -> Result<(), String> {
        let input = match array {
            Array::Parameter(k) => self.arrays().iter().position(|a| *a == k),
            Array::Constant(_) => None,
        };
        let mut along = input.and_then(|input| inputs[input].as_mut());
        for (axis, form) in index.iter().enumerate() {
            let told = || {
                let name = match array {
                    Array::Parameter(k) => &self.kernel.parameters[k].name.text,
                    Array::Constant(k) => &self.kernel.constants[k].name.text,
                };
                self.absolute(&format!("the index `{}` of `{name}`", text(self.kernel, form)))
            };
            match along.as_mut().filter(|along| along.axis == axis) {
                None if self.mentions(form) => return Err(told()),
                None => {}
                Some(along) => {
                    if form.coef(self.loop_dim()) != along.stride || form.coef(self.n) != 0 {
                        return Err(told());
                    }
                    if let Some((low, high)) = self.bounds(&self.rest(form), guard).map_err(|()| told())? {
                        (along.low, along.high) = (along.low.min(low), along.high.max(high));
                    }
                }
            }
        }
        Ok(())
    }

    /// Sets what lies outside of an input's axis, if something is read there, and returns the least size of a part in which
    /// a mirrored read stays inside.
    fn border(&self, along: &mut Along, parameter: usize, edges: &Edges) -> Int {
        if along.low > along.high {
            // Nothing is read.
            (along.low, along.high) = (0, 0);
            return 1;
        }
        let below = -(along.low + along.stride * edges.lowest);
        let above = along.stride * (edges.highest - 1) + along.high - along.rest + 1;
        let over = below.max(above);
        if over <= 0 {
            return 1;
        }
        let is_length = self.kernel.range_of(parameter).is_some();
        along.outside = match self.kernel.border(Array::Parameter(parameter)) {
            None if is_length => Outside::Value,
            None => Outside::Nothing,
            Some(Border::Zero | Border::Constant(_) | Border::Scalar(_)) => Outside::Value,
            Some(Border::Clamp) => Outside::Clamp,
            Some(Border::Reflect) => Outside::Reflect,
            Some(Border::Symmetric) => Outside::Symmetric,
            Some(Border::Wrap) => Outside::Wrap,
        };
        match along.outside {
            Outside::Reflect | Outside::Symmetric => edges::ceil(over + 1 - along.rest, along.stride).max(1),
            _ => 1,
        }
    }

    /// The axis of every output, with its stores.
    fn outputs(&self, axis: usize) -> Result<Vec<Along>, String> {
        let each = self.kernel.outputs.iter().enumerate().map(|(o, output)| {
            let name = &output.name.text;
            let found = self.one_axis(name, &output.dims)?.filter(|along| along.axis == axis);
            self.stores(o, found.ok_or_else(|| self.absolute(&format!("the output `{name}`")))?)
        });
        each.collect()
    }

    /// The axis of an output with the indices at which it is stored.
    fn stores(&self, o: usize, mut along: Along) -> Result<Along, String> {
        let (kernel, name) = (self.kernel, &self.kernel.outputs[o].name.text);
        for store in kernel.stores.iter().filter(|store| store.output == o) {
            for (k, form) in store.index.iter().enumerate() {
                let told = || self.absolute(&format!("the index `{}` of `{name}`", text(kernel, form)));
                if k != along.axis {
                    if self.mentions(form) {
                        return Err(told());
                    }
                    continue;
                }
                if form.coef(self.loop_dim()) != along.stride || form.coef(self.n) != 0 {
                    return Err(told());
                }
                if let Some((low, high)) = self.bounds(&self.rest(form), &store.guard).map_err(|()| told())? {
                    (along.low, along.high) = (along.low.min(low), along.high.max(high));
                }
            }
        }
        if along.low > along.high {
            (along.low, along.high) = (0, 0);
        }
        Ok(along)
    }

    /// What a chunk stores of an output, and how many iterations at one end do so if it has no axis along the loop.
    fn stored(&self, o: usize) -> Result<(Stored, Int), String> {
        let (kernel, output) = (self.kernel, &self.kernel.outputs[o]);
        if let Some(along) = self.one_axis(&output.name.text, &output.dims)? {
            return Ok((Stored::Rows(self.stores(o, along)?), 1));
        }
        let told = || self.absolute(&format!("the output `{}`", output.name.text));
        let to_end = &Form::var(self.n).plus(-1) - &Form::var(self.loop_dim());
        for (what, form) in [(Stored::Last, to_end), (Stored::First, Form::var(self.loop_dim()))] {
            let mut most = 0;
            let is_near = kernel.stores.iter().filter(|store| store.output == o).all(|store| {
                let domain = kernel.domain().and(store.guard.clone());
                let high = match range(kernel.dims(), &domain, &form) {
                    Range::Bounds { high: Some(high), .. } => high,
                    Range::Empty => 0,
                    Range::Bounds { .. } | Range::GaveUp => return false,
                };
                most = most.max(high);
                !store.index.iter().any(|form| self.mentions(form))
            });
            if is_near {
                return Ok((what, most + 1));
            }
        }
        Err(told())
    }

    /// A point of the kernel at which a guard holds, for a message.
    fn point(&self, guard: &Formula) -> Option<Vec<Int>> {
        match ask(self.kernel.dims(), &self.kernel.domain().and(guard.clone())) {
            super::set::Asked::Point(point) => Some(point),
            super::set::Asked::Empty | super::set::Asked::GaveUp => None,
        }
    }
}

/// `(r = 1, c = 0)`
fn shown(point: &[(String, Int)]) -> String {
    let each: Vec<String> = point.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("({})", each.join(", "))
}
