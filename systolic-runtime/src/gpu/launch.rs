//! One launch of a kernel: its parameter, the entry that fits the arrays, and its place among what else uses them.
#![allow(unsafe_code)]
use super::array::DeviceArray;
use super::element::{Element, Rank};
use super::fit::{Fit, SHORT, asked};
use super::grid::Grid;
use super::params::Params;
use super::plan::Plan;
use super::queue::State;
use super::raw::Shape;
use super::stream::Stream;
use super::sync::lock;
use super::uses::Uses;
use crate::call::Call;
use crate::error::Error;
use crate::limits::Demand;
use std::sync::Mutex;

/// Rows beside the blocks take at most this part of a device's memory at once.
const SCRATCH: u64 = 16;

/// A launch while it is made: inputs, constants and scalars in the kernel's order, then outputs, then [`go`](Launch::go).
#[derive(Debug)]
pub struct Launch<'a> {
    stream: &'a Stream,
    plan: &'static Plan,
    call: &'a Call,
    params: Params,
    touched: Vec<Touched<'a>>,
    fit: Fit,
}

#[derive(Debug)]
struct Touched<'a> {
    uses: &'a Mutex<Uses>,
    writes: bool,
}

impl<'a> Launch<'a> {
    /// A launch on a stream, of sizes that were checked.
    pub fn new(stream: &'a Stream, plan: &'static Plan, call: &'a Call) -> Result<Self, Error> {
        let fit = Fit::new(plan, stream.queue.context.properties.arch(), asked())?;
        Ok(Launch { stream, plan, call, params: Params::new(), touched: Vec::with_capacity(8), fit })
    }

    /// The next input.
    pub fn input<T: Element, D: Rank>(&mut self, array: &'a DeviceArray<T, D>) -> Result<(), Error> {
        self.array(array, false)
    }

    /// The next output.
    pub fn output<T: Element, D: Rank>(&mut self, array: &'a mut DeviceArray<T, D>) -> Result<(), Error> {
        self.array(array, true)
    }

    fn array<T: Element, D: Rank>(&mut self, array: &'a DeviceArray<T, D>, writes: bool) -> Result<(), Error> {
        array.check_device(self.stream)?;
        let (layout, size) = (&array.layout, size_of::<T>());
        self.params.push(array.address);
        array.shape().iter().for_each(|n| self.params.push(*n as u64));
        layout.strides(size).for_each(|step| self.params.push(step as u64));
        let wide = self.plan.wide.iter().find(|wide| wide.array == self.touched.len());
        let steps = layout.strides(size).map(|step| step * size);
        self.fit.array(wide, array.address, steps, (layout.bytes() / size) as u64);
        // An empty array may have a long axis.
        array.shape().iter().for_each(|n| self.fit.number(i64::try_from(*n).unwrap_or(i64::MAX)));
        self.touched.push(Touched { uses: &array.uses, writes });
        Ok(())
    }

    /// The next constant parameter, its elements in order.
    pub fn constants<T: Element>(&mut self, elements: &[T]) -> Result<(), Error> {
        self.params.elements(elements);
        Ok(())
    }

    /// The next scalar parameter.
    pub fn scalar<T: Element>(&mut self, value: T) -> Result<(), Error> {
        self.params.elements(&[value]);
        Ok(())
    }

