//! Random kernels in parts: where the compiler says that a kernel can be cut, every part has the bits of the whole, by the
//! evaluator. Half of the kernels are those of the compiler's own random tests, without their maps; the others are stencils with
//! every border, guards at the ends, remainders and chains of variables, most of which can be cut.
//!
//! `SYSTOLIC_RANDOM` is the number of kernels, `SYSTOLIC_SEED` the first seed.
use super::stencil;
use std::ops::Range;
use systolic::__private as runtime;
use systolic_compiler::evaluate::{Input, Inputs, SplitMix, Tensor, evaluate, random_inputs};
use systolic_compiler::laws::split::{Along, Outside, Split, split};
use systolic_compiler::laws::{self, Lawful};
use systolic_compiler::model::{self, Int, Kernel, ParameterKind};
use systolic_compiler::syntax;
use systolic_mesh::cut;

/// What was seen.
#[derive(Default)]
struct Seen {
    kernels: usize,
    /// Kernels that can be cut along one, two and three axes.
    cut: [usize; 3],
    parts: usize,
}

#[test]
fn random_kernels_have_the_bits_of_the_whole_in_every_part() {
    let number =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (first, count) = (number("SYSTOLIC_SEED", 0), number("SYSTOLIC_RANDOM", 300));
    let mut seen = Seen::default();
    for seed in first..first + count {
        let text = if seed % 2 == 0 { stencil::text(seed) } else { systolic_oracle::random_kernel(seed) };
        for lawful in instances(&text) {
            seen.kernels += 1;
            if let Err(why) = judge(lawful.kernel(), seed, &mut seen) {
                panic!("seed {seed}: {why}\n{text}");
            }
        }
    }
    let Seen { kernels, cut, parts } = seen;
    println!("{kernels} kernels, {cut:?} can be cut along 1, 2, 3 axes, {parts} parts compared");
    // The test is worth something only if enough kernels can be cut.
    assert!(cut[0] as u64 * 5 >= count && cut[1] as u64 * 20 >= count && parts as u64 >= 3 * count, "{cut:?} {parts}");
}

/// The lawful instances of a kernel, without maps.
fn instances(text: &str) -> Vec<Lawful> {
    let mut parsed = syntax::parse(text.parse().expect("the text is made of tokens"));
    let mut all = Vec::new();
    for kernel in &mut parsed.block.kernels {
        kernel.maps.clear();
        let resolved = model::resolve(kernel);
        if resolved.faults.is_empty() {
            let each = resolved.kernels.into_iter().zip(resolved.pending);
            all.extend(each.take(3).filter_map(|(kernel, pending)| laws::check(kernel, pending).ok()));
        }
    }
    all
}

/// Cuts a kernel along its leading axes in some ways, and compares the parts with the whole.
fn judge(kernel: &Kernel, seed: u64, seen: &mut Seen) -> Result<(), String> {
    let mut random = SplitMix::new(seed);
    let mut splits = Vec::new();
    for axis in 0..3 {
        let Ok(found) = split(kernel, axis) else { break };
        splits.push(of_runtime(&found));
        seen.cut[axis] += 1;
    }
    if splits.is_empty() {
        return Ok(());
    }
    for sizes in systolic_oracle::few_sizes(kernel, &[], 1500, 6) {
        let inputs = random_inputs(kernel, &sizes, seed);
        let Ok(whole) = evaluate(kernel, &sizes, &inputs) else { continue };
        for _ in 0..3 {
            let axes = 1 + random.below(splits.len() as u64) as usize;
            let parts: Vec<usize> = (0..axes).map(|_| 1 + random.below(5) as usize).collect();
            let rows = |axis: usize| whole.iter().map(|out| out.shape[axis]).min().unwrap_or(0);
            if (0..axes).all(|axis| parts[axis] <= rows(axis)) {
                let told = |why: String| format!("sizes {sizes:?} in {parts:?}: {why}");
                seen.parts += all_parts(kernel, &splits[..axes], &sizes, &parts, &inputs, &whole).map_err(told)?;
            }
        }
    }
    Ok(())
}

