//! One launch of a kernel: its parameter, the choice of the entry, and its order relative to other uses of its arrays.
#![allow(unsafe_code)]
use super::array::DeviceArray;
use super::between::{Between, addresses, layouts};
use super::code::Code;
use super::context::Context;
use super::distant::Distant;
use super::element::{Element, Rank};
use super::fit::{Fit, SHORT, asked};
use super::grid::Grid;
use super::launched::Launched;
use super::params::Params;
use super::piece::Piece;
use super::plan::{Part, Plan, Way, Wide};
use super::queue::Purpose;
use super::raw::{Address, Pattern, Shape};
use super::stream::Stream;
use super::uses::Held;
use super::work::Work;
use crate::call::Call;
use crate::error::Error;
use crate::limits::Demand;
use std::sync::Arc;

/// Scratch rows in device memory take at most 1/`SCRATCH` of it at a time.
const SCRATCH: u64 = 16;

/// A launch under construction. Emitted code adds inputs, constants and scalars in the order of the kernel's parameters, then
/// outputs, then calls [`go`](Launch::go).
#[derive(Debug)]
pub struct Launch<'a> {
    stream: &'a Stream,
    call: &'a Call,
    /// The launch, or the first of a series.
    first: Run,
    /// The others of a series.
    more: Vec<Run>,
    /// The arrays between them, and their bytes.
    between: (Vec<Between>, usize),
    touched: Vec<Touched<'a>>,
    rests: Vec<Rest>,
    /// The outputs so far.
    outputs: usize,
}

/// One launch of a plan.
#[derive(Debug)]
struct Run {
    plan: &'static Plan,
    /// Its arrays, if it belongs to a series.
    part: Option<&'static Part>,
    params: Params,
    fit: Fit,
    /// The arrays so far.
    arrays: usize,
    /// Places of addresses in the parameter, each with the array between launches.
    holes: Vec<(usize, usize)>,
}

/// Memory that is filled before the launch, with what elements hold that no point stores.
#[derive(Clone, Copy, Debug)]
struct Rest {
    address: Address,
    pattern: Pattern,
    count: usize,
}

#[derive(Debug)]
struct Touched<'a> {
    piece: &'a Arc<Piece>,
    writes: bool,
}

impl<'a> Launch<'a> {
    /// Starts a launch on a stream. The sizes in `call` have been checked.
    pub fn new(stream: &'a Stream, plan: &'static Plan, call: &'a Call) -> Result<Self, Error> {
        let (sizes, properties) = (call.all_sizes(), &stream.queue.context.properties);
        let run = |plan: &'static Plan, part: Option<&'static Part>| -> Result<Run, Error> {
            let fit = Fit::new(plan, properties.arch(), asked())?;
            Ok(Run { plan, part, params: Params::new(), fit, arrays: 0, holes: Vec::new() })
        };
        let series = match plan.at(&sizes, properties.machine()) {
            Way::Map(plan) => (run(plan, None)?, Vec::new(), (Vec::new(), 0)),
            Way::Series(series) => {
                let mut runs = series.members.iter().zip(series.parts).map(|(plan, part)| run(plan, Some(part)));
                // A series has launches.
                let first = runs.next().unwrap_or_else(|| run(plan, None))?;
                (first, runs.collect::<Result<_, _>>()?, layouts(series.between, &sizes)?)
            }
        };
        let (first, more, between) = series;
        let touched = Vec::with_capacity(8);
        Ok(Launch { stream, call, first, more, between, touched, rests: Vec::new(), outputs: 0 })
    }

    /// Adds the next input. Fails if it is on another device.
    pub fn input<T: Element, D: Rank>(&mut self, array: &'a DeviceArray<T, D>) -> Result<(), Error> {
        self.touch(array, false)?;
        self.runs().for_each(|run| run.array(array));
        Ok(())
    }

