//! Writes schedules as CUDA C++: one source file per program, with one entry point per kind of access (wide, any alignment,
//! indices of 64 bits). The text includes only `systolic.cuh`.
//!
//! | file | writes |
//! | --- | --- |
//! | `names` | identifiers: the names of the user where possible |
//! | `parameters` | the struct that an entry point takes, with the layout that the runtime fills |
//! | `place` | forms, conditions and bounds |
//! | `value`, `literal` | instructions as expressions |
//! | `idioms` | forms that compile to fewer instructions |
//! | `minus` | operands of `min` and `max`, around a bug of ptxas |
//! | `both` | values of two blocks that run as one |
//! | `body` | loops, steps, barriers, stores |
//! | `sections` | the innermost loop: versions, pipelines, sections |
//! | `loads` | the loads of a step |
//! | `plan` | the launch plan, as Rust |
//! | `series` | the units of a series of launches, and the arrays between them, as Rust |
//! | `origin` | nothing: says which values a line of the text mentions, for tools |
mod body;
mod both;
mod boxes;
mod idioms;
mod literal;
mod loads;
mod minus;
mod names;
#[cfg(feature = "tools")]
mod origin;
mod parameters;
mod place;
mod plan;
mod sections;
#[cfg(feature = "search")]
mod series;
mod streams;
mod text;
mod value;

#[cfg(feature = "tools")]
pub use origin::{Mentions, mentions};
pub use plan::Speed;
#[cfg(feature = "search")]
pub use series::members;

use super::generated::GeneratedType;
use super::key::key;
use crate::compile::{Programs, Which, which};
use crate::laws::Lawful;
use crate::link;
use crate::mapping::Target;
use crate::model::{Argument, Array, Kernel};
use crate::program::Operation;
use crate::schedule::Schedule;
use crate::sorted;
use crate::syntax::tree;
use crate::target::gpu::{COPIES_ARCHITECTURE, HALVES_ARCHITECTURE};
use body::Body;
use idioms::Idioms;
use names::Names;
use text::Text;

/// The CUDA source of one program, and how it is launched.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The name of its files and entry points: the kernel's name and a hash of its text, the map and the instance.
    pub key: String,
    /// The name that people see: `conv2d_rows::<f32, 3, 3>`.
    pub name: String,
    /// CUDA C++.
    pub source: String,
    /// The launch plan: Rust tokens that the macro embeds.
    pub plan: String,
    /// The schedule that both were written from.
    pub program: Schedule,
    /// The map, as text that can be pasted into the kernel, if a search found it.
    pub map: Option<String>,
    /// The arrays of a series, as Rust tokens that the macro embeds, if this is the first of its launches.
    pub series: Option<String>,
    /// Whether it is for other sizes than the program of the same kernel: without it that one runs.
    pub is_variant: bool,
    /// Units of other maps, the next best first, to be taken if the code of this one is bad.
    pub alternatives: Vec<Unit>,
}

impl Unit {
    /// The names and texts of the headers that its source includes.
    pub fn headers(&self) -> &'static [(&'static str, &'static str)] {
        headers(&self.program)
    }

    /// The architecture of its second PTX, if it has one: there it copies from memory to shared memory without waiting, or computes on
    /// halves of registers.
    pub fn later(&self) -> Option<u32> {
        let copies = (self.program.stream_bytes() > 0).then_some(COPIES_ARCHITECTURE);
        self.program.paired.as_ref().map(|_| HALVES_ARCHITECTURE).or(copies)
    }

    /// The architecture of the PTX from which its machine code for an architecture is made, if that is the second one.
    pub fn later_for(&self, architecture: u32) -> Option<u32> {
        self.later().filter(|later| *later <= architecture)
    }
}

/// The headers of a source: the second one is for pairs of blocks.
fn headers(program: &Schedule) -> &'static [(&'static str, &'static str)] {
    if program.paired.is_some() { &link::HEADERS } else { &link::HEADERS[..1] }
}

/// The units of a lawful kernel: one for every instance and every map that a generated type runs on a GPU. A map without a
/// program has no unit; its equations run point by point on the CPU.
pub fn units(tree: &tree::Kernel, instances: &[Lawful], programs: &Programs) -> Vec<Unit> {
    let mut units = Vec::new();
    for lawful in instances {
        let generated_types = GeneratedType::of(tree);
        let mut compiled: Vec<Which> = generated_types
            .iter()
            .filter(|generated| generated.admits(lawful.kernel()))
            .map(|generated| which(generated.map, lawful, Target::Gpu))
            .collect();
        sorted::sort(&mut compiled);
        compiled.dedup();
        for which in compiled {
            units.extend(
                programs
                    .get(lawful, which, Target::Gpu)
                    .ok()
                    .map(|program| unit(tree, lawful.kernel(), which, &program)),
            );
        }
    }
    units
}

/// The unit of one program.
pub fn unit(tree: &tree::Kernel, kernel: &Kernel, which: Which, program: &Schedule) -> Unit {
    unit_as(key(tree, kernel, which), name(tree, kernel, which), kernel, program, None)
}

