//! The results as a file: standings as JSON, and the times that a separate script has measured.
use crate::Fallible;
use crate::probes::Probe;
use crate::standing::{Line, Outcome, Role, Standing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// All results of one run.
#[derive(Serialize, Deserialize)]
pub struct Results {
    /// The machine, the driver, the commit and the command.
    pub machine: String,
    /// The measurements of the machine, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
    pub contests: Vec<Standing>,
}

impl Results {
    pub fn text(&self) -> Fallible<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    pub fn read(path: &Path) -> Fallible<Results> {
        Ok(serde_json::from_str(&text(path)?).map_err(|e| format!("{}: {e}", path.display()))?)
    }
}

/// Outcomes by the title of a contest, then by the name of a contestant.
pub type Beside = BTreeMap<String, BTreeMap<String, Outcome>>;

/// Reads the results of a script.
pub fn beside(path: &Path) -> Fallible<Beside> {
    Ok(serde_json::from_str(&text(path)?).map_err(|e| format!("{}: {e}", path.display()))?)
}

/// Adds the results of a script to a contest.
pub fn join(standing: &mut Standing, beside: &Beside) {
    for (name, outcome) in beside.get(&standing.subject.title).into_iter().flatten() {
        standing.lines.push(Line { name: name.clone(), role: Role::Peer, outcome: outcome.clone() });
    }
}

fn text(path: &Path) -> Fallible<String> {
    Ok(std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::Subject;

    #[test]
    fn a_script_joins_the_contest_it_names() {
        let subject = |title: &str| Subject {
            title: title.to_string(),
            family: "f".to_string(),
            size: 3,
            bytes: 1,
            operations: 1,
            cells: 1,
        };
        let beside: Beside = serde_json::from_str(r#"{"conv2d 3×3 f32": {"cuDNN": {"times": [0.5, 0.25]}}}"#).unwrap();
        let mut standings = ["conv2d 3×3 f32", "another"].map(|t| Standing { subject: subject(t), lines: Vec::new() });
        standings.iter_mut().for_each(|standing| join(standing, &beside));
        assert_eq!(standings[0].lines[0].times(), [0.5, 0.25]);
        assert!(standings[1].lines.is_empty());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = r#"{"machine":"m","contests":[{"title":"t","family":"f","size":3,"bytes":8,"operations":9,"cells":1,
            "lines":[{"name":"ours","role":"ours","outcome":{"times":[1.5]}},
                     {"name":"NPP","role":"peer","outcome":{"absent":"no library"}}]}]}"#;
        let results: Results = serde_json::from_str(text).unwrap();
        let again: Results = serde_json::from_str(&serde_json::to_string(&results).unwrap()).unwrap();
        assert_eq!(format!("{:?}", results.contests), format!("{:?}", again.contests));
    }
}
