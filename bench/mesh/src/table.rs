//! The table and the picture of what was measured.
use std::fmt::Write;

/// What was measured of a kernel: per round one rank, two ranks, and two ranks without exchange, in milliseconds per call.
pub struct Row {
    pub name: &'static str,
    pub times: Vec<[f64; 3]>,
}

/// The ways in which a kernel is run.
const WAYS: [&str; 3] = ["one rank", "two ranks", "two ranks, no exchange"];

impl Row {
    fn median(&self, of: impl Fn(&[f64; 3]) -> f64) -> f64 {
        let mut values: Vec<f64> = self.times.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    }

    /// The fastest of all rounds: what is least disturbed by others.
    fn least(&self, way: usize) -> f64 {
        self.times.iter().map(|times| times[way]).fold(f64::INFINITY, f64::min)
    }
}

/// A table: times are those of the fastest round, quotients the median of the quotients of every round.
pub fn markdown(rows: &[Row]) -> String {
    let mut text =
        format!("| kernel | {} | speed-up | exchange |\n| --- | --- | --- | --- | --- | --- |\n", WAYS.join(" | "));
    for row in rows {
        let [one, two, apart] = [0, 1, 2].map(|way| row.least(way));
        let (speed, exchange) =
            (row.median(|times| times[0] / times[1]), row.median(|times| times[1] / times[2] - 1.0));
        let name = row.name;
        let _ = writeln!(
            text,
            "| {name} | {one:.2} ms | {two:.2} ms | {apart:.2} ms | {speed:.2} | {:+.1} % |",
            exchange * 100.0
        );
    }
    text
}

/// Bars, one group per kernel.
pub fn picture(rows: &[Row]) -> String {
    const COLOURS: [&str; 3] = ["#9aa5b1", "#2f6fde", "#8fb8f6"];
    let (width, left, bar, gap) = (640, 190, 22, 26);
    let longest = rows.iter().flat_map(|row| (0..3).map(|way| row.least(way))).fold(0.0, f64::max);
    let height = rows.len() * (3 * bar + gap) + gap;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (k, row) in rows.iter().enumerate() {
        let top = gap + k * (3 * bar + gap);
        let _ = writeln!(text, "<text x=\"8\" y=\"{}\">{}</text>", top + 2 * bar - 6, row.name);
        for (way, (colour, label)) in COLOURS.iter().zip(WAYS).enumerate() {
            let (y, time) = (top + way * bar, row.least(way));
            let length = time / longest * 300.0;
            let _ = writeln!(
                text,
                "<rect x=\"{left}\" y=\"{y}\" width=\"{length:.1}\" height=\"{}\" fill=\"{colour}\"/>\n<text x=\"{:.1}\" y=\"{}\" font-size=\"11\">{time:.2} ms, {label}</text>",
                bar - 3,
                left as f64 + length + 6.0,
                y + bar - 8
            );
        }
    }
    text + "</svg>\n"
}
