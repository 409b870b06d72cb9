//! The sources of a program that measures candidates: each is a module with the kernel and one map, and `main` runs one of them.
use super::candidates::Candidate;
use crate::kernel::{arguments, rust_type};
use systolic_compiler::mapping::Target;
use systolic_compiler::model::{Int, Kernel, ParameterKind};
use systolic_compiler::syntax::{self, tree};

/// The module of the kernel without a map, against which others are compared.
pub const PLAIN: &str = "plain";

/// The module of a candidate.
pub fn module(candidate: usize) -> String {
    format!("c{candidate}")
}

/// The file of a module.
pub fn file(module: &str) -> String {
    format!("{module}.rs")
}

/// All sources, by name and text. The tree has one instance and no map. The last of the sizes is the one that is timed.
pub fn sources(
    tree: &tree::Kernel,
    kernel: &Kernel,
    target: Target,
    sizes: &[Vec<Int>],
    candidates: &[(usize, &Candidate)],
) -> Vec<(String, String)> {
    let block = |map: Option<&tree::Map>| {
        let public = tree::Kernel { visibility: "pub".parse().unwrap_or_default(), ..tree.clone() };
        let kernel = tree::Kernel { maps: map.into_iter().cloned().collect(), ..public };
        // A map that cannot be compiled would run point by point; that is no candidate, but no error either.
        format!("systolic::systolic! {{\n#[allow(point_by_point)]\n{}}}\n", syntax::print_kernel(&kernel))
    };
    let mut files = vec![(file("support"), include_str!("support.rs").to_string()), (file(PLAIN), block(None))];
    for (k, candidate) in candidates {
        files.push((file(&module(*k)), block(candidate.map.as_ref())));
    }
    files.push((file("main"), main(tree, kernel, target, sizes, candidates)));
    files
}

fn main(
    tree: &tree::Kernel,
    kernel: &Kernel,
    target: Target,
    sizes: &[Vec<Int>],
    candidates: &[(usize, &Candidate)],
) -> String {
    let ty = format!("{}{}", tree.name.text, arguments(&kernel.instance));
    let modules: String = candidates.iter().map(|(k, _)| format!("mod {};\n", module(*k))).collect();
    let arms: String =
        candidates.iter().map(|(k, _)| format!("        {k} => measure!({}::{ty}),\n", module(*k))).collect();
    let call = Call::new(kernel, sizes);
    let (timed, device) = match target {
        Target::Cpu => (call.on_cpu(), "systolic::Cpu"),
        Target::Gpu => (call.on_gpu(), "systolic::Gpu::new(0).map_err(said)?"),
    };
    let Call { inputs, arguments, names, sets, .. } = &call;
    let (found, compared) = (call.found(), call.compared());
    format!(
        "#![allow(warnings)]\n{modules}mod {PLAIN};\nmod support;\nuse support::*;\n\n\
         fn said(why: systolic::Error) -> String {{\n    why.to_string()\n}}\n\n\
         macro_rules! measure {{ ($kernel:ty) => {{ (|| -> Result<f64, String> {{\n    \
         type Kernel = $kernel;\n    type Plain = {PLAIN}::{ty};\n    let device = {device};\n    let mut verified = false;\n    \
         for at in 0..{sets} {{\n        let is_last = at + 1 == {sets};\n{inputs}        \
         let expected = if is_last && verified {{ Plain::run(&systolic::Cpu, {arguments}) }} else {{ Plain::reference({arguments}) }};\n        \
         let expected = match expected {{\n            Ok(expected) => expected,\n            \
         // Sizes that are too small for the kernel.\n            \
         Err(_) if !is_last => continue,\n            Err(why) => return Err(said(why)),\n        }};\n        \
         let {names} = expected;\n{found}{compared}        verified = true;\n        if !is_last {{\n            continue;\n        }}\n\
         {timed}    }}\n    Err(\"it was not measured\".to_string())\n}})() }} }}\n\n\
         fn main() {{\n    let candidate: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);\n    \
         let result = match candidate {{\n{arms}        _ => Err(\"there is no such candidate\".to_string()),\n    }};\n    \
         report(candidate, result);\n}}\n"
    )
}

/// The words of a call of the kernel.
struct Call {
    /// Statements that make the inputs at the sizes number `at`.
    inputs: String,
    /// `&x, &w, a`
    arguments: String,
    /// The same for a launch, with arrays on the GPU.
    there: String,
    uploads: String,
    /// `expected_y`, or `(expected_y, expected_z)`.
    names: String,
    outputs: Vec<String>,
    /// Those of the outputs that are scalars.
    scalars: Vec<String>,
    sets: usize,
}

