//! What variables only pass on, computed directly at every point: the clause `direct` of a map.
//!
//! ```text
//! written                                                          direct
//!
//! X[n, k] = if k == 0 { x[n] }                                     X[n, k] = if n >= k { x[n - k] } else { 0.0 };
//!           else if n == 0 { 0.0 } else { X[n - 1, k - 1] };
//! W[n, k] = if n == 0 { w[k] } else { W[n - 1, k] };               W[n, k] = w[k];
//! Y[n, k] = W[n, k] * X[n, k] + …                                  Y[n, k] = W[n, k] * X[n, k] + …
//! ```
//!
//! A variable passes a value on along d if it is itself at z − d, or else a *source*: an expression of inputs. Going back along d
//! from z, the first source comes after λ steps, where its guard has an equation f(z) = 0 and f changes by ±1 with every step:
//! λ = f(z) / f(d). So the value at z is that of the source's expression at z − λd, which is again an expression of inputs. It is
//! the same for z and for z − d, and it is the source's own where λ = 0. If two sources have different values, the one with the
//! smaller λ comes first; that λ is never negative is proved. Where the expression of a source does not change along d, its
//! guard does not matter.
//!
//! The direct kernel computes the same bits, and has no dependence that only passes on what can be loaded.
use super::copies;
use super::{Element, Expr, ExprKind, Form, Formula, Int, Kernel, Mapping};
use crate::target::effort;
use systolic_arith::{BinaryOp, UnaryOp};
use systolic_sets::{Answer, find_point};

impl Kernel {
    /// The kernel that a map runs, if that is not the kernel as it is written: with the clause `direct`, and under shifts.
    pub fn under(&self, mapping: &Mapping) -> Option<Kernel> {
        let direct = if mapping.direct { self.direct() } else { None };
        let shifted = direct.as_ref().unwrap_or(self).shifted(&mapping.shifts);
        shifted.or(direct)
    }

    /// The kernel in which what variables only pass on is computed directly; `None` if no variable passes anything on.
    pub fn direct(&self) -> Option<Kernel> {
        if self.lengths().next().is_some() {
            return None;
        }
        let mut passing: Vec<usize> =
            (0..self.equations.len()).filter(|v| may_be(*v, &self.equations[*v].value)).collect();
        // Expressions of inputs: of variables that read no other, and then of those that pass them on.
        let mut known: Vec<Option<Expr>> =
            self.equations.iter().map(|e| reads_none(&e.value).then(|| e.value.clone())).collect();
        let mut found = Vec::new();
        while let Some((v, value)) = passing.iter().find_map(|v| Some((*v, self.passed(*v, &known)?))) {
            passing.retain(|other| *other != v);
            known[v] = Some(value.clone());
            found.push((v, value));
        }
        if found.is_empty() {
            return None;
        }
        let mut kernel = Kernel { maps: Vec::new(), ..self.clone() };
        for (v, value) in &found {
            kernel.equations[*v].value = value.clone();
        }
        // At other points it is computed there, too.
        let here = |distance: &[Int]| distance.iter().all(|d| *d == 0);
        let values =
            kernel.equations.iter_mut().map(|e| &mut e.value).chain(kernel.stores.iter_mut().map(|s| &mut s.value));
        for value in values {
            value.for_each(&mut |e| {
                let ExprKind::Read { variable, distance, .. } = &e.kind else { return };
                let passed = found.iter().find(|(v, _)| v == variable && !here(distance));
                if let Some((_, value)) = passed {
                    e.kind = self.moved_back(value, distance).kind;
                }
            });
        }
        let copies = copies::find(&kernel.equations, kernel.sizes.len(), kernel.call_sizes());
        kernel.equations.iter_mut().zip(copies).for_each(|(equation, copy)| equation.copy = copy);
        Some(kernel)
    }

