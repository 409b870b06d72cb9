//! Runs the program as a user does and checks its output, its files and its exit code.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A path for this test only.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_image-filter")).args(arguments).output().expect("it starts")
}

fn picture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("picture.png")
}

/// Checks that it exits with 1 and prints one line that contains these words.
fn check_refusal(arguments: &[&Path], words: &str) {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn it_writes_a_picture_and_says_where_it_ran() {
    let written = path("sharpened.png");
    let _ = std::fs::remove_file(&written);
    let output = run(&[&picture(), &written]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for words in ["wrote ", "ran on ", "megapixels a second", "256 rows are those of the equations"] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
    let bytes = std::fs::read(&written).expect("a file");
    assert!(bytes.starts_with(b"\x89PNG") && bytes != std::fs::read(picture()).expect("the picture"));
}

#[test]
fn what_cannot_be_read_or_written_is_one_line() {
    check_refusal(&[&path("nothing-here.png")], "nothing-here.png: ");
    check_refusal(&[Path::new(env!("CARGO_MANIFEST_DIR"))], "image: ");
    let broken = path("broken.png");
    std::fs::write(&broken, &std::fs::read(picture()).expect("the picture")[..1000]).expect("a file");
    check_refusal(&[&broken], "broken.png: not a PNG that can be read: ");
    std::fs::write(&broken, "no picture").expect("a file");
    check_refusal(&[&broken], "broken.png: not a PNG that can be read: ");
    check_refusal(&[&picture(), &path("no/such/folder.png")], "folder.png: ");
    check_refusal(&[Path::new("a"); 3], "usage: ");
}
