//! From place to point: every leaf as a form of the place. The matrix need not be square nor unimodular: rows with one
//! unknown are settled, the rest eliminated, and where rows are fewer than loops a loop of constant range is peeled off
//! a row as a remainder.
use super::index::Index;
use crate::model::Int;
use crate::planted::planted;

/// One row: Σ coefs · leaves = place.
#[derive(Clone, Debug)]
struct Equation {
    coefs: Vec<(Int, Int)>,
    place: Index,
}

/// Every leaf as a form of the place, and forms that are 0 at every place that is a point.
#[derive(Clone, Debug)]
pub struct Inverse {
    pub leaves: Vec<Index>,
    pub consistent: Vec<Index>,
}

/// Undoes rows of coefficients over the leaves. `ranges`: the leaves whose range is constant. `None`: no way was found.
pub fn invert(rows: &[(Vec<Int>, Index)], ranges: &[Option<(Int, Int)>]) -> Option<Inverse> {
    let mut equations: Vec<Equation> = rows
        .iter()
        .map(|(coefs, place)| Equation { coefs: coefs.iter().map(|c| (*c, 1)).collect(), place: place.clone() })
        .collect();
    let mut solved: Vec<Option<Index>> = vec![None; ranges.len()];
    for (leaf, range) in ranges.iter().enumerate() {
        // A loop of one iteration is known.
        if let Some((low, high)) = range
            && low == high
        {
            settle(&mut equations, &mut solved, leaf, Index::constant(*low));
        }
    }
    loop {
        while let Some((leaf, value)) = lone(&equations) {
            settle(&mut equations, &mut solved, leaf, value);
        }
        let (reduced, pivots) = eliminate(&equations, &solved)?;
        let open = solved.iter().filter(|s| s.is_none()).count();
        if pivots.len() == open {
            for (leaf, row) in pivots {
                let (n, d) = reduced[row].coefs[leaf];
                solved[leaf] = Some(reduced[row].place.scale(d, n));
            }
            let rest = reduced.into_iter().filter(|e| e.coefs.iter().all(|c| c.0 == 0));
            let consistent: Vec<Index> = rest.map(|e| e.place).filter(|p| p.number() != Some(0)).collect();
            let leaves = solved.into_iter().collect::<Option<Vec<Index>>>()?;
            let whole = leaves.iter().chain(&consistent).all(|i| !i.is_broken());
            return whole.then_some(Inverse { leaves, consistent });
        }
        peel(&mut equations, &mut solved, ranges)?;
    }
}

fn settle(equations: &mut [Equation], solved: &mut [Option<Index>], leaf: usize, value: Index) {
    for e in equations.iter_mut() {
        let (n, d) = e.coefs[leaf];
        if n != 0 {
            e.place = e.place.sub(&value.scale(n, d));
            e.coefs[leaf] = (0, 1);
        }
    }
    solved[leaf] = Some(value);
}

/// A row with one unknown.
fn lone(equations: &[Equation]) -> Option<(usize, Index)> {
    equations.iter().find_map(|e| {
        let mut unknown = (0..e.coefs.len()).filter(|k| e.coefs[*k].0 != 0);
        match (unknown.next(), unknown.next()) {
            (Some(leaf), None) => Some((leaf, e.place.scale(e.coefs[leaf].1, e.coefs[leaf].0))),
            _ => None,
        }
    })
}

/// A leaf and the row that settles it, each.
type Pivots = Vec<(usize, usize)>;

/// Gauss: a pivot row for as many open leaves as there are.
fn eliminate(equations: &[Equation], solved: &[Option<Index>]) -> Option<(Vec<Equation>, Pivots)> {
    let mut rows = equations.to_vec();
    let mut pivots: Pivots = Vec::new();
    for leaf in (0..solved.len()).filter(|l| solved[*l].is_none()) {
        let taken = |r: usize| pivots.iter().any(|(_, row)| *row == r);
        let Some(at) = (0..rows.len()).find(|r| rows[*r].coefs[leaf].0 != 0 && !taken(*r)) else { continue };
        pivots.push((leaf, at));
        let pivot = rows[at].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != at && row.coefs[leaf].0 != 0 {
                let factor = divide(row.coefs[leaf], pivot.coefs[leaf])?;
                for (c, p) in row.coefs.iter_mut().zip(&pivot.coefs) {
                    *c = subtract(*c, multiply(factor, *p)?)?;
                }
                row.place = row.place.sub(&pivot.place.scale(factor.0, factor.1));
            }
        }
    }
    Some((rows, pivots))
}

/// A row c · leaf + D · (others) with the range of the leaf at most D and c prime to D gives the leaf modulo D.
fn peel(equations: &mut [Equation], solved: &mut [Option<Index>], ranges: &[Option<(Int, Int)>]) -> Option<()> {
    for at in 0..equations.len() {
        for leaf in 0..ranges.len() {
            let row = &equations[at].coefs;
            let (c, 1) = row[leaf] else { continue };
            let Some((low, high)) = ranges[leaf] else { continue };
            if c == 0 || row.iter().any(|(_, d)| *d != 1) {
                continue;
            }
            let by = row.iter().enumerate().filter(|(k, _)| *k != leaf).fold(0, |g, (_, (n, _))| gcd(g, *n));
            if by <= 1 || gcd(c, by) != 1 || high - low + 1 > by {
                continue;
            }
            let inverse = inverse_modulo(c, by);
            let start = if planted(26) { 0 } else { low };
            let value = equations[at].place.scale(inverse, 1).plus(-start).remainder(by).plus(start);
            settle(equations, solved, leaf, value);
            let row = &mut equations[at];
            row.coefs.iter_mut().for_each(|(n, _)| *n /= by);
            row.place = row.place.scale(1, by);
            return Some(());
        }
    }
    None
}

/// v with c · v ≡ 1 modulo `by`, for c prime to it: Euclid's algorithm, keeping track of c's share.
fn inverse_modulo(c: Int, by: Int) -> Int {
    let (mut a, mut share, mut b, mut next) = (c.rem_euclid(by), 1, by, 0);
    while b != 0 {
        let q = a / b;
        (a, share, b, next) = (b, next, a - q * b, share - q * next);
    }
    share.rem_euclid(by)
}

type Ratio = (Int, Int);

fn gcd(a: Int, b: Int) -> Int {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn normal(n: Int, d: Int) -> Ratio {
    let g = gcd(n, d).max(1) * d.signum();
    (n / g, d / g)
}

fn multiply(a: Ratio, b: Ratio) -> Option<Ratio> {
    Some(normal(a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?))
}

fn divide(a: Ratio, b: Ratio) -> Option<Ratio> {
    Some(normal(a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?))
}

fn subtract(a: Ratio, b: Ratio) -> Option<Ratio> {
    Some(normal(a.0.checked_mul(b.1)?.checked_sub(b.0.checked_mul(a.1)?)?, a.1.checked_mul(b.1)?))
}