/// Runs every part and returns how many there were.
fn all_parts(
    kernel: &Kernel,
    splits: &[runtime::Split],
    sizes: &[Int],
    parts: &[usize],
    inputs: &Inputs,
    whole: &[Tensor],
) -> Result<usize, String> {
    let count = parts.iter().product();
    for number in 0..count {
        let (mut rest, mut local_sizes, mut cuts) = (number, sizes.to_vec(), Vec::new());
        for (axis, split) in splits.iter().enumerate() {
            let place = rest % parts[axis];
            rest /= parts[axis];
            let lengths: Vec<usize> = whole.iter().map(|out| out.shape[axis]).collect();
            let size = sizes[split.size] as i64;
            // A border that a part cannot have is refused at the call.
            let Ok(interval) = cut::interval(split, size, &lengths, parts[axis], place) else { return Ok(0) };
            local_sizes[split.size] = Int::from(interval.size);
            cuts.push((split, interval, place, parts[axis]));
        }
        let local = local_inputs(kernel, inputs, &cuts);
        let got = evaluate(kernel, &local_sizes, &local).map_err(|error| format!("part {number}: {error:?}"))?;
        for (k, (got, whole)) in got.iter().zip(whole).enumerate() {
            let (mut got, mut expected) = (got.clone(), whole.clone());
            for (axis, (split, interval, place, of)) in cuts.iter().enumerate() {
                let rows = cut::part(whole.shape[axis], *of, *place);
                let first = split.outputs[k].stride * interval.begin;
                let there: Range<i64> = rows.start as i64 - first..rows.end as i64 - first;
                if there.start < 0 || there.end > got.shape[axis] as i64 {
                    return Err(format!("part {number} has no rows {there:?} of output {k}"));
                }
                got = selected(&got, axis, &there.map(|row| row as usize).collect::<Vec<_>>());
                expected = selected(&expected, axis, &rows.collect::<Vec<_>>());
            }
            if !got.same_bits(&expected) {
                return Err(format!("part {number} of {cuts:?}: output {k} is {got:?}, expected {expected:?}"));
            }
        }
    }
    Ok(count)
}

type Cut<'s> = (&'s runtime::Split, cut::Interval, usize, usize);

/// The rows of every input that a part reads.
fn local_inputs(kernel: &Kernel, inputs: &Inputs, cuts: &[Cut<'_>]) -> Inputs {
    let mut local = inputs.clone();
    let arrays = kernel.parameters.iter().zip(&mut local.parameters);
    let arrays = arrays.filter(|(parameter, _)| matches!(parameter.kind, ParameterKind::Array { .. }));
    for (k, (_, input)) in arrays.enumerate() {
        let Input::Array(tensor) = input else { continue };
        for (split, interval, _, of) in cuts.iter().filter(|(.., of)| *of > 1) {
            if let Some(along) = &split.inputs[k] {
                debug_assert!(*of > 1);
                let rows = cut::rows(along, tensor.shape[along.axis], *interval);
                *tensor = selected(tensor, along.axis, &rows);
            }
        }
    }
    local
}

/// An array of these rows along an axis.
fn selected(tensor: &Tensor, axis: usize, rows: &[usize]) -> Tensor {
    let inner: usize = tensor.shape[axis + 1..].iter().product();
    let outer: usize = tensor.shape[..axis].iter().product();
    let mut values = Vec::new();
    for o in 0..outer {
        for row in rows {
            let from = (o * tensor.shape[axis] + row) * inner;
            values.extend_from_slice(&tensor.values[from..from + inner]);
        }
    }
    let mut shape = tensor.shape.clone();
    shape[axis] = rows.len();
    Tensor { shape, values }
}

/// The data as the macro emits it.
fn of_runtime(split: &Split) -> runtime::Split {
    let small = |n: Int| i64::try_from(n).expect("a small number");
    let outside = |outside: Outside| match outside {
        Outside::Nothing => runtime::Outside::Nothing,
        Outside::Value => runtime::Outside::Value,
        Outside::Clamp => runtime::Outside::Clamp,
        Outside::Reflect => runtime::Outside::Reflect,
        Outside::Symmetric => runtime::Outside::Symmetric,
        Outside::Wrap => runtime::Outside::Wrap,
    };
    let along = |along: &Along| runtime::Along {
        axis: along.axis,
        stride: small(along.stride),
        rest: small(along.rest),
        low: small(along.low),
        high: small(along.high),
        outside: outside(along.outside),
    };
    runtime::Split {
        size: split.size,
        loop_name: "",
        behind: small(split.behind),
        ahead: small(split.ahead),
        before: small(split.before),
        after: small(split.after),
        modulus: small(split.modulus),
        least: small(split.least),
        fixed: split.fixed.as_ref().map(|_| "a guard"),
        inputs: split.inputs.iter().map(|input| input.as_ref().map(along)).collect::<Vec<_>>().leak(),
        outputs: split.outputs.iter().map(along).collect::<Vec<_>>().leak(),
    }
}
