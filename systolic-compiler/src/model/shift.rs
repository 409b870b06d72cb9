//! Shifts: a map may compute a variable later than the others. `shift G by (1, 0);` gives the value `G[r, c]` the place and the
//! step of the point (r + 1, c).
//!
//! A shift is a substitution in the kernel, made before the laws look at the map. In the shifted kernel the equation of `G`
//! stands one row further down, so its own indices are moved back, and it reads `B` one row further back:
//!
//! ```text
//! for r in 0..R                              for r in 0..R + 1
//!     B[r] = 2.0 * x[r];                         B[r] = 2.0 * x[r];                at r < R
//!     G[r] = if r == R - 1 { 0.0 }        ▶      G[r] = if r - 1 == R - 1 { 0.0 }  at r >= 1
//!            else { B[r + 1] };                         else { B[r] };
//!     y[r] = G[r];                               if r >= 1 { y[r - 1] = G[r]; }
//! ```
//!
//! A read at distance e becomes one at distance e + shift of the reader − shift of the variable. The loops grow by constants, so
//! that they hold the points of all variables; `Equation::runs` says which of them are points of one. Laws, layouts and programs
//! of the map see the shifted kernel only. `reference` and the laws on equations see the kernel as it was written.
use super::{Element, Equation, Expr, ExprKind, Form, Formula, Int, Kernel, Loop, Read, Reader, Store, moved};
use crate::planted::planted;

/// What a map shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shifted {
    /// The equation of a variable, by number.
    Variable(usize),
    /// All stores of an output, by number.
    Output(usize),
}

/// A clause `shift V by (2, 0);`: one number per loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    pub of: Shifted,
    pub by: Vec<Int>,
}

impl Kernel {
    /// The kernel under these shifts; `None` if nothing moves. A store that no shift names moves as far, loop by loop, as the
    /// variables that it reads.
    pub fn shifted(&self, shifts: &[Shift]) -> Option<Kernel> {
        if shifts.iter().all(|s| s.by.iter().all(|by| *by == 0)) {
            return None;
        }
        let plan = Plan::new(self, shifts);
        let mut kernel = Kernel { maps: Vec::new(), ..self.clone() };
        kernel.loops = self.loops.iter().enumerate().map(|(k, l)| plan.grown(k, l)).collect();
        for (n, equation) in kernel.equations.iter_mut().enumerate() {
            plan.equation(self, n, equation);
        }
        for (n, store) in kernel.stores.iter_mut().enumerate() {
            plan.store(self, n, store);
        }
        Some(kernel)
    }

    /// How far a map shifts a reader along every loop; empty if it shifts nothing.
    pub fn shift_of(&self, reader: Reader) -> &[Int] {
        match reader {
            Reader::Equation(n) => &self.equations[n].shift,
            Reader::Store(n) => &self.stores[n].shift,
        }
    }

    /// The distance of a read before any shift: what the user wrote.
    pub fn written_distance(&self, read: &Read) -> Vec<Int> {
        let (reader, producer) = (self.shift_of(read.reader), &self.equations[read.variable].shift);
        let along = |shift: &[Int], k: usize| shift.get(k).copied().unwrap_or(0);
        read.distance.iter().enumerate().map(|(k, d)| d - along(reader, k) + along(producer, k)).collect()
    }
}

/// The shift of every equation and store, and the room that they need.
struct Plan {
    variables: Vec<Vec<Int>>,
    stores: Vec<Vec<Int>>,
    /// By how much the low and the high bound of every loop move, over all equations and stores.
    room: Vec<(Int, Int)>,
}

