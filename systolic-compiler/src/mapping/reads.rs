//! What the searches for a map know of a kernel: at which distances values are read, how long loops are, how arrays are walked.
use crate::model::{Form, Formula, Int, Kernel};

/// The distances at which values are read, other than 0, each once.
#[derive(Clone, PartialEq, Eq)]
pub struct Reads {
    pub computed: Vec<Vec<Int>>,
    /// The same for copies of input elements, which can be loaded again.
    pub copied: Vec<Vec<Int>>,
}

impl Reads {
    /// The reads whose guards may hold.
    pub fn of(kernel: &Kernel, happens: impl Fn(&Formula) -> bool) -> Reads {
        let mut reads = Reads { computed: Vec::new(), copied: Vec::new() };
        // A loop limits distances only if its bounds are constants: with bounds that depend on other loops, it can be short
        // and still move far.
        let extents: Vec<Option<Int>> = (0..kernel.loops.len()).map(|l| constant_length(kernel, l)).collect();
        for read in kernel.reads() {
            let copy = kernel.equations[read.variable].copy.is_some();
            let list = if copy { &mut reads.copied } else { &mut reads.computed };
            let distance = read.distance.to_vec();
            let moves = distance.iter().any(|d| *d != 0);
            let fits = distance.iter().zip(&extents).all(|(d, extent)| extent.is_none_or(|n| d.abs() < n));
            if moves && fits && !list.contains(&distance) && happens(&read.guard) {
                list.push(distance);
            }
        }
        reads
    }

    /// The distances without their part along loop `l`.
    pub fn beside(&self, l: usize) -> Reads {
        let mut reads = self.clone();
        for list in [&mut reads.computed, &mut reads.copied] {
            list.iter_mut().for_each(|d| d[l] = 0);
            list.retain(|d| d.iter().any(|d| *d != 0));
        }
        reads
    }
}

/// The number of iterations of a loop, if it is a constant.
pub fn length(kernel: &Kernel, l: usize) -> Option<Int> {
    let length = &kernel.loops[l].high - &kernel.loops[l].low;
    length.is_constant().then_some(length.constant)
}

/// Whether both bounds of a loop are constants.
pub fn has_numbers(kernel: &Kernel, l: usize) -> bool {
    kernel.loops[l].low.is_constant() && kernel.loops[l].high.is_constant()
}

/// The number of iterations of a loop whose bounds are constants.
pub fn constant_length(kernel: &Kernel, l: usize) -> Option<Int> {
    length(kernel, l).filter(|_| has_numbers(kernel, l))
}

/// Whether the bounds of each loop are numbers, or depend on such loops only, as in `k in 0..4, i in k..4`.
pub fn of_numbers(kernel: &Kernel) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::new();
    for bounds in &kernel.loops {
        let others = |dim: usize| dim.checked_sub(kernel.sizes.len()).is_none_or(|l| all.get(l) != Some(&true));
        all.push(!bounds.low.mentions(&others) && !bounds.high.mentions(&others));
    }
    all
}

/// The number of points of these loops for one iteration of the others, where that is a number: every loop depends on others of them
/// only. `None` if there are more than `most`.
pub fn points_of(kernel: &Kernel, loops: &[usize], most: usize) -> Option<usize> {
    if loops.iter().all(|l| has_numbers(kernel, *l)) {
        let lengths = loops.iter().filter_map(|l| usize::try_from(length(kernel, *l)?.max(0)).ok());
        return Some(lengths.fold(1, usize::saturating_mul)).filter(|n| *n <= most);
    }
    let of_numbers = of_numbers(kernel);
    if !loops.iter().all(|l| of_numbers[*l]) {
        return None;
    }
    let mut points: Vec<Vec<Int>> = vec![vec![0; kernel.dims()]];
    for l in loops {
        let mut next = Vec::new();
        for point in points {
            let (low, high) = (kernel.loops[*l].low.eval(&point)?, kernel.loops[*l].high.eval(&point)?);
            for at in low..high {
                if next.len() == most {
                    return None;
                }
                let mut point = point.clone();
                point[kernel.loop_dim(*l)] = at;
                next.push(point);
            }
        }
        points = next;
    }
    Some(points.len())
}

/// Whether an access visits adjacent elements as a loop runs.
pub fn walks(index: &[Form], dim: usize) -> bool {
    let Some((last, rest)) = index.split_last() else { return false };
    last.coef(dim).abs() == 1 && rest.iter().all(|f| f.coef(dim) == 0)
}

/// Whether neither the bounds of a loop depend on other loops nor theirs on it.
pub fn stands_alone(kernel: &Kernel, l: usize) -> bool {
    let mentions = |of: usize, l: usize| {
        let dim = kernel.loop_dim(l);
        kernel.loops[of].low.coef(dim) != 0 || kernel.loops[of].high.coef(dim) != 0
    };
    (0..kernel.loops.len()).all(|k| !mentions(k, l) && !mentions(l, k))
}
