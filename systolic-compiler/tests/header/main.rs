//! Compares the header of emitted CUDA C++ with `systolic_arith`, bit by bit, as C++ on this machine.
mod constants;
mod groups;
mod pools;
mod programs;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use groups::Groups;
use pools::Scale;
use systolic_arith::Value;

#[test]
fn the_header_gives_the_bits_of_arith() {
    let Some(compiler) = compiler() else {
        // Not `println!`, whose output is shown only for failing tests.
        let _ = std::io::stderr().write_all(b"skipped: no C++ compiler\n");
        return;
    };
    let groups = groups::all(Scale { few: 96, many: 4096, whole: 16 });
    // Values of two blocks in the halves of one register, and in two registers.
    for (name, before) in [("cases", ""), ("cases_apart", "#define SYSTOLIC_APART\n")] {
        let program = build(&compiler, name, &(before.to_string() + &program(&groups)));
        let run = Command::new(program).output().expect("the program starts");
        assert!(run.status.success(), "the program ended with {}", run.status);
        let results: Vec<u64> = run.stdout.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)).collect();
        let wrong = compare(&groups, &results);
        assert!(wrong.is_empty(), "{} groups differ, here the first case of each:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The first wrong case of every group that has one.
fn compare(groups: &Groups, mut results: &[u64]) -> Vec<String> {
    let mut wrong = Vec::new();
    for group in &groups.groups {
        let (own, others) = results.split_at(groups.count(group));
        results = others;
        let differs = |(case, bits): (usize, &u64)| {
            let operands = groups.operands(group, case);
            let wanted = (group.expected)(&operands).expect("a result");
            let got = Value::from_bits(group.result, *bits);
            let label = || format!("{}: {operands:?} gives {got:?}, not {wanted:?}", programs::label(groups, group));
            (!wanted.same_bits(got) || (*bits != got.bits())).then(label)
        };
        wrong.extend(own.iter().enumerate().find_map(differs));
    }
    assert!(results.is_empty(), "{} results too many", results.len());
    wrong
}

/// The program that runs the groups on this machine and writes their results to stdout, eight bytes each.
fn program(groups: &Groups) -> String {
    let mut text = programs::opening(groups, include_str!("host.cpp"));
    text += "int main() {\n";
    for (k, group) in groups.groups.iter().enumerate() {
        let _ = writeln!(text, "    run<Case{k}>({}, {});", programs::operands(groups, group), groups.count(group));
    }
    text + "    return 0;\n}\n"
}

/// The machine's C++ compiler.
fn compiler() -> Option<String> {
    let named = std::env::var("CXX").ok();
    let starts = |name: &String| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    named.into_iter().chain(["c++", "g++"].map(String::from)).find(starts)
}

/// Compiles a program in the folder of this test.
fn build(compiler: &str, name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("header");
    fs::create_dir_all(&folder).expect("a folder for the program");
    let (text, program) = (folder.join(format!("{name}.cpp")), folder.join(name));
    fs::write(&text, source).expect("the program's text");
    let flags = ["-std=c++17", "-O2", "-ffp-contract=off", "-o"];
    let run = Command::new(compiler).args(flags).arg(&program).arg(&text).output().expect("the compiler starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    program
}

/// Every number is one block, and blocks at an end of an axis with nine or more come first.
#[test]
fn blocks_at_the_ends_of_an_axis_come_first() {
    let Some(compiler) = compiler() else {
        let _ = std::io::stderr().write_all(b"skipped: no C++ compiler\n");
        return;
    };
    let source = format!("{}\n{ENDS_FIRST}", systolic_compiler::link::HEADER);
    let run = Command::new(build(&compiler, "ends", &source)).output().expect("the program starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

const ENDS_FIRST: &str = r#"
#include <cstdio>
#include <vector>
int main() {
    using namespace systolic;
    for (u32 a : {1, 3, 8, 9, 12}) for (u32 b : {1, 2, 8, 9, 11}) for (u32 c : {1, 7, 8, 9, 13}) {
        const u32 count[3] = {a, b, c};
        std::vector<int> seen(a * b * c, 0);
        bool inner = false;
        for (u32 n = 0; n < a * b * c; ++n) {
            const Cell at = ends_first(n, {{a, b, c}});
            bool end = false, is_block = true;
            for (int k = 0; k < 3; ++k) {
                is_block = is_block && at.axis[k] < count[k];
                end = end || (count[k] > 8 && (at.axis[k] == 0 || at.axis[k] + 1 == count[k]));
            }
            if (!is_block || seen[(at.axis[0] * b + at.axis[1]) * c + at.axis[2]]++ > 0 || (end && inner)) {
                std::printf("block %u of %u x %u x %u: %u %u %u\n", n, a, b, c, at.axis[0], at.axis[1], at.axis[2]);
                return 1;
            }
            inner = inner || !end;
        }
    }
    return 0;
}
"#;
