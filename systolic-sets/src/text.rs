//! The text form of sets, for tests and for debugging: `{ [i, j] : 0 <= i < 4 and 2i = 5j }`.

use crate::parse::Parser;
use crate::{Answer, Form, Formula, Int, find_point};
use std::fmt;

/// A condition with the names of its dimensions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    pub names: Vec<String>,
    pub formula: Formula,
}

/// A syntax error and its byte position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub at: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Parses a set, e.g. `{ [i, j] : 0 <= i < 4 and (2i = 5 or not (i % 3 = 1)), i != j }`.
///
/// A comma means `and`; comparisons may be chained; a coefficient is written `2i` or `2*i`; `true` and `false` are
/// conditions. Without a colon the set is the whole space. Returns an error if the text does not have this form.
pub fn parse(text: &str) -> Result<Set, ParseError> {
    Parser::new(text)?.set()
}

/// Asserts the answer of [`find_point`] for a set: `empty`, `nonempty`, or the point, such as `[1, 2]`.
///
/// # Panics
///
/// Panics if the answer differs or the text cannot be parsed. For tests only.
#[doc(hidden)]
#[track_caller]
pub fn check(text: &str, expected: &str) {
    let set = match parse(text) {
        Ok(set) => set,
        Err(error) => panic!("{text}: {error}"),
    };
    let answer = find_point(set.names.len(), &set.formula);
    if let Answer::Point(point) = &answer {
        assert_eq!(set.formula.holds(point), Some(true), "{text}: {point:?} is not in the set");
    }
    let found = match (&answer, expected) {
        (Answer::None, _) => "empty".to_string(),
        (Answer::Point(_), "nonempty") => "nonempty".to_string(),
        (Answer::Point(point), _) => format!("{point:?}"),
        (Answer::GaveUp, _) => "gave up".to_string(),
    };
    assert_eq!(found, expected, "{text}");
}

impl fmt::Display for Set {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{ [{}] : ", self.names.join(", "))?;
        write_formula(out, &self.formula, &self.names)?;
        write!(out, " }}")
    }
}

fn write_formula(out: &mut fmt::Formatter<'_>, formula: &Formula, names: &[String]) -> fmt::Result {
    match formula {
        Formula::True => write!(out, "true"),
        Formula::False => write!(out, "false"),
        Formula::AtLeast(form) => write_comparison(out, form, ">=", names),
        Formula::Zero(form) => write_comparison(out, form, "=", names),
        Formula::Remainder { form, modulus, is } => {
            write!(out, "(")?;
            write_form(out, form, names)?;
            write!(out, ") % {modulus} = {is}")
        }
        Formula::All(parts) => write_parts(out, parts, " and ", "true", names),
        Formula::Any(parts) => write_parts(out, parts, " or ", "false", names),
        Formula::Not(part) => {
            write!(out, "not (")?;
            write_formula(out, part, names)?;
            write!(out, ")")
        }
    }
}

fn write_parts(
    out: &mut fmt::Formatter<'_>,
    parts: &[Formula],
    word: &str,
    none: &str,
    names: &[String],
) -> fmt::Result {
    if parts.is_empty() {
        return write!(out, "{none}");
    }
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            write!(out, "{word}")?;
        }
        let nested = matches!(part, Formula::All(_) | Formula::Any(_));
        if nested {
            write!(out, "(")?;
        }
        write_formula(out, part, names)?;
        if nested {
            write!(out, ")")?;
        }
    }
    Ok(())
}

/// Writes the positive terms on the left and the rest on the right.
fn write_comparison(out: &mut fmt::Formatter<'_>, form: &Form, relation: &str, names: &[String]) -> fmt::Result {
    let side = |keep: fn(&Int) -> bool| {
        let pick = |c: &Int| if keep(c) { *c } else { 0 };
        Form::new(form.coefs.iter().map(pick).collect(), pick(&form.constant))
    };
    write_form(out, &side(|c| *c > 0), names)?;
    write!(out, " {relation} ")?;
    write_form(out, &side(|c| *c < 0).neg(), names)
}

fn write_form(out: &mut fmt::Formatter<'_>, form: &Form, names: &[String]) -> fmt::Result {
    let mut first = true;
    for (k, c) in form.coefs.iter().enumerate() {
        if *c == 0 {
            continue;
        }
        match (first, *c < 0) {
            (true, true) => write!(out, "-")?,
            (true, false) => {}
            (false, true) => write!(out, " - ")?,
            (false, false) => write!(out, " + ")?,
        }
        first = false;
        if c.unsigned_abs() != 1 {
            write!(out, "{}", c.unsigned_abs())?;
        }
        match names.get(k) {
            Some(name) => write!(out, "{name}")?,
            None => write!(out, "x{k}")?,
        }
    }
    if first {
        write!(out, "{}", form.constant)
    } else if form.constant < 0 {
        write!(out, " - {}", form.constant.unsigned_abs())
    } else if form.constant > 0 {
        write!(out, " + {}", form.constant)
    } else {
        Ok(())
    }
}
