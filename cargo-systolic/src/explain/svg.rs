//! One warp of one block as a drawing: lanes from left to right, steps downwards, every dependence as a line.
use super::View;
use super::grid::{Grid, sizes, title};
use super::palette::{Shape, look};
use std::fmt::Write;
use systolic_compiler::explain::{Carrier, Picture, Refused};
use systolic_compiler::model::Int;

/// The width and height of a cell, and the room above the grid.
const CELL: (f64, f64) = (22.0, 24.0);
const TOP: f64 = 64.0;

/// The room on the left of the grid, at least, and the width of a character of a step's label.
const LEFT: f64 = 64.0;
const CHARACTER: f64 = 6.0;

/// The height of the lines that say why a map is refused, and of each line of text below them.
const REFUSAL: f64 = 60.0;
const LINE: f64 = 16.0;

/// The width of a character of text as it is written.
const MONOSPACE: f64 = 6.7;

struct Drawing<'p> {
    grid: Grid<'p>,
    view: &'p View,
    /// The room on the left, which holds the label of every step, and the width of all.
    left: f64,
    width: f64,
    /// The width of a cell: all registers of the fold beside each other.
    cell: f64,
    out: String,
}

/// The whole drawing. The points of a counterexample may lie in several blocks: each of these is drawn. So is each part of a kernel
/// that runs as several.
pub fn svg(parts: &[(&Picture, View)]) -> String {
    let mut panels = Vec::new();
    for (picture, view) in parts {
        let marked = picture.refused.iter().flat_map(|refused| &refused.points).filter_map(|point| point.spot);
        let elsewhere = marked.map(|spot| &picture.spots[spot]).find(|s| (s.block, s.warp) != (view.block, view.warp));
        panels.push(panel(picture, view, elsewhere.is_none()));
        let other = elsewhere.map(|s| panel(picture, &View { block: s.block, warp: s.warp, value: None }, true));
        panels.extend(other);
    }
    let width = panels.iter().map(|(_, width, _)| *width).fold(0.0, f64::max);
    let (mut inner, mut total) = (String::new(), 0.0);
    for (k, (text, _, height)) in panels.iter().enumerate() {
        let _ = match k {
            0 => write!(inner, "{text}"),
            _ => writeln!(inner, "<svg y=\"{total}\">\n{text}</svg>"),
        };
        total += height;
    }
    let name = parts.first().map_or(String::new(), |(picture, _)| escape(&title(picture)));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {total}\" width=\"{width}\" height=\"{total}\" \
         role=\"img\" font-family=\"ui-sans-serif, system-ui, sans-serif\" font-size=\"11\" fill=\"#222\">\n\
         <title>{name}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{inner}</svg>\n"
    )
}

/// One warp, with its width and height. The last one has the reason of a refusal and the legend below it.
fn panel(picture: &Picture, view: &View, is_last: bool) -> (String, f64, f64) {
    let grid = Grid::new(picture, view);
    let cell = CELL.0.max(12.0 * picture.fold as f64);
    // What is passed by value is not drawn.
    let used: Vec<Carrier> = used(picture).into_iter().filter(|carrier| *carrier != Carrier::Value).collect();
    let legend = if is_last { 20.0 * used.len() as f64 + 12.0 } else { 0.0 };
    let longest = grid.steps.iter().map(|step| grid.short_label(*step).chars().count()).max().unwrap_or(0);
    let left = LEFT.max(12.0 + CHARACTER * longest as f64 + 10.0);
    let refused = picture.refused.as_ref().filter(|_| is_last);
    let texts = refused.map(texts).unwrap_or_default();
    let longest = texts.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0);
    let width = (left + cell * grid.lanes as f64 + 20.0).max(560.0).max(24.0 + MONOSPACE * longest as f64);
    let refusal = refused.map_or(0.0, |_| REFUSAL + LINE * texts.len() as f64);
    let height = TOP + CELL.1 * grid.steps.len() as f64 + 24.0 + legend + refusal;
    let mut drawing = Drawing { grid, view, left, width, cell, out: String::new() };
    drawing.heading();
    if !picture.spots.is_empty() {
        drawing.axes();
    }
    drawing.links();
    drawing.cells();
    drawing.marks();
    if is_last {
        drawing.refusal();
        drawing.legend(&used);
    }
    (drawing.out, width, height)
}

/// What stands below the reason of a refusal without points: the message, then the kernel as it is written, with the characters that
/// are refused.
fn texts(refused: &Refused) -> Vec<(&str, Option<(usize, usize)>)> {
    if refused.written.is_empty() {
        return Vec::new();
    }
    let message = refused.message.lines().chain([""]).map(|line| (line, None));
    message.chain(refused.written.iter().map(|line| (line.text.as_str(), line.lit))).collect()
}

/// The carriers that the picture uses.
pub fn used(picture: &Picture) -> Vec<Carrier> {
    let stores = picture.statements.iter().any(|statement| statement.is_store);
    let is_used = |carrier: &Carrier| {
        picture.wires.iter().any(|wire| wire.carrier == *carrier)
            || picture.loads.iter().any(|load| load.carrier == *carrier)
            || (*carrier == Carrier::Store && stores)
    };
    Carrier::ALL.into_iter().filter(is_used).collect()
}