    /// What a variable passes on, as an expression of inputs at the point itself; `None` if it does something else.
    fn passed(&self, v: usize, known: &[Option<Expr>]) -> Option<Expr> {
        let mut leaves = Vec::new();
        self.leaves(v, &self.equations[v].value, &Region::default(), &mut leaves);
        let own = |leaf: &Leaf<'_>| match &leaf.value.kind {
            ExprKind::Read { variable, distance, .. } if *variable == v => Some(distance.clone()),
            _ => None,
        };
        let along = leaves.iter().find_map(own)?;
        let mut sources: Vec<Source> = Vec::new();
        for leaf in &leaves {
            match own(leaf) {
                Some(distance) if distance == along => continue,
                Some(_) => return None,
                None => {}
            }
            let value = self.with_known(leaf.value, known)?;
            if !is_light(&value) {
                return None;
            }
            let source = self.source(value, &leaf.region, &along)?;
            match sources.iter_mut().find(|other| is_same(&other.value, &source.value)) {
                Some(other) => other.join(&source),
                None => sources.push(source),
            }
        }
        let mut sources = sources.into_iter();
        match (sources.next(), sources.next(), sources.next()) {
            (Some(only), None, None) => Some(only.value),
            (Some(first), Some(second), None) => {
                let Source { steps: Some(a), is_exact: true, .. } = &first else { return None };
                let b = second.steps.as_ref()?;
                if !self.is_never_negative(a) || !self.is_never_negative(b) {
                    return None;
                }
                let guard = Formula::at_most(a, b);
                let (ty, at) = (first.value.ty, first.value.at);
                let (then, otherwise) = (Box::new(first.value), Box::new(second.value));
                Some(Expr { kind: ExprKind::If { guard, then, otherwise }, ty, at })
            }
            _ => None,
        }
    }

    /// A source, with its expression for a point to which it is passed on along `along`.
    fn source(&self, value: Expr, region: &Region, along: &[Int]) -> Option<Source> {
        let slope =
            |form: &Form| -> Int { along.iter().enumerate().map(|(k, d)| form.coef(self.loop_dim(k)) * d).sum() };
        let steps = region.zero.as_ref().and_then(|form| match slope(form) {
            1 => Some(form.clone()),
            -1 => Some(form.neg()),
            _ => None,
        });
        let is_exact = region.is_exact;
        if is_same(&value, &self.moved_back(&value, along)) {
            return Some(Source { value, steps, is_exact });
        }
        let back = |steps: &Form| -> Vec<Form> {
            let loops = along.iter().enumerate().map(|(k, d)| Form::var(self.loop_dim(k)).sub(&steps.scale(*d)));
            (0..self.sizes.len()).map(Form::var).chain(loops).collect()
        };
        let value = substituted(&value, &back(steps.as_ref()?));
        Some(Source { value, steps, is_exact })
    }

    /// An expression with those of variables in place of their reads; `None` if a variable is not known.
    fn with_known(&self, value: &Expr, known: &[Option<Expr>]) -> Option<Expr> {
        let mut value = value.clone();
        let mut is_known = true;
        value.for_each(&mut |e| {
            let ExprKind::Read { variable, distance, .. } = &e.kind else { return };
            match &known[*variable] {
                Some(value) => e.kind = self.moved_back(value, distance).kind,
                None => is_known = false,
            }
        });
        is_known.then_some(value)
    }

    /// The expression at z − distance, for z.
    fn moved_back(&self, value: &Expr, distance: &[Int]) -> Expr {
        let sizes = (0..self.sizes.len()).map(Form::var);
        let loops = distance.iter().enumerate().map(|(k, d)| Form::var(self.loop_dim(k)).plus(-d));
        let images: Vec<Form> = sizes.chain(loops).collect();
        substituted(value, &images)
    }

    /// The alternatives of a variable, each with its region. An `if` without the variable itself is one alternative.
    fn leaves<'e>(&self, v: usize, expr: &'e Expr, region: &Region, leaves: &mut Vec<Leaf<'e>>) {
        let ExprKind::If { guard, then, otherwise } = &expr.kind else {
            return leaves.push(Leaf { value: expr, region: region.clone() });
        };
        if !may_be(v, expr) {
            return leaves.push(Leaf { value: expr, region: region.clone() });
        }
        let ways: &[Formula] = match guard {
            Formula::Any(ways) => ways,
            one => std::slice::from_ref(one),
        };
        for way in ways {
            self.leaves(v, then, &region.and(self.zero_where(way)), leaves);
        }
        // In a chain of `else if` the earlier guards do not hold; that takes no point away from which a later one is reached.
        self.leaves(v, otherwise, &region.but(self.zero_where(&guard.clone().negate())), leaves);
    }

    /// A form that is 0 wherever the condition holds, if there is one that is easy to see.
    fn zero_where(&self, condition: &Formula) -> Option<Zero> {
        match condition {
            Formula::Zero(form) => Some(Zero { form: form.clone(), is_exact: true }),
            Formula::AtLeast(form) if self.is_never_negative(&form.neg()) => {
                Some(Zero { form: form.clone(), is_exact: true })
            }
            Formula::All(parts) => {
                let zero = parts.iter().find_map(|part| self.zero_where(part))?;
                Some(Zero { is_exact: zero.is_exact && parts.len() == 1, ..zero })
            }
            _ => None,
        }
    }

    /// Whether a form is at least 0 at every point; asked rarely, and proved.
    fn is_never_negative(&self, form: &Form) -> bool {
        let below = Formula::less(form, &Form::constant(0));
        find_point(self.dims(), &self.domain().and(below)) == Answer::None
    }
}

/// A form that is 0 where a condition holds.
struct Zero {
    form: Form,
    /// Whether the condition holds wherever the form is 0.
    is_exact: bool,
}

/// What is known of the points at which an alternative is taken.
#[derive(Clone, Default)]
struct Region {
    /// A form that is 0 there.
    zero: Option<Form>,
    /// Whether it is 0 nowhere else, except where an earlier alternative is taken.
    is_exact: bool,
    /// Whether some condition has been passed that does not only exclude earlier alternatives.
    is_narrowed: bool,
}

