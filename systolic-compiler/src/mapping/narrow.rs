//! Narrow forms: affine forms of the leaf loops that have a constant range over all points. `inverse` uses them to tell the
//! points of a place apart.
use super::place_form::{Atom, PlaceForm};
use crate::model::{Form, Int, Kernel, Loop, Mapping, Places};
use crate::sorted;
use crate::target::effort;
use systolic_sets::{Range, range};

/// low ≤ Σ coefs · leaves + rest ≤ high at every point; `rest` is a form of the sizes.
#[derive(Clone, Debug)]
pub struct Narrow {
    pub coefs: Vec<Int>,
    pub rest: PlaceForm,
    pub low: Int,
    pub high: Int,
}

impl Narrow {
    fn new(places: &Places, form: &Form, (low, high): (Int, Int)) -> Narrow {
        let sizes = (0..places.sizes).map(|s| PlaceForm::atom(Atom::Size(s)).scale(form.coef(s), 1));
        let rest = sizes.fold(PlaceForm::constant(form.constant), |sum, s| sum.add(&s));
        Narrow { coefs: (places.sizes..places.dims()).map(|d| form.coef(d)).collect(), rest, low, high }
    }

    /// The leaf and its value, if the form says that a leaf has only one value.
    pub fn single(&self) -> Option<(usize, PlaceForm)> {
        let mut leaves = (0..self.coefs.len()).filter(|l| self.coefs[*l] != 0);
        match (leaves.next(), leaves.next()) {
            (Some(leaf), None) if self.low == self.high && self.coefs[leaf] == 1 && self.rest.number() == Some(0) => {
                Some((leaf, PlaceForm::constant(self.low)))
            }
            _ => None,
        }
    }
}

/// A form over sizes and leaves, and its least and greatest value.
type Ranged = (Form, (Int, Int));
/// A function that finds such forms.
type Finder = fn(&Kernel, &Mapping, &Places) -> Vec<Ranged>;

/// Lists of narrow forms, each of which continues the one before. The simplest come first: others lead to longer inverses.
pub fn lists<'a>(
    kernel: &'a Kernel,
    mapping: &'a Mapping,
    places: &'a Places,
) -> impl Iterator<Item = Vec<Narrow>> + 'a {
    let more: [Finder; 5] = [plain, loops, parts, sums, mixtures];
    let mut list: Vec<Narrow> = Vec::new();
    more.into_iter().map(move |forms| {
        list.extend(forms(kernel, mapping, places).iter().map(|(form, range)| Narrow::new(places, form, *range)));
        list.clone()
    })
}

/// Loops of one iteration, then the leaves of constant range. A constant is the shortest form, so it comes first.
fn plain(kernel: &Kernel, mapping: &Mapping, places: &Places) -> Vec<Ranged> {
    let single = loops(kernel, mapping, places).into_iter().filter(|(_, (low, high))| low == high);
    single.chain(leaves(kernel, mapping, places)).collect()
}

/// The leaves of constant range.
fn leaves(_: &Kernel, _: &Mapping, places: &Places) -> Vec<Ranged> {
    let each = places.leaf_ranges.iter().enumerate();
    each.filter_map(|(l, range)| Some((Form::var(places.sizes + l), (*range)?))).collect()
}

/// Loops of constant length minus their lower bounds, and inner loops of tiles that are tiled again.
fn loops(kernel: &Kernel, mapping: &Mapping, places: &Places) -> Vec<Ranged> {
    let images = places.images(kernel);
    let long = |(k, l): (usize, &Loop)| {
        let length = l.high.sub(&l.low);
        let from = places.nodes[k].sub(&l.low.substitute(&images));
        (length.is_constant() && length.constant >= 1).then_some((from, (0, length.constant - 1)))
    };
    let inner = mapping.nodes.iter().filter_map(|n| n.tile.as_ref()).filter(|t| mapping.nodes[t.inner].tile.is_some());
    let tiles = inner.map(|t| (places.nodes[t.inner].clone(), (-t.before, t.by + t.after - 1)));
    kernel.loops.iter().enumerate().filter_map(long).chain(tiles).collect()
}

/// Sums of the smaller terms of each row: the remainder of the row modulo the larger coefficients.
fn parts(_: &Kernel, _: &Mapping, places: &Places) -> Vec<Ranged> {
    let mut all = Vec::new();
    for row in &places.rows {
        let mut terms: Vec<usize> = (0..row.coefs.len()).filter(|l| row.coefs[*l] != 0).collect();
        sorted::sort_by_key(&mut terms, |l| row.coefs[*l].abs());
        for count in 2..terms.len() {
            let mut coefs = vec![0; row.coefs.len()];
            terms[..count].iter().for_each(|l| coefs[*l] = row.coefs[*l]);
            let form = [vec![0; places.sizes], coefs.clone()].concat();
            all.extend(places.interval(&coefs).map(|range| (Form::new(form, 0), range)));
        }
    }
    all
}

/// Sums of two or three leaves and loops with small factors, the narrowest first.
fn sums(kernel: &Kernel, mapping: &Mapping, places: &Places) -> Vec<Ranged> {
    let mut one = [leaves(kernel, mapping, places), loops(kernel, mapping, places)].concat();
    one.retain(|(_, (low, high))| low < high);
    let mut all = Vec::new();
    let mut some: Vec<(usize, Ranged)> = one.iter().cloned().enumerate().collect();
    for most in [effort::SUMS_OF_TWO, effort::SUMS_OF_THREE] {
        let mut more = Vec::new();
        for (last, first) in &some {
            for (k, second) in one.iter().enumerate().skip(last + 1) {
                more.extend((-most..=most).filter(|n| *n != 0).map(|n| (k, sum(first, second, n))));
            }
        }
        all.extend(more.iter().map(|(_, form)| form.clone()));
        some = more;
    }
    sorted::sort_by_key(&mut all, |(_, (low, high))| high - low);
    all
}

/// A form plus `n` times another, with the range that follows from theirs.
fn sum(first: &Ranged, second: &Ranged, n: Int) -> Ranged {
    let (a, b) = (n * second.1.0, n * second.1.1);
    (first.0.add(&second.0.scale(n)), (first.1.0 + a.min(b), first.1.1 + a.max(b)))
}

/// Leaves and loops, alone and plus a multiple of another, with their exact ranges over all points. These can be narrower than
/// the ranges of the parts tell.
fn mixtures(kernel: &Kernel, mapping: &Mapping, places: &Places) -> Vec<Ranged> {
    let mut one = [leaves(kernel, mapping, places), loops(kernel, mapping, places)].concat();
    one.retain(|(_, (low, high))| low < high);
    let mut forms: Vec<Form> = one.iter().map(|(form, _)| form.clone()).collect();
    for n in (1..=effort::SUMS_WITH_EXACT_RANGE).flat_map(|n| [n, -n]) {
        for (form, _) in &one {
            forms.extend(one.iter().filter(|(o, _)| o != form).map(|(other, _)| form.add(&other.scale(n))));
        }
    }
    let domain = places.domain(kernel, mapping);
    let exact = |form: Form| match range(places.dims(), &domain, &form) {
        Range::Bounds { low: Some(low), high: Some(high) } => Some((form, (low, high))),
        _ => None,
    };
    forms.into_iter().take(effort::EXACT_RANGES).filter_map(exact).collect()
}