impl Plan {
    fn new(kernel: &Kernel, shifts: &[Shift]) -> Plan {
        let none = vec![0; kernel.loops.len()];
        let named = |of: Shifted| shifts.iter().find(|s| s.of == of).map(|s| s.by.clone());
        let variables: Vec<Vec<Int>> =
            (0..kernel.equations.len()).map(|v| named(Shifted::Variable(v)).unwrap_or(none.clone())).collect();
        let reads = kernel.reads();
        let stores = kernel.stores.iter().enumerate().map(|(n, store)| {
            let read = reads.iter().filter(|r| r.reader == Reader::Store(n)).map(|r| variables[r.variable].clone());
            let most = || read.reduce(|a, b| a.iter().zip(&b).map(|(x, y)| *x.max(y)).collect());
            named(Shifted::Output(store.output)).or_else(most).unwrap_or(none.clone())
        });
        let stores: Vec<Vec<Int>> = stores.collect();
        let all: Vec<&Vec<Int>> = variables.iter().chain(&stores).collect();
        let room = kernel.loops.iter().enumerate().map(|(k, l)| {
            let low = all.iter().map(|s| bound_moves(kernel, k, &l.low, s)).min();
            let high = all.iter().map(|s| bound_moves(kernel, k, &l.high, s)).max();
            (low.unwrap_or(0), if planted(78) { 0 } else { high.unwrap_or(0) })
        });
        let room = room.collect();
        Plan { variables, stores, room }
    }

    fn grown(&self, k: usize, l: &Loop) -> Loop {
        Loop { low: l.low.plus(self.room[k].0), high: l.high.plus(self.room[k].1), ..l.clone() }
    }

    /// The points of an equation or store with this shift, among those of the grown loops. Bounds that the grown loops imply
    /// are left out.
    fn runs(&self, kernel: &Kernel, shift: &[Int]) -> Formula {
        let mut runs = Formula::True;
        for (k, l) in kernel.loops.iter().enumerate() {
            let at = Form::var(kernel.loop_dim(k));
            let (low, high) = (bound_moves(kernel, k, &l.low, shift), bound_moves(kernel, k, &l.high, shift));
            if low > self.room[k].0 {
                runs = runs.and(Formula::at_least(&at, &l.low.plus(low)));
            }
            if high < self.room[k].1 {
                runs = runs.and(Formula::less(&at, &l.high.plus(high)));
            }
        }
        runs
    }

    fn equation(&self, kernel: &Kernel, n: usize, equation: &mut Equation) {
        let shift = &self.variables[n];
        self.expression(kernel, shift, &mut equation.value);
        let copy = equation.copy.take();
        equation.copy = copy.map(|element| moved(&element, shift, kernel.sizes.len()));
        equation.runs = self.runs(kernel, shift);
        equation.shift = shift.clone();
    }

    fn store(&self, kernel: &Kernel, n: usize, store: &mut Store) {
        let shift = &self.stores[n];
        let images = images(kernel, shift);
        self.expression(kernel, shift, &mut store.value);
        store.index = store.index.iter().map(|f| f.substitute(&images)).collect();
        store.guard = store.guard.substitute(&images);
        if !planted(79) {
            store.guard = self.runs(kernel, shift).and(store.guard.clone());
        }
        store.shift = shift.clone();
    }

    /// Rewrites an expression of an equation or store with this shift.
    fn expression(&self, kernel: &Kernel, shift: &[Int], expr: &mut Expr) {
        let images = images(kernel, shift);
        expr.for_each(&mut |e| match &mut e.kind {
            ExprKind::Element { element: Element { index, .. }, .. } if !planted(80) => {
                index.iter_mut().for_each(|f| *f = f.substitute(&images));
            }
            ExprKind::Read { variable, distance, .. } if !planted(81) => {
                for (k, d) in distance.iter_mut().enumerate() {
                    *d += shift[k] - self.variables[*variable][k];
                }
            }
            ExprKind::Index(form) => *form = form.substitute(&images),
            ExprKind::Holds(guard) | ExprKind::If { guard, .. } => *guard = guard.substitute(&images),
            _ => {}
        });
    }
}

/// By how much a bound of loop `k` moves under a shift: the loop itself moves, and so do the outer loops in its bound.
fn bound_moves(kernel: &Kernel, k: usize, bound: &Form, shift: &[Int]) -> Int {
    let outer: Int = (0..k).map(|l| bound.coef(kernel.loop_dim(l)) * shift[l]).sum();
    shift[k] - outer
}

/// z − shift for z: one form per dimension of the kernel.
fn images(kernel: &Kernel, shift: &[Int]) -> Vec<Form> {
    let loops = shift.iter().enumerate().map(|(k, by)| Form::var(kernel.loop_dim(k)).plus(-by));
    (0..kernel.sizes.len()).map(Form::var).chain(loops).collect()
}