impl Region {
    /// Those of its points at which a condition holds.
    fn and(&self, zero: Option<Zero>) -> Region {
        match zero {
            Some(Zero { form, is_exact }) => {
                Region { zero: Some(form), is_exact: is_exact && !self.is_narrowed, is_narrowed: true }
            }
            None => Region { is_exact: false, is_narrowed: true, ..self.clone() },
        }
    }

    /// Those of its points at which an earlier alternative is not taken. `zero` is there where that alone leaves few.
    fn but(&self, zero: Option<Zero>) -> Region {
        match zero {
            Some(zero) => self.and(Some(zero)),
            None => self.clone(),
        }
    }
}

/// An alternative of a variable.
struct Leaf<'e> {
    value: &'e Expr,
    region: Region,
}

/// Where a value that is passed on comes from.
struct Source {
    /// The value that reaches a point, if this is the first source on the way back from it.
    value: Expr,
    /// How many steps lead back to it from a point, if that is known.
    steps: Option<Form>,
    /// Whether it is reached wherever that number is 0.
    is_exact: bool,
}

impl Source {
    /// Takes in a later source with the same value. Another one may have been taken before it: it makes nothing exact.
    fn join(&mut self, other: &Source) {
        if self.steps != other.steps {
            self.steps = None;
        }
    }
}

/// Whether an alternative of a variable is the variable itself elsewhere.
fn may_be(v: usize, value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Read { variable, .. } => *variable == v,
        ExprKind::If { then, otherwise, .. } => may_be(v, then) || may_be(v, otherwise),
        _ => false,
    }
}

fn reads_none(value: &Expr) -> bool {
    !matches!(value.kind, ExprKind::Read { .. }) && value.children().into_iter().all(reads_none)
}

/// Whether it takes few and cheap operations: to compute it at every point costs no more than to pass it on.
fn is_light(value: &Expr) -> bool {
    operations(value).is_some_and(|count| count <= effort::PASSED_OPERATIONS)
}

/// The number of operations; `None` if one of them is dear.
fn operations(value: &Expr) -> Option<usize> {
    let own = match &value.kind {
        ExprKind::Literal(_) | ExprKind::Element { .. } | ExprKind::Index(_) | ExprKind::Holds(_) => 0,
        ExprKind::If { .. } | ExprKind::Select { .. } | ExprKind::Compare { .. } | ExprKind::Cast { .. } => 1,
        ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Not | UnaryOp::Abs, .. } => 1,
        ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem | BinaryOp::Pow, .. } => return None,
        ExprKind::Binary { .. } | ExprKind::Fma { .. } => 1,
        ExprKind::Unary { .. } | ExprKind::Lookup { .. } | ExprKind::Read { .. } => return None,
    };
    value.children().into_iter().try_fold(own, |sum, child| Some(sum + operations(child)?))
}

/// The expression with these forms in place of the dimensions. It reads no variable.
fn substituted(value: &Expr, images: &[Form]) -> Expr {
    let mut value = value.clone();
    value.for_each(&mut |e| match &mut e.kind {
        ExprKind::Element { element: Element { index, .. }, .. } => {
            index.iter_mut().for_each(|f| *f = f.substitute(images));
        }
        ExprKind::Index(form) => *form = form.substitute(images),
        ExprKind::Holds(guard) | ExprKind::If { guard, .. } => *guard = guard.substitute(images),
        _ => {}
    });
    value
}

/// Whether two expressions are the same, wherever they were written.
fn is_same(a: &Expr, b: &Expr) -> bool {
    let alike = match (&a.kind, &b.kind) {
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a.bits() == b.bits(),
        (ExprKind::Element { element: a, .. }, ExprKind::Element { element: b, .. }) => a == b,
        (ExprKind::Lookup { array: a, .. }, ExprKind::Lookup { array: b, .. }) => a == b,
        (ExprKind::Index(a), ExprKind::Index(b)) => a == b,
        (ExprKind::Holds(a), ExprKind::Holds(b)) => a == b,
        (ExprKind::Unary { op: a, .. }, ExprKind::Unary { op: b, .. }) => a == b,
        (ExprKind::Binary { op: a, .. }, ExprKind::Binary { op: b, .. }) => a == b,
        (ExprKind::Compare { op: a, .. }, ExprKind::Compare { op: b, .. }) => a == b,
        (ExprKind::If { guard: a, .. }, ExprKind::If { guard: b, .. }) => a == b,
        (ExprKind::Fma { .. }, ExprKind::Fma { .. })
        | (ExprKind::Cast { .. }, ExprKind::Cast { .. })
        | (ExprKind::Select { .. }, ExprKind::Select { .. }) => true,
        _ => false,
    };
    let (of_a, of_b) = (a.children(), b.children());
    alike && a.ty == b.ty && of_a.len() == of_b.len() && of_a.into_iter().zip(of_b).all(|(a, b)| is_same(a, b))
}
