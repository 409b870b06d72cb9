//! Kernels that only add up integers along a loop, or take their minimum, maximum or bits together:
//!
//! ```text
//! for r in 0..R, c in 0..C {
//!     S[r, c] = x[r, c] as i32 + if c == 0 { 0 } else { S[r, c - 1] };
//!     if c == C - 1 { y[r] = S[r, c]; }
//! }
//! ```
//!
//! The order of such operations is free, so rustc's vectoriser splits one row among the lanes of a vector. That is faster on a CPU than
//! a lane per row, which transposes everything it reads. Floats have one order only. Where each total has no row of its own, as in a table of
//! distances between all pairs of rows, lanes take the totals: there the rows are read again and again, and they are short.
//!
//! Where every sum on the way is stored too (`y[r, c] = S[r, c];`), nothing is split. If little else is computed, a plain loop is still
//! faster: it adds an element per cycle, and to transpose one takes three.
use super::reads::{self, Reads, has_numbers, stands_alone};
use crate::model::{Array, BinaryOp, Expr, ExprKind, Form, Formula, Int, Kernel, ParameterKind, Read, Reader, Type};
use crate::target::cpu;
use systolic_sets::{Answer, find_point};

/// The loop along which a kernel adds up, if it does nothing else with values of other points, and reads arrays along it.
pub fn total_along(kernel: &Kernel, reads: &Reads) -> Option<usize> {
    let [distance] = reads.computed.as_slice() else { return None };
    let l = distance.iter().position(|d| *d == 1)?;
    let along = distance.iter().enumerate().all(|(k, d)| *d == Int::from(k == l));
    // Where rows have lengths of their own, each would be a block, which takes long to start.
    let alike = (0..kernel.loops.len()).all(|k| stands_alone(kernel, k));
    if !along || !alike || has_numbers(kernel, l) || !reads.copied.is_empty() {
        return None;
    }
    let adds = |read: &Read<'_>| match read.reader {
        Reader::Equation(n) => n == read.variable && is_total(&kernel.equations[n].value, n),
        Reader::Store(_) => false,
    };
    let mut moving = kernel.reads();
    moving.retain(|read| read.distance.iter().any(|d| *d != 0));
    let is_total = moving.iter().all(adds) && walks(kernel, l) && has_own_rows(kernel, l);
    (is_total && (stores_last(kernel, l) || is_light(kernel, &moving, l))).then_some(l)
}

/// Whether sums on the way, which these reads take up, are stored along rows, and an iteration does little but add to them.
fn is_light(kernel: &Kernel, moving: &[Read<'_>], l: usize) -> bool {
    use BinaryOp::{Add, And, Div, Or, Rem, Xor};
    let mut cost = 0;
    kernel.walk(&mut |_, _, _, expr| {
        cost += match expr.kind {
            ExprKind::Literal(_) | ExprKind::Read { .. } | ExprKind::If { .. } if expr.ty.is_integer() => 0,
            ExprKind::Binary { op: Div | Rem, .. } => cpu::LIGHT_STEP + 1,
            ExprKind::Element { .. } | ExprKind::Cast { .. } | ExprKind::Unary { .. } | ExprKind::Binary { .. }
                if expr.ty.is_integer() =>
            {
                1
            }
            _ => cpu::LIGHT_STEP + 1,
        }
    });
    // Minima take a second cycle, and a register holds many narrow values.
    let adds = |value: &Expr| {
        matches!(value.kind, ExprKind::Binary { op: Add | And | Or | Xor, .. }) && value.ty.bytes() >= Type::I32.bytes()
    };
    cost <= cpu::LIGHT_STEP
        && moving.iter().all(|read| adds(&kernel.equations[read.variable].value))
        && kernel.stores.iter().all(|store| reads::walks(&store.index, kernel.loop_dim(l)))
}

/// Whether a value is another one combined with the variable at one earlier point, in an order that is free.
fn is_total(value: &Expr, variable: usize) -> bool {
    use BinaryOp::{Add, And, Max, Min, Or, Xor};
    let ExprKind::Binary { op: Add | And | Max | Min | Or | Xor, left, right } = &value.kind else { return false };
    let reads = |e: &Expr| matches!(e.kind, ExprKind::Read { variable: of, .. } if of == variable);
    let before = |e: &Expr| match &e.kind {
        ExprKind::If { then, otherwise, .. } => reads(then) != reads(otherwise),
        _ => reads(e),
    };
    value.ty.is_integer() && (before(left) || before(right))
}

/// Whether the arrays that are read along a loop are read along rows, at small distances, and there are some.
fn walks(kernel: &Kernel, l: usize) -> bool {
    let dim = kernel.loop_dim(l);
    let accesses = kernel.accesses();
    let mut along = accesses.iter().filter(|a| a.index.iter().any(|f| f.coef(dim) != 0)).peekable();
    let by_row = |index: &[Form], array: Array| {
        // Behind a short last axis, neighbours are a few elements apart.
        let inner = match array {
            Array::Parameter(k) => inner_length(kernel, k),
            Array::Constant(_) => None,
        };
        match index {
            [rows @ .., last] if last.coef(dim) != 0 => {
                let apart = last.coef(dim);
                (apart == -1 || (1..=cpu::TOTAL_STRIDE).contains(&apart)) && rows.iter().all(|f| f.coef(dim) == 0)
            }
            [rows @ .., before, _] if before.coef(dim) == 1 => {
                inner.is_some_and(|n| n <= cpu::TOTAL_STRIDE) && rows.iter().all(|f| f.coef(dim) == 0)
            }
            _ => false,
        }
    };
    along.peek().is_some() && along.all(|a| by_row(a.index, a.array))
}

/// Whether some array has a row for each total: its index follows all loops.
fn has_own_rows(kernel: &Kernel, l: usize) -> bool {
    let follows = |index: &[Form], k: usize| index.iter().any(|form| form.coef(kernel.loop_dim(k)) != 0);
    kernel.accesses().iter().any(|a| follows(a.index, l) && (0..kernel.loops.len()).all(|k| follows(a.index, k)))
}

/// Whether nothing is stored but in the last iteration of a loop.
fn stores_last(kernel: &Kernel, l: usize) -> bool {
    let before_last = Formula::AtLeast(&kernel.loops[l].high.plus(-2) - &Form::var(kernel.loop_dim(l)));
    kernel.stores.iter().all(|store| {
        let early = kernel.domain().and(store.guard.clone()).and(before_last.clone());
        find_point(kernel.dims(), &early) == Answer::None
    })
}

/// The length of the last axis of an array parameter, if it is a constant.
fn inner_length(kernel: &Kernel, parameter: usize) -> Option<Int> {
    match &kernel.parameters[parameter].kind {
        ParameterKind::Array { dims, .. } => dims.last().filter(|f| f.is_constant()).map(|f| f.constant),
        _ => None,
    }
}
