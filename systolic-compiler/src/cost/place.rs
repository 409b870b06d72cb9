//! Evaluates forms at a place of a program, and counts blocks and steps for given sizes.
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::program::{Condition, Frame};
use crate::schedule::{Schedule, Section, Version};
use crate::target::effort::Sample;

/// A place: numbers for sizes, blocks, warps, lanes and times.
#[derive(Clone, Debug)]
pub struct Place<'f> {
    pub frame: &'f Frame,
    pub sizes: &'f [Int],
    pub blocks: Vec<Int>,
    pub warp: Int,
    pub lane: Int,
    pub times: Vec<Int>,
}

impl<'f> Place<'f> {
    /// The first lane of a block, outside all loops.
    pub fn new(frame: &'f Frame, sizes: &'f [Int], blocks: Vec<Int>) -> Place<'f> {
        Place { frame, sizes, blocks, warp: 0, lane: 0, times: Vec::new() }
    }

    /// The value of an atom in a lane. Unknown ones are 0.
    fn atom(&self, lane: Int, atom: &Atom) -> Int {
        match atom {
            Atom::Size(k) => at(self.sizes, *k),
            Atom::Block(k) => at(&self.blocks, *k),
            Atom::Warp(k) => digit(self.warp, &self.frame.warps, *k),
            Atom::Lane(k) => digit(lane, &self.frame.lanes, *k),
            Atom::Time(k) => at(&self.times, *k),
            Atom::Register | Atom::Remainder(..) => 0,
        }
    }

    /// The value of a bound.
    pub fn bound(&self, bound: &Bound) -> Int {
        bound.value(&|atom| self.atom(self.lane, atom)).unwrap_or_default()
    }

    /// The value of a form in each of the first lanes; `None` where it is not an integer.
    pub fn in_lanes(&self, form: &PlaceForm, lanes: Int) -> impl Iterator<Item = Option<Int>> {
        let value = |lane: Int| form.value(&|atom| self.atom(lane, atom));
        // With one row of lanes such a form changes by the same number from lane to lane.
        let is_even = form.is_plain() && self.frame.lanes.len() == 1;
        let first = value(0);
        let step = value((lanes - 1).min(1)).zip(first).map_or(0, |(second, first)| second - first);
        (0..lanes).map(move |lane| if is_even { first.map(|first| first + lane * step) } else { value(lane) })
    }

    /// Which of the first lanes a condition holds in, as bits.
    pub fn holding(&self, condition: &Condition, lanes: Int) -> u32 {
        let those = |form: &PlaceForm, are: &dyn Fn(Int) -> bool| {
            let values = self.in_lanes(form, lanes).enumerate();
            values.filter(|(_, value)| value.is_some_and(are)).fold(0_u32, |bits, (lane, _)| bits | 1 << lane)
        };
        match condition {
            Condition::True => every(lanes),
            Condition::False => 0,
            Condition::AtLeast(form) => those(form, &|value| value >= 0),
            Condition::Zero(form) => those(form, &|value| value == 0),
            Condition::Remainder { form, modulus, is } => those(form, &|value| value.rem_euclid(*modulus) == *is),
            Condition::All(parts) => parts.iter().fold(every(lanes), |bits, part| match bits {
                0 => 0,
                bits => bits & self.holding(part, lanes),
            }),
            Condition::Any(parts) => parts.iter().fold(0, |bits, part| bits | self.holding(part, lanes)),
            Condition::Not(inner) => every(lanes) & !self.holding(inner, lanes),
        }
    }

    /// Whether a condition holds here.
    pub fn holds(&self, condition: &Condition) -> bool {
        condition.holds(&|atom| self.atom(self.lane, atom))
    }
}

/// The first lanes, as bits.
fn every(lanes: Int) -> u32 {
    u32::MAX >> (32 - lanes.clamp(1, 32))
}

/// A number of a list, or 0 beyond its end.
fn at(numbers: &[Int], k: usize) -> Int {
    numbers.get(k).copied().unwrap_or_default()
}

/// Coordinate `k` of the `number`-th cell of a box with these extents, the last axis fastest.
fn digit(number: Int, extents: &[Int], k: usize) -> Int {
    let inner: Int = extents[k + 1..].iter().product();
    let value = number / inner.max(1);
    if k > 0 { value % extents[k].max(1) } else { value.min(extents[0] - 1) }
}

/// The blocks that run the same version of the innermost loop.
#[derive(Clone, Debug)]
pub struct Class<'p> {
    /// The sections of that version.
    pub sections: Vec<&'p Section>,
    /// How many blocks they are.
    pub count: f64,
    /// One of the blocks, which stands for all.
    pub sample: Vec<Int>,
    /// Whether they are boundary blocks.
    pub at_edge: bool,
}

