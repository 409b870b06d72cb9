//! Shared by the random tests: a random number generator, random sets with their bounding boxes, and an evaluation of
//! formulas that is independent of the crate's own.
#![allow(dead_code)]

use systolic_sets::{Form, Formula, Int};

/// splitmix64: small, and the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from low to high, both included.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    pub fn chance(&mut self, one_in: u64) -> bool {
        self.next().is_multiple_of(one_in)
    }
}

/// A set, and a box that contains all its points.
pub struct Case {
    pub formula: Formula,
    pub lows: Vec<i64>,
    pub highs: Vec<i64>,
    pub matrix: Vec<Vec<Int>>,
}

impl Case {
    pub fn dims(&self) -> usize {
        self.lows.len()
    }

    /// Calls `each` for every point of the box, grown by a margin, until it returns `false`.
    pub fn each_point(&self, margin: i64, mut each: impl FnMut(&[i64]) -> bool) {
        let mut point: Vec<i64> = self.lows.iter().map(|low| low - margin).collect();
        loop {
            if !each(&point) {
                return;
            }
            let mut k = 0;
            loop {
                if k == point.len() {
                    return;
                }
                point[k] += 1;
                if point[k] <= self.highs[k] + margin {
                    break;
                }
                point[k] = self.lows[k] - margin;
                k += 1;
            }
        }
    }

    /// All points of the set, found by testing every point of the box.
    pub fn points(&self) -> Vec<Vec<i64>> {
        let mut points = Vec::new();
        self.each_point(0, |point| {
            if truth(&self.formula, point) {
                points.push(point.to_vec());
            }
            true
        });
        points
    }
}

pub fn value(form: &Form, point: &[i64]) -> i64 {
    form.constant as i64 + form.coefs.iter().zip(point).map(|(c, x)| *c as i64 * x).sum::<i64>()
}

pub fn truth(formula: &Formula, point: &[i64]) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::AtLeast(form) => value(form, point) >= 0,
        Formula::Zero(form) => value(form, point) == 0,
        Formula::Remainder { form, modulus, is } => value(form, point).rem_euclid(*modulus as i64) == *is as i64,
        Formula::All(parts) => parts.iter().all(|part| truth(part, point)),
        Formula::Any(parts) => parts.iter().any(|part| truth(part, point)),
        Formula::Not(part) => !truth(part, point),
    }
}

/// A random set: bounds, equalities and further conditions.
pub fn case(random: &mut Random) -> Case {
    match random.next() % 8 {
        0 => steep(random),
        1 => triangle(random),
        _ => loops(random),
    }
}

/// Sizes, and loops bounded by them, as in the sets of the compiler.
fn loops(random: &mut Random) -> Case {
    let dims = random.within(1, 5) as usize;
    let sizes = random.within(0, 2).min(dims as i64 - 1) as usize;
    let mut parts = Vec::new();
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    let mut area = 1;
    for k in 0..dims {
        // Limit the extents once the box is large, so that it can still be enumerated.
        let most = if area > 60 { 2 } else { 5 };
        let x = Form::var(k);
        let (low, high) = if k < sizes {
            (1, random.within(1, most + 1))
        } else if sizes > 0 && random.chance(2) {
            let size = random.within(0, sizes as i64 - 1) as usize;
            let low = random.within(-1, 1);
            parts.push(Formula::less(&x, &Form::var(size)));
            parts.push(Formula::at_least(&x, &Form::constant(low as Int)));
            (low, highs[size] - 1)
        } else {
            let low = random.within(-2, 1);
            (low, low + random.within(0, most - 1))
        };
        let high = high.max(low);
        parts.push(Formula::within(&x, &Form::constant(low as Int), &Form::constant(high as Int + 1)));
        area *= high - low + 1;
        lows.push(low);
        highs.push(high);
    }
    let rows = random.within(0, 3);
    let mut matrix = Vec::new();
    for _ in 0..rows {
        let form = form(random, dims, 3);
        let at: Vec<i64> = (0..dims).map(|k| random.within(lows[k], highs[k])).collect();
        // Usually the equality passes through a point of the box.
        let off = if random.chance(4) { random.within(-2, 2) } else { 0 };
        let form = form.plus((off - value(&form, &at)) as Int);
        matrix.push((0..dims).map(|k| form.coef(k)).collect());
        parts.push(Formula::Zero(form));
    }
    for _ in 0..random.within(0, 3) {
        parts.push(condition(random, dims, 2));
    }
    let formula =
        if random.chance(2) { Formula::All(parts) } else { parts.into_iter().fold(Formula::True, Formula::and) };
    Case { formula, lows, highs, matrix }
}

