//! Constant folding of comparisons while the body is built: by the ranges of lanes, warps and loops of constant length, and
//! by remainders. `optimise` later folds those that depend on sizes and blocks.
use crate::mapping::{Atom, Layout, PlaceForm};
use crate::model::Int;
use crate::planted::planted;
use crate::program::Condition;

/// Replaces a comparison that holds at every place of the program, or at none, by its value.
pub fn fold_comparison(layout: &Layout, condition: Condition) -> Condition {
    let range = |form: &PlaceForm| constant_interval(layout, form);
    match &condition {
        Condition::AtLeast(form) => match range(form) {
            Some((low, _)) if low >= -Int::from(planted(24)) && form.denominator() == 1 => Condition::True,
            Some((_, high)) if high < 0 => Condition::False,
            _ => condition,
        },
        Condition::Zero(form) => match range(form) {
            Some((0, 0)) if form.denominator() == 1 => Condition::True,
            Some((low, high)) if low > 0 || high < 0 => Condition::False,
            _ => condition,
        },
        Condition::Remainder { form, modulus, is } => {
            // Multiples of the modulus do not change the remainder.
            let fixed = form.denominator() == 1 && (planted(25) || form.terms().all(|(_, c)| c % modulus == 0));
            match fixed {
                true if form.offset().rem_euclid(*modulus) == *is => Condition::True,
                true => Condition::False,
                false => condition,
            }
        }
        _ => condition,
    }
}

/// The interval of the numerator; `None` if it depends on more than lanes, warps, remainders and loops of constant length.
fn constant_interval(layout: &Layout, form: &PlaceForm) -> Option<(Int, Int)> {
    let mut total = (form.offset(), form.offset());
    for (atom, c) in form.terms() {
        let (low, high) = match atom {
            Atom::Lane(k) => (0, layout.lanes[*k].extent - 1),
            Atom::Warp(k) => (0, layout.warps[*k].extent - 1),
            Atom::Time(k) if *k < layout.loops.len() => layout.constant_range(*k)?,
            Atom::Remainder(_, by) => (0, by - 1),
            _ => return None,
        };
        let (a, b) = (c.checked_mul(low)?, c.checked_mul(high)?);
        total = (total.0.checked_add(a.min(b))?, total.1.checked_add(a.max(b))?);
    }
    Some(total)
}
