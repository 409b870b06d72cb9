//! Parses the command line.
use crate::Fallible;
use std::path::PathBuf;

/// The default number of rounds.
const ROUNDS: usize = 7;
/// The number of launches of each contestant per round.
const LAUNCHES: usize = 5;

pub struct Plan {
    words: Vec<String>,
    pub rounds: usize,
    pub launches: usize,
    /// The output folder.
    pub out: PathBuf,
    /// The results of a script.
    pub beside: Option<PathBuf>,
    /// Results to draw again, instead of measuring.
    pub draw: Option<PathBuf>,
    /// Results to compare with the cost model, instead of measuring.
    pub predict: Option<PathBuf>,
    /// Whether to compare our maps with the reference at many sizes, instead of measuring.
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

    /// Whether a contest is requested.
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
