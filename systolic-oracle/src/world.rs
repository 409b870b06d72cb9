//! A kernel at given sizes: its points, their reads and their stores.
use crate::items::Items;
use crate::sites::{AccessSite, Path, ReadSite, sites};
use systolic_compiler::model::{Array, Border, Form, Formula, Int, Kernel, ParameterKind};

/// A kernel at given sizes.
pub struct World<'k> {
    pub kernel: &'k Kernel,
    /// The sizes of the call.
    pub sizes: Vec<Int>,
    pub items: Items,
    pub reads: Vec<ReadSite>,
    pub accesses: Vec<AccessSite>,
    /// The loops hold the points of the kernel moved by each of these shifts; without a map, by none.
    shifts: Vec<Vec<Int>>,
}

impl<'k> World<'k> {
    pub fn new(kernel: &'k Kernel, sizes: &[Int]) -> World<'k> {
        assert_eq!(sizes.len(), kernel.call_sizes(), "one number a size");
        let (reads, accesses) = sites(kernel);
        let shifts = vec![vec![0; kernel.loops.len()]];
        World { kernel, sizes: sizes.to_vec(), items: Items::default(), reads, accesses, shifts }
    }

    /// The same with lengths of which some are given.
    pub fn with_items(self, items: Items) -> World<'k> {
        World { items, ..self }
    }

    /// The same with loops that are long enough for the points moved by each of these shifts: the points of a map.
    pub fn grown(kernel: &'k Kernel, sizes: &[Int], shifts: Vec<Vec<Int>>) -> World<'k> {
        World { shifts, ..World::new(kernel, sizes) }
    }

    /// Whether the laws apply to these sizes: each is at least 1, the kernel's `where` holds, and lengths have values.
    pub fn is_assumed(&self) -> bool {
        let has_lengths = |k: usize| self.kernel.range_of(k).is_none_or(|r| r.least <= value(&r.most, &self.sizes));
        self.sizes.iter().all(|s| *s >= 1)
            && self.kernel.conditions.iter().all(|c| holds(&c.formula, &self.sizes))
            && (0..self.kernel.parameters.len()).all(has_lengths)
            && self.items.fit(self.kernel, &self.sizes)
    }

    /// The sizes, the lengths and the point as one vector, at which forms are evaluated.
    pub fn at(&self, point: &[Int]) -> Vec<Int> {
        [self.sizes.clone(), self.items.of_point(self.kernel, &self.sizes, point), point.to_vec()].concat()
    }

    /// The bounds of loop `k`, given the values of the loops outside it; the second bound is exclusive.
    pub fn bounds(&self, k: usize, outer: &[Int]) -> (Int, Int) {
        let l = &self.kernel.loops[k];
        let moved = self.shifts.iter().map(|shift| {
            let at = self.at(&minus(&outer[..k], shift));
            (value(&l.low, &at) + shift[k], value(&l.high, &at) + shift[k])
        });
        moved.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).expect("at least one shift")
    }

    pub fn contains(&self, point: &[Int]) -> bool {
        (0..point.len()).all(|k| {
            let (low, high) = self.bounds(k, point);
            low <= point[k] && point[k] < high
        })
    }

    /// All points, in the order of the loop nest.
    pub fn points(&self) -> Vec<Vec<Int>> {
        let mut points = Vec::new();
        self.walk(&mut Vec::new(), &|_, bounds| bounds, &mut |point| {
            points.push(point.to_vec());
            true
        });
        points
    }

    /// Whether there are more than `limit` points.
    pub fn has_more_points_than(&self, limit: usize) -> bool {
        let mut count = 0;
        !self.walk(&mut Vec::new(), &|_, bounds| bounds, &mut |_| {
            count += 1;
            count <= limit
        })
    }

    /// Visits the points with the prefix `point`, whose loop bounds `narrow` may restrict, until `visit` returns false.
    pub fn walk(
        &self,
        point: &mut Vec<Int>,
        narrow: &impl Fn(&[Int], (Int, Int)) -> (Int, Int),
        visit: &mut impl FnMut(&[Int]) -> bool,
    ) -> bool {
        if point.len() == self.kernel.loops.len() {
            return visit(point);
        }
        let (low, high) = narrow(point, self.bounds(point.len(), point));
        for v in low..high {
            point.push(v);
            let go_on = self.walk(point, narrow, visit);
            point.pop();
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Whether the guards on the path to a read hold at a point.
    pub fn is_active(&self, path: &Path, point: &[Int]) -> bool {
        let at = self.at(point);
        path.iter().all(|(guard, wanted)| holds(guard, &at) == *wanted)
    }

    pub fn index(&self, forms: &[Form], point: &[Int]) -> Vec<Int> {
        let at = self.at(point);
        forms.iter().map(|form| value(form, &at)).collect()
    }

    /// The lengths of an output; negative ones become 0.
    pub fn output_shape(&self, output: usize) -> Vec<Int> {
        self.kernel.outputs[output].dims.iter().map(|d| value(d, &self.sizes).max(0)).collect()
    }

    /// Whether an access at this index has a value: it is in range, or a border defines it.
    pub fn has_element(&self, array: Array, index: &[Int]) -> bool {
        let (shape, border): (Vec<Int>, Option<&Border>) = match array {
            Array::Constant(k) => (self.kernel.constants[k].dims.clone(), None),
            Array::Parameter(k) => match &self.kernel.parameters[k].kind {
                ParameterKind::Array { dims, border, .. } => {
                    (dims.iter().map(|d| value(d, &self.sizes).max(0)).collect(), border.as_ref())
                }
                ParameterKind::Const { dims, .. } => (dims.clone(), None),
                ParameterKind::Scalar { .. } | ParameterKind::Size => (Vec::new(), None),
            },
        };
        match border {
            None => in_range(index, &shape),
            Some(Border::Zero | Border::Constant(_) | Border::Scalar(_)) => true,
            // An empty array has no nearest element.
            Some(Border::Clamp | Border::Reflect | Border::Symmetric | Border::Wrap) => shape.iter().all(|n| *n > 0),
        }
    }
}

pub fn in_range(index: &[Int], shape: &[Int]) -> bool {
    index.len() == shape.len() && index.iter().zip(shape).all(|(i, n)| (0..*n).contains(i))
}

/// Numbers here are small; an overflow is a bug of the test.
pub fn value(form: &Form, at: &[Int]) -> Int {
    form.eval(at).expect("small numbers")
}

pub fn holds(formula: &Formula, at: &[Int]) -> bool {
    formula.holds(at).expect("small numbers")
}

pub fn minus(point: &[Int], distance: &[Int]) -> Vec<Int> {
    point.iter().zip(distance).map(|(p, d)| p - d).collect()
}
