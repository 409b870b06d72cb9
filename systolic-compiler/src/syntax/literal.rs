//! Parses the text of a literal token.

/// The meaning of a literal's text.
#[derive(Debug, PartialEq)]
pub(super) enum Number {
    Int {
        value: i128,
        suffix: Option<String>,
    },
    /// Has a point or an exponent; digits on both sides of a point, no underscores.
    Float {
        text: String,
        suffix: Option<String>,
    },
    /// An integer of more than 127 bits.
    TooLarge,
    /// A string, a character or bytes.
    Text,
}

pub(super) fn number(literal: &str, negative: bool) -> Number {
    // A literal token built by another macro can carry its own sign.
    let (own_sign, digits) = literal.strip_prefix('-').map_or((false, literal), |rest| (true, rest));
    let minus = negative != own_sign;
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Number::Text;
    }
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    if radix != 10 {
        let (body, suffix) = split(&digits[2..], |c| c.is_digit(radix));
        return integer(body, radix, suffix, minus);
    }
    let (whole, mut rest) = split(digits, |c| c.is_ascii_digit());
    let mut text = clean(whole);
    let mut float = false;
    if let Some(after) = rest.strip_prefix('.') {
        let (fraction, behind) = split(after, |c| c.is_ascii_digit());
        let fraction = clean(fraction);
        text = format!("{text}.{}", if fraction.is_empty() { "0" } else { &fraction });
        (rest, float) = (behind, true);
    }
    if let Some(after) = rest.strip_prefix(['e', 'E']) {
        let (sign, after) = match after.strip_prefix('-') {
            Some(after) => ("-", after),
            None => ("", after.strip_prefix('+').unwrap_or(after)),
        };
        let (exponent, behind) = split(after, |c| c.is_ascii_digit());
        let exponent = clean(exponent);
        if !exponent.is_empty() {
            text = format!("{text}e{sign}{exponent}");
            (rest, float) = (behind, true);
        }
    }
    if !float {
        return integer(whole, 10, rest, minus);
    }
    Number::Float { text: if minus { format!("-{text}") } else { text }, suffix: named(rest) }
}

fn integer(digits: &str, radix: u32, suffix: &str, minus: bool) -> Number {
    match i128::from_str_radix(&clean(digits), radix) {
        Ok(value) => Number::Int { value: if minus { -value } else { value }, suffix: named(suffix) },
        Err(_) => Number::TooLarge,
    }
}

/// The leading digits and underscores, and the rest.
fn split(text: &str, digit: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| c != '_' && !digit(c)).unwrap_or(text.len()))
}

fn clean(digits: &str) -> String {
    digits.replace('_', "")
}

fn named(suffix: &str) -> Option<String> {
    (!suffix.is_empty()).then(|| suffix.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i128, suffix: Option<&str>) -> Number {
        Number::Int { value, suffix: suffix.map(str::to_owned) }
    }
    fn float(text: &str, suffix: Option<&str>) -> Number {
        Number::Float { text: text.to_owned(), suffix: suffix.map(str::to_owned) }
    }

    #[test]
    fn numbers() {
        let cases = [
            ("0", false, int(0, None)),
            ("128i8", true, int(-128, Some("i8"))),
            ("1f32", false, int(1, Some("f32"))),
            ("1_000_u16", false, int(1000, Some("u16"))),
            ("0xff", false, int(255, None)),
            ("0x1f32", false, int(0x1f32, None)),
            ("0b10_1u8", false, int(5, Some("u8"))),
            ("0o17", true, int(-15, None)),
            ("-7", true, int(7, None)),
            ("1.", false, float("1.0", None)),
            ("0.2_5", true, float("-0.25", None)),
            ("1e5", false, float("1e5", None)),
            ("1.5E-0_3f64", false, float("1.5e-03", Some("f64"))),
            ("2E+3", false, float("2e3", None)),
            ("1em", false, int(1, Some("em"))),
            ("170141183460469231731687303715884105727", true, int(-i128::MAX, None)),
            ("170141183460469231731687303715884105728", true, Number::TooLarge),
            ("\"a\"", false, Number::Text),
            ("b'a'", false, Number::Text),
        ];
        for (text, negative, want) in cases {
            assert_eq!(number(text, negative), want, "{text}");
        }
    }
}