impl Drawing<'_> {
    fn heading(&mut self) {
        let picture = self.grid.picture;
        let at = [sizes(&picture.sizes), self.grid.heading(self.view)].into_iter().filter(|part| !part.is_empty());
        let at = at.collect::<Vec<_>>().join(" · ");
        let name = escape(&title(picture));
        let _ = writeln!(self.out, "<text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"600\">{name}</text>");
        let _ = writeln!(self.out, "<text x=\"12\" y=\"36\" fill=\"#666\">{}</text>", escape(&at));
    }

    fn axes(&mut self) {
        let _ = writeln!(self.out, "<text x=\"12\" y=\"{}\" fill=\"#666\">lane</text>", TOP - 8.0);
        for lane in (0..self.grid.lanes).filter(|lane| lane % 4 == 0) {
            let x = self.left + self.cell * (lane as f64 + 0.5);
            let y = TOP - 8.0;
            let _ = writeln!(self.out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#666\">{lane}</text>");
        }
        for (row, step) in self.grid.steps.iter().enumerate() {
            let y = TOP + CELL.1 * (row as f64 + 0.5) + 4.0;
            let label = escape(&self.grid.short_label(*step));
            let _ = writeln!(self.out, "<text x=\"12\" y=\"{y}\" font-size=\"10\" fill=\"#666\">{label}</text>");
        }
    }

    /// The middle of a spot; `None` if it is not in this warp.
    fn middle(&self, spot: usize) -> Option<(f64, f64)> {
        let spot = self.grid.spots.contains(&spot).then(|| &self.grid.picture.spots[spot])?;
        let part = self.cell / self.grid.picture.fold as f64;
        let x = self.left + self.cell * spot.lane as f64 + part * (spot.register as f64 + 0.5);
        Some((x, TOP + CELL.1 * (self.grid.row(spot.step)? as f64 + 0.5)))
    }

    fn links(&mut self) {
        let picture = self.grid.picture;
        let inputs: Vec<usize> = self.view.value.iter().map(|(_, spot)| *spot).collect();
        for wire in &picture.wires {
            let (colour, dashes) = (look(wire.carrier).light, look(wire.carrier).dashes());
            let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
            let (mut faint, mut strong) = (String::new(), String::new());
            for (to, from) in wire.links.iter().filter(|(to, from)| Some(*to) != *from) {
                let Some(end) = self.middle(*to) else { continue };
                let start = from.and_then(|from| self.middle(from));
                let path = if inputs.contains(to) { &mut strong } else { &mut faint };
                path.push_str(&line(start, end));
            }
            for (path, opacity, width) in [(faint, 0.75, 1.4), (strong, 1.0, 2.2)] {
                if !path.is_empty() {
                    let _ = writeln!(
                        self.out,
                        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" opacity=\"{opacity}\"{dashes}/>"
                    );
                }
            }
        }
    }

    fn cells(&mut self) {
        let picture = self.grid.picture;
        let radius = if picture.fold > 1 { 4.0 } else { 6.0 };
        let loads =
            |k: usize| picture.loads.iter().any(|load| load.carrier == Carrier::Load && load.spots.contains(&k));
        for k in self.grid.spots.clone() {
            let Some((x, y)) = self.middle(k) else { continue };
            let spot = &picture.spots[k];
            let fill = if spot.halo { "#fff" } else { "#e8edf2" };
            let _ = writeln!(
                self.out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#5b6b7a\" stroke-width=\"0.8\"/>"
            );
            if loads(k) {
                let colour = look(Carrier::Load).light;
                let _ =
                    writeln!(self.out, "<path d=\"{}\" stroke=\"{colour}\" stroke-width=\"2\"/>", tick(x, y, radius));
            }
            if spot.statements.iter().any(|s| picture.statements[*s].is_store) {
                let colour = look(Carrier::Store).light;
                let _ = writeln!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{colour}\"/>", radius / 2.0);
            }
        }
    }

    /// The chosen value, and the points of a counterexample.
    fn marks(&mut self) {
        let picture = self.grid.picture;
        if let Some((statement, spot)) = self.view.value.filter(|_| picture.refused.is_none())
            && let Some((x, y)) = self.middle(spot)
        {
            self.mark(x, y, "#111", &picture.name(statement, spot), 0);
        }
        let Some(refused) = &picture.refused else { return };
        let ends: Vec<_> = refused.points.iter().map(|point| point.spot.and_then(|spot| self.middle(spot))).collect();
        for (k, (point, end)) in refused.points.iter().zip(&ends).enumerate() {
            if let Some((x, y)) = end {
                self.mark(*x, *y, "#b00020", &format!("{} ({})", point.role, point.point), k);
            }
        }
        if let ([Some(to), Some(from)], true) = (ends.as_slice(), refused.is_read) {
            let path = line(Some(*from), *to);
            let _ = writeln!(self.out, "<path d=\"{path}\" fill=\"none\" stroke=\"#b00020\" stroke-width=\"2.4\"/>");
        }
    }

    /// Why the map is refused, below the grid.
    fn refusal(&mut self) {
        let Some(refused) = &self.grid.picture.refused else { return };
        let y = TOP + CELL.1 * self.grid.steps.len() as f64 + 28.0;
        let text = escape(&format!("refused by the law {}: {}", refused.law, refused.relation));
        let _ = writeln!(self.out, "<text x=\"12\" y=\"{y}\" fill=\"#b00020\" font-weight=\"600\">{text}</text>");
        for (k, point) in refused.points.iter().enumerate() {
            let text = escape(&format!("{}: ({}) at {}", point.role, point.point, point.place));
            let y = y + LINE * (k + 1) as f64;
            let _ = writeln!(self.out, "<text x=\"12\" y=\"{y}\">{text}</text>");
        }
        for (k, (text, lit)) in texts(refused).into_iter().enumerate() {
            let y = y + LINE * (k + 2) as f64;
            if let Some((from, to)) = lit {
                let (x, width) = (12.0 + MONOSPACE * from as f64, MONOSPACE * (to - from) as f64);
                let _ = writeln!(
                    self.out,
                    "<path class=\"lit\" d=\"M{x:.1} {}h{width:.1}\" stroke=\"#b00020\" stroke-width=\"2\"/>",
                    y + 3.5
                );
            }
            // As wide as the marks, whatever the font is.
            let width = MONOSPACE * text.chars().count() as f64;
            let text = escape(text);
            let _ = writeln!(
                self.out,
                "<text x=\"12\" y=\"{y}\" font-family=\"ui-monospace, monospace\" xml:space=\"preserve\" \
                 textLength=\"{width:.1}\">{text}</text>"
            );
        }
    }

    fn mark(&mut self, x: f64, y: f64, colour: &str, label: &str, k: usize) {
        // The second label stands below its point.
        let above = if k == 0 { y - 13.0 } else { y + 22.0 };
        // About as wide as bold letters are.
        let width = 6.6 * label.chars().count() as f64;
        let (anchor, left) = if x + width > self.width { ("end", x - width) } else { ("start", x) };
        // What lies below the label stays faintly visible.
        let _ = writeln!(
            self.out,
            "<rect x=\"{left:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"12\" fill=\"#fff\" opacity=\"0.85\"/>",
            above - 10.0
        );
        let _ = writeln!(
            self.out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{above}\" text-anchor=\"{anchor}\" fill=\"{colour}\" font-weight=\"600\" \
             paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"3\">{}</text>",
            escape(label)
        );
    }

    fn legend(&mut self, used: &[Carrier]) {
        let below = |refused| REFUSAL + LINE * texts(refused).len() as f64;
        let refusal = self.grid.picture.refused.as_ref().map_or(0.0, below);
        let top = TOP + CELL.1 * self.grid.steps.len() as f64 + 28.0 + refusal;
        for (k, carrier) in used.iter().enumerate() {
            let y = top + 20.0 * k as f64;
            let (colour, dashes) = (look(*carrier).light, look(*carrier).dashes());
            let cell = |y: f64| {
                format!(
                    "<circle cx=\"29\" cy=\"{y}\" r=\"6\" fill=\"#e8edf2\" stroke=\"#5b6b7a\" stroke-width=\"0.8\"/>"
                )
            };
            let sample = match look(*carrier).shape {
                Shape::Line(_) => {
                    let dashes =
                        if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
                    format!("<path d=\"M12 {y}h34\" stroke=\"{colour}\" stroke-width=\"2.4\"{dashes}/>")
                }
                Shape::Store => format!("{}<circle cx=\"29\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>", cell(y)),
                Shape::Load | Shape::Value => {
                    format!("{}<path d=\"{}\" stroke=\"{colour}\" stroke-width=\"2\"/>", cell(y), tick(29.0, y, 6.0))
                }
            };
            let _ = writeln!(self.out, "{sample}<text x=\"54\" y=\"{}\">{}</text>", y + 4.0, escape(carrier.words()));
        }
    }
}

/// A tick at the left of a cell. It is flatter than any line that comes from another lane, and so does not hide it.
fn tick(x: f64, y: f64, radius: f64) -> String {
    format!("M{:.1} {:.1}l{radius} {:.1}", x - 2.1 * radius, y - 0.8 * radius, 0.4 * radius)
}

/// A line from a producer to a consumer. Within a step it is an arc; over several steps it bends, so that it does not hide
/// others; from elsewhere it is a short one from above.
fn line(start: Option<(f64, f64)>, (x, y): (f64, f64)) -> String {
    match start {
        None => format!("M{} {}L{x} {y}", x - 8.0, y - 12.0),
        Some((a, b)) if b == y => format!("M{a} {b}Q{} {} {x} {y}", (a + x) / 2.0, y - 14.0),
        Some((a, b)) if a == x && (y - b).abs() > 1.5 * CELL.1 => {
            format!("M{a} {b}Q{} {} {x} {y}", x + 9.0, (b + y) / 2.0)
        }
        Some((a, b)) => format!("M{a} {b}L{x} {y}"),
    }
}

/// Text inside XML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number of JSON: those of a picture are small.
pub fn number(value: Int) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
