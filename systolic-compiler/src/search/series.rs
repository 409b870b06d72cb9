//! The search for a series of launches: where the best single map is slow, or where there is none.
//!
//! No map can be faster than its traffic of memory. So a series is only searched for where its own traffic would take much less time
//! than the best single map. To see whether it is faster, its members share the work of one search. Those of the series that is taken
//! are then searched for like kernels of their own.
use super::rank::{Candidate, Search};
use crate::laws::Lawful;
use crate::model::{Array, Int, Kernel, ParameterKind};
use crate::series::{Partition, Series, partitions, split};
use crate::sorted::SortedSet;
use crate::syntax::tree;
use crate::target::Gpu;
use crate::target::search::WORK;
use crate::target::series::WORTH;

/// A series that was found, with the best maps of every member, best first.
pub struct FoundSeries {
    pub partition: Partition,
    pub series: Series,
    pub members: Vec<Vec<Candidate>>,
    /// The sum of what the best candidates are compared by, with the launches.
    pub seconds: f64,
}

/// The fastest series of a kernel, if it is faster than `single`, the time of the best map at these sizes.
pub fn find(
    tree: &tree::Kernel,
    lawful: &Lawful,
    gpu: &Gpu,
    sizes: &[Int],
    single: Option<f64>,
) -> Option<FoundSeries> {
    let kernel = lawful.kernel();
    let mut best: Option<FoundSeries> = None;
    let all = partitions(kernel);
    let work = WORK / all.len().max(1) as Int;
    for partition in all {
        let most = best.as_ref().map(|found| found.seconds).or(single.map(|single| single * WORTH));
        let is_worth = |seconds: f64| most.is_none_or(|most| seconds < most);
        let Some(series) = split(tree, kernel, &partition) else { continue };
        let launches = gpu.timing.launch * (series.members.len() - 1) as f64;
        let traffic: f64 = series.members.iter().map(|member| bytes(member.lawful.kernel(), sizes)).sum();
        if !is_worth(traffic / gpu.timing.bandwidth + launches) {
            continue;
        }
        let share = work / series.members.len() as Int;
        let mut members = Vec::new();
        let mut seconds = launches;
        for member in &series.members {
            let found = Search::of_member(&member.tree, &member.lawful, gpu, sizes, share).run();
            seconds += found.first().map_or(f64::INFINITY, Candidate::rank);
            members.push(found);
            if !seconds.is_finite() || !is_worth(seconds) {
                break;
            }
        }
        if seconds.is_finite() && is_worth(seconds) {
            best = Some(FoundSeries { partition, series, members, seconds });
        }
    }
    best.map(|found| found.improved(gpu, sizes))
}

impl FoundSeries {
    /// With a whole search for every member.
    fn improved(mut self, gpu: &Gpu, sizes: &[Int]) -> FoundSeries {
        for (member, found) in self.series.members.iter().zip(&mut self.members) {
            let better = Search::of_member(&member.tree, &member.lawful, gpu, sizes, WORK).run();
            let rank = |all: &[Candidate]| all.first().map_or(f64::INFINITY, Candidate::rank);
            let gain = rank(found) - rank(&better);
            if gain > 0.0 {
                self.seconds -= gain;
                *found = better;
            }
        }
        self
    }
}

/// The bytes of all arrays that a kernel reads or stores, each once.
fn bytes(kernel: &Kernel, sizes: &[Int]) -> f64 {
    let read: SortedSet<usize> = kernel
        .elements()
        .into_iter()
        .filter_map(|(_, element, _)| match element.array {
            Array::Parameter(k) => Some(k),
            Array::Constant(_) => None,
        })
        .collect();
    let inputs = read.into_iter().filter_map(|k| match &kernel.parameters[k].kind {
        ParameterKind::Array { ty, dims, .. } => Some((*ty, dims)),
        _ => None,
    });
    let arrays = inputs.chain(kernel.outputs.iter().map(|output| (output.ty, &output.dims)));
    let bytes = arrays.map(|(ty, dims)| {
        let elements = dims.iter().map(|dim| dim.eval(sizes).unwrap_or(0).max(0) as f64);
        elements.product::<f64>() * ty.bytes() as f64
    });
    bytes.sum()
}
