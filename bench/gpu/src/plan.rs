//! What to measure, from the command line.
use crate::Fallible;
use std::path::PathBuf;

/// Rounds where none are asked for.
const ROUNDS: usize = 7;
/// Launches of each in a round.
const LAUNCHES: usize = 5;

pub struct Plan {
    words: Vec<String>,
    pub rounds: usize,
    pub launches: usize,
    /// The folder for what is written.
    pub out: PathBuf,
    /// What a script measured.
    pub beside: Option<PathBuf>,
    /// Results to draw again, instead of measuring.
    pub draw: Option<PathBuf>,
    /// Results to hold the cost model against, instead of measuring.
    pub predict: Option<PathBuf>,
    /// Holds our maps against the reference at many sizes, instead of measuring.
    pub sizes: bool,
}

impl Plan {
    pub fn of(arguments: &[String]) -> Fallible<Plan> {
        let out = PathBuf::from("results");
        let (beside, draw, predict) = (None, None, None);
        let (words, rounds, launches, sizes) = (Vec::new(), ROUNDS, LAUNCHES, false);
        let mut plan = Plan { words, rounds, launches, out, beside, draw, predict, sizes };
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "--rounds" => plan.rounds = number(word, rest.next())?,
                "--launches" => plan.launches = number(word, rest.next())?,
                "--out" => plan.out = path(word, rest.next())?,
                "--beside" => plan.beside = Some(path(word, rest.next())?),
                "--draw" => plan.draw = Some(path(word, rest.next())?),
                "--sizes" => plan.sizes = true,
                "--predict" => plan.predict = Some(path(word, rest.next())?),
                option if option.starts_with('-') => return Err(format!("there is no option {option}").into()),
                _ => plan.words.push(word.clone()),
            }
        }
        Ok(plan)
    }

    /// Whether a contest was asked for.
    pub fn wants(&self, title: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| title.contains(word.as_str()))
    }
}

fn number(option: &str, text: Option<&String>) -> Fallible<usize> {
    let number = text.and_then(|n| n.parse().ok()).filter(|n| *n > 0);
    number.ok_or_else(|| format!("{option} wants a number above 0").into())
}

fn path(option: &str, text: Option<&String>) -> Fallible<PathBuf> {
    text.map(PathBuf::from).ok_or_else(|| format!("{option} wants a path").into())
}
