//! Compares our results with those published by the authors of SSAM: their figures for a V100, scaled by the speed of
//! copies there and here.
//!
//! Chen, Wahib, Takizawa, Takano, Matsuoka: *A Versatile Software Systolic Execution Model for GPU Memory-Bound
//! Kernels*, SC '19. Convolutions are from its figure 4, stencils of one step from its figure 5, all read off the
//! figures.
use crate::standing::{Role, Standing};

/// The speed of a copy on that V100, in GB/s.
const COPY: f64 = 790.0;
/// A square of 8192 × 8192 cells: divided by milliseconds it gives Gcells/s.
const SQUARE: f64 = 8192.0 * 8192.0 / 1e6;

/// Gcells/s by the title of a contest.
const FIGURES: [(&str, f64); 23] = [
    ("conv2d 3×3 f32", SQUARE / 0.76),
    ("conv2d 5×5 f32", SQUARE / 0.76),
    ("conv2d 7×7 f32", SQUARE / 0.83),
    ("conv2d 9×9 f32", SQUARE / 1.45),
    ("conv2d 20×20 f32", SQUARE / 9.54),
    ("stencil 2d5pt f32", 90.5),
    ("stencil 2d9pt f32", 91.8),
    ("stencil 2d25pt f32", 89.8),
    ("stencil 2d81pt f32", 52.0),
    ("stencil 2d121pt f32", 33.2),
    ("stencil 3d7pt f32", 77.6),
    ("stencil 3d27pt f32", 77.5),
    ("stencil 3d125pt f32", 30.2),
    ("stencil poisson f32", 77.5),
    ("stencil 2d5pt f64", 46.8),
    ("stencil 2d9pt f64", 49.4),
    ("stencil 2d25pt f64", 50.6),
    ("stencil 2d81pt f64", 28.2),
    ("stencil 2d121pt f64", 18.1),
    ("stencil 3d7pt f64", 43.9),
    ("stencil 3d27pt f64", 41.6),
    ("stencil 3d125pt f64", 15.0),
    ("stencil poisson f64", 43.2),
];

/// A published figure and our best of the same contest, in Gcells/s, and the copy, in GB/s.
struct Row<'a> {
    title: &'a str,
    ours: f64,
    theirs: f64,
    copy: f64,
}

impl Row<'_> {
    fn scaled(&self) -> f64 {
        self.theirs * self.copy / COPY
    }

    fn is_ahead(&self) -> bool {
        self.ours > self.scaled()
    }
}

/// The table of all published figures whose contest was held, and how many of them ours exceeds.
pub fn table(standings: &[Standing]) -> String {
    let rows: Vec<Row> = standings.iter().filter_map(row).collect();
    let mut text =
        String::from("## published\n\nSSAM's figures (Chen et al., SC '19, figures 4 and 5) in Gcells/s.\n\n");
    text += "| contest | ours | SSAM's, V100 | copy, GB/s | SSAM's, scaled | ours by it | ahead |\n";
    text += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for row in &rows {
        let Row { title, ours, theirs, copy } = row;
        let (scaled, ahead) = (row.scaled(), if row.is_ahead() { "yes" } else { "no" });
        let ratio = ours / scaled;
        text += &format!("| {title} | {ours:.0} | {theirs:.1} | {copy:.0} | {scaled:.0} | {ratio:.2} | {ahead} |\n");
    }
    let ahead = rows.iter().filter(|row| row.is_ahead()).count();
    text + &format!(
        "\nAhead of SSAM's figures scaled by copy bandwidth (its V100: {COPY:.0} GB/s): {ahead} of {}.\n",
        rows.len()
    )
}

/// Returns `None` if there is no published figure or no copy was measured. Ours is 0 if it failed.
fn row(standing: &Standing) -> Option<Row<'_>> {
    let subject = &standing.subject;
    let (_, theirs) = FIGURES.into_iter().find(|(title, _)| *title == subject.title)?;
    let rate = |amount: u64, role| Some(amount as f64 / standing.best(role)?.1 / 1e6);
    let (ours, copy) = (rate(subject.cells, Role::Ours).unwrap_or(0.0), rate(subject.bytes, Role::Copy)?);
    Some(Row { title: &subject.title, ours, theirs, copy })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::is_ours;
    use crate::standing::{Line, Outcome, Subject};

    /// A contest of 100 million cells and 790 MB: a copy that takes 1 ms is as fast as that of the V100.
    fn standing(title: &str, ours: Outcome, copy: f64) -> Standing {
        let (bytes, operations, cells) = (790_000_000, 1, 100_000_000);
        let subject = Subject { title: title.to_string(), family: String::new(), size: 1, bytes, operations, cells };
        let line = |name: &str, role, outcome| Line { name: name.to_string(), role, outcome };
        let lines = [("copy", Role::Copy, Outcome::Times(vec![copy])), ("ours", Role::Ours, ours)];
        Standing { subject, lines: lines.map(|(name, role, outcome)| line(name, role, outcome)).into() }
    }

    #[test]
    fn figures_are_scaled_by_the_copy() {
        let times = |time| Outcome::Times(vec![time]);
        let table = table(&[
            standing("stencil 2d5pt f32", times(1.0), 1.0),
            standing("stencil 2d9pt f32", times(1.0), 0.5),
            standing("stencil 3d7pt f32", Outcome::Failed("wrong".to_string()), 1.0),
            standing("stencil 2d13pt f32", times(1.0), 1.0),
        ]);
        let expected = [
            "| stencil 2d5pt f32 | 100 | 90.5 | 790 | 90 | 1.10 | yes |",
            "| stencil 2d9pt f32 | 100 | 91.8 | 1580 | 184 | 0.54 | no |",
            "| stencil 3d7pt f32 | 0 | 77.6 | 790 | 78 | 0.00 | no |",
            "(its V100: 790 GB/s): 1 of 3.",
        ];
        for line in expected {
            assert!(table.contains(line), "{line}\n{table}");
        }
    }

    #[test]
    fn every_figure_is_of_a_contest() {
        for (title, _) in FIGURES {
            assert!(is_ours(title), "{title}");
        }
    }
}
