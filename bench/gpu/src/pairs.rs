//! Compares kernels without maps with the same kernels with theirs.
use crate::ranked::Ranked;
use crate::standing::{Role, Standing, automatic, median};

/// The goals: the median of all ratios, and every single one.
const MEDIAN: f64 = 1.08;
const MOST: f64 = 1.25;

/// A kernel with its maps and without.
pub struct Pair {
    pub name: String,
    /// Milliseconds.
    by_hand: f64,
    found: f64,
    /// The median over all rounds of the time without maps by the time with maps.
    ratio: f64,
    /// Whether no other map of ours was faster in this contest. The designs of `conv1d` show how arrays work; only one is
    /// tuned.
    is_tuned: bool,
}

/// All pairs that were measured, the slowest without maps first.
pub fn pairs(standings: &[Standing]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = standings.iter().flat_map(pairs_of).collect();
    pairs.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    pairs
}

fn pairs_of(standing: &Standing) -> Vec<Pair> {
    let (title, best) = (&standing.subject.title, standing.best(Role::Ours).map(|(line, _)| line.name.as_str()));
    let ours = standing.lines.iter().filter(|line| line.role == Role::Ours);
    let pair = ours.filter_map(|line| {
        let other = standing.lines.iter().find(|other| other.name == automatic(&line.name))?;
        let ratios: Vec<f64> = other.times().iter().zip(line.times()).map(|(found, own)| found / own).collect();
        let name = if line.name == "ours" { title.clone() } else { format!("{title}, {}", line.name) };
        let is_tuned = best == Some(line.name.as_str());
        Some(Pair { name, by_hand: line.time()?, found: other.time()?, ratio: median(&ratios)?, is_tuned })
    });
    pair.collect()
}

/// The table of all pairs, with a summary.
pub fn table(standings: &[Standing]) -> String {
    let pairs = pairs(standings);
    let mut text =
        String::from("## automatic\n\nKernels without maps: the map is found by the search of the build script.\n\n");
    text += "| row | map by hand, ms | no map, ms | no map by map |\n| --- | --- | --- | --- |\n";
    for Pair { name, by_hand, found, ratio, .. } in &pairs {
        text += &format!("| {name} | {by_hand:.4} | {found:.4} | {ratio:.3} |\n");
    }
    let tuned: Vec<&Pair> = pairs.iter().filter(|pair| pair.is_tuned).collect();
    let all: Vec<&Pair> = pairs.iter().collect();
    text + &format!(
        "\nFastest maps of each contest: {}\n\nAll maps: {}\n\nGoals: median {MEDIAN}, no row above {MOST}.\n",
        summary(&tuned),
        summary(&all)
    )
}

/// The median, the worst, and how many miss the goal, of pairs with the worst first.
fn summary(pairs: &[&Pair]) -> String {
    let ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio).collect();
    let (Some(middle), Some(worst)) = (median(&ratios), pairs.first()) else { return "no rows.".to_string() };
    let above = ratios.iter().filter(|ratio| **ratio > MOST).count();
    format!(
        "{} rows, median {middle:.3}, worst {:.3} ({}), {above} above {MOST}.",
        pairs.len(),
        worst.ratio,
        worst.name
    )
}

/// The fastest maps of each contest as a picture.
pub fn picture(standings: &[Standing], source: &str) -> Ranked {
    let tuned = pairs(standings).into_iter().filter(|pair| pair.is_tuned);
    let mut rows: Vec<(String, f64)> = tuned.map(|pair| (pair.name, pair.ratio)).collect();
    rows.reverse();
    let title = "Time without a map by that with the map of the source".to_string();
    Ranked { title, source: source.to_string(), rows, goals: vec![MEDIAN, MOST] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::{Line, Outcome, Subject};

    fn standing(title: &str, lines: &[(&str, Role, &[f64])]) -> Standing {
        let (title, family) = (title.to_string(), String::new());
        let subject = Subject { title, family, size: 1, bytes: 1, operations: 1, cells: 1 };
        let line = |&(name, role, times): &(&str, Role, &[f64])| Line {
            name: name.to_string(),
            role,
            outcome: if times.is_empty() { Outcome::Failed("off".to_string()) } else { Outcome::Times(times.to_vec()) },
        };
        Standing { subject, lines: lines.iter().map(line).collect() }
    }

    fn standings() -> Vec<Standing> {
        let (ours, found) = (Role::Ours, Role::Automatic);
        vec![
            standing("a", &[("ours", ours, &[1.0, 1.0, 1.0]), ("automatic", found, &[1.0, 1.3, 1.4])]),
            standing(
                "b",
                &[
                    ("reads", ours, &[1.0]),
                    ("reads, automatic", found, &[1.1]),
                    ("SBM", ours, &[4.0]),
                    ("SBM, automatic", found, &[1.0]),
                ],
            ),
            standing("wrong", &[("ours", ours, &[1.0]), ("automatic", found, &[])]),
            standing("alone", &[("copy", Role::Copy, &[1.0]), ("automatic", found, &[1.0])]),
        ]
    }

    #[test]
    fn every_map_meets_the_kernel_without_it() {
        let table = table(&standings());
        let expected = [
            "| a | 1.0000 | 1.3000 | 1.300 |\n| b, reads | 1.0000 | 1.1000 | 1.100 |\n| b, SBM | 4.0000 | 1.0000 | 0.250 |\n\n",
            "Fastest maps of each contest: 2 rows, median 1.300, worst 1.300 (a), 1 above 1.25.",
            "All maps: 3 rows, median 1.100, worst 1.300 (a), 1 above 1.25.",
        ];
        for line in expected {
            assert!(table.contains(line), "{line}\n{table}");
        }
    }

    #[test]
    fn without_pairs_there_is_nothing_to_draw() {
        assert!(picture(&standings(), "here").draw().is_some_and(|text| text.contains("b, reads")));
        assert!(picture(&standings()[2..], "here").draw().is_none());
        assert!(table(&[]).contains("no rows."));
    }
}