/// The interior blocks, and the boundary blocks if there are any. Of several launches, those of the middle one.
pub fn classes<'p>(program: &'p Schedule, sizes: &[Int]) -> Vec<Class<'p>> {
    let versions = &program.versions;
    let Some(first) = versions.first() else { return Vec::new() };
    let axes = axes(program, sizes);
    let middle: Vec<Int> = axes.iter().map(|(low, high)| (low + high).div_euclid(2)).collect();
    let launches = program.frame.launches;
    let all: f64 = axes[launches..].iter().map(|(low, high)| (high - low + 1).max(0) as f64).product();
    let runs =
        |blocks: &[Int], version: &Version| Place::new(&program.frame, sizes, blocks.to_vec()).holds(&version.when);
    let class = |sample: Vec<Int>, count: f64| {
        let (k, version) = versions.iter().enumerate().find(|(_, v)| runs(&sample, v)).unwrap_or((0, first));
        Class { sections: version.sections.iter().collect(), count, sample, at_edge: k > 0 }
    };
    let holds = |blocks: &[Int]| runs(blocks, first);
    if versions.len() == 1 || !holds(&middle) {
        return vec![class(middle, all)];
    }
    // Conditions compare affine forms, so along every axis the interior blocks form an interval.
    let along = |k: usize| if k < launches { axes[k] } else { interval(k, axes[k], &middle, &holds) };
    let within: Vec<(Int, Int)> = (0..axes.len()).map(along).collect();
    let count: f64 = within[launches..].iter().map(|(low, high)| (high - low + 1) as f64).product();
    let edge = outside(&axes, &within, &middle).map(|sample| class(sample, all - count));
    [class(middle, count)].into_iter().chain(edge).collect()
}

/// The first and the last block of every axis. Two that run as one are one.
pub fn axes(program: &Schedule, sizes: &[Int]) -> Vec<(Int, Int)> {
    let place = Place::new(&program.frame, sizes, Vec::new());
    let ends = program.frame.blocks.iter().map(|b| (place.bound(&b.low), place.bound(&b.high))).enumerate();
    let last = |k: usize, low: Int, high: Int| program.paired.as_ref().map_or(high, |paired| paired.last(k, low, high));
    ends.map(|(k, (low, high))| (low, last(k, low, high))).collect()
}

/// The interval around the middle in which a condition holds along one axis.
fn interval(axis: usize, (low, high): (Int, Int), middle: &[Int], holds: &impl Fn(&[Int]) -> bool) -> (Int, Int) {
    let at = |value: Int| {
        let mut blocks = middle.to_vec();
        blocks[axis] = value;
        holds(&blocks)
    };
    // The block farthest towards `end` at which it holds, by bisection.
    let farthest = |end: Int| {
        let (mut inside, mut outside) = (middle[axis], end);
        if at(end) {
            return end;
        }
        while (outside - inside).abs() > 1 {
            let half = (inside + outside).div_euclid(2);
            if at(half) { inside = half } else { outside = half }
        }
        inside
    };
    (farthest(low), farthest(high))
}

/// A block next to the interior ones, along the last axis that has one: after them if possible, otherwise before them.
fn outside(axes: &[(Int, Int)], within: &[(Int, Int)], middle: &[Int]) -> Option<Vec<Int>> {
    for k in (0..axes.len()).rev() {
        let after = (within[k].1 < axes[k].1).then_some(within[k].1 + 1);
        let before = (within[k].0 > axes[k].0).then_some(within[k].0 - 1);
        if let Some(value) = after.or(before) {
            let mut blocks = middle.to_vec();
            blocks[k] = value;
            return Some(blocks);
        }
    }
    None
}

/// One run of the innermost loop, which may stand for several.
#[derive(Clone, Debug)]
pub struct Run {
    /// The times of the outer loops.
    pub times: Vec<Int>,
    /// The first time of the innermost loop.
    pub low: Int,
    /// Its last time.
    pub high: Int,
    /// How many runs it stands for.
    pub weight: f64,
}

/// The runs of a section in a block, one per iteration of the outer loops, or a sample of them if there are many.
pub fn runs(place: &Place<'_>, section: &Section, sample: Sample) -> Vec<Run> {
    let Some((_, outer)) = place.frame.loops.split_last() else {
        return vec![Run { times: Vec::new(), low: 0, high: 0, weight: 1.0 }];
    };
    let mut found = vec![(Vec::new(), 1.0)];
    for row in outer {
        let mut longer: Vec<(Vec<Int>, f64)> = Vec::new();
        let most = (sample.iterations / found.len()).max(1) as Int;
        for (times, weight) in found {
            let here = Place { times: times.clone(), ..place.clone() };
            let (low, high) = (here.bound(row.first()), here.bound(row.last()));
            let all = (high - low + 1).max(0);
            let some = all.min(most);
            let weight = weight * all as f64 / some.max(1) as f64;
            longer.extend((0..some).map(|k| ([&times[..], &[low + k * all / some]].concat(), weight)));
        }
        found = longer;
    }
    let run = |(times, weight): (Vec<Int>, f64)| {
        let here = Place { times: times.clone(), ..place.clone() };
        Run { low: here.bound(&section.low), high: here.bound(&section.high), times, weight }
    };
    found.into_iter().map(run).collect()
}
