//! The results as diagrams: the roofline of each type, for each family the time over the size, with its peers, and kernels without
//! maps against the same with maps.
use crate::json::Results;
use crate::output::Files;
use crate::pairs;
use crate::standing::{Line, Role, Standing};
use crate::svg::{Plot, Point, Series, Style};
use std::collections::BTreeMap;

/// The file of the kernels without maps.
const AUTOMATIC: &str = "automatic.svg";

/// Every diagram that has data, as a file.
pub fn draw(results: &Results) -> Files {
    let plots = plots(results).into_iter().filter_map(|(name, plot)| Some((name, plot.draw()?)));
    let ranked = pairs::picture(&results.contests, &results.machine).draw();
    plots.chain(ranked.map(|text| (AUTOMATIC.to_string(), text))).collect()
}

/// All diagrams by file name.
fn plots(results: &Results) -> Vec<(String, Plot)> {
    let Results { machine, contests, .. } = results;
    let rooflines = ["f32", "f64"].map(|ty| (format!("roofline-{ty}.svg"), roofline(contests, ty, machine)));
    let families = families(contests.iter().filter(|s| s.best(Role::Ours).is_some()));
    let sizes = families.iter().filter(|(_, standings)| standings.len() > 1);
    let sizes =
        sizes.map(|(family, standings)| (format!("time-{}.svg", slug(family)), times(family, standings, machine)));
    rooflines.into_iter().chain(sizes).collect()
}

fn families<'a>(contests: impl Iterator<Item = &'a Standing>) -> BTreeMap<&'a str, Vec<&'a Standing>> {
    let mut families = BTreeMap::<_, Vec<_>>::new();
    contests.for_each(|standing| families.entry(standing.subject.family.as_str()).or_default().push(standing));
    families.values_mut().for_each(|standings| standings.sort_by_key(|standing| standing.subject.size));
    families
}

