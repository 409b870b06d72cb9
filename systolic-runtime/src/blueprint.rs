//! Computes a design from a blueprint: counts the points of the blueprint's sets once the sizes are known.
use crate::design::{Design, Medium, Wire};
use systolic_sets::{Answer, Form, Formula, Int, Range, find_point, parse, range};

/// What the compiler knows about a map before the sizes are known.
pub struct Blueprint {
    /// The number of dimensions that are sizes; they come first.
    pub sizes: usize,
    /// The iteration points, in the text form of sets.
    pub points: &'static str,
    /// The points outside the halo of an `overlap`.
    pub useful: &'static str,
    /// For every store, the points that execute it.
    pub stores: &'static [&'static str],
    /// Block, space and time rows.
    pub rows: &'static [BlueprintRow],
    /// Directions along which points share a place.
    pub projections: &'static [&'static [i64]],
    /// How values travel.
    pub wires: &'static [BlueprintWire],
    /// The longest delay of a value that waits in registers, in steps.
    pub longest_delay: usize,
    /// The registers per lane, in words of 4 bytes, that hold values from one step to a later one.
    pub registers: usize,
    /// The shuffles of all warps per loop level: outside all loops, per iteration of the first loop, of the second one within
    /// it and so on. The loops are the first time rows; the remaining time rows are unrolled.
    pub shuffles: &'static [u64],
    /// Why there is no program for a GPU, if so. Then registers and shuffles are unknown.
    pub without_gpu: Option<&'static str>,
    /// The text of the map, if the compiler found or completed it.
    pub map: Option<&'static str>,
}

/// What a row counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Blocks.
    Block,
    /// Warps and lanes.
    Space,
    /// Steps.
    Time,
}

/// A row over sizes and leaves.
pub struct BlueprintRow {
    /// What it counts.
    pub kind: RowKind,
    /// One coefficient per dimension.
    pub coefs: &'static [i64],
}

/// A wire: one read of a variable.
pub struct BlueprintWire {
    /// The variable that is read.
    pub variable: &'static str,
    /// The variable or output that reads it.
    pub reader: &'static str,
    /// The dependence distance in the loops: the consumer's point minus the producer's.
    pub distance: &'static [i64],
    /// The distance in the space rows.
    pub space: &'static [i64],
    /// The distance in the time rows.
    pub time: &'static [i64],
    /// The medium that carries the value.
    pub medium: Medium,
}

/// The empty design of a kernel that did not compile.
pub fn nothing() -> Design {
    Design::new(Vec::new(), Vec::new(), 0, 0)
}

impl Blueprint {
    /// Returns the design at these sizes, for the first block that has points. Without points or without a map the figures
    /// that depend on sizes are 0. `point_by_point` is the reason why a CPU runs the kernel point by point, if it does.
    pub fn design(&self, sizes: &[usize], point_by_point: Option<&'static str>) -> Design {
        let projections = self.projections.iter().map(|p| p.to_vec()).collect();
        let wires = self.wires.iter().map(BlueprintWire::wire).collect();
        let mut design = Design::new(projections, wires, self.longest_delay, self.registers);
        design.point_by_point = point_by_point.map(String::from);
        design.without_gpu = self.without_gpu.map(String::from);
        design.map = self.map.map(String::from);
        let Some(machine) = self.machine(sizes) else { return design };
        (design.pes, design.steps) = (machine.pes, machine.steps);
        design.outturn = machine.stores as f64 / machine.steps as f64;
        design.utilization = machine.points as f64 / (machine.pes as f64 * machine.steps as f64);
        if machine.stores > 0 {
            design.shuffles = machine.shuffles / machine.stores as f64;
        }
        design
    }

    /// Returns `None` without a map or without points.
    fn machine(&self, sizes: &[usize]) -> Option<Machine> {
        if self.rows.is_empty() {
            return None;
        }
        let points = parse(self.points).ok()?;
        let dims = points.names.len();
        let mut known = Formula::True;
        for (k, size) in sizes.iter().take(self.sizes).enumerate() {
            known = known.and(Formula::Zero(Form::var(k).plus(-(*size as Int))));
        }
        // The first block: fixes each block row in turn at its least value.
        for row in self.rows.iter().filter(|r| r.kind == RowKind::Block) {
            let (low, _) = bounds(dims, &points.formula.clone().and(known.clone()), &row.form())?;
            known = known.and(Formula::Zero(row.form().plus(-low)));
        }
        let here = points.formula.and(known.clone());
        let extents = |wanted: RowKind| {
            let rows = self.rows.iter().filter(|r| r.kind == wanted);
            rows.map(|r| bounds(dims, &here, &r.form()).and_then(|(low, high)| usize::try_from(high - low + 1).ok()))
                .collect::<Option<Vec<usize>>>()
        };
        let product = |all: &[usize]| all.iter().try_fold(1usize, |product, extent| product.checked_mul(*extent));
        let count_of = |text: &str| count(dims, &parse(text).ok()?.formula.and(known.clone()));
        let points = count_of(self.useful)?;
        let stores = self.stores.iter().map(|s| count_of(s)).sum::<Option<u64>>()?;
        if points == 0 {
            return None;
        }
        let time = extents(RowKind::Time)?;
        let steps = product(&time)?;
        let times = |level: usize| time.iter().take(level).map(|extent| *extent as f64).product::<f64>();
        let shuffles =
            self.shuffles.iter().enumerate().fold(0.0, |sum, (level, count)| sum + *count as f64 * times(level));
        Some(Machine { pes: product(&extents(RowKind::Space)?)?, steps, points, stores, shuffles })
    }
}

