//! Every read of an instance, with the guard under which it happens.
use super::{Array, Element, Expr, ExprKind, Form, Formula, Int, Kernel};
use crate::region::Region;

/// The consumer: an equation or a store, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    Equation(usize),
    Store(usize),
}

/// A read of a variable at a constant distance.
#[derive(Clone, Debug)]
pub struct Read<'k> {
    pub reader: Reader,
    pub variable: usize,
    /// The dependence distance: consumer minus producer.
    pub distance: &'k [Int],
    /// The guards around it, and where its equation runs; without the domain.
    pub guard: Formula,
    /// The region of the whole read, `V[i - 1, j]`.
    pub at: Region,
    pub index_at: &'k [Region],
    /// Whether it stands in a branch of a select, which guards nothing.
    pub selected: bool,
}

/// A read of an array parameter or constant.
#[derive(Clone, Debug)]
pub struct Access<'k> {
    pub array: Array,
    pub index: &'k [Form],
    pub guard: Formula,
    pub at: Region,
    pub index_at: &'k [Region],
}

impl Kernel {
    /// The reads of variables, in source order.
    pub fn reads(&self) -> Vec<Read<'_>> {
        let mut reads = Vec::new();
        self.walk(&mut |reader, guard, selected, expr| {
            if let ExprKind::Read { variable, distance, index_at } = &expr.kind {
                let guard = guard.clone();
                reads.push(Read { reader, variable: *variable, distance, guard, at: expr.at, index_at, selected });
            }
        });
        reads
    }

    /// The reads of arrays that have an index.
    pub fn accesses(&self) -> Vec<Access<'_>> {
        let mut accesses = Vec::new();
        self.walk(&mut |_, guard, _, expr| {
            if let ExprKind::Element { element: Element { array, index }, index_at } = &expr.kind
                && !index.is_empty()
            {
                accesses.push(Access { array: *array, index, guard: guard.clone(), at: expr.at, index_at });
            }
        });
        accesses
    }

    /// The reads of arrays, each with its reader and the guards around it. One at indices that are values has no index here.
    pub fn elements(&self) -> Vec<(Reader, Element, Formula)> {
        let mut elements = Vec::new();
        self.walk(&mut |reader, guard, _, expr| {
            let element = match &expr.kind {
                ExprKind::Element { element, .. } if !element.index.is_empty() => element.clone(),
                ExprKind::Lookup { array, .. } => Element { array: *array, index: Vec::new() },
                _ => return,
            };
            elements.push((reader, element, guard.clone()));
        });
        elements
    }

    /// Whether an expression or a guard depends on a dimension that is meant, other than by the index of an array or variable.
    pub fn depends(&self, is_meant: &impl Fn(usize) -> bool) -> bool {
        let mut depends = self.stores.iter().any(|store| store.guard.mentions(is_meant));
        self.walk(&mut |_, guard, _, expr| {
            depends |= guard.mentions(is_meant);
            depends |= match &expr.kind {
                ExprKind::Index(form) => form.mentions(is_meant),
                ExprKind::Holds(formula) => formula.mentions(is_meant),
                _ => false,
            };
        });
        depends
    }

    /// The reads of arrays at indices that are values: the array, the guards around it, and its region.
    pub fn lookups(&self) -> Vec<(Array, Formula, Region)> {
        let mut lookups = Vec::new();
        self.walk(&mut |_, guard, _, expr| {
            if let ExprKind::Lookup { array, .. } = &expr.kind {
                lookups.push((*array, guard.clone(), expr.at));
            }
        });
        lookups
    }

    /// Visits every expression with its reader, the guards around it, and whether it stands in a branch of a select.
    pub fn walk<'k>(&'k self, visit: &mut impl FnMut(Reader, &Formula, bool, &'k Expr)) {
        for (n, equation) in self.equations.iter().enumerate() {
            visit_expr(&equation.value, &equation.runs, false, Reader::Equation(n), visit);
        }
        for (n, store) in self.stores.iter().enumerate() {
            visit_expr(&store.value, &store.guard, false, Reader::Store(n), visit);
        }
    }
}

fn visit_expr<'k>(
    expr: &'k Expr,
    guard: &Formula,
    selected: bool,
    reader: Reader,
    visit: &mut impl FnMut(Reader, &Formula, bool, &'k Expr),
) {
    visit(reader, guard, selected, expr);
    if let ExprKind::If { guard: condition, then, otherwise } = &expr.kind {
        visit_expr(then, &guard.clone().and(condition.clone()), selected, reader, visit);
        visit_expr(otherwise, &guard.clone().and(condition.negate()), selected, reader, visit);
    } else {
        let selected = selected || matches!(expr.kind, ExprKind::Select { .. });
        for child in expr.children() {
            visit_expr(child, guard, selected, reader, visit);
        }
    }
}

impl Expr {
    /// Visits this expression and its operands, and may change them.
    pub fn for_each(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        visit(self);
        match &mut self.kind {
            ExprKind::Literal(_)
            | ExprKind::Element { .. }
            | ExprKind::Read { .. }
            | ExprKind::Index(_)
            | ExprKind::Holds(_) => {}
            ExprKind::Lookup { index, .. } => index.iter_mut().for_each(|e| e.for_each(visit)),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand } => operand.for_each(visit),
            ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
                [left, right].into_iter().for_each(|e| e.for_each(visit));
            }
            ExprKind::Fma { a, b, c } => [a, b, c].into_iter().for_each(|e| e.for_each(visit)),
            ExprKind::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|e| e.for_each(visit)),
            ExprKind::Select { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|e| e.for_each(visit));
            }
        }
    }

    /// The operands, in source order; both branches of an `If`.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Element { .. }
            | ExprKind::Read { .. }
            | ExprKind::Index(_)
            | ExprKind::Holds(_) => vec![],
            ExprKind::Lookup { index, .. } => index.iter().collect(),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand } => vec![operand],
            ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => vec![left, right],
            ExprKind::Fma { a, b, c } => vec![a, b, c],
            ExprKind::If { then, otherwise, .. } => vec![then, otherwise],
            ExprKind::Select { condition, then, otherwise } => vec![condition, then, otherwise],
        }
    }
}