    /// Adds the next output. Fails if it is on another device.
    pub fn output<T: Element, D: Rank>(&mut self, array: &'a mut DeviceArray<T, D>) -> Result<(), Error> {
        self.touch(array, true)?;
        let number = self.outputs;
        if number == 0 {
            self.between_inputs();
        }
        self.outputs += 1;
        self.runs().filter(|run| run.stores(number)).for_each(|run| run.array(array));
        Ok(())
    }

    /// As [`output`](Launch::output). Before the launch, all elements get one value: what those hold that no point stores.
    pub fn output_with_rest<T: Element, D: Rank>(
        &mut self,
        array: &'a mut DeviceArray<T, D>,
        rest: T,
    ) -> Result<(), Error> {
        let bytes = size_of::<T>();
        // The padding after rows is filled too, so that the memory is one piece.
        let (address, count) = (array.piece.address, array.layout.bytes() / bytes);
        self.rests.push(Rest { address, pattern: Pattern::new(bytes, rest.bits()), count });
        self.output(array)
    }

    /// The launch, or all launches of a series.
    fn runs(&mut self) -> impl Iterator<Item = &mut Run> {
        std::iter::once(&mut self.first).chain(&mut self.more)
    }

    fn touch<T: Element, D: Rank>(&mut self, array: &'a DeviceArray<T, D>, writes: bool) -> Result<(), Error> {
        array.check_device(self.stream)?;
        self.touched.push(Touched { piece: &array.piece, writes });
        Ok(())
    }

    /// Adds the arrays between launches that each of these reads.
    fn between_inputs(&mut self) {
        let between = std::mem::take(&mut self.between.0);
        self.runs().for_each(|run| run.between(&between, |part| part.reads));
        self.between.0 = between;
    }

    /// Adds the next `const` parameter, with its elements in order.
    pub fn constants<T: Element>(&mut self, elements: &[T]) -> Result<(), Error> {
        self.runs().for_each(|run| run.params.elements(elements));
        Ok(())
    }

    /// Adds the next scalar parameter.
    pub fn scalar<T: Element>(&mut self, value: T) -> Result<(), Error> {
        self.runs().for_each(|run| run.params.elements(&[value]));
        Ok(())
    }

    /// Enqueues the launch on its stream, after all work that writes its inputs and all work that uses its outputs. Fails if
    /// there is no code for the device, or if the sizes exceed a limit.
    pub fn go(self) -> Result<Launched, Error> {
        let sizes = self.call.all_sizes();
        if self.call.is_empty() {
            return Ok(Launched::nothing());
        }
        let Launch { stream, first, more, between: (between, bytes), touched, rests, .. } = self;
        let context = &stream.queue.context;
        let mut first = first.ready(&between, &sizes, context)?;
        let more = more.into_iter().map(|run| run.ready(&between, &sizes, context));
        let mut more: Vec<Option<Ready>> = more.collect::<Result<_, _>>()?;
        if rests.is_empty() && first.is_none() && more.iter().all(Option::is_none) {
            return Ok(Launched::nothing());
        }
        submit(stream, &touched, |work| {
            rests.iter().try_for_each(|rest| rest.fill(work))?;
            let addresses = addresses(&between, bytes, work.state, work.queue)?;
            let mut ready = first.iter_mut().chain(more.iter_mut().flatten());
            ready.try_for_each(|ready| ready.enqueue(work, &addresses, &sizes))
        })
    }

    /// Says that the elements of an array were checked and decide whether the launch is allowed. Fails if the launch is recorded,
    /// because they may differ when it is replayed, or if a sequence writes them, because another thread may replay it after the check.
    pub fn depends_on_elements<T: Element, D: Rank>(&self, array: &DeviceArray<T, D>) -> Result<(), Error> {
        self.stream.check_runs("the launch of a kernel with lengths")?;
        match array.piece.is_written_by_sequence() {
            true => Err(Error::Recording { what: "a write of lengths" }),
            false => Ok(()),
        }
    }
}

