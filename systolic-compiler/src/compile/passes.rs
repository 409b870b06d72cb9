//! Runs a kernel that no map suits as several kernels on a CPU, one after another, each with a map of its own. What one of them
//! computes and a later one needs is an array between them.
use super::{Programs, by_rules};
use crate::laws::Lawful;
use crate::mapping::Target;
use crate::series::{Member, Partition, Series, partitions, split};
use crate::syntax::tree;

/// A kernel in passes.
#[derive(Clone, Debug)]
pub struct Passes {
    /// What each pass computes.
    pub partition: Partition,
    pub series: Series,
    /// The program of each pass.
    pub programs: Vec<Programs>,
}

/// The first way to cut a kernel in which every part has a program; `None` if there is none.
pub fn passes(tree: &tree::Kernel, lawful: &Lawful) -> Option<Passes> {
    partitions(lawful.kernel()).into_iter().find_map(|partition| {
        let series = split(tree, lawful.kernel(), &partition)?;
        let programs = series.members.iter().map(of_member).collect::<Option<_>>()?;
        Some(Passes { partition, series, programs })
    })
}

/// The program of a pass, if it has one itself: a part is not cut again.
fn of_member(member: &Member) -> Option<Programs> {
    let instances = std::slice::from_ref(&member.lawful);
    let programs = Programs::cut(&member.tree, instances, &[Target::Cpu], &by_rules, false).ok()?;
    let runs = super::which(None, &member.lawful, Target::Cpu);
    programs.get(&member.lawful, runs, Target::Cpu).is_ok().then_some(programs)
}
