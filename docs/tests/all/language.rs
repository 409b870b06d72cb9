//! `docs/language.md`: every example is lawful, every number is the one in the sources.
use crate::text::{blocks, kernels, read};
use systolic_compiler::{check, fault::message};

#[test]
fn every_example_is_lawful() {
    let mut count = 0;
    for block in blocks(&read("docs/language.md")) {
        // Each block of Rust also runs, as a test of the documentation: it must not say otherwise.
        assert!(["rust", "text"].contains(&block.kind.as_str()), "line {}: {}", block.line, block.kind);
        for tokens in kernels(if block.kind == "rust" { &block.text } else { "" }) {
            let checked = check(tokens);
            let faults: Vec<String> = checked.faults.iter().map(message).collect();
            assert!(faults.is_empty(), "the block at line {}:\n{}", block.line, faults.join("\n"));
            count += checked.kernels.len();
        }
    }
    assert!(count > 25, "only {count} kernels found");
}

/// The words of the document, the file and the text in it that fixes the number.
const NUMBERS: [(&str, &str, &str); 24] = [
    ("tile, fold, overlap | 2^40 |", "target/limits.rs", "NUMBER: Int = 1 << 40;"),
    ("coefficient of a loop or size | 2^20 |", "target/limits.rs", "COEFFICIENT: Int = 1 << 20;"),
    ("or a constant of the body | 2^20 |", "target/limits.rs", "CONST_DIMENSION: Int = 1 << 20;"),
    ("run-time size | 2^36 |", "../../systolic-runtime/src/call.rs", "LARGEST_SIZE: i64 = 1 << 36;"),
    ("dimensions of an array | 4 |", "model/rank.rs", "1 to 4 for arrays"),
    ("instances of a kernel | 1024 |", "target/limits.rs", "INSTANCES: usize = 1024;"),
    ("groups inside groups | 128 |", "target/limits.rs", "NESTING: usize = 128;"),
    ("depth of an expression | 512 |", "target/limits.rs", "EXPRESSION_DEPTH: usize = 512;"),
    ("tokens of a block | 200000 |", "target/limits.rs", "TOKENS: usize = 200_000;"),
    ("loops in `blocks` | 3 |", "target/gpu.rs", "GRID_AXES: usize = 3;"),
    ("loops in `launches` | 2 |", "target/limits.rs", "LAUNCH_LOOPS: usize = 2;"),
    ("distances between blocks `in order` | 32 |", "target/limits.rs", "BLOCK_DISPLACEMENTS: usize = 32;"),
    ("blocks `in order` in a launch | 2147483647 |", "../../systolic-runtime/src/order.rs", "MOST: u64 = 1 << 31;"),
    ("lanes; warps of a block | 32 |", "target/gpu.rs", "LANES: Int = 32;"),
    ("lanes; warps of a block | 32 |", "target/gpu.rs", "block_warps: 32,"),
    ("warps in `resident` | 32 |", "target/limits.rs", "RESIDENT: Int = 32;"),
    ("steps in `ahead` | 256 |", "target/limits.rs", "AHEAD: Int = 256;"),
    ("in `shift`, forwards or backwards | 4096 |", "target/limits.rs", "SHIFT: Int = 1 << 12;"),
    ("bytes of parameters passed by value | 4096 |", "target/gpu.rs", "parameter_bytes: 4096,"),
    ("`unroll` and `fold` write out | 4096 |", "target/limits.rs", "BODIES: Int = 4096;"),
    ("waiting values take in a lane | 255 |", "target/gpu.rs", "lane_registers: 255,"),
    ("between warps and for `stage` | 232448 |", "target/gpu.rs", "block_shared_bytes: 232_448,"),
    ("per point of a block, or 262144 | 64 |", "target/limits.rs", "EVALUATIONS_PER_POINT: Int = 64;"),
    ("fewer than 4194304 points | 1073741824 |", "target/limits.rs", "SCRATCH_BYTES: Int = 1 << 30;"),
];

#[test]
fn its_numbers_are_those_of_the_sources() {
    let document = read("docs/language.md");
    for (words, file, text) in NUMBERS {
        assert!(document.contains(words), "the document does not say `{words}`");
        let path = format!("systolic-compiler/src/{file}");
        assert!(read(&path).contains(text), "{path} does not hold `{text}`, as the document says");
    }
    let public = [
        (systolic_compiler::target::limits::NESTING, 128),
        (systolic_compiler::target::limits::EXPRESSION_DEPTH, 512),
        (systolic_compiler::target::limits::TOKENS, 200_000),
    ];
    public.iter().for_each(|(is, says)| assert_eq!(is, says));
    // One row a number: a row that nothing checks would rot.
    let table = document.split("| what | at most |").nth(1).expect("the table of numbers");
    let rows = table.lines().skip(2).take_while(|l| l.starts_with('|')).count();
    assert_eq!(rows + 1, NUMBERS.len());
}

#[test]
fn every_law_is_named() {
    let document = read("docs/language.md");
    for law in systolic_compiler::fault::Law::ALL {
        assert!(document.contains(&format!("`{law}`")), "law {law}");
    }
}

/// The grammar, an example and both tables have every border that is read.
#[test]
fn every_border_is_named() {
    let borders = ["zero", "clamp", "reflect", "symmetric", "wrap", "constant"];
    let file = "systolic-compiler/src/syntax/parse.rs";
    assert!(read(file).contains(&format!("expect_word(&{borders:?}")), "{file} does not read these borders");
    let document = read("docs/language.md");
    let (_, chapter) = document.split_once("\n## Borders\n").expect("the chapter");
    let (chapter, _) = chapter.split_once("\n## ").expect("the next chapter");
    let mode = document.lines().find(|l| l.starts_with("mode ")).expect("the rule");
    for border in borders {
        assert!(mode.contains(&format!("\"{border}\"")), "border {border} in the grammar");
        assert!(chapter.contains(&format!("] border {border}")), "an example of {border}");
        let rows = chapter.lines().filter(|l| l.starts_with(&format!("| `{border}")));
        // Four columns of the meaning, six of the names.
        assert_eq!(rows.map(|l| l.matches('|').count()).collect::<Vec<_>>(), [5, 7], "rows of {border}");
    }
}

#[test]
fn every_clause_function_and_type_is_named() {
    let document = read("docs/language.md");
    for clause in systolic_compiler::syntax::CLAUSES {
        assert!(document.contains(&format!("\"{clause}\"")), "clause {clause} in the grammar");
        assert!(
            blocks(&document).iter().any(|b| b.kind == "rust" && b.text.contains(clause)),
            "an example of {clause}"
        );
    }
    for ty in systolic_compiler::model::Type::ALL {
        assert!(document.contains(&ty.to_string()), "type {ty}");
    }
    for (word, ..) in systolic_compiler::syntax::FUNCTIONS {
        assert!(document.contains(&format!("`{word}(a")), "function {word}");
    }
}

/// When other threads are asked for, and the variable that limits them.
#[test]
fn threads_are_asked_for_when_it_says() {
    let document = read("docs/language.md");
    assert!(document.contains("only after 20 µs") && document.contains("`RAYON_NUM_THREADS`"));
    let source = read("systolic-runtime/src/cpu/launch.rs");
    assert!(source.contains("const SMALL: Duration = Duration::from_micros(20);"));
}
