//! What the search knows of a kernel: along which loops values are carried, which loops are short, how arrays are walked, and
//! the sizes at which candidates are compared.
use crate::mapping::{Reads, constant_length, walks};
use crate::model::{Array, Expr, ExprKind, Form, Int, Kernel, ParameterKind, Reader};
use crate::target::search::{NOMINAL_ELEMENTS, NOMINAL_POINTS, SHORT_LOOP};

/// A kernel and what its loops are to the search.
#[derive(Clone)]
pub struct Facts<'k> {
    pub kernel: &'k Kernel,
    /// The distances other than 0 at which computed values are read, each once.
    pub computed: Vec<Vec<Int>>,
    /// The operations of one point, roughly: arithmetic and accesses.
    pub operations: Int,
    /// The number of iterations of every loop whose bounds are constants.
    pub lengths: Vec<Option<Int>>,
    /// Assumed run-time sizes.
    pub sizes: Vec<Int>,
    /// The loop along which launches follow each other, and how many of its iterations each has.
    pub launch: Option<(usize, Int)>,
}

impl<'k> Facts<'k> {
    pub fn new(kernel: &'k Kernel) -> Facts<'k> {
        Facts {
            kernel,
            computed: Reads::of(kernel, |_| true).computed,
            operations: operations(kernel),
            lengths: (0..kernel.loops.len()).map(|l| Some(constant_length(kernel, l)?.max(0))).collect(),
            sizes: nominal(kernel),
            launch: None,
        }
    }

    /// Whether no computed value is read along a loop.
    pub fn is_parallel(&self, l: usize) -> bool {
        self.computed.iter().all(|d| d[l] == 0)
    }

    /// Whether a loop is short enough to be unrolled.
    pub fn is_short(&self, l: usize) -> bool {
        self.lengths[l].is_some_and(|n| n <= SHORT_LOOP)
    }

    /// The number of accesses of arrays in memory that visit adjacent elements as this loop runs.
    pub fn adjacency(&self, l: usize) -> usize {
        let dim = self.kernel.loop_dim(l);
        let accesses = self.kernel.accesses();
        let reads = accesses.iter().filter(|a| self.in_memory(a.array) && walks(a.index, dim)).count();
        reads + self.kernel.stores.iter().filter(|s| walks(&s.index, dim)).count()
    }

    /// Whether an array is in the GPU's memory, not passed by value.
    pub fn in_memory(&self, array: Array) -> bool {
        match array {
            Array::Parameter(k) => matches!(self.kernel.parameters[k].kind, ParameterKind::Array { .. }),
            Array::Constant(_) => false,
        }
    }

    /// The bytes of the widest element in memory.
    pub fn element_bytes(&self) -> Int {
        let inputs = self.kernel.parameters.iter().enumerate().filter_map(|(k, p)| match &p.kind {
            ParameterKind::Array { dims, .. } if !dims.is_empty() => Some(self.kernel.element(Array::Parameter(k))),
            _ => None,
        });
        let all = inputs.chain(self.kernel.outputs.iter().map(|o| o.ty)).map(|ty| ty.bytes() as Int);
        all.max().unwrap_or(4)
    }

    /// The factor k with which `rows + k · short` stays the same where an input element is read again: a row of time that
    /// follows the input. `None` if no input is read so.
    pub fn follows(&self, rows: usize, short: usize) -> Option<Int> {
        let (a, b) = (self.kernel.loop_dim(rows), self.kernel.loop_dim(short));
        let accesses = self.kernel.accesses();
        accesses.iter().filter(|access| self.in_memory(access.array)).find_map(|access| {
            let form = access.index.iter().find(|form| form.coef(a) != 0 && form.coef(b) != 0)?;
            (form.coef(b) % form.coef(a) == 0).then(|| form.coef(b) / form.coef(a))
        })
    }

    /// How far the points of a loop spread, before and after, through a short loop that every read along it also goes back
    /// along: the overlap with which tiles of the loop become independent.
    pub fn spread(&self, l: usize) -> Option<Spread> {
        let moving: Vec<&Vec<Int>> = self.computed.iter().filter(|d| d[l] != 0).collect();
        let over =
            (0..self.lengths.len()).find(|t| *t != l && self.is_short(*t) && moving.iter().all(|d| d[*t] > 0))?;
        let steps = self.lengths[over]? - 1;
        // Per step along `over`, rounded up.
        let per_step = |along: Int, step: Int| (along.max(0) + step - 1) / step;
        let reach = |sign: Int| moving.iter().map(|d| per_step(sign * d[l], d[over])).max();
        let (before, after) = (reach(1)?, reach(-1)?);
        Some(Spread { over, before: before * steps, after: after * steps, skew: after })
    }

    /// How far what a point stores reaches along a loop, before and after it, through all that is computed for it: the overlap with
    /// which tiles of the loop become independent. `None` if a value reaches itself along the loop.
    ///
    /// ```text
    /// H[r] = x[r - 1] + x[r];   y[r] = H[r - 2] + H[r];      2 before: y[r] needs H[r - 2]
    /// ```
    pub fn reach(&self, l: usize) -> Option<(Int, Int)> {
        let reads = self.kernel.reads();
        let of = |reader: Reader| match reader {
            Reader::Equation(n) => Some(n),
            Reader::Store(_) => None,
        };
        let count = self.kernel.equations.len();
        // Per variable: how far points that need it lie from it.
        let (mut before, mut after) = (vec![0; count], vec![0; count]);
        // Without a cycle, a longest path has fewer edges than there are variables.
        for _ in 0..=count {
            let mut changed = false;
            for read in &reads {
                let (low, high) = of(read.reader).map_or((0, 0), |n| (before[n], after[n]));
                let (low, high) = (low + read.distance[l].max(0), high + (-read.distance[l]).max(0));
                let of = read.variable;
                changed |= low > before[of] || high > after[of];
                (before[of], after[of]) = (low.max(before[of]), high.max(after[of]));
            }
            if !changed {
                return Some((before.into_iter().max().unwrap_or(0), after.into_iter().max().unwrap_or(0)));
            }
        }
        None
    }

    /// A loop along which computed values spread with the steps of this short loop.
    pub fn spread_over(&self, short: usize) -> Option<usize> {
        let spreads = |l: usize| !self.is_parallel(l) && self.spread(l).is_some_and(|spread| spread.over == short);
        (0..self.lengths.len()).find(|l| spreads(*l))
    }
}

/// The overlap of a loop along which computed values spread.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The short loop along which they spread.
    pub over: usize,
    pub before: Int,
    pub after: Int,
    /// Steps of the loop per step along `over`, so that every read goes back in time.
    pub skew: Int,
}