fn slug(family: &str) -> String {
    let words = family.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Milliseconds over the size, one line per contestant.
fn times(family: &str, standings: &[&Standing], source: &str) -> Plot {
    let mut names: Vec<(&str, Role)> = Vec::new();
    for line in standings.iter().flat_map(|standing| &standing.lines) {
        if line.time().is_some() && !names.iter().any(|(name, _)| *name == line.name) {
            names.push((&line.name, line.role));
        }
    }
    let series = names.into_iter().map(|(name, role)| {
        let line = |standing: &Standing| standing.lines.iter().find(|line| line.name == name).and_then(Line::time);
        let point = |standing: &&Standing| {
            let (title, y) = (&standing.subject.title, line(standing)?);
            Some(Point { x: standing.subject.size as f64, y, note: format!("{name}, {title}: {y:.4} ms") })
        };
        let style = match role {
            Role::Ours => Style::Bold,
            Role::Automatic | Role::Peer => Style::Thin,
            Role::Copy | Role::Roof => Style::Dashed,
        };
        Series { name: name.to_string(), style, points: standings.iter().filter_map(point).collect() }
    });
    let (title, series, source) = (family.to_string(), series.collect(), source.to_string());
    Plot { title, x: "size".to_string(), y: "ms".to_string(), source, series }
}

/// Multiply-adds per second over multiply-adds per byte, with the bounds of memory and arithmetic.
fn roofline(contests: &[Standing], ty: &str, source: &str) -> Plot {
    let is_wide = |standing: &&Standing| standing.subject.title.contains("f64") == (ty == "f64");
    let contests: Vec<&Standing> = contests.iter().filter(is_wide).collect();
    let rate = |standing: &Standing, role, amount: u64| Some(amount as f64 / standing.best(role)?.1 / 1e9);
    let most = |rates: Vec<f64>| rates.into_iter().max_by(f64::total_cmp);
    // Small arrays are copied within the cache.
    let mapped = contests.iter().filter(|standing| standing.best(Role::Ours).is_some());
    let memory = most(mapped.filter_map(|s| rate(s, Role::Copy, s.subject.bytes)).collect());
    let roof = most(contests.iter().filter_map(|s| rate(s, Role::Roof, s.subject.operations)).collect());
    let intensity = |standing: &Standing| standing.subject.operations as f64 / standing.subject.bytes as f64;
    let share =
        |rate: f64, most: Option<f64>| most.map_or(String::new(), |most| format!("{:.0} %", 100.0 * rate / most));
    let point = |standing: &&Standing| {
        let (x, y) = (intensity(standing), rate(standing, Role::Ours, standing.subject.operations)?);
        let (copy, fma) = (share(y / x, memory), share(y, roof));
        Some(Point { x, y, note: format!("{}: {copy} of copy, {fma} of fma", standing.subject.title) })
    };
    let mut series: Vec<Series> = families(contests.iter().copied())
        .into_iter()
        .map(|(family, standings)| Series {
            name: family.to_string(),
            style: Style::Dots,
            points: standings.iter().filter_map(point).collect(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    let xs = series.iter().flat_map(|series| &series.points).map(|p| p.x);
    let (least, most) = (xs.clone().fold(f64::INFINITY, f64::min), xs.fold(0.0, f64::max));
    if least <= most {
        series.extend(roofs(least, most, memory, roof));
    }
    let title = format!("Roofline, {ty}: what our maps reach");
    Plot { title, x: "fma a byte".to_string(), y: "Tfma/s".to_string(), source: source.to_string(), series }
}

/// The two bounds between two intensities, as far as they are known.
fn roofs(least: f64, most: f64, memory: Option<f64>, roof: Option<f64>) -> Vec<Series> {
    let line = |name: &str, points: [(f64, f64); 2]| Series {
        name: name.to_string(),
        style: Style::Dashed,
        points: points.map(|(x, y)| Point { x, y, note: String::new() }).into(),
    };
    let ridge = memory.zip(roof).map_or(most, |(memory, roof)| (roof / memory).clamp(least, most));
    let slope = memory.map(|rate| line("roof: copy", [(least, least * rate), (ridge, ridge * rate)]));
    let flat = roof.map(|roof| line("roof: fma", [(least, roof), (most, roof)]));
    slope.into_iter().chain(flat).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::{Outcome, Subject};

    fn standing(title: &str, family: &str, size: usize, lines: &[(&str, Role, f64)]) -> Standing {
        let (operations, bytes, cells) = ((size * size) as u64 * 1_000_000, 8_000_000, 1_000_000);
        let line = |&(name, role, time): &(&str, Role, f64)| Line {
            name: name.to_string(),
            role,
            outcome: Outcome::Times(vec![time]),
        };
        let subject = Subject { title: title.to_string(), family: family.to_string(), size, bytes, operations, cells };
        Standing { subject, lines: lines.iter().map(line).collect() }
    }

    fn drawn(contests: Vec<Standing>) -> BTreeMap<String, String> {
        draw(&Results { machine: String::new(), probes: Vec::new(), contests }).into_iter().collect()
    }

    #[test]
    fn every_series_is_named() {
        let of = |size: usize, by: f64| {
            let lines = [("copy", Role::Copy, 0.1), ("ours", Role::Ours, 0.1 * by), ("NPP", Role::Peer, 0.3 * by)];
            standing(&format!("conv2d {size}×{size} f32"), "conv2d f32", size, &lines)
        };
        let roof = standing("roof fma f32", "roof fma f32", 1, &[("registers alone", Role::Roof, 0.01)]);
        let drawn = drawn(vec![roof, of(3, 1.0), of(9, 2.0)]);
        assert_eq!(drawn.keys().collect::<Vec<_>>(), ["roofline-f32.svg", "time-conv2d-f32.svg"]);
        for name in [">conv2d f32<", ">roof: copy<", ">roof: fma<", "conv2d 9×9 f32: "] {
            assert!(drawn["roofline-f32.svg"].contains(name), "{name}");
        }
        for name in [">copy<", ">ours<", ">NPP<"] {
            assert!(drawn["time-conv2d-f32.svg"].contains(name), "{name}");
        }
    }

    #[test]
    fn one_size_is_no_line() {
        let one = standing("conv2d 3×3 f64", "conv2d f64", 3, &[("ours", Role::Ours, 0.1)]);
        assert_eq!(drawn(vec![one]).keys().collect::<Vec<_>>(), ["roofline-f64.svg"]);
    }
}
