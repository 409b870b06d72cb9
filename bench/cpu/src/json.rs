//! Standings as JSON.
use crate::contest::{Line, Outcome, Standing};
use std::path::Path;

pub fn write(path: &Path, machine: &str, standings: &[Standing]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let contests: Vec<String> = standings.iter().map(contest).collect();
    let text = format!("{{\"machine\":{},\"contests\":[\n{}\n]}}\n", quoted(machine), contests.join(",\n"));
    std::fs::write(path, text)
}

fn contest(standing: &Standing) -> String {
    let lines: Vec<String> = standing.lines.iter().map(line).collect();
    let (title, work) = (quoted(&standing.title), quoted(&standing.work));
    format!("{{\"title\":{title},\"work\":{work},\"goal\":{},\"lines\":[\n{}\n]}}", standing.goal, lines.join(",\n"))
}

fn line(line: &Line) -> String {
    let (name, cores) = (quoted(&line.name), line.cores.count());
    let outcome = match &line.outcome {
        Outcome::Absent(why) => format!("\"absent\":{}", quoted(why)),
        Outcome::Wrong(why) => format!("\"wrong\":{}", quoted(why)),
        Outcome::Times(times) => {
            let times: Vec<String> = times.iter().map(|t| t.as_secs_f64().to_string()).collect();
            format!("\"seconds\":[{}]", times.join(","))
        }
    };
    format!("  {{\"name\":{name},\"cores\":{cores},\"role\":{},{outcome}}}", quoted(&format!("{:?}", line.role)))
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
