//! Forms, conditions and bounds as C++ expressions. `I` is the type of indices.
use super::names::Names;
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::program::Condition;

impl Names {
    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Size(k) => self.sizes[*k].clone(),
            Atom::Block(k) => self.blocks[*k].clone(),
            Atom::Warp(k) => self.warps[*k].clone(),
            Atom::Lane(k) => self.lanes[*k].clone(),
            Atom::Time(k) => self.loops[*k].clone(),
            Atom::Remainder(of, by) => format!("remainder<{by}>(I({}))", self.form(of)),
            // Every instance of the body has replaced it by a number.
            Atom::Register => "0".to_string(),
        }
    }

    /// The numerator of a form.
    fn numerator(&self, form: &PlaceForm) -> String {
        if let (Some((atom, -1)), None, 0) = (form.terms().next(), form.terms().nth(1), form.offset()) {
            return format!("negative<I>({})", self.atom(atom));
        }
        let mut text = String::new();
        for (atom, c) in form.terms() {
            text.push_str(match (text.is_empty(), c < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            });
            if c.abs() != 1 {
                text.push_str(&format!("{} * ", number(c.abs())));
            }
            text.push_str(&self.atom(atom));
        }
        match (text.is_empty(), form.offset()) {
            (true, offset) => number(offset),
            (false, 0) => text,
            (false, offset) if offset < 0 => format!("{text} - {}", number(offset.abs())),
            (false, offset) => format!("{text} + {}", number(offset)),
        }
    }

    /// The value of a form. Where it is not an integer, any number.
    pub fn form(&self, form: &PlaceForm) -> String {
        match form.denominator() {
            1 => self.numerator(form),
            over => format!("quotient<{over}>(I({}))", self.numerator(form)),
        }
    }

    /// The tests under which a form is an integer; none if it always is one.
    pub fn whole(&self, form: &PlaceForm) -> Vec<String> {
        let mut tests = Vec::new();
        for (atom, _) in form.terms() {
            if let Atom::Remainder(of, _) = atom {
                tests.extend(self.whole(of));
            }
        }
        if form.denominator() != 1 {
            tests.push(format!("remainder<{}>(I({})) == 0", form.denominator(), self.numerator(form)));
        }
        tests
    }

    /// A condition. A comparison of a form that is not an integer is false.
    pub fn condition(&self, condition: &Condition) -> String {
        let with_whole = |form: &PlaceForm, test: String| {
            let mut tests = self.whole(form);
            tests.push(test);
            joined(&tests, " && ")
        };
        let parts = |list: &[Condition]| list.iter().map(|c| self.condition(c)).collect::<Vec<_>>();
        match condition {
            Condition::True => "true".to_string(),
            Condition::False => "false".to_string(),
            Condition::AtLeast(form) => with_whole(form, format!("{} >= 0", self.numerator(form))),
            Condition::Zero(form) => with_whole(form, format!("{} == 0", self.numerator(form))),
            Condition::Remainder { form, modulus, is } => {
                with_whole(form, format!("remainder<{modulus}>(I({})) == {is}", self.form(form)))
            }
            Condition::All(list) => joined(&parts(list), " && "),
            Condition::Any(list) => joined(&parts(list), " || "),
            Condition::Not(inner) => format!("!({})", self.condition(inner)),
        }
    }

    pub fn bound(&self, bound: &Bound) -> String {
        match bound {
            Bound::Form(form) => self.form(form),
            Bound::Sum(terms) => {
                let term = |(c, b): &(Int, Bound)| match c {
                    1 => self.bound(b),
                    -1 => format!("negative<I>({})", self.bound(b)),
                    c => format!("{} * ({})", number(*c), self.bound(b)),
                };
                terms.iter().map(term).collect::<Vec<_>>().join(" + ")
            }
            Bound::Quotient(of, by) => format!("quotient<{by}>(I({}))", self.bound(of)),
            Bound::Least(a, b) => format!("least<I>({}, {})", self.bound(a), self.bound(b)),
            Bound::Greatest(a, b) => format!("greatest<I>({}, {})", self.bound(a), self.bound(b)),
        }
    }
}

/// Joins tests by an operator, in parentheses if there are several.
pub fn joined(tests: &[String], by: &str) -> String {
    match tests {
        [one] => one.clone(),
        many => format!("({})", many.join(by)),
    }
}

/// A number in an index. A program with numbers of more than 32 bits is never compiled with indices of 32 bits.
pub fn number(value: Int) -> String {
    if i32::try_from(value).is_ok() { value.to_string() } else { format!("{value}LL") }
}