    /// Puts the launch on its stream, behind all that writes what it reads and all that uses what it writes.
    pub fn go(mut self) -> Result<(), Error> {
        let sizes = self.call.all_sizes();
        if self.call.is_empty() {
            return Ok(());
        }
        let Some(grid) = Grid::new(self.plan, &sizes)? else { return Ok(()) };
        let (points, evaluations) = ((self.plan.points)(&sizes), (self.plan.evaluations)(&sizes));
        Demand { points, evaluations, scratch: 0 }.check_evaluations(grid.blocks)?;
        let rows = grid.rows(self.plan, &sizes)?;
        self.numbers(&sizes, &grid);
        let context = &self.stream.queue.context;
        let code = context.code(self.plan)?;
        let entry = self.fit.entry(&code);
        let room = entry.room(&context.properties);
        let (shared, scratch) = place(self.plan, rows, room)?;
        entry.allow(&context.raw, &context.properties, shared)?;
        // Rows that no block can hold lie in memory of the queue; where there would be too many, blocks take turns.
        let most = if scratch { context.properties.memory as u64 / SCRATCH / rows.max(1) } else { u64::MAX };
        for touched in &self.touched {
            touched.before(self.stream)?;
        }
        let (stream, mut params) = (self.stream, self.params);
        let queue = &stream.queue;
        let ticket = queue.submit(|state: &mut State| {
            for piece in grid.pieces(most) {
                let bytes = if scratch { all_rows(rows, piece.blocks)? } else { 0 };
                let address = if scratch { state.scratch(queue, bytes)? } else { 0 };
                let shape = Shape { grid: piece.shape(), warps: self.plan.warps, shared };
                let words = params.with(&last(&piece, address, rows))?;
                // SAFETY: the emitted kernel takes this parameter; its arrays remember the launch and wait for it, its
                // rows belong to the queue, and the laws keep its accesses inside both.
                unsafe { context.raw.launch(queue.raw, entry.function, shape, words)? };
            }
            Ok(())
        })?;
        self.touched.iter().for_each(|touched| touched.after(stream, ticket));
        Ok(())
    }

    /// The sizes, and what follows from all numbers for the entry.
    fn numbers(&mut self, sizes: &[i64], grid: &Grid) {
        sizes.iter().for_each(|size| self.params.push(*size as u64));
        let counts = grid.count.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        sizes.iter().chain(&grid.low).chain(&counts).for_each(|number| self.fit.number(*number));
        self.fit.short &= grid.blocks < SHORT && (self.plan.magnitude)(sizes).unsigned_abs() < SHORT.into();
    }
}

/// The launch of a kernel that was compiled without code for any GPU: always the error that says so.
pub fn without_code(stream: &Stream, plan: &'static Plan) -> Result<(), Error> {
    stream.queue.context.code(plan)?;
    Err(Error::NotCompiled { kernel: plan.kernel })
}

/// What a parameter ends in: the blocks and where their rows lie.
fn last(grid: &Grid, address: u64, rows: u64) -> [u64; 9] {
    let [[a, b, c], [d, e, f]] = [grid.low.map(|n| n as u64), grid.count];
    [a, b, c, d, e, f, u64::from(grid.linear), address, rows]
}

impl Touched<'_> {
    fn before(&self, stream: &Stream) -> Result<(), Error> {
        let uses = lock(self.uses);
        if self.writes { uses.before_write(&stream.queue) } else { uses.before_read(&stream.queue) }
    }

    fn after(&self, stream: &Stream, ticket: u64) {
        let mut uses = lock(self.uses);
        if self.writes { uses.written_by(&stream.queue, ticket) } else { uses.read_by(&stream.queue, ticket) }
    }
}

/// The dynamic shared memory of a block, and whether its rows lie elsewhere.
fn place(plan: &Plan, rows: u64, room: u32) -> Result<(u32, bool), Error> {
    let all = u64::from(plan.shared).saturating_add(rows);
    if all <= u64::from(room) {
        return Ok((all as u32, false));
    }
    if plan.shared <= room {
        return Ok((plan.shared, true));
    }
    let what = format!("the shared memory of a block of kernel `{}`", plan.kernel);
    Err(Error::Limit { what, value: plan.shared.into(), limit: room.into() })
}

/// The bytes of the rows of all blocks.
fn all_rows(rows: u64, blocks: u64) -> Result<usize, Error> {
    let bytes = u128::from(rows) * u128::from(blocks);
    let fits = usize::try_from(bytes).ok().filter(|bytes| isize::try_from(*bytes).is_ok());
    fits.ok_or(Error::OutOfMemory { memory: "device", bytes })
}

#[cfg(test)]
mod tests;
