//! Lines and points over two logarithmic axes, as an SVG.

/// A named series of points.
pub struct Series {
    pub name: String,
    pub style: Style,
    pub points: Vec<Point>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A thick line through points.
    Bold,
    /// A thin line through points.
    Thin,
    /// A line without points.
    Dashed,
    /// Points without a line.
    Dots,
}

pub struct Point {
    pub x: f64,
    pub y: f64,
    /// The tooltip.
    pub note: String,
}

pub struct Plot {
    pub title: String,
    /// The labels of the axes.
    pub x: String,
    pub y: String,
    /// The source of the numbers.
    pub source: String,
    pub series: Vec<Series>,
}

/// The size of the whole picture, and the plot area: left, top, right, bottom.
const SIZE: (f64, f64) = (960.0, 560.0);
const FRAME: (f64, f64, f64, f64) = (80.0, 50.0, 700.0, 490.0);
pub const COLOURS: [&str; 10] =
    ["#0b5fa5", "#d1495b", "#3b8132", "#8f5bb5", "#c77700", "#00798c", "#7a4e2d", "#d16ba5", "#5c6b73", "#9aa300"];

/// The look of points: if there are more series than colours, every second round of colours is hollow.
#[derive(Clone, Copy)]
struct Ink {
    colour: &'static str,
    is_hollow: bool,
}

impl Ink {
    fn point(self, (x, y): (f64, f64), note: &str) -> String {
        let Ink { colour, is_hollow } = self;
        let fill = if is_hollow { "white" } else { colour };
        let note = escaped(note);
        format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"2\">\
             <title>{note}</title></circle>\n"
        )
    }
}

/// A logarithmic axis: its least and greatest number, and its position.
struct Axis {
    numbers: (f64, f64),
    places: (f64, f64),
}

impl Axis {
    fn new(numbers: impl Iterator<Item = f64> + Clone, places: (f64, f64)) -> Axis {
        let least = numbers.clone().fold(f64::INFINITY, f64::min);
        let most = numbers.fold(0.0, f64::max);
        Axis { numbers: (least / 1.25, most * 1.25), places }
    }

    fn place(&self, number: f64) -> f64 {
        let (least, most) = self.numbers;
        let (from, to) = self.places;
        from + (to - from) * (number / least).ln() / (most / least).ln()
    }

    /// Some multiples of the powers of ten, within the axis.
    fn ticks(&self) -> Vec<f64> {
        let all = (-9..9).flat_map(|power| [1.0, 2.0, 3.0, 5.0, 7.0].map(|digit| digit * 10f64.powi(power)));
        all.filter(|tick| (self.numbers.0..=self.numbers.1).contains(tick)).collect()
    }
}

impl Plot {
    /// The picture. Returns `None` if there are no points, or one that a logarithmic axis cannot show.
    pub fn draw(&self) -> Option<String> {
        let points = self.series.iter().flat_map(|series| &series.points);
        let is_drawable = |p: &Point| [p.x, p.y].iter().all(|n| n.is_finite() && *n > 0.0);
        if points.clone().count() == 0 || !points.clone().all(is_drawable) {
            return None;
        }
        let (left, top, right, bottom) = FRAME;
        let x = Axis::new(points.clone().map(|p| p.x), (left, right));
        let y = Axis::new(points.map(|p| p.y), (bottom, top));
        let (width, height) = SIZE;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        text += &label((left, top - 20.0), "start", "font-size=\"16\"", &self.title);
        text += &label(((left + right) / 2.0, bottom + 45.0), "middle", "", &self.x);
        text += &label((left - 60.0, top - 4.0), "start", "", &self.y);
        text += &label((10.0, height - 8.0), "start", "font-size=\"9\"", &self.source);
        text += &grid(&x, &y);
        for (k, series) in self.series.iter().enumerate() {
            let ink = Ink { colour: COLOURS[k % COLOURS.len()], is_hollow: k / COLOURS.len() % 2 == 1 };
            text += &series.draw(ink, &x, &y);
            text += &series.legend(ink, top + 10.0 + 20.0 * k as f64);
        }
        Some(text + "</svg>\n")
    }
}

