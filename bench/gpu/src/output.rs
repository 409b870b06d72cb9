//! Writes the result files of a run to a folder: at the end all of them replace the old ones, or none does.
use crate::Fallible;
use crate::json::Results;
use crate::pictures;
use crate::standing::{Outcome, Standing};
use std::path::Path;

/// The results of a run without errors.
const RESULTS: &str = "bench-gpu.json";
/// The results of a run with errors.
const FAILED: &str = "failed-bench-gpu.json";

/// Files by name, with their text.
pub type Files = Vec<(String, String)>;

/// Keeps the results of a run. If one was wrong, earlier results are kept, the new ones are written under another name,
/// and the wrong contestants are printed; the function then returns false.
pub fn keep(folder: &Path, results: &Results) -> Fallible<bool> {
    let wrong: Vec<String> = results.contests.iter().flat_map(wrong).collect();
    if wrong.is_empty() {
        let mut files = pictures::draw(results);
        files.push((RESULTS.to_string(), results.text()?));
        replace(folder, &files)?;
        return Ok(true);
    }
    eprintln!("{}\n{}", wrong.join("\n"), unchanged(folder));
    replace(folder, &vec![(FAILED.to_string(), results.text()?)])?;
    Ok(false)
}

/// The message if a run leaves no results.
pub fn unchanged(folder: &Path) -> String {
    format!("The results in {} are as they were.", folder.display())
}

/// The wrong contestants of a contest, with the reasons.
fn wrong(standing: &Standing) -> impl Iterator<Item = String> {
    standing.lines.iter().filter_map(|line| match &line.outcome {
        Outcome::Failed(why) => Some(format!("{}, {}: {why}", standing.subject.title, line.name)),
        Outcome::Times(_) | Outcome::Absent(_) => None,
    })
}

/// Writes all files under temporary names first, so that old files are replaced only if all new ones are complete.
/// Prints their names.
pub fn replace(folder: &Path, files: &Files) -> Fallible<()> {
    let fresh = |name: &str| folder.join(format!("{name}.new"));
    let written = files.iter().try_for_each(|(name, text)| {
        let path = fresh(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}\n{}", path.display(), unchanged(folder)))
    });
    if let Err(why) = written {
        for (name, _) in files {
            // Files that were not written do not exist.
            let _ = std::fs::remove_file(fresh(name));
        }
        return Err(why.into());
    }
    for (name, _) in files {
        let path = folder.join(name);
        std::fs::rename(fresh(name), &path).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("Written: {}.", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::{Line, Role, Subject};
    use std::path::PathBuf;

    /// A folder with the results of an earlier run.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("bench-gpu-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(RESULTS), "old").expect("a file");
        folder
    }

    /// The names in a folder and the text of its results. Removes the folder.
    fn found(folder: &Path) -> (Vec<String>, String) {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        let text = std::fs::read_to_string(folder.join(RESULTS)).expect("results");
        std::fs::remove_dir_all(folder).expect("a folder");
        (names, text)
    }

    fn results(outcome: Outcome) -> Results {
        let (title, family) = ("conv2d 3×3 f32".to_string(), "conv2d f32".to_string());
        let subject = Subject { title, family, size: 3, bytes: 8, operations: 9, cells: 1 };
        let line = Line { name: "ours".to_string(), role: Role::Ours, outcome };
        let contests = vec![Standing { subject, lines: vec![line] }];
        Results { machine: "a machine".to_string(), probes: Vec::new(), contests }
    }

    #[test]
    fn what_is_right_replaces_the_old() {
        let folder = folder("right");
        assert!(keep(&folder, &results(Outcome::Times(vec![1.0]))).expect("it is kept"));
        let (names, text) = found(&folder);
        assert_eq!(names, [RESULTS, "roofline-f32.svg"]);
        assert!(text.contains("a machine"), "{text}");
    }

    #[test]
    fn what_is_wrong_leaves_the_old() {
        let folder = folder("wrong");
        assert!(!keep(&folder, &results(Outcome::Failed("off by 1".to_string()))).expect("it is kept"));
        assert_eq!(found(&folder), (vec![RESULTS.to_string(), FAILED.to_string()], "old".to_string()));
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old() {
        let folder = folder("unwritten");
        let files = [(RESULTS, "new"), ("no/such/folder.svg", "new")];
        let why = replace(&folder, &files.map(|(name, text)| (name.to_string(), text.to_string())).into());
        let why = why.expect_err("there is no such folder").to_string();
        assert!(why.contains("no/such") && why.contains(&unchanged(&folder)), "{why}");
        assert_eq!(found(&folder), (vec![RESULTS.to_string()], "old".to_string()));
    }
}