/// The unit of a variant, or with number 0 of the program that has variants.
pub fn variant(
    tree: &tree::Kernel,
    kernel: &Kernel,
    which: Which,
    number: usize,
    program: &Schedule,
    speed: Speed,
) -> Unit {
    let key = key(tree, kernel, which);
    let key = if number == 0 { key } else { link::variant_key(&key, number) };
    let unit = unit_as(key, name(tree, kernel, which), kernel, program, Some(speed));
    Unit { is_variant: number > 0, ..unit }
}

fn unit_as(key: String, name: String, kernel: &Kernel, program: &Schedule, speed: Option<Speed>) -> Unit {
    let names = Names::new(kernel, program);
    let idioms = Idioms::of(kernel, program);
    let mut text = Text::default();
    text.line(format!("// {name}: written by systolic from its equations and map."));
    headers(program).iter().for_each(|(name, _)| text.line(format!("#include \"{name}\"")));
    text.line("// Not every entry uses every name.");
    text.line("#pragma nv_diag_suppress 177");
    text.line("");
    text.line("namespace systolic {");
    text.line("namespace {");
    text.line("");
    constants(&mut text, kernel, program, &names);
    parameters::declare(&mut text, kernel, program, &names);
    text.line(format!(
        "static_assert(sizeof(Params) == {}, \"as the runtime fills it\");",
        parameters::bytes(kernel, program)
    ));
    text.line("");
    Body { kernel, program, names: &names, idioms: &idioms, has_64_bits: false, is_beside: false }.write(&mut text);
    let differs = program.differs_with_64_bits();
    if differs {
        text.line("");
        text.line("namespace nearer {");
        Body { kernel, program, names: &names, idioms: &idioms, has_64_bits: true, is_beside: false }.write(&mut text);
        text.line("}  // namespace nearer");
    }
    text.line("");
    text.line("}  // namespace");
    let threads = 32 * program.warp_count();
    let mut entry = |suffix: &str, call: String| {
        let least = if suffix == link::WIDE { program.resident_blocks() } else { Some(1) };
        let least = least.map_or(String::new(), |blocks| format!(", {blocks}"));
        text.line("");
        text.line(format!("extern \"C\" __global__ void __launch_bounds__({threads}{least})"));
        text.open(format!("{key}_{suffix}(const __grid_constant__ Params p) {{"));
        text.line(format!("{call}(p);"));
        text.close("}");
    };
    let index = if program.fits_32_bits() { "i32" } else { "i64" };
    if program.has_wide() {
        entry(link::WIDE, format!("body<{index}, true>"));
    }
    entry(link::ANY, format!("body<{index}, false>"));
    entry(link::LONG, if differs { "nearer::body<i64, false>" } else { "body<i64, false>" }.to_string());
    text.line("");
    text.line("}  // namespace systolic");
    let plan = plan::plan(kernel, program, &key, &name, speed);
    let (map, series, is_variant, alternatives) = (None, None, false, Vec::new());
    Unit { key, name, source: text.finish(), plan, program: program.clone(), map, series, is_variant, alternatives }
}

/// Declares the constants that are read at an index which is not a number. Other reads of constants become literals.
fn constants(text: &mut Text, kernel: &Kernel, program: &Schedule, names: &Names) {
    let lines = program.steps().flat_map(|step| &step.lines).map(|l| &l.inst);
    let insts: Vec<_> = program.values.iter().chain(lines).collect();
    for (k, constant) in kernel.constants.iter().enumerate() {
        let is_indexed = insts.iter().any(|m| match &m.operation {
            Operation::Load { array: Array::Constant(c), index } => {
                *c == k && index.iter().any(|f| f.number().is_none())
            }
            Operation::Lookup { array, .. } => *array == Array::Constant(k),
            _ => false,
        });
        if is_indexed {
            let values: Vec<String> = constant.values.iter().map(|v| literal::literal(*v)).collect();
            let (ty, name) = (constant.ty, &names.constants[k]);
            text.line(format!("__constant__ const {ty} {name}[{}] = {{{}}};", values.len(), values.join(", ")));
            text.line("");
        }
    }
}

/// The name of a unit for people: `conv2d_rows::<f32, 3, 3>`.
fn name(tree: &tree::Kernel, kernel: &Kernel, which: Which) -> String {
    let map = match which {
        Which::Map(position) => tree.maps.get(position).and_then(|m| m.name.as_ref()),
        Which::Default => None,
    };
    let ty = map.map_or(tree.name.text.clone(), |map| format!("{}_{}", tree.name.text, map.text));
    let arguments: Vec<String> = kernel.instance.arguments.iter().map(|(_, a)| argument(a)).collect();
    if arguments.is_empty() { ty } else { format!("{ty}::<{}>", arguments.join(", ")) }
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Number(v) => v.to_string(),
        Argument::Type(ty) => ty.to_string(),
    }
}