/// The operations of one point, roughly: arithmetic and accesses.
fn operations(kernel: &Kernel) -> Int {
    fn size(expr: &Expr) -> Int {
        let own = match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Read { .. } | ExprKind::If { .. } => 0,
            _ => 1,
        };
        own + expr.children().into_iter().map(size).sum::<Int>()
    }
    let equations = kernel.equations.iter().map(|e| size(&e.value));
    equations.chain(kernel.stores.iter().map(|s| 1 + size(&s.value))).sum()
}

/// Sizes at which candidates are compared: all equal, so that the largest array has as many elements as a large problem has, and
/// the kernel not more points.
fn nominal(kernel: &Kernel) -> Vec<Int> {
    let inputs = kernel.parameters.iter().filter_map(|p| match &p.kind {
        ParameterKind::Array { dims, .. } => Some(dims),
        _ => None,
    });
    let rank = |dims: &Vec<Form>| dims.iter().filter(|form| !form.is_constant()).count() as u32;
    let rank = inputs.chain(kernel.outputs.iter().map(|o| &o.dims)).map(rank).max().unwrap_or(1).max(1);
    let loops = (0..kernel.loops.len()).filter(|l| constant_length(kernel, *l).is_none()).count() as u32;
    let exceeds = |size: Int, power: u32, most: Int| size.checked_pow(power).is_none_or(|all| all > most);
    let mut size = NOMINAL_ELEMENTS;
    while size > 1 && (exceeds(size, rank, NOMINAL_ELEMENTS) || exceeds(size, loops, NOMINAL_POINTS)) {
        size /= 2;
    }
    vec![size; kernel.sizes.len()]
}
