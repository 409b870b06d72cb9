//! The results of a contest as a table, and a description of the machine.
use crate::contest::{Line, Outcome, Role, Standing};
use crate::pool::cores;
use crate::vectors;
use std::time::Duration;

/// The machine in one line, with its current load.
pub fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let model = read("/proc/cpuinfo");
    let model = model.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or(": an unknown CPU");
    let load = read("/proc/loadavg");
    let load = load.split_whitespace().next().unwrap_or("unknown");
    let (model, vectors) = (model.trim_start_matches(['\t', ' ', ':']), vectors::name());
    format!("{model}, {} cores, load {load} before the start. Plain loops compiled for {vectors}.", cores())
}

pub fn table(standing: &Standing) -> String {
    let mut text = format!("## {}\n\n{}.\n\n", standing.title, standing.work);
    text += "| who | cores | median, ms | least to most, ms | by ours |\n| --- | --- | --- | --- | --- |\n";
    for line in &standing.lines {
        text += &format!("| {} | {} | {} |\n", line.name, line.cores.count(), cells(standing, line).join(" | "));
    }
    text
}

/// The median, the spread, and the time divided by our best on as many cores.
fn cells(standing: &Standing, line: &Line) -> [String; 3] {
    let blank = String::new;
    match &line.outcome {
        Outcome::Absent(why) => [why.clone(), blank(), blank()],
        Outcome::Wrong(why) => [format!("wrong: {why}"), blank(), blank()],
        Outcome::Times(_) => {
            let times = line.times();
            let (Some(least), Some(most), Some(median)) = (times.first(), times.last(), line.median()) else {
                return [blank(), blank(), blank()];
            };
            let ours = standing.ours(line.cores).filter(|_| line.role != Role::Ours);
            let ratio = ours.map_or(blank(), |ours| format!("{:.2}", ratio(median, ours)));
            [ms(median), format!("{} to {}", ms(*least), ms(*most)), ratio]
        }
    }
}

pub fn ratio(time: Duration, by: Duration) -> f64 {
    time.as_secs_f64() / by.as_secs_f64()
}

pub fn ms(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}
