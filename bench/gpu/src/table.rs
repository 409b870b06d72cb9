//! Standings as tables, and a description of the machine.
use crate::lab::Lab;
use crate::standing::{Line, Outcome, Role, Standing, median};

/// The commit that the program was built from.
const COMMIT: &str = match option_env!("BENCH_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// The machine, the driver, the commit and the command.
pub fn machine(lab: &Lab) -> String {
    let properties = lab.gpu.properties();
    let driver = std::fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
    let driver =
        driver.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'));
    let (major, minor) = properties.driver;
    let command: Vec<String> = std::env::args().skip(1).collect();
    format!(
        "{properties}, driver {} (CUDA {major}.{minor}), commit {COMMIT}, `bench-gpu {}`, {} rounds of {} launches.",
        driver.unwrap_or("unknown"),
        command.join(" "),
        lab.plan.rounds,
        lab.plan.launches
    )
}

pub fn table(standing: &Standing) -> String {
    let subject = &standing.subject;
    let (megabytes, operations) = (subject.bytes as f64 / 1e6, subject.operations as f64 / 1e9);
    let mut text = format!("## {}\n\n{megabytes:.0} MB, {operations:.2} Gfma.\n\n", subject.title);
    text += "| who | ms | least to most | × copy | TB/s | Tfma/s | Gcells/s |\n";
    text += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for line in &standing.lines {
        text += &format!("| {} | {} |\n", line.name, cells(standing, line));
    }
    text
}

fn cells(standing: &Standing, line: &Line) -> String {
    let (times, ratios, subject) = (line.times(), standing.by_copy(line), &standing.subject);
    let time = match (&line.outcome, line.time()) {
        (Outcome::Failed(why), _) => return format!("FAILED: {why} | | | | |"),
        (Outcome::Absent(why), _) => return format!("absent: {why} | | | | |"),
        (Outcome::Times(_), None) => return "no time | | | | |".to_string(),
        (Outcome::Times(_), Some(time)) => time,
    };
    let (least, most) = (least(times), most(times));
    let ratio = median(&ratios).map_or(String::new(), |ratio| format!("{ratio:.3}"));
    let per_second = |amount: u64, unit: f64| amount as f64 / time * 1e3 / unit;
    let rate = per_second(subject.bytes, 1e12);
    let done = match line.role {
        Role::Copy => " | ".to_string(),
        Role::Ours | Role::Automatic | Role::Peer | Role::Roof => {
            format!("{:.2} | {:.0}", per_second(subject.operations, 1e12), per_second(subject.cells, 1e9))
        }
    };
    format!("{time:.4} | {least:.4} to {most:.4} | {ratio} | {rate:.2} | {done}")
}

/// One line per contest: our best, and each peer's time divided by it.
pub fn summary(standings: &[Standing]) -> String {
    let mut text = String::from("## All\n\n| contest | ours, ms | × copy | Gcells/s | others, by ours |\n");
    text += "| --- | --- | --- | --- | --- |\n";
    for standing in standings.iter().filter(|standing| standing.lines.iter().any(|line| line.role == Role::Ours)) {
        let (title, cells) = (&standing.subject.title, standing.subject.cells as f64);
        let Some((best, time)) = standing.best(Role::Ours) else {
            text += &format!("| {title} | FAILED | | | |\n");
            continue;
        };
        let ratio = median(&standing.by_copy(best)).unwrap_or(f64::NAN);
        let peers = standing.lines.iter().filter(|line| line.role == Role::Peer);
        let peers = peers.filter_map(|line| match (&line.outcome, line.time()) {
            (Outcome::Absent(_), _) => None,
            (_, Some(peer)) => Some(format!("{} {:.2}", line.name, peer / time)),
            (_, None) => Some(format!("{} FAILED", line.name)),
        });
        let peers: Vec<String> = peers.collect();
        let rate = cells / time / 1e6;
        text += &format!("| {title} | {time:.4} | {ratio:.3} | {rate:.0} | {} |\n", peers.join(", "));
    }
    text
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(0.0, f64::max)
}
