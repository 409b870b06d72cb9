//! One way to run a kernel at given sizes: an entry, a layout of its arrays, and all its launches.
use crate::case::arrays;
use crate::far::{Far, Room};
use crate::grid::{Grid, launches};
use crate::layout::{Layout, Way, merged};
use crate::params::{Params, Word};
use systolic_compiler::emit::Unit;
use systolic_compiler::evaluate::{Inputs, Tensor};
use systolic_compiler::link;
use systolic_compiler::model::{Int, Kernel, Type};

/// The dynamic shared memory per block that every device has. Of its 48 KiB an entry may use some bytes by itself.
const ROOM: u64 = 47 << 10;

/// The entries, each with a layout of the arrays.
const WAYS: [(&str, Way); 4] =
    [(link::WIDE, Way::Even), (link::ANY, Way::Odd), (link::LONG, Way::Odd), (link::ANY, Way::Even)];

pub struct Call {
    pub entry: String,
    pub warps: u64,
    /// One per array.
    pub layouts: Vec<Layout>,
    /// The memory beside the arrays.
    pub rooms: Vec<Room>,
    /// In the order in which they run.
    pub launches: Vec<Launch>,
}

pub struct Launch {
    /// Along x, y, z.
    pub blocks: [u64; 3],
    pub shared: u64,
    pub params: Params,
}

/// What a kernel computes at given sizes.
pub struct Data<'a> {
    pub kernel: &'a Kernel,
    pub unit: &'a Unit,
    pub sizes: &'a [Int],
    pub inputs: &'a Inputs,
    pub outputs: &'a [Tensor],
}

/// The ways to run a kernel; `seed` decides what alternates. Returns `None` if it has no blocks, or too many.
pub fn calls(data: &Data<'_>, seed: u64) -> Option<Vec<Call>> {
    let grid = Grid::new(&data.unit.program, data.sizes)?;
    let has_wide = data.unit.source.contains(&format!("{}_{}(", data.unit.key, link::WIDE));
    let ways = (seed..).zip(WAYS).filter(|(_, (entry, _))| has_wide || *entry != link::WIDE);
    ways.map(|(number, (entry, way))| data.call(grid, entry, way, number)).collect()
}

/// A launch before it is known where its rows are.
struct Sized {
    at: Vec<Int>,
    rows: u64,
    in_scratch: bool,
}

impl Data<'_> {
    fn call(&self, grid: Grid, entry: &str, way: Way, number: u64) -> Option<Call> {
        let program = &self.unit.program;
        let [warps, least] = [program.warp_count(), program.shared_bytes()].map(|number| number as u64);
        let layouts = self.layouts(way);
        // Alternately also as the runtime does for very many blocks and for very long rows. Blocks in an order are always
        // numbered along x.
        let is_other = number % 2 == 1;
        let grid = Grid { linear: is_other || program.tickets.is_some(), ..grid };
        let sized = launches(program, self.sizes)?.into_iter().map(|at| {
            let rows = grid.rows(program, self.sizes, &at)?;
            let in_scratch = rows > 0 && (number / 2 % 2 == 1 || least + rows > ROOM);
            Some(Sized { at, rows, in_scratch })
        });
        let sized = sized.collect::<Option<Vec<_>>>()?;
        let Far { mut rooms, faces, order } = Far::new(program, self.sizes, &grid, layouts.len())?;
        let scratch = sized.iter().filter(|launch| launch.in_scratch).map(|launch| launch.rows * grid.blocks()).max();
        let scratch_room = layouts.len() + rooms.len();
        rooms.extend(scratch.map(Room::scratch));
        let sizes: Vec<u64> = self.sizes.iter().map(|size| *size as u64).collect();
        let common = Params::new(self.kernel, &sizes, (self.inputs, self.outputs), &layouts);
        let launch = |Sized { at, rows, in_scratch }: &Sized, grid: &Grid| {
            let (rows, in_scratch) = (*rows, *in_scratch);
            let place = if in_scratch { Word::Address(scratch_room) } else { Word::Number(0) };
            let far = faces.iter().copied().chain(at.iter().map(|n| Word::Number(*n as u64)));
            let far = far.chain(order.iter().copied());
            let params = common.clone().with(Params::of_blocks(grid, place, rows).chain(far));
            let shared = if in_scratch { least } else { least + rows };
            // Of blocks in an order the runtime lets few be resident: it asks for more shared memory than they need.
            let shared = if is_other && program.tickets.is_some() { shared.max(ROOM) } else { shared };
            Launch { blocks: grid.shape(), shared, params }
        };
        let launches = sized.iter().flat_map(|sized| {
            // Where rows would take too much memory, the runtime launches some blocks after others.
            let apart = sized.in_scratch && program.tickets.is_none() && number / 4 % 2 == 1;
            let pieces = if apart { grid.halves() } else { vec![grid] };
            pieces.into_iter().map(|piece| launch(sized, &piece)).collect::<Vec<_>>()
        });
        let launches = launches.collect();
        let entry = format!("{}_{entry}", self.unit.key);
        Some(Call { entry, warps, layouts, rooms, launches })
    }

    /// One per array: the inputs, then the outputs.
    fn layouts(&self, way: Way) -> Vec<Layout> {
        let inputs = arrays(self.kernel, self.inputs).map(|(ty, tensor)| (tensor, ty));
        let outputs = self.kernel.outputs.iter().zip(self.outputs).map(|(output, tensor)| (tensor, output.ty));
        let layout = |((tensor, ty), merged): ((&Tensor, Type), usize)| {
            let shape: Vec<u64> = tensor.shape.iter().map(|n| *n as u64).collect();
            Layout::new(way, &shape, ty.bytes(), merged)
        };
        inputs.chain(outputs).zip(merged(self.kernel, &self.unit.program)).map(layout).collect()
    }
}
