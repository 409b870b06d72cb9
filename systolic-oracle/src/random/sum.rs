//! Affine forms over names, as the generator writes them.
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sum {
    pub terms: BTreeMap<String, i64>,
    pub constant: i64,
}

impl Sum {
    pub fn number(constant: i64) -> Sum {
        Sum { terms: BTreeMap::new(), constant }
    }

    pub fn name(name: &str) -> Sum {
        Sum { terms: BTreeMap::from([(name.to_string(), 1)]), constant: 0 }
    }

    pub fn coef(&self, name: &str) -> i64 {
        self.terms.get(name).copied().unwrap_or(0)
    }

    /// self + by · other
    pub fn plus(&self, by: i64, other: &Sum) -> Sum {
        let mut sum = self.clone();
        for (name, c) in &other.terms {
            *sum.terms.entry(name.clone()).or_default() += by * c;
        }
        sum.terms.retain(|_, c| *c != 0);
        sum.constant += by * other.constant;
        sum
    }

    pub fn add(&self, constant: i64) -> Sum {
        self.plus(1, &Sum::number(constant))
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let mut push = |c: i64, name: &str| {
            let sign = match (c < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            let factor = match (c.abs(), name) {
                (1, name) if !name.is_empty() => name.to_string(),
                (n, "") => n.to_string(),
                (n, name) => format!("{n} * {name}"),
            };
            text += &format!("{sign}{factor}");
        };
        // Positive terms first, because a leading minus is hard to read.
        for (name, c) in self.terms.iter().filter(|(_, c)| **c > 0) {
            push(*c, name);
        }
        for (name, c) in self.terms.iter().filter(|(_, c)| **c < 0) {
            push(*c, name);
        }
        if self.constant != 0 || self.terms.is_empty() {
            push(self.constant, "");
        }
        f.write_str(&text)
    }
}