/// Few dimensions with large coefficients, for which shadows are not exact.
fn steep(random: &mut Random) -> Case {
    let dims = random.within(2, 3) as usize;
    let reach = if dims == 2 { 7 } else { 3 };
    let mut parts = Vec::new();
    let mut matrix = Vec::new();
    let bound = Form::constant(reach as Int);
    for k in 0..dims {
        parts.push(Formula::within(&Form::var(k), &bound.neg(), &bound.plus(1)));
    }
    for _ in 0..random.within(1, 3) {
        let form = form(random, dims, 13);
        let low = random.within(-30, 30) as Int;
        let room = random.within(0, 6) as Int;
        matrix.push((0..dims).map(|k| form.coef(k)).collect());
        parts.push(Formula::within(&form, &Form::constant(low), &Form::constant(low + room + 1)));
    }
    Case { formula: Formula::All(parts), lows: vec![-reach; dims], highs: vec![reach; dims], matrix }
}

/// The interior of a triangle, and possibly a third dimension above it. No two rows are opposite, so only dark shadows
/// and splinters can decide it.
fn triangle(random: &mut Random) -> Case {
    let solid = random.chance(2);
    let reach = if solid { 3 } else { 8 };
    let corners = loop {
        let at = [(); 3].map(|()| (random.within(-reach, reach), random.within(-reach, reach)));
        let [(ax, ay), (bx, by), (cx, cy)] = at;
        if (bx - ax) * (cy - ay) != (cx - ax) * (by - ay) {
            break at;
        }
    };
    let edge = |(ax, ay): (i64, i64), (bx, by): (i64, i64)| {
        // Zero on the line through both points.
        let (dx, dy) = (bx - ax, by - ay);
        Form::new(vec![-dy as Int, dx as Int], (dy * ax - dx * ay) as Int)
    };
    let mut parts = Vec::new();
    let mut matrix = Vec::new();
    for at in 0..3 {
        let (a, b, c) = (corners[at], corners[(at + 1) % 3], corners[(at + 2) % 3]);
        let mut side = edge(a, b);
        if value(&side, &[c.0, c.1]) < 0 {
            side = side.neg();
        }
        parts.push(Formula::AtLeast(side.plus(-(random.within(0, 2) as Int))));
        let mut row = vec![side.coef(0), side.coef(1)];
        row.resize(if solid { 3 } else { 2 }, 0);
        matrix.push(row);
    }
    let (mut lows, mut highs) = (vec![-reach; 2], vec![reach; 2]);
    if solid {
        // p·z ≥ base and q·z ≤ base + room.
        let base = form(random, 2, 2);
        let (p, q) = (random.within(2, 4), random.within(2, 4));
        let room = random.within(0, 5);
        parts.push(Formula::AtLeast(&(Form::var(2) * p as Int) - &base));
        parts.push(Formula::AtLeast(base.plus(room as Int) - Form::var(2) * q as Int));
        lows.push(-9);
        highs.push(11);
    }
    Case { formula: Formula::All(parts), lows, highs, matrix }
}

pub fn form(random: &mut Random, dims: usize, size: i64) -> Form {
    let coefs = (0..dims).map(|_| random.within(-size, size) as Int).collect();
    Form::new(coefs, random.within(-4, 4) as Int)
}

fn condition(random: &mut Random, dims: usize, depth: usize) -> Formula {
    let kinds = if depth == 0 { 5 } else { 8 };
    let form = form(random, dims, 2);
    match random.within(0, kinds - 1) {
        0 | 1 => Formula::AtLeast(form),
        2 => Formula::Zero(form),
        3 => {
            let modulus = random.within(1, 5) as Int;
            let is = random.within(0, modulus as i64) as Int;
            Formula::Remainder { form, modulus, is }
        }
        4 => Formula::differs(&form, &Form::constant(0)),
        kind => {
            let count = random.within(1, 3);
            let parts = (0..count).map(|_| condition(random, dims, depth - 1)).collect();
            match kind {
                5 => Formula::All(parts),
                6 => Formula::Any(parts),
                _ => Formula::Not(Box::new(Formula::Any(parts))),
            }
        }
    }
}
