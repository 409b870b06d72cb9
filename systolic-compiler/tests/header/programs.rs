//! The C++ programs that run the groups: one on this machine, which writes its results, and one for a GPU, which
//! compares them with those written into it.
use std::fmt::Write;

use crate::groups::{Group, Groups};

/// The header under test.
pub const HEADER: &str = include_str!("../../src/emit/cuda/systolic.cuh");

/// Runs the groups on this machine and writes their results to the standard output, eight bytes each.
pub fn on_host(groups: &Groups) -> String {
    let mut text = opening(groups, include_str!("host.cpp"));
    text += "int main() {\n";
    for (k, group) in groups.groups.iter().enumerate() {
        let _ = writeln!(text, "    run<Case{k}>({}, {});", operands(groups, group), groups.count(group));
    }
    text + "    return 0;\n}\n"
}

/// Runs the groups on a GPU, says which results differ, and how many.
pub fn on_device(groups: &Groups) -> String {
    let mut text = opening(groups, include_str!("device.cu"));
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
        let count = groups.count(group);
        let operands = operands(groups, group);
        let _ = writeln!(text, "    check<Case{k}>(\"{}\", {operands}, {count}, expected_{k});", label(groups, group));
    }
    text + "    return report();\n}\n"
}

/// The header, the pools, the groups, and what runs them.
fn opening(groups: &Groups, runner: &str) -> String {
    let mut text = format!("{HEADER}\n#include <cstdio>\n#include <vector>\nusing namespace systolic;\n");
    for pool in &groups.pools {
        let _ = write!(text, "static const std::vector<u64> {} = {{", pool.name);
        pool.values.iter().for_each(|x| drop(write!(text, "{x:#x}ull,")));
        text += "};\n";
    }
    text += "static const std::vector<u64> none = {0};\nnamespace systolic {\n";
    for (k, group) in groups.groups.iter().enumerate() {
        case(&mut text, groups, k, group);
    }
    text + "}\n" + runner
}

/// A group as a type of C++ with one function.
fn case(text: &mut String, groups: &Groups, k: usize, group: &Group) {
    let Group { call, result, .. } = group;
    let _ = writeln!(text, "struct Case{k} {{\n    using Result = {result};");
    let _ = writeln!(text, "    static SYSTOLIC_INLINE u64 run(u64 x, u64 y, u64 z) {{");
    for (name, from, pool) in [("a", "x", 0), ("b", "y", 1), ("c", "z", 2)] {
        let _ = match group.pools.get(pool) {
            Some(&p) => writeln!(text, "        const {0} {name} = of_bits<{0}>({from});", groups.pools[p].ty),
            None => writeln!(text, "        (void){from};"),
        };
    }
    let _ = writeln!(text, "        const Result result = {call};\n        return to_bits(result);\n    }}\n}};");
}

/// The three pools of a group.
fn operands(groups: &Groups, group: &Group) -> String {
    let name = |k| group.pools.get(k).map_or("none", |p| groups.pools[*p].name.as_str());
    format!("{}, {}, {}", name(0), name(1), name(2))
}

/// A group for people.
pub fn label(groups: &Groups, group: &Group) -> String {
    let types: Vec<&str> = group.pools.iter().map(|p| groups.pools[*p].ty.name()).collect();
    format!("{} on {}", group.call, types.join(", "))
}
