//! A run that cannot start keeps the earlier results and says why: without a driver, or because no contest has the
//! requested name.
use std::path::Path;
use std::process::Command;

#[test]
fn results_stay_as_they_were() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused");
    std::fs::create_dir_all(&folder).expect("a folder");
    let old = ["bench-gpu.json", "roofline-f32.svg"].map(|name| folder.join(name));
    old.iter().for_each(|path| std::fs::write(path, "old").expect("a file"));
    let program = env!("CARGO_BIN_EXE_bench-gpu");
    let output = Command::new(program).args(["no contest has this name", "--out"]).arg(&folder).output();
    let output = output.expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let reasons = ["no CUDA driver", "no CUDA device", "no contest has such a name"];
    assert!(reasons.iter().any(|why| said.contains(why)) && said.contains("are as they were"), "{said}");
    old.iter().for_each(|path| assert_eq!(std::fs::read_to_string(path).expect("a file"), "old"));
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), old.len());
}
