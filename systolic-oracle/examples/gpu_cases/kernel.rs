//! The random kernel of a seed: its source, and its launches at a few sizes.
use crate::grid::Grid;
use crate::layout::{Layout, Way};
use crate::params::{Params, dense};
use systolic_compiler::emit::Unit;
use systolic_compiler::evaluate::{Input, Tensor, evaluate, random_inputs};
use systolic_compiler::interpret::work;
use systolic_compiler::model::{Int, Kernel, ParameterKind, Type};
use systolic_compiler::program::Shared;
use systolic_compiler::{check, link, units_of};
use systolic_oracle::{few_sizes, random_kernel};

/// The most values that a launch may compute: unusual maps run many places for a few points.
const MOST_WORK: u64 = 20_000_000;
/// The most bytes of arrays per case.
const MOST_BYTES: usize = 1 << 16;
/// The shared memory per block that every device has.
const ROOM: u64 = 48 << 10;

pub struct Drawn {
    pub unit: Unit,
    pub cases: Vec<Case>,
    /// The sizes that gave no case.
    pub left_out: Vec<Skipped>,
}

/// The reason why a seed, or a kernel at some sizes, gives nothing to launch.
pub struct Skipped(pub String);

fn skip(why: &str) -> Skipped {
    Skipped(why.to_string())
}

/// A kernel at some sizes, launched in several ways.
pub struct Case {
    pub sizes: Vec<u64>,
    /// Inputs, then outputs.
    pub arrays: Vec<Elements>,
    pub launches: Vec<Launch>,
}

pub struct Elements {
    pub is_output: bool,
    pub ty: Type,
    pub shape: Vec<u64>,
    pub bytes: Vec<u8>,
}

pub struct Launch {
    pub entry: String,
    /// Along x, y, z.
    pub blocks: [u64; 3],
    pub warps: u64,
    pub shared: u64,
    pub scratch: u64,
    pub params: Params,
    /// One per array.
    pub layouts: Vec<Layout>,
}

/// The random kernel of a seed. Fails if it is not lawful or has not exactly one program.
pub fn draw(seed: u64) -> Result<Drawn, Skipped> {
    let checked = check(random_kernel(seed).parse().map_err(|_| skip("no tokens"))?);
    // A random kernel has one instance.
    let ([], [(tree, instances)]) = (&checked.faults[..], &checked.kernels[..]) else { return Err(skip("refused")) };
    let [lawful] = &instances[..] else { return Err(skip("several instances")) };
    let unit = match <[Unit; 1]>::try_from(units_of(tree, instances)) {
        Ok([unit]) => unit,
        Err(units) => return Err(skip(if units.is_empty() { "no warp program" } else { "several programs" })),
    };
    let kernel = lawful.kernel();
    // What only the runtime does: faces, flags, the order of launches, the elements that no equation stores, lengths. Kernels
    // with these run through it, as tests of the macro.
    if !unit.program.faces.is_empty() || unit.program.frame.launches > 0 || unit.program.tickets.is_some() {
        return Err(skip("values between blocks"));
    }
    if kernel.outputs.iter().any(|output| output.rest.is_some()) {
        return Err(skip("a rest"));
    }
    if !unit.program.frame.lengths.is_empty() {
        return Err(skip("lengths"));
    }
    let (mut cases, mut left_out) = (Vec::new(), Vec::new());
    for sizes in few_sizes(kernel, &kernel.maps, 400, 3) {
        match case(kernel, &unit, &sizes, seed) {
            Ok(case) => cases.push(case),
            Err(why) => left_out.push(why),
        }
    }
    if cases.is_empty() { Err(skip("no small sizes")) } else { Ok(Drawn { unit, cases, left_out }) }
}

fn case(kernel: &Kernel, unit: &Unit, sizes: &[Int], seed: u64) -> Result<Case, Skipped> {
    let program = &unit.program;
    if work(program, sizes).is_none_or(|work| work > MOST_WORK) {
        return Err(skip("sizes: too much work"));
    }
    let inputs = random_inputs(kernel, sizes, seed);
    let outputs = evaluate(kernel, sizes, &inputs).map_err(|e| Skipped(format!("the evaluator says: {e}")))?;
    let mut arrays = Vec::new();
    for (parameter, input) in kernel.parameters.iter().zip(&inputs.parameters) {
        if let (ParameterKind::Array { ty, .. }, Input::Array(tensor)) = (&parameter.kind, input) {
            arrays.push(elements(false, *ty, tensor));
        }
    }
    arrays.extend(kernel.outputs.iter().zip(&outputs).map(|(o, tensor)| elements(true, o.ty, tensor)));
    if outputs.iter().all(|tensor| tensor.values.is_empty()) {
        return Err(skip("sizes: nothing to store"));
    }
    if arrays.iter().map(|array| array.bytes.len()).sum::<usize>() > MOST_BYTES {
        return Err(skip("sizes: arrays too long"));
    }
    let grid = Grid::new(program, sizes).ok_or_else(|| skip("sizes: no blocks, or too many"))?;
    let sizes: Vec<u64> = sizes.iter().map(|size| *size as u64).collect();
    let has_wide = unit.source.contains(&format!("{}_{}(", unit.key, link::WIDE));
    let ways = [(link::WIDE, Way::Even), (link::ANY, Way::Odd), (link::LONG, Way::Odd), (link::ANY, Way::Even)];
    let [warps, shared] = [program.warp_count(), Shared::of(program).bytes].map(|number| number as u64);
    let mut launches = Vec::new();
    for (k, (entry, way)) in (seed..).zip(ways).filter(|(_, (entry, _))| has_wide || *entry != link::WIDE) {
        // Alternately also as the runtime does for very many blocks and for very long rows.
        let grid = Grid { linear: k % 2 == 1, ..grid };
        let in_scratch = grid.rows > 0 && (k / 2 % 2 == 1 || shared + grid.rows > ROOM);
        let layouts: Vec<Layout> = arrays.iter().map(|a| Layout::new(way, &a.shape, a.ty.bytes())).collect();
        let params = Params::new(kernel, &sizes, (&inputs, &outputs), &layouts, &grid, in_scratch);
        let declared = format!("static_assert(sizeof(Params) == {},", params.bytes.len());
        assert!(unit.source.contains(&declared), "seed {seed}: the struct is not `{declared}`");
        launches.push(Launch {
            entry: format!("{}_{entry}", unit.key),
            blocks: grid.shape(),
            warps,
            shared: if in_scratch { shared } else { shared + grid.rows },
            scratch: if in_scratch { grid.rows * grid.blocks() } else { 0 },
            params,
            layouts,
        });
    }
    Ok(Case { sizes, arrays, launches })
}

fn elements(is_output: bool, ty: Type, tensor: &Tensor) -> Elements {
    let shape = tensor.shape.iter().map(|n| *n as u64).collect();
    Elements { is_output, ty, shape, bytes: dense(ty, tensor) }
}
