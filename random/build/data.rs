//! Inputs and outputs of a kernel at a few sizes, as words.
use systolic_compiler::evaluate::{Input, Tensor, evaluate, random_inputs};
use systolic_compiler::model::{Int, Kernel, ParameterKind, SizeSource};
use systolic_oracle::few_sizes;

/// The number of runs, then each: its parameters in order, its outputs. `None` where it has no small sizes.
pub fn runs(kernel: &Kernel, seed: u64) -> Option<Vec<u8>> {
    let sizes = few_sizes(kernel, &kernel.maps, 400, 3);
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