impl Run {
    fn array<T: Element, D: Rank>(&mut self, array: &DeviceArray<T, D>) {
        let (layout, size) = (&array.layout, size_of::<T>());
        self.params.push(array.piece.address);
        array.shape().iter().for_each(|n| self.params.push(*n as u64));
        layout.strides(size).for_each(|step| self.params.push(step as u64));
        let wide = self.wide();
        let steps = layout.strides(size).map(|step| step * size);
        self.fit.aligned &= wide.is_none() || layout.allows_wide();
        self.fit.array(wide, array.piece.address, steps, (layout.bytes() / size) as u64);
        // An empty array may have a long axis.
        array.shape().iter().for_each(|n| self.fit.number(i64::try_from(*n).unwrap_or(i64::MAX)));
    }

    /// The entry of the next array among those with vectorised accesses.
    fn wide(&mut self) -> Option<&'static Wide> {
        let number = self.arrays;
        self.arrays += 1;
        self.plan.wide.iter().find(|wide| wide.array == number)
    }

    /// Whether it stores an output of the kernel.
    fn stores(&self, output: usize) -> bool {
        self.part.is_none_or(|part| part.outputs.contains(&output))
    }

    /// Adds arrays between launches. Their addresses are known when it is enqueued.
    fn between(&mut self, all: &[Between], which: impl Fn(&Part) -> &'static [usize]) {
        for number in self.part.map_or(&[][..], which) {
            let Some(array) = all.get(*number) else { continue };
            let hole = self.params.hole();
            self.holes.push((hole, *number));
            array.lengths.iter().chain(&array.strides).for_each(|n| self.params.push(*n as u64));
            let (wide, steps) = (self.wide(), array.strides.iter().map(|step| step * array.size));
            // All begin on a boundary.
            self.fit.array(wide, 0, steps, array.extent as u64);
            array.lengths.iter().for_each(|n| self.fit.number(i64::try_from(*n).unwrap_or(i64::MAX)));
        }
    }

    /// Completes the parameter and chooses the entry; `None` if there are no blocks. Fails if there is no code for the device, or if
    /// the sizes exceed a limit.
    fn ready(mut self, between: &[Between], sizes: &[i64], context: &Context) -> Result<Option<Ready>, Error> {
        self.between(between, |part| part.stores);
        let plan = self.plan;
        let Some(grid) = Grid::new(plan, sizes)? else { return Ok(None) };
        let (points, evaluations) = ((plan.points)(sizes), (plan.evaluations)(sizes));
        Demand { points, evaluations, scratch: 0 }.check_evaluations(grid.blocks)?;
        let far = Distant::new(plan, sizes, &grid)?;
        self.numbers(sizes, &grid);
        far.ends().as_flattened().iter().for_each(|n| self.fit.number(*n));
        Ok(Some(Ready { code: context.code(plan)?, run: self, grid, far }))
    }

    /// Adds the sizes to the parameter, and all numbers to the choice of the entry.
    fn numbers(&mut self, sizes: &[i64], grid: &Grid) {
        sizes.iter().for_each(|size| self.params.push(*size as u64));
        let counts = grid.count.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        sizes.iter().chain(&grid.low).chain(&counts).for_each(|number| self.fit.number(*number));
        self.fit.short &= grid.blocks < SHORT && (self.plan.magnitude)(sizes).unsigned_abs() < SHORT.into();
    }
}

/// A launch that can be enqueued.
struct Ready {
    run: Run,
    code: Arc<Code>,
    grid: Grid,
    far: Distant,
}

