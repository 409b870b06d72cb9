//! Identifiers of the emitted C++: the names of the user where possible.
use crate::model::{Array, Kernel};
use crate::program::{Operation, ValueId};
use crate::schedule::Schedule;
use crate::sorted::SortedSet;
use std::rc::Rc;

/// The identifiers of everything that a program names.
#[derive(Clone)]
pub struct Names {
    pub sizes: Vec<String>,
    pub blocks: Vec<String>,
    pub warps: Vec<String>,
    pub lanes: Vec<String>,
    pub loops: Vec<String>,
    pub parameters: Vec<String>,
    pub constants: Vec<String>,
    pub outputs: Vec<String>,
    values: Rc<[String]>,
}

/// Identifiers that no name of the user may become: keywords of C++, names of CUDA, and names that the emitted text uses.
const TAKEN: &[&str] = &[
    "I",
    "wide",
    "p",
    "lane",
    "warp",
    "step",
    "memory",
    "body",
    "Params",
    "cell",
    "from",
    "to",
    "at",
    "then",
    "last",
    "end",
    "first",
    "stop",
    "chunk",
    "buffer",
    "piece",
    "other",
    "bring",
    "streams",
    "b",
    "alignas",
    "and",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "not",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "xor",
    "linux",
    "unix",
    "assert",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "low",
    "count",
    "linear",
    "rows",
    "row_bytes",
    "until_end",
    "in_table_row",
    "from_table",
    "half",
    "beside",
    "has_beside",
    "both",
    "Both",
    "lower",
    "upper",
    "choose",
    "f16",
    "bf16",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "min",
    "max",
    "and_",
    "or_",
    "xor_",
    "shl",
    "shr",
    "neg",
    "not_",
    "abs",
    "sqrt",
    "exp",
    "ln",
    "exp2",
    "log2",
    "pow",
    "sin",
    "cos",
    "tan",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "floor",
    "ceil",
    "round",
    "round_even",
    "trunc",
    "fma",
    "cast",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "load",
    "store",
    "shuffle",
    "clamp",
    "wrap",
    "reflect",
    "symmetric",
    "mirrored",
    "quotient",
    "remainder",
    "machine",
    "systolic",
    "zero",
    "least",
    "until",
    "veiled",
    "greatest",
    "of_bits",
    "to_bits",
    "Wide",
    "Access",
    "Unsigned",
    "same",
    "narrow",
    "widen",
    "whole",
    "extended",
    "add_either",
    "block_at",
    "ticket_at",
    "wait_for",
    "publish",
    "load_far",
    "launch",
    "counter",
    "flags",
    "order",
    "NULL",
    "EOF",
    "INFINITY",
    "NAN",
];

impl Names {
    pub fn new(kernel: &Kernel, program: &Schedule) -> Names {
        let mut taken: SortedSet<String> = TAKEN.iter().map(ToString::to_string).collect();
        let mut take = |text: &str| fresh(text, &mut taken);
        let frame = &program.frame;
        let numbered = |word: &'static str, count: usize| (0..count).map(move |k| format!("{word}_{k}"));
        let sizes = program.sizes.iter().map(|n| take(n)).collect();
        let blocks = frame.blocks.iter().map(|l| take(&l.name)).collect();
        let loops = frame.loops.iter().map(|l| take(&l.name)).collect();
        let parameters = kernel.parameters.iter().map(|p| take(&p.name.text)).collect::<Vec<_>>();
        let constants = kernel.constants.iter().map(|c| take(&c.name.text)).collect();
        let outputs = kernel.outputs.iter().map(|o| take(&o.name.text)).collect();
        let warps = numbered("warp", frame.warps.len()).map(|n| take(&n)).collect();
        let lanes = numbered("lane", frame.lanes.len()).map(|n| take(&n)).collect();
        let values = program.values.iter().enumerate().map(|(k, inst)| {
            let text = match (&inst.name, &inst.operation) {
                (Some(name), _) => instance(name),
                (None, Operation::Load { array: Array::Parameter(p), .. }) => format!("{}_{k}", parameters[*p]),
                _ => format!("v{k}"),
            };
            take(&text)
        });
        let values = values.collect();
        Names { sizes, blocks, warps, lanes, loops, parameters, constants, outputs, values }
    }

    /// The same names, with another one for the time of the innermost loop.
    pub fn at(&self, time: &str) -> Names {
        let mut names = self.clone();
        if let Some(last) = names.loops.last_mut() {
            *last = time.to_string();
        }
        names
    }

    /// The same names, with others for the coordinates of the lane.
    pub fn of_lanes(&self, lanes: Vec<String>) -> Names {
        Names { lanes, ..self.clone() }
    }

    pub fn value(&self, id: ValueId) -> &str {
        &self.values[id.0]
    }
}

/// `Z[-1, 2].3` becomes `Z_m1_2_f3`: the variable, its iteration of the unrolled rows, its register of the fold.
fn instance(name: &str) -> String {
    name.replace("].", "_f").replace(']', "").replace('-', "m").replace(", ", "_").replace('[', "_")
}

/// An unused identifier that resembles this text.
fn fresh(text: &str, taken: &mut SortedSet<String>) -> String {
    let text = text.trim_start_matches("r#");
    let letters = text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' });
    let mut plain: String = letters.collect();
    // C++ reserves names with two underscores, and names that begin with an underscore and a capital.
    while plain.contains("__") {
        plain = plain.replace("__", "_");
    }
    if plain.starts_with(|c: char| c == '_' || c.is_ascii_digit()) || plain.is_empty() {
        plain.insert(0, 'n');
    }
    if is_ours(&plain) {
        plain.push_str("_of");
    }
    if taken.contains(&plain) && is_ours(&format!("{plain}_2")) {
        plain.push_str("_of");
    }
    let mut name = plain.clone();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = if plain.ends_with('_') { format!("{plain}{number}") } else { format!("{plain}_{number}") };
    }
    name
}

/// Whether a name has the form of one that the emitted text uses: `test_3`, `r0_1`, `x_n0`, `x_stride`, `next0_x`.
fn is_ours(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let Some((head, tail)) = name.rsplit_once('_') else { return false };
    const NUMBERED: [&str; 18] = [
        "test", "ring", "row", "face", "box", "table", "low", "high", "extent", "fresh", "together", "extended",
        "stream", "other", "live", "fill", "half", "begun",
    ];
    let numbered = NUMBERED.contains(&head) || head.strip_prefix('r').is_some_and(digits);
    let of_array = tail.strip_prefix(['n', 's']).is_some_and(digits) || tail == "length" || tail == "stride";
    let is_fetched = name.strip_prefix("next").and_then(|rest| rest.split_once('_')).is_some_and(|(k, _)| digits(k));
    numbered && digits(tail) || of_array || is_fetched
}