struct Machine {
    pes: usize,
    steps: usize,
    points: u64,
    stores: u64,
    shuffles: f64,
}

impl BlueprintRow {
    fn form(&self) -> Form {
        Form::new(self.coefs.iter().map(|c| Int::from(*c)).collect(), 0)
    }
}

impl BlueprintWire {
    fn wire(&self) -> Wire {
        let (distance, space, time) = (self.distance.to_vec(), self.space.to_vec(), self.time.to_vec());
        Wire::new(self.variable, self.reader, distance, space, time, self.medium)
    }
}

fn bounds(dims: usize, set: &Formula, form: &Form) -> Option<(Int, Int)> {
    match range(dims, set, form) {
        Range::Bounds { low: Some(low), high: Some(high) } => Some((low, high)),
        _ => None,
    }
}

/// The number of points of a bounded set.
fn count(dims: usize, set: &Formula) -> Option<u64> {
    if find_point(dims, set) == Answer::None {
        return Some(0);
    }
    let mut ranges = (0..dims).map(|k| bounds(dims, set, &Form::var(k))).collect::<Option<Vec<_>>>()?;
    count_in(set, &mut ranges)
}

/// Counts the points of a set in a box: all, none, or the sum over its two halves.
fn count_in(set: &Formula, ranges: &mut [(Int, Int)]) -> Option<u64> {
    match truth(set, ranges)? {
        Truth::Never => return Some(0),
        Truth::Always => {
            let extents = ranges.iter().map(|(low, high)| u64::try_from(high - low + 1).ok());
            return extents.into_iter().try_fold(1u64, |product, e| product.checked_mul(e?));
        }
        Truth::Sometimes => {}
    }
    let widest = (0..ranges.len()).max_by_key(|k| ranges[*k].1 - ranges[*k].0)?;
    let (low, high) = ranges[widest];
    let middle = low + (high - low).div_euclid(2);
    ranges[widest] = (low, middle);
    let below = count_in(set, ranges);
    ranges[widest] = (middle + 1, high);
    let above = count_in(set, ranges);
    ranges[widest] = (low, high);
    below?.checked_add(above?)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Truth {
    Never,
    Sometimes,
    Always,
}

/// Whether a formula holds everywhere in a box, nowhere, or perhaps somewhere; exact for a box of one point. `None` on
/// overflow.
fn truth(formula: &Formula, ranges: &[(Int, Int)]) -> Option<Truth> {
    let sure = |yes: bool| if yes { Truth::Always } else { Truth::Never };
    Some(match formula {
        Formula::True => Truth::Always,
        Formula::False => Truth::Never,
        Formula::AtLeast(form) => match values(form, ranges)? {
            (low, _) if low >= 0 => Truth::Always,
            (_, high) if high < 0 => Truth::Never,
            _ => Truth::Sometimes,
        },
        Formula::Zero(form) => match values(form, ranges)? {
            (0, 0) => Truth::Always,
            (low, high) if low > 0 || high < 0 => Truth::Never,
            _ => Truth::Sometimes,
        },
        Formula::Remainder { form, modulus, is } => match values(form, ranges)? {
            (low, high) if low == high => sure(low.checked_rem_euclid(*modulus)? == *is),
            _ => Truth::Sometimes,
        },
        Formula::All(parts) => {
            parts.iter().map(|p| truth(p, ranges)).try_fold(Truth::Always, |all, p| Some(all.min(p?)))?
        }
        Formula::Any(parts) => {
            parts.iter().map(|p| truth(p, ranges)).try_fold(Truth::Never, |any, p| Some(any.max(p?)))?
        }
        Formula::Not(inner) => match truth(inner, ranges)? {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::Sometimes => Truth::Sometimes,
        },
    })
}

/// The least and greatest value of a form in a box.
fn values(form: &Form, ranges: &[(Int, Int)]) -> Option<(Int, Int)> {
    let mut total = (form.constant, form.constant);
    for (k, (low, high)) in ranges.iter().enumerate() {
        let c = form.coef(k);
        let (a, b) = (c.checked_mul(*low)?, c.checked_mul(*high)?);
        total = (total.0.checked_add(a.min(b))?, total.1.checked_add(a.max(b))?);
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_boxes_triangles_and_remainders() {
        let points = |text: &str| {
            let set = parse(text).expect("a set");
            count(set.names.len(), &set.formula)
        };
        assert_eq!(points("{ [i, j] : 0 <= i < 16 and 0 <= j < 5 }"), Some(80));
        assert_eq!(points("{ [i, j] : 0 <= i < 8192 and 0 <= j <= i }"), Some(8192 * 8193 / 2));
        assert_eq!(points("{ [i] : 0 <= i < 100 and i % 3 = 1 }"), Some(33));
        assert_eq!(points("{ [i] : 3 <= i < 3 }"), Some(0));
        assert_eq!(points("{ [i] : 0 <= i < 10 and i != 4 and (i < 2 or i > 7) }"), Some(4));
    }
}
