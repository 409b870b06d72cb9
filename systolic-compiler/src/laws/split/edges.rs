//! What a kernel knows of the ends of the loop that is cut: how far from an end every guard is decided, and every read inside.
use super::{Along, Cut, shown};
use crate::laws::set::{named, text};
use crate::model::{ExprKind, Form, Formula, Int};
use crate::target::effort;

/// How far the ends of the loop matter.
pub struct Edges<'c, 'k> {
    cut: &'c Cut<'k>,
    pub before: Int,
    pub after: Int,
    pub modulus: Int,
    /// The least value of the loop.
    pub lowest: Int,
    /// The greatest end of the loop, minus the size.
    pub highest: Int,
    pub fixed: Option<String>,
}

impl<'c, 'k> Edges<'c, 'k> {
    pub fn new(cut: &'c Cut<'k>) -> Edges<'c, 'k> {
        Edges { cut, before: 0, after: 0, modulus: 1, lowest: 0, highest: 0, fixed: None }
    }

    /// The bounds of the loop itself, and those of the others, which may not depend on it.
    pub fn loops(&mut self) -> Result<(), String> {
        let (cut, kernel) = (self.cut, self.cut.kernel);
        for (k, l) in kernel.loops.iter().enumerate() {
            let told = |form: &Form| {
                cut.absolute(&format!("the bound `{}` of the loop `{}`", text(kernel, form), l.name.text))
            };
            if k != cut.l {
                match [&l.low, &l.high].into_iter().find(|form| cut.mentions(form)) {
                    Some(form) => return Err(told(form)),
                    None => continue,
                }
            }
            let low = cut.bounds(&cut.rest(&l.low), &Formula::True).map_err(|()| told(&l.low))?;
            let high = cut.bounds(&cut.rest(&l.high), &Formula::True).map_err(|()| told(&l.high))?;
            if l.low.coef(cut.n) != 0 || l.high.coef(cut.n) != 1 {
                return Err(told(if l.low.coef(cut.n) != 0 { &l.low } else { &l.high }));
            }
            let (Some((least, most)), Some((first, last))) = (low, high) else { continue };
            (self.lowest, self.highest) = (least, last);
            self.before = self.before.max(most);
            self.after = self.after.max(1 - first);
        }
        Ok(())
    }

    /// The guards, and the values of indices.
    pub fn guards(&mut self) -> Result<(), String> {
        let (cut, kernel) = (self.cut, self.cut.kernel);
        let mut guards: Vec<&Formula> = kernel.stores.iter().map(|store| &store.guard).collect();
        let mut index = None;
        cut.computed(&mut |guard, expr| match &expr.kind {
            ExprKind::If { guard, .. } => guards.push(guard),
            ExprKind::Holds(formula) => guards.push(formula),
            ExprKind::Index(form) if cut.mentions(form) && index.is_none() => index = Some((form, guard.clone())),
            _ => {}
        });
        if let Some((form, guard)) = index {
            let point = cut.point(&guard).map(|point| named(kernel, &point[kernel.sizes.len()..]));
            let at = point.map_or(String::new(), |point| format!(" (used at {})", shown(&point)));
            return Err(cut.absolute(&format!("the value `{}`{at}", text(kernel, form))));
        }
        guards.into_iter().try_for_each(|guard| self.guard(guard))
    }

    fn guard(&mut self, guard: &Formula) -> Result<(), String> {
        match guard {
            Formula::True | Formula::False => Ok(()),
            Formula::AtLeast(form) | Formula::Zero(form) => self.comparison(form),
            Formula::Remainder { form, modulus, .. } => self.remainder(form, *modulus),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().try_for_each(|part| self.guard(part)),
            Formula::Not(part) => self.guard(part),
        }
    }

    /// Past which iteration a comparison of this form with 0 no longer changes: α·l + k, or β·(N − l) + k.
    fn comparison(&mut self, form: &Form) -> Result<(), String> {
        let cut = self.cut;
        let (by_loop, by_size) = (form.coef(cut.loop_dim()), form.coef(cut.n));
        if by_loop == 0 && by_size == 0 {
            return Ok(());
        }
        let told = || cut.absolute(&format!("the guard on `{}`", text(cut.kernel, form)));
        let Some((low, high)) = cut.bounds(&cut.rest(form), &Formula::True).map_err(|()| told())? else {
            return Ok(());
        };
        // From this distance on, the form is above 0 if its factor is positive, below 0 if it is negative.
        let decided = |factor: Int| if factor > 0 { floor(-low, factor) + 1 } else { floor(high, -factor) + 1 };
        match (by_loop, by_size) {
            (factor, 0) => self.before = self.before.max(decided(factor)),
            (against, factor) if against == -factor => self.after = self.after.max(decided(factor)),
            _ => return Err(told()),
        }
        self.fixed.get_or_insert(format!("a guard on `{}`", text(cut.kernel, form)));
        Ok(())
    }

    fn remainder(&mut self, form: &Form, modulus: Int) -> Result<(), String> {
        let cut = self.cut;
        if !cut.mentions(form) {
            return Ok(());
        }
        let told = || cut.absolute(&format!("the guard on `{}` modulo {modulus}", text(cut.kernel, form)));
        if form.coef(cut.n) != 0 || modulus < 1 {
            return Err(told());
        }
        let common = modulus / crate::model::gcd(self.modulus, modulus).max(1) * self.modulus;
        if common > effort::SPLIT_MODULUS {
            return Err(told());
        }
        self.modulus = common;
        Ok(())
    }

    /// From which distance of an inner end on the reads of an input stay inside.
    pub fn reads(&mut self, along: &Along) {
        if along.low <= along.high {
            self.before = self.before.max(ceil(-along.low, along.stride));
            self.after = self.after.max(ceil(along.high + 1 - along.rest, along.stride));
        }
    }
}

pub fn floor(a: Int, b: Int) -> Int {
    a.div_euclid(b)
}

pub fn ceil(a: Int, b: Int) -> Int {
    -(-a).div_euclid(b)
}
