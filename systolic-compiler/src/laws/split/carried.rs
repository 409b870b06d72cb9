//! How far computed values travel along a loop, over any chain of reads from a store, and which way those go that are carried along
//! all of it.
use super::shown;
use crate::laws::blocks::{Link, links};
use crate::laws::set::{Asked, ask, named, source, witness};
use crate::model::{Form, Formula, Int, Kernel};
use systolic_sets::{Range, range};

/// The iterations of loop `l` that a chain of reads goes back and forward at most. `Err` if no constant bounds them: then a
/// value is carried along the whole loop, and the message shows a read that carries it.
pub fn reach(kernel: &Kernel, l: usize) -> Result<(Int, Int), String> {
    let links = links(kernel);
    if links.iter().all(|link| link.distance[l] == 0) {
        return Ok((0, 0));
    }
    let (chain, moved) = chains(kernel, l, &links);
    let dims = kernel.dims() + links.len() + kernel.equations.len() + kernel.lengths().count();
    match range(dims, &chain, &moved) {
        Range::Bounds { low: Some(low), high: Some(high) } => Ok(((-low).max(0), high.max(0))),
        Range::Empty => Ok((0, 0)),
        Range::Bounds { .. } | Range::GaveUp => Err(carried(kernel, l)),
    }
}

/// Chains of reads that start at a store and end in the domain, and how far loop `l` moves from start to end. What flows into
/// a variable flows out of it, or ends there. The set has more chains than there are: guards on the way are left out.
fn chains(kernel: &Kernel, l: usize, links: &[Link]) -> (Formula, Form) {
    let used = |n: usize| Form::var(kernel.dims() + n);
    let ends = |v: usize| Form::var(kernel.dims() + links.len() + v);
    let total = |is_chosen: &dyn Fn(&Link) -> bool| {
        let chosen = (0..links.len()).filter(|n| is_chosen(&links[*n]));
        chosen.fold(Form::constant(0), |sum, n| &sum + &used(n))
    };
    let mut set = kernel.domain();
    for n in 0..links.len() {
        set = set.and(Formula::AtLeast(used(n)));
    }
    set = set.and(Formula::equal(&total(&|link| link.reader.is_none()), &Form::constant(1)));
    for v in 0..kernel.equations.len() {
        let out = &total(&|link| link.reader == Some(v)) + &ends(v);
        set = set.and(Formula::AtLeast(ends(v))).and(Formula::equal(&total(&|link| link.source == v), &out));
    }
    let mut end: Vec<Form> = (0..kernel.dims()).map(Form::var).collect();
    for (n, link) in links.iter().enumerate() {
        for (k, d) in link.distance.iter().enumerate() {
            let dim = kernel.loop_dim(k);
            end[dim] = &end[dim] - &used(n).scale(*d);
        }
    }
    // A chain that leads to another item ends where other lengths hold.
    for (n, length) in kernel.lengths().enumerate() {
        if links.iter().any(|link| length.index.iter().any(|(k, _)| link.distance[*k] != 0)) {
            end[length.size] = Form::var(kernel.dims() + links.len() + kernel.equations.len() + n);
        }
    }
    set = set.and(kernel.domain().substitute(&end));
    let dim = kernel.loop_dim(l);
    (set, &end[dim] - &Form::var(dim))
}

/// Values that are carried along a loop from part to part, all of them one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carry {
    /// The loop.
    pub along: usize,
    /// Whether later iterations come first: the equations read at `n + 1`.
    pub is_backward: bool,
    /// How many iterations a read goes back at most.
    pub reach: Int,
    /// The variables that other iterations read.
    pub variables: Vec<usize>,
}

impl Carry {
    /// How far values come from: iterations before and after the one that needs them.
    pub fn reaches(&self) -> (Int, Int) {
        if self.is_backward { (0, self.reach) } else { (self.reach, 0) }
    }
}

/// The values that are carried along loop `l`; `None` if there are none. `Err` if they are carried both ways, with a point for each.
pub fn carry(kernel: &Kernel, l: usize) -> Result<Option<Carry>, String> {
    let links = links(kernel);
    let moved = || links.iter().filter(|link| link.distance[l] != 0);
    let Some(first) = moved().next() else { return Ok(None) };
    let is_backward = first.distance[l] < 0;
    if moved().any(|link| (link.distance[l] < 0) != is_backward) {
        let other = reading(kernel, |distance| (distance[l] < 0) != is_backward);
        let other = other.map_or("other values are".to_string(), |read| {
            format!("`{}`, which point {} reads at {}, is", read.variable, read.point, read.from)
        });
        return Err(format!("{}; {other} carried the other way, so the ranks are no pipeline", carried(kernel, l)));
    }
    if kernel.lengths().next().is_some() {
        return Err(format!("{}; with lengths per item a pipeline cannot carry it (a limit)", carried(kernel, l)));
    }
    let reach = moved().map(|link| link.distance[l].saturating_abs()).max().unwrap_or(0);
    let is_read = |v: &usize| moved().any(|link| link.source == *v);
    let variables = (0..kernel.equations.len()).filter(is_read).collect();
    Ok(Some(Carry { along: l, is_backward, reach, variables }))
}

/// The message for a value that is carried along loop `l`, with a point that reads it.
pub fn carried(kernel: &Kernel, l: usize) -> String {
    let name = &kernel.loops[l].name.text;
    match reading(kernel, |distance| distance[l] != 0) {
        Some(Reading { variable, point, from, sizes }) => format!(
            "blocks: the value of `{variable}` is carried along `{name}` from part to part: point {point} reads it at {from}, for {sizes}"
        ),
        None => format!("blocks: could not decide how far values travel along `{name}`"),
    }
}

/// A point that reads a computed value.
struct Reading {
    variable: String,
    /// `(n = 1)`
    point: String,
    /// `(n = 0)`
    from: String,
    /// `N = 2`
    sizes: String,
}

/// A point that reads a computed value at such a distance.
fn reading(kernel: &Kernel, is_meant: impl Fn(&[Int]) -> bool) -> Option<Reading> {
    for read in kernel.reads().into_iter().filter(|read| is_meant(read.distance)) {
        let equation = &kernel.equations[read.variable];
        if equation.copy.is_some() {
            continue;
        }
        let Asked::Point(point) = ask(kernel.dims(), &kernel.domain().and(read.guard.clone())) else { continue };
        let variable = &equation.variable.text;
        let at = witness(kernel, &point);
        let from = shown(&named(kernel, &source(kernel, &point, read.distance)));
        let sizes: Vec<String> = at.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        return Some(Reading { variable: variable.clone(), point: shown(&at.point), from, sizes: sizes.join(", ") });
    }
    None
}
