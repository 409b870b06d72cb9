//! Prints a CUDA program that compares the header of emitted code with `systolic_arith` on a GPU:
//! `cargo run -p systolic-compiler --example header_cases > cases.cu`, then
//! `nvcc -std=c++17 -fmad=false -arch=native cases.cu -o cases && ./cases`.
#[path = "../tests/header/groups.rs"]
mod groups;
#[path = "../tests/header/pools.rs"]
mod pools;
#[path = "../tests/header/programs.rs"]
mod programs;

use std::fmt::Write;

use groups::Groups;

fn main() {
    print!("{}", program(&groups::all(pools::Scale { few: 44, many: 2000, whole: 8 })));
}

/// The program that runs the groups on a GPU and prints which results differ, and how many.
fn program(groups: &Groups) -> String {
    let mut text = programs::opening(groups, include_str!("../tests/header/device.cu"));
    for (k, group) in groups.groups.iter().enumerate() {
        let _ = write!(text, "static const Bits<{}> expected_{k}[] = {{", group.result);
        for case in 0..groups.count(group) {
            let value = (group.expected)(&groups.operands(group, case)).expect("a result");
            let _ = write!(text, "{:#x},", value.bits());
        }
        text += "};\n";
    }
    text += "int main() {\n    wires();\n";
    for (k, group) in groups.groups.iter().enumerate() {
        let (label, operands) = (programs::label(groups, group), programs::operands(groups, group));
        let count = groups.count(group);
        let _ = writeln!(text, "    check<Case{k}>(\"{label}\", {operands}, {count}, expected_{k});");
    }
    text + "    return report();\n}\n"
}