impl Call {
    fn new(kernel: &Kernel, sizes: &[Vec<Int>]) -> Call {
        let (mut inputs, mut uploads) = (String::new(), String::new());
        let (mut arguments, mut there) = (Vec::new(), Vec::new());
        let shapes = |dims: &dyn Fn(&[Int]) -> Vec<Int>| {
            let shapes: Vec<String> = sizes.iter().map(|sizes| format!("{:?}", dims(sizes))).collect();
            format!("[{}][at]", shapes.join(", "))
        };
        for (k, parameter) in kernel.parameters.iter().enumerate() {
            // Prefixed, since a name may be one of this program.
            let name = format!("in_{}", parameter.name.text);
            let (made, own, other) = match &parameter.kind {
                ParameterKind::Array { ty, dims, lengths, .. } => {
                    let shape = |sizes: &[Int]| dims.iter().map(|form| extent(form.eval(sizes))).collect();
                    uploads += &format!("        let there_{name} = device.upload(&{name}).map_err(said)?;\n");
                    let mut made = array(&ty.to_string(), &shapes(&shape), k);
                    if let Some(range) = lengths {
                        // All items are as long as they may be.
                        let longest = |sizes: &Vec<Int>| extent(range.most.eval(sizes)).to_string();
                        let longest: Vec<String> = sizes.iter().map(longest).collect();
                        made = format!("{made}.mapv(|_| [{}][at] as {ty})", longest.join(", "));
                    }
                    (made, format!("&{name}"), format!("&there_{name}"))
                }
                ParameterKind::Const { ty, dims, .. } => {
                    (array(&ty.to_string(), &shapes(&|_| dims.clone()), k), format!("&{name}"), format!("&{name}"))
                }
                ParameterKind::Scalar { ty } => {
                    (format!("random::<{}>({k}, 0)", rust_type(&ty.to_string())), name.clone(), name.clone())
                }
                ParameterKind::Size => {
                    let number = kernel.sizes.iter().position(|size| size.name == parameter.name.text).unwrap_or(0);
                    let values: Vec<String> =
                        sizes.iter().map(|sizes| extent(sizes.get(number).copied()).to_string()).collect();
                    (format!("[{}][at] as usize", values.join(", ")), name.clone(), name.clone())
                }
            };
            inputs += &format!("        let {name} = {made};\n");
            arguments.push(own);
            there.push(other);
        }
        let outputs: Vec<String> = kernel.outputs.iter().map(|output| output.name.text.clone()).collect();
        Call {
            inputs,
            arguments: arguments.join(", "),
            there: there.join(", "),
            uploads,
            names: tuple(&outputs, "expected_"),
            outputs,
            scalars: kernel.outputs.iter().filter(|o| o.is_scalar).map(|o| o.name.text.clone()).collect(),
            sets: sizes.len(),
        }
    }

    fn found(&self) -> String {
        let names = tuple(&self.outputs, "mut out_");
        format!("        let {names} = Kernel::run(&device, {}).map_err(said)?;\n", self.arguments)
    }

    fn compared(&self) -> String {
        let one = |name: &String| {
            let (expected, found) = (self.array(name, "expected_"), self.array(name, "out_"));
            format!("        same({name:?}, {expected}, {found})?;\n")
        };
        self.outputs.iter().map(one).collect()
    }

    /// A result as an array: a scalar is one element.
    fn array(&self, name: &String, prefix: &str) -> String {
        if self.scalars.contains(name) {
            format!("&systolic::ndarray::arr1(&[{prefix}{name}])")
        } else {
            format!("&{prefix}{name}")
        }
    }

    fn on_cpu(&self) -> String {
        let outputs: String = self.outputs.iter().map(|name| format!(", &mut out_{name}")).collect();
        format!(
            "        return median(&mut |count| {{\n            let started = std::time::Instant::now();\n            \
             for _ in 0..count {{\n                Kernel::run_into(&device, {}{outputs}).map_err(said)?;\n            }}\n            \
             Ok(started.elapsed().as_secs_f64())\n        }});\n",
            self.arguments
        )
    }

    fn on_gpu(&self) -> String {
        let one = |name: &String| {
            format!("        let mut there_{name} = device.upload({}).map_err(said)?;\n", self.array(name, "out_"))
        };
        let rooms: String = self.outputs.iter().map(one).collect();
        let outputs: String = self.outputs.iter().map(|name| format!(", &mut there_{name}")).collect();
        format!(
            "{}{rooms}        let stream = device.stream().map_err(said)?;\n        return median(&mut |count| {{\n            \
             let timed = stream.time(|stream| {{\n                for _ in 0..count {{\n                    \
             Kernel::launch(stream, {}{outputs})?;\n                }}\n                Ok(())\n            }});\n            \
             Ok(timed.map_err(said)?.1.as_secs_f64())\n        }});\n",
            self.uploads, self.there
        )
    }
}

fn tuple(names: &[String], prefix: &str) -> String {
    match names {
        [one] => format!("{prefix}{one}"),
        names => format!("({})", names.iter().map(|name| format!("{prefix}{name}")).collect::<Vec<_>>().join(", ")),
    }
}

fn array(ty: &str, shape: &str, seed: usize) -> String {
    format!("filled::<{}, _>({shape}, {seed})", rust_type(ty))
}

/// A length that a program can allocate; sizes at which it is none are refused by the kernel.
fn extent(value: Option<Int>) -> Int {
    value.unwrap_or(0).max(0)
}