impl Series {
    fn width(&self) -> u32 {
        if self.style == Style::Bold { 3 } else { 1 }
    }

    fn draw(&self, ink: Ink, x: &Axis, y: &Axis) -> String {
        let mut text = String::new();
        if self.style != Style::Dots {
            let places = self.points.iter().map(|p| format!("{:.1},{:.1}", x.place(p.x), y.place(p.y)));
            let (places, width, colour) = (places.collect::<Vec<_>>().join(" "), self.width(), ink.colour);
            let dashes = if self.style == Style::Dashed { " stroke-dasharray=\"7 5\"" } else { "" };
            text += &format!(
                "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>\n"
            );
        }
        if self.style != Style::Dashed {
            text.extend(self.points.iter().map(|p| ink.point((x.place(p.x), y.place(p.y)), &p.note)));
        }
        text
    }

    fn legend(&self, ink: Ink, y: f64) -> String {
        let (x, width, colour) = (FRAME.2 + 16.0, 2 * self.width(), ink.colour);
        let to = x + 18.0;
        let sample = match self.style {
            Style::Dots => ink.point((x + 9.0, y), &self.name),
            Style::Bold | Style::Thin | Style::Dashed => format!(
                "<line x1=\"{x}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>\n"
            ),
        };
        sample + &label((x + 26.0, y + 4.0), "start", "", &self.name)
    }
}

/// The frame, the grid lines and their numbers.
fn grid(x: &Axis, y: &Axis) -> String {
    let (left, top, right, bottom) = FRAME;
    let line = |from: (f64, f64), to: (f64, f64)| {
        let ((x1, y1), (x2, y2)) = (from, to);
        format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>\n")
    };
    let mut text = String::new();
    for tick in x.ticks() {
        let at = x.place(tick);
        text += &line((at, top), (at, bottom));
        text += &label((at, bottom + 20.0), "middle", "", &number(tick));
    }
    for tick in y.ticks() {
        let at = y.place(tick);
        text += &line((left, at), (right, at));
        text += &label((left - 8.0, at + 4.0), "end", "", &number(tick));
    }
    let (width, height) = (right - left, bottom - top);
    text + &format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#888\"/>\n"
    )
}

fn number(tick: f64) -> String {
    let text = format!("{tick:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

pub fn label((x, y): (f64, f64), anchor: &str, more: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {more}>{}</text>\n", escaped(text))
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[(f64, f64)]) -> Plot {
        let points = points.iter().map(|&(x, y)| Point { x, y, note: "a < b".to_string() }).collect();
        let series = vec![Series { name: "R&D".to_string(), style: Style::Thin, points }];
        Plot {
            title: "title".to_string(),
            x: "size".to_string(),
            y: "ms".to_string(),
            source: "here".to_string(),
            series,
        }
    }

    #[test]
    fn names_are_escaped_and_points_lie_in_the_frame() {
        let text = plot(&[(1.0, 0.1), (100.0, 20.0)]).draw().unwrap();
        assert!(
            text.contains("R&amp;D") && text.contains("a &lt; b") && text.contains(">size<") && text.contains(">here<")
        );
        let (left, top, right, bottom) = FRAME;
        let places = |name: &str| -> Vec<f64> {
            text.split(&format!("{name}=\"")).skip(1).map(|t| t.split('"').next().unwrap().parse().unwrap()).collect()
        };
        let (xs, ys) = (places("cx"), places("cy"));
        assert!(xs[0] < xs[1] && xs.iter().all(|x| (left..right).contains(x)), "{xs:?}");
        assert!(ys[0] > ys[1] && ys.iter().all(|y| (top..bottom).contains(y)), "{ys:?}");
    }

    #[test]
    fn what_has_no_logarithm_is_not_drawn() {
        assert!(plot(&[]).draw().is_none());
        assert!(plot(&[(1.0, 0.0)]).draw().is_none());
        assert!(plot(&[(f64::NAN, 1.0)]).draw().is_none());
    }
}
