//! The pictures of the tutorial are those that its commands draw. `SYSTOLIC_BLESS=1` writes them.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn tutorial() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tutorial")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The fenced blocks of a page: the words after the fence, and the lines inside.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("\n```").skip(1).step_by(2);
    parts.filter_map(|part| part.split_once('\n')).collect()
}

/// A package with the programs of a page, as a reader would have it.
fn package(name: &str, page: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pictures-{name}"));
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder goes");
    }
    std::fs::create_dir_all(folder.join("src/bin")).expect("a folder");
    let manifest = "[package]\nname = \"tutorial\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    for (k, (_, text)) in blocks(page).into_iter().filter(|(kind, _)| kind.starts_with("rust")).enumerate() {
        std::fs::write(folder.join(format!("src/bin/fence{k}.rs")), text).expect("a file");
    }
    folder
}

/// The words of every command of a page that draws, and the name of the picture.
fn commands(page: &str) -> Vec<(Vec<String>, String)> {
    let shell = blocks(page).into_iter().filter(|(kind, _)| *kind == "sh").flat_map(|(_, text)| text.lines());
    let words = shell.filter_map(|line| line.strip_prefix("cargo ")).map(|line| line.split_whitespace());
    let words = words.map(|words| words.map(String::from).collect::<Vec<_>>());
    words
        .filter_map(|words| words.last().filter(|last| last.ends_with(".svg")).cloned().map(|name| (words, name)))
        .collect()
}

#[test]
fn pictures_are_those_that_the_commands_draw() {
    let bless = std::env::var_os("SYSTOLIC_BLESS").is_some();
    let mut drawn = BTreeSet::new();
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(tutorial()).expect("a folder").flatten().map(|e| e.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    for path in pages {
        let (page, name) = (read(&path), path.file_stem().expect("a name").to_string_lossy().into_owned());
        let folder = package(&name, &page);
        let commands = commands(&page);
        for (words, picture) in &commands {
            let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-systolic"));
            command.args(words).current_dir(&folder).env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true");
            let output = command.stdin(Stdio::null()).output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            // 1: the map is refused, and the picture shows why.
            assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {words:?}\n{said}");
            let (new, kept) = (read(&folder.join(picture)), tutorial().join("pictures").join(picture));
            if bless {
                std::fs::write(&kept, &new).expect("it is written");
            }
            assert!(
                read(&kept) == new,
                "{picture} is not what the command of {name} draws: SYSTOLIC_BLESS=1 writes it"
            );
            assert!(drawn.insert(picture.clone()), "{picture} is drawn twice");
        }
        let shown: Vec<&str> = page.split("](pictures/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        let commanded: Vec<&String> = commands.iter().map(|(_, picture)| picture).collect();
        assert_eq!(shown, commanded, "{name}: every picture stands with its command, in order");
    }
    let entries = std::fs::read_dir(tutorial().join("pictures")).expect("a folder").flatten();
    let kept: BTreeSet<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(kept, drawn, "pictures that no page draws");
}
