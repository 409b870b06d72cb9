//! The shifts of a map, read from the mapping alone: how far every equation and every store runs from the point that it belongs
//! to.
use systolic_compiler::model::{Int, Kernel, Mapping, Reader, Shifted};

/// One shift per equation and per store.
pub struct Shifts {
    variables: Vec<Vec<Int>>,
    stores: Vec<Vec<Int>>,
}

impl Shifts {
    pub fn new(kernel: &Kernel, mapping: &Mapping, reads: &[(Reader, usize)]) -> Shifts {
        let still = vec![0; kernel.loops.len()];
        let mut variables = vec![still.clone(); kernel.equations.len()];
        for shift in &mapping.shifts {
            if let Shifted::Variable(v) = shift.of {
                variables[v] = shift.by.clone();
            }
        }
        let mut stores = Vec::new();
        for (n, store) in kernel.stores.iter().enumerate() {
            let named = mapping.shifts.iter().find(|s| s.of == Shifted::Output(store.output));
            let mut read = reads.iter().filter(|(reader, _)| *reader == Reader::Store(n)).map(|(_, v)| &variables[*v]);
            stores.push(match (named, read.next()) {
                (Some(shift), _) => shift.by.clone(),
                (None, None) => still.clone(),
                (None, Some(first)) => {
                    let mut most = first.clone();
                    for other in read {
                        most.iter_mut().zip(other).for_each(|(m, o)| *m = (*m).max(*o));
                    }
                    most
                }
            });
        }
        Shifts { variables, stores }
    }

    pub fn of(&self, reader: Reader) -> &[Int] {
        match reader {
            Reader::Equation(n) => &self.variables[n],
            Reader::Store(n) => &self.stores[n],
        }
    }

    pub fn of_variable(&self, variable: usize) -> &[Int] {
        &self.variables[variable]
    }

    /// All shifts, each once.
    pub fn all(&self) -> Vec<Vec<Int>> {
        let mut all: Vec<Vec<Int>> = self.variables.iter().chain(&self.stores).cloned().collect();
        all.sort();
        all.dedup();
        all
    }
}
