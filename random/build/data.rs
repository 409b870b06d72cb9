//! Inputs and outputs of a kernel at a few sizes, as words of 8 bytes.
use systolic_compiler::compile::compile;
use systolic_compiler::evaluate::{Input, Tensor, evaluate, random_inputs};
use systolic_compiler::interpret::work;
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::model::{Int, Kernel, ParameterKind, SizeSource};
use systolic_oracle::few_sizes;

/// The maximum number of values that a run may compute: unusual maps run many places for a few points.
const MOST_WORK: u64 = 500_000;

/// The number of runs, then for each its parameters in order and its outputs. Returns `None` if the kernel has no small
/// sizes.
pub fn runs(lawful: &Lawful, seed: u64) -> Option<Vec<u8>> {
    let kernel = lawful.kernel();
    let program = lawful.maps().first().and_then(|map| compile(kernel, map, Target::Cpu).ok());
    let quick = |sizes: &Vec<Int>| program.as_ref().is_none_or(|p| work(p, sizes).is_some_and(|w| w <= MOST_WORK));
    let sizes: Vec<Vec<Int>> = few_sizes(kernel, &kernel.maps, 400, 3).into_iter().filter(quick).collect();
    let mut words = vec![sizes.len() as u64];
    for sizes in &sizes {
        run(kernel, sizes, seed, &mut words)?;
    }
    (!sizes.is_empty()).then(|| words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn run(kernel: &Kernel, sizes: &[Int], seed: u64, words: &mut Vec<u64>) -> Option<()> {
    let inputs = random_inputs(kernel, sizes, seed);
    for (k, (parameter, input)) in kernel.parameters.iter().zip(&inputs.parameters).enumerate() {
        match (&parameter.kind, input) {
            (ParameterKind::Array { .. }, Input::Array(tensor)) => array(tensor, words),
            (_, Input::Array(tensor)) => words.extend(tensor.values.iter().map(|v| v.bits())),
            (_, Input::Scalar(value)) => words.push(value.bits()),
            (_, Input::Size) => {
                let given =
                    |source: &SizeSource| matches!(source, SizeSource::Parameter { parameter } if *parameter == k);
                let size = kernel.sizes.iter().position(|s| given(&s.source))?;
                words.push(u64::try_from(sizes[size]).ok()?);
            }
        }
    }
    let outputs = evaluate(kernel, sizes, &inputs).ok()?;
    outputs.iter().for_each(|tensor| array(tensor, words));
    Some(())
}

fn array(tensor: &Tensor, words: &mut Vec<u64>) {
    words.extend(tensor.shape.iter().map(|n| *n as u64));
    words.extend(tensor.values.iter().map(|v| v.bits()));
}
