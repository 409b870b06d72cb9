//! Shared by the C++ programs: the header, the pools, and the groups, each as a type with one function.
use std::fmt::Write;

use crate::groups::{Group, Groups};

/// The header under test.
pub const HEADER: &str = include_str!("../../src/emit/cuda/systolic.cuh");

/// The header of kernels that run two blocks as one.
pub const BOTH: &str = include_str!("../../src/emit/cuda/both.cuh");

/// The header, the pools, the groups, and the code that runs them.
pub fn opening(groups: &Groups, runner: &str) -> String {
    let mut text = format!("{HEADER}\n{BOTH}\n#include <cstdio>\n#include <vector>\nusing namespace systolic;\n");
    for pool in &groups.pools {
        let _ = write!(text, "static const std::vector<u64> {} = {{", pool.name);
        for x in &pool.values {
            let _ = write!(text, "{x:#x}ull,");
        }
        text += "};\n";
    }
    text += "static const std::vector<u64> none = {0};\nnamespace systolic {\n";
    for (k, group) in groups.groups.iter().enumerate() {
        case(&mut text, groups, k, group);
    }
    text + "}\n" + runner
}

/// A group as a C++ type with one function.
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
pub fn operands(groups: &Groups, group: &Group) -> String {
    let name = |k: usize| group.pools.get(k).map_or("none", |p| groups.pools[*p].name.as_str());
    format!("{}, {}, {}", name(0), name(1), name(2))
}

/// A readable description of a group.
pub fn label(groups: &Groups, group: &Group) -> String {
    let types: Vec<&str> = group.pools.iter().map(|p| groups.pools[*p].ty.name()).collect();
    format!("{} on {}", group.call, types.join(", "))
}
