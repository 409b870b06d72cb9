//! The lengths of items at given sizes: those that a witness gives, and for all others numbers that differ from item to item.
use crate::world::value;
use systolic_compiler::evaluate::{Input, Inputs, SplitMix};
use systolic_compiler::model::{Int, Kernel, ParameterKind, SizeSource, Value};

/// Lengths that are given.
#[derive(Clone, Debug, Default)]
pub struct Items {
    /// A parameter, an index and the length there.
    given: Vec<(usize, Vec<Int>, Int)>,
    /// A parameter and the length of every other item.
    every: Vec<(usize, Int)>,
}

impl Items {
    /// The lengths among the numbers of a witness: `n[2] = 3`, or `every n = 3`.
    pub fn of_witness(kernel: &Kernel, sizes: &[(String, Int)]) -> Items {
        let mut items = Items::default();
        let parameter = |name: &str| kernel.parameters.iter().position(|p| p.name.text == name);
        for (name, value) in sizes {
            if let Some(parameter) = name.strip_prefix("every ").and_then(parameter) {
                items.every.push((parameter, *value));
            } else if let Some((of, index)) = name.strip_suffix(']').and_then(|name| name.split_once('['))
                && let Some(parameter) = parameter(of)
            {
                let index = index.split(", ").map(|i| i.parse().expect("a number")).collect();
                items.given.push((parameter, index, *value));
            }
        }
        items
    }

    /// Whether what is given lies in its range, with one value per item.
    pub fn fit(&self, kernel: &Kernel, sizes: &[Int]) -> bool {
        let within = |parameter: usize, v: Int| {
            kernel.range_of(parameter).is_some_and(|r| (r.least..=value(&r.most, sizes)).contains(&v))
        };
        let once = |(p, index, v): &(usize, Vec<Int>, Int)| {
            self.given.iter().all(|(q, other, w)| p != q || index != other || v == w)
        };
        self.given.iter().all(|item| within(item.0, item.2) && once(item))
            && self.every.iter().all(|(p, v)| within(*p, *v))
    }

    /// The lengths of a point; any number for lengths of loops that the point does not have.
    pub fn of_point(&self, kernel: &Kernel, sizes: &[Int], point: &[Int]) -> Vec<Int> {
        let of_size = |source: &SizeSource| match source {
            SizeSource::Length { parameter, index } => {
                let index: Option<Vec<Int>> = index.iter().map(|(l, plus)| Some(point.get(*l)? + plus)).collect();
                Some(index.map_or(0, |index| self.length(kernel, sizes, *parameter, &index)))
            }
            _ => None,
        };
        kernel.sizes.iter().filter_map(|s| of_size(&s.source)).collect()
    }

    /// The length of an item; outside the array the least one.
    pub fn length(&self, kernel: &Kernel, sizes: &[Int], parameter: usize, index: &[Int]) -> Int {
        let ParameterKind::Array { dims, lengths: Some(range), .. } = &kernel.parameters[parameter].kind else {
            return 0;
        };
        if !index.iter().zip(dims).all(|(i, dim)| (0..value(dim, sizes)).contains(i)) {
            return range.least;
        }
        if let Some((.., length)) = self.given.iter().find(|(p, at, _)| *p == parameter && at == index) {
            return *length;
        }
        if let Some((_, length)) = self.every.iter().find(|(p, _)| *p == parameter) {
            return *length;
        }
        let most = value(&range.most, sizes).max(range.least);
        let seed = index.iter().chain(sizes).fold(parameter as u64, |seed, i| SplitMix::new(seed ^ *i as u64).draw());
        match seed % 4 {
            // The first item is as long as items may be, so that the extents of loops are seen.
            _ if index.iter().all(|i| *i == 0) => most,
            0 => most,
            1 => range.least,
            _ => range.least + (seed >> 2) as Int % (most - range.least + 1),
        }
    }

    /// Writes the lengths into inputs for these sizes.
    pub fn write(&self, kernel: &Kernel, sizes: &[Int], inputs: &mut Inputs) {
        for (parameter, input) in inputs.parameters.iter_mut().enumerate() {
            let (Some(_), Input::Array(tensor)) = (kernel.range_of(parameter), input) else { continue };
            for (flat, element) in tensor.values.iter_mut().enumerate() {
                let (mut rest, mut index) = (flat, Vec::new());
                for n in tensor.shape.iter().rev() {
                    index.insert(0, (rest % n) as Int);
                    rest /= n;
                }
                let length = self.length(kernel, sizes, parameter, &index);
                *element = Value::from_i64(length as i64, element.ty()).expect("an integer type");
            }
        }
    }
}
