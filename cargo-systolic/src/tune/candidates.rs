//! The maps that are measured: none (what the compiler finds by itself), those of the source, those that a search finds, and
//! the best of them with other numbers. Every one is proved by the laws before it is built.
use super::cpu;
use super::numbers;
use crate::device::Device;
use std::collections::BTreeSet;
use systolic_compiler::compile::compile;
use systolic_compiler::fill::{proved, read};
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::search::Search;
use systolic_compiler::syntax::{print_map, tree};
use systolic_compiler::target::gpu::JUDGED_ARCHITECTURE;
use systolic_compiler::target::machines::machine;

/// A map to measure.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// `None`: the kernel without a map.
    pub map: Option<tree::Map>,
    /// Its text, without a name, device and condition; empty without a map. Results are kept under it.
    pub text: String,
}

impl Candidate {
    /// The kernel without a map.
    pub fn plain() -> Candidate {
        Candidate { map: None, text: String::new() }
    }

    pub fn of(map: &tree::Map) -> Candidate {
        let map = tree::Map { name: None, on: None, conditions: Vec::new(), ..map.clone() };
        Candidate { text: print_map(&map), map: Some(map) }
    }

    /// The candidate of a text that was kept; `None` if it is not a map of the kernel.
    pub fn read(tree: &tree::Kernel, text: &str) -> Option<Candidate> {
        if text.is_empty() { Some(Candidate::plain()) } else { read(tree, text).map(|map| Candidate::of(&map)) }
    }
}

/// What the candidates of an instance are made from.
pub struct Subject<'k> {
    pub tree: &'k tree::Kernel,
    pub lawful: &'k Lawful,
    pub device: &'k Device,
}

impl Subject<'_> {
    /// The maps of the source that fit the instance and the device. The kernel's own type runs the first.
    pub fn written(&self) -> Vec<Candidate> {
        let maps = self.lawful.maps().iter().filter_map(|map| self.tree.maps.get(map.mapping().position));
        maps.filter(|map| self.device.runs(map.on)).map(Candidate::of).collect()
    }

    /// What the kernel's own type runs now.
    pub fn current(&self) -> Candidate {
        self.written().into_iter().next().unwrap_or_else(Candidate::plain)
    }

    /// At most this number of first candidates: the kernel without a map, what runs now, then the most promising ones.
    pub fn first(&self, most: usize) -> Vec<Candidate> {
        let mut all = vec![Candidate::plain()];
        all.extend(self.written());
        match self.device.target {
            Target::Gpu => {
                let architecture = self.device.gpu.map_or(JUDGED_ARCHITECTURE, |(architecture, _)| architecture);
                let machine = machine(architecture);
                let found = Search::new(self.tree, self.lawful, &machine).at_least(most);
                all.extend(found.iter().map(|candidate| Candidate::of(&candidate.map)));
            }
            Target::Cpu => {
                let maps = cpu::maps(self.tree, self.lawful.kernel());
                let lawful = maps.iter().filter_map(|text| read(self.tree, text)).filter(|map| self.is_usable(map));
                all.extend(lawful.take(most).map(|map| Candidate::of(&map)));
            }
        }
        distinct(all, most)
    }

    /// A candidate with other numbers; none without a map, or where the compiler chooses the numbers.
    pub fn near(&self, candidate: &Candidate) -> Vec<Candidate> {
        let Some(map) = candidate.map.as_ref().filter(|map| !map.is_open()) else { return Vec::new() };
        let maps = numbers::neighbours(map).into_iter().filter(|map| self.is_usable(map));
        maps.map(|map| Candidate::of(&map)).collect()
    }

    /// Whether the laws accept a map and it has a program.
    fn is_usable(&self, map: &tree::Map) -> bool {
        let kernel = self.lawful.kernel();
        let proved = proved(self.tree, kernel, map, self.tree.maps.len());
        proved.is_ok_and(|map| compile(kernel, &map, self.device.target).is_ok())
    }
}

/// Each candidate once, at most this number of them.
fn distinct(all: Vec<Candidate>, most: usize) -> Vec<Candidate> {
    let mut seen = BTreeSet::new();
    all.into_iter().filter(|candidate| seen.insert(candidate.text.clone())).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use systolic_compiler::check;

    const SUMS: &str = "kernel sums(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
        map down on gpu { tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
        map on cpu { tile c by 64 as (cb, ci); blocks (cb); lanes ci fold 2; }
    }";

    fn with(target: Target, test: impl Fn(Subject<'_>)) {
        let checked = check(SUMS.parse().expect("tokens"));
        let (tree, instances) = &checked.kernels[0];
        let device = Device { target, name: "test".to_string(), gpu: None };
        test(Subject { tree, lawful: &instances[0], device: &device });
    }

    #[test]
    fn candidates_of_a_cpu() {
        with(Target::Cpu, |subject| {
            let all = subject.first(16);
            assert!(all.len() > 4, "{}", all.len());
            assert_eq!(all[0].text, "");
            assert_eq!(all[1].text, subject.current().text);
            assert!(all[1].text.contains("map {\n") && all[1].text.contains("fold 2"), "{}", all[1].text);
            for candidate in &all[1..] {
                assert!(subject.is_usable(candidate.map.as_ref().expect("a map")), "{}", candidate.text);
                let again = Candidate::read(subject.tree, &candidate.text).expect("a map");
                assert_eq!(again.text, candidate.text);
            }
            let near = subject.near(&all[1]);
            assert!(near.iter().any(|other| other.text.contains("by 128") && other.text.contains("fold 4")));
            assert!(near.iter().all(|other| other.text != all[1].text));
            assert_eq!(subject.first(3).len(), 3);
        });
    }

    #[test]
    fn candidates_of_a_gpu() {
        with(Target::Gpu, |subject| {
            let all = subject.first(8);
            assert!(all.len() > 3, "{}", all.len());
            assert!(all[1].text.contains("tile c by 32"), "{}", all[1].text);
        });
    }

    #[test]
    fn what_is_kept_but_no_map_any_more() {
        with(Target::Cpu, |subject| {
            assert!(Candidate::read(subject.tree, "").is_some_and(|candidate| candidate.map.is_none()));
            assert!(Candidate::read(subject.tree, "nonsense {").is_none());
        });
    }
}