impl Ready {
    /// Enqueues it, with these addresses of the arrays between launches.
    fn enqueue(&mut self, work: &mut Work<'_>, addresses: &[Address], sizes: &[i64]) -> Result<(), Error> {
        let Ready { run: Run { plan, params, holes, fit, .. }, code, grid, far } = self;
        let (grid, context, entry) = (*grid, work.queue.context.clone(), fit.entry(code));
        let room = entry.room(&context.properties);
        holes.iter().for_each(|(place, array)| params.put(*place, addresses[*array]));
        let faces = far.faces(work.state, work.queue)?;
        far.each_launch(&mut |launch| {
            let rows = grid.rows(plan, sizes, launch)?;
            let (shared, scratch) = place(plan, rows, room)?;
            let shared = far.shared(shared, room, context.properties.multiprocessors);
            entry.allow(&context.raw, &context.properties, shared)?;
            // Scratch rows that do not fit in shared memory are in device memory owned by the queue. If all blocks would
            // need too much of it, the grid is launched in several pieces.
            let most = if scratch { context.properties.memory as u64 / SCRATCH / rows.max(1) } else { u64::MAX };
            for piece in far.pieces(grid, most) {
                let bytes = if scratch { all_rows(rows, piece.blocks)? } else { 0 };
                let address = if scratch { work.state.reserve(work.queue, Purpose::Rows, bytes)? } else { 0 };
                let order = far.order(work)?;
                let shape = Shape { grid: piece.shape(), warps: plan.warps, shared };
                let far_away = faces.iter().copied().chain(far.launch(launch)).chain(order);
                let words = params.with(last(&piece, address, rows).into_iter().chain(far_away))?;
                // SAFETY: the emitted kernel takes this parameter. Its arrays track the launch and wait for it, its other
                // memory belongs to the queue or the sequence, and the laws keep its accesses within both.
                unsafe { work.launch(entry.function, shape, words)? };
            }
            Ok(())
        })
    }
}

/// The launch of a kernel that was compiled without code for any GPU. Always fails.
pub fn without_code(stream: &Stream, plan: &'static Plan) -> Result<Launched, Error> {
    stream.queue.context.code(plan)?;
    Err(Error::NotCompiled { kernel: plan.kernel })
}

/// The last words of the parameter: the blocks and the location of their scratch rows.
fn last(grid: &Grid, address: u64, rows: u64) -> [u64; 9] {
    let [[a, b, c], [d, e, f]] = [grid.low.map(|n| n as u64), grid.count];
    [a, b, c, d, e, f, u64::from(grid.linear), address, rows]
}

impl Rest {
    fn fill(&self, work: &mut Work<'_>) -> Result<(), Error> {
        if self.address == 0 { Ok(()) } else { work.fill(self.address, self.pattern, self.count) }
    }
}

/// Enqueues work that uses these arrays on a stream, after all work that it must not overtake. If the stream records a sequence, it
/// becomes a part of that.
fn submit(
    stream: &Stream,
    touched: &[Touched<'_>],
    work: impl FnOnce(&mut Work<'_>) -> Result<(), Error>,
) -> Result<Launched, Error> {
    let queue = &stream.queue;
    if let Some(recording) = &stream.recording {
        recording.add(queue, touched.iter().map(|touched| (touched.piece, touched.writes)), work)?;
        return Ok(Launched::recorded());
    }
    let held = Held::new(touched.iter().map(|touched| (&touched.piece.uses, touched.writes)));
    held.before(queue)?;
    let ticket = queue.submit(|state| work(&mut Work { queue, state, nodes: None }))?;
    held.after(queue, ticket);
    Ok(Launched::queued(queue, ticket))
}

/// Returns the dynamic shared memory of a block, and whether its scratch rows are in device memory instead.
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

/// Returns the bytes of the scratch rows of all blocks.
fn all_rows(rows: u64, blocks: u64) -> Result<usize, Error> {
    let bytes = u128::from(rows) * u128::from(blocks);
    let fits = usize::try_from(bytes).ok().filter(|bytes| isize::try_from(*bytes).is_ok());
    fits.ok_or_else(|| Error::no_device_memory(Purpose::Rows.text(), bytes))
}

#[cfg(test)]
mod tests;
