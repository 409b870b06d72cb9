//! Ratios by name, one line each from the least to the greatest, as an SVG.
use crate::svg::{COLOURS, escaped, label};

pub struct Ranked {
    pub title: String,
    /// The source of the numbers.
    pub source: String,
    /// Names and ratios, from the least to the greatest.
    pub rows: Vec<(String, f64)>,
    /// Ratios with a line through all rows.
    pub goals: Vec<f64>,
}

/// The width of the picture, its margin, the height of a row, and where the axis begins and ends.
const WIDTH: f64 = 960.0;
const TOP: f64 = 60.0;
const ROW: f64 = 16.0;
const AXIS: (f64, f64) = (360.0, 880.0);
/// The left end of the axis. What is less stands there, beside its number.
const LEAST: f64 = 0.8;
/// The least right end of the axis.
const MOST: f64 = 1.3;

impl Ranked {
    /// The picture. Returns `None` if there are no rows.
    pub fn draw(&self) -> Option<String> {
        let most = self.rows.last()?.1.max(MOST);
        let place = |ratio: f64| AXIS.0 + (AXIS.1 - AXIS.0) * (ratio.max(LEAST) - LEAST) / (most - LEAST);
        let bottom = TOP + ROW * self.rows.len() as f64;
        let height = bottom + 40.0;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        text += &label((10.0, 22.0), "start", "font-size=\"16\"", &self.title);
        text += &label((10.0, height - 8.0), "start", "font-size=\"9\"", &self.source);
        for (ratio, colour) in [(1.0, "#888")].into_iter().chain(self.goals.iter().map(|goal| (*goal, COLOURS[1]))) {
            let x = place(ratio);
            text += &format!("<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"{colour}\"/>\n");
            text += &label((x, TOP - 6.0), "middle", "", &ratio.to_string());
        }
        for (k, (name, ratio)) in self.rows.iter().enumerate() {
            let (x, y) = (place(*ratio), TOP + ROW * (k as f64 + 0.5));
            text += &label((AXIS.0 - 10.0, y + 4.0), "end", "", name);
            text += &format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\"><title>{}: {ratio:.3}</title></circle>\n",
                COLOURS[0],
                escaped(name)
            );
            text += &label((AXIS.1 + 20.0, y + 4.0), "start", "", &format!("{ratio:.2}"));
        }
        Some(text + "</svg>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_goals_lie_on_the_axis() {
        let rows = [("far", 0.2), ("a & b", 1.0), ("slow", 1.6)].map(|(name, ratio)| (name.to_string(), ratio)).into();
        let (title, source) = ("t".to_string(), "here".to_string());
        let text = Ranked { title, source, rows, goals: vec![1.08, 1.25] }.draw().unwrap();
        let places = |name: &str| -> Vec<f64> {
            text.split(&format!("{name}=\"")).skip(1).map(|t| t.split('"').next().unwrap().parse().unwrap()).collect()
        };
        let (xs, lines) = (places("cx"), places("x1"));
        assert_eq!((xs[0], xs[1], xs[2]), (AXIS.0, lines[0], AXIS.1));
        assert!(lines[0] < lines[1] && lines[1] < lines[2], "{lines:?}");
        for words in ["a &amp; b: 1.000", ">0.20<", ">1.08<", ">1.25<", ">here<"] {
            assert!(text.contains(words), "{words}\n{text}");
        }
    }

    #[test]
    fn no_rows_are_no_picture() {
        let (title, source) = (String::new(), String::new());
        assert!(Ranked { title, source, rows: Vec::new(), goals: Vec::new() }.draw().is_none());
    }
}
