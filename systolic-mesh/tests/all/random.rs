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
use systolic_mesh::pieces::{self, Dimension, Own, Piece};

/// What was seen.
#[derive(Default)]
struct Seen {
    kernels: usize,
    /// Kernels that can be cut along one, two and three axes.
    cut: [usize; 3],
    parts: usize,
    /// Parts with an interior that needs no halo.
    interiors: usize,
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
    let Seen { kernels, cut, parts, interiors } = seen;
    println!(
        "{kernels} kernels, {cut:?} can be cut along 1, 2, 3 axes, {parts} parts compared, {interiors} with an interior"
    );
    // The test is worth something only if enough kernels can be cut.
    assert!(cut[0] as u64 * 5 >= count && cut[1] as u64 * 20 >= count && parts as u64 >= 3 * count, "{cut:?} {parts}");
    assert!(interiors as u64 >= count / 2, "{interiors}");
}

/// The lawful instances of a kernel, without maps.
pub fn instances(text: &str) -> Vec<Lawful> {
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
                let ran = all_parts(kernel, &splits[..axes], &sizes, &parts, &inputs, &whole).map_err(told)?;
                (seen.parts, seen.interiors) = (seen.parts + ran.0, seen.interiors + ran.1);
            }
        }
    }
    Ok(())
}

/// Runs every piece of every part, and returns how many parts there were and how many of them had an interior.
fn all_parts(
    kernel: &Kernel,
    splits: &[runtime::Split],
    sizes: &[Int],
    parts: &[usize],
    inputs: &Inputs,
    whole: &[Tensor],
) -> Result<(usize, usize), String> {
    let dimension = |(split, ranks): (&runtime::Split, &usize)| {
        let size = sizes[split.size] as i64;
        Dimension { split: *split, size, ranks: *ranks }
    };
    let dimensions: Vec<Dimension> = splits.iter().zip(parts).map(dimension).collect();
    let (count, mut interiors) = (parts.iter().product(), 0);
    for number in 0..count {
        let mut rest: usize = number;
        let place = |ranks: &usize| {
            let place = rest % ranks;
            rest /= ranks;
            place
        };
        let place: Vec<usize> = parts.iter().map(place).collect();
        let part = |shape: &[usize]| -> Vec<Range<usize>> {
            let rows = |(axis, length): (usize, &usize)| match parts.get(axis) {
                Some(ranks) => cut::part(*length, *ranks, place[axis]),
                None => 0..*length,
            };
            shape.iter().enumerate().map(rows).collect()
        };
        let outputs: Vec<Vec<Range<usize>>> = whole.iter().map(|out| part(&out.shape)).collect();
        let own = |input: &Input| match input {
            Input::Array(tensor) => {
                tensor.shape.iter().zip(parts).all(|(n, ranks)| n >= ranks).then(|| part(&tensor.shape))
            }
            _ => None,
        };
        let arrays: Vec<&Input> = arrays(kernel).map(|k| &inputs.parameters[k]).collect();
        let own: Vec<Own> = arrays.iter().map(|input| own(input)).collect();
        // A border that a part cannot have is refused at the call.
        let Ok(pieces) = pieces::pieces(&dimensions, &outputs, &own) else { return Ok((0, 0)) };
        if pieces.len() > 1 {
            interiors += 1;
            for (k, (input, own)) in arrays.iter().zip(&own).enumerate() {
                let (Input::Array(tensor), Some(own)) = (input, own) else { continue };
                let wanted = pieces[0].wanted(&dimensions, k, &tensor.shape);
                let is_own = wanted.iter().zip(own).all(|(rows, own)| rows.iter().all(|row| own.contains(row)));
                if !is_own {
                    return Err(format!(
                        "the interior of part {number} reads {wanted:?} of input {k}, which has {own:?}"
                    ));
                }
            }
        }
        let kept = |k: usize| pieces.iter().map(|piece| piece.rows[k].iter().map(Range::len).product::<usize>()).sum();
        for (k, rows) in outputs.iter().enumerate() {
            let (kept, all): (usize, usize) = (kept(k), rows.iter().map(Range::len).product());
            if kept != all {
                return Err(format!("the pieces of part {number} keep {kept} of {all} elements of output {k}"));
            }
        }
        for piece in &pieces {
            let told = |why: String| format!("{piece:?} of part {number}: {why}");
            one_piece(kernel, &dimensions, piece, sizes, inputs, whole).map_err(told)?;
        }
    }
    Ok((count, interiors))
}

/// Runs a piece and compares the rows that it keeps.
fn one_piece(
    kernel: &Kernel,
    dimensions: &[Dimension],
    piece: &Piece,
    sizes: &[Int],
    inputs: &Inputs,
    whole: &[Tensor],
) -> Result<(), String> {
    let (mut local_sizes, mut local) = (sizes.to_vec(), inputs.clone());
    for (of, interval) in dimensions.iter().zip(&piece.intervals) {
        local_sizes[of.split.size] = Int::from(interval.size);
    }
    for (number, k) in arrays(kernel).enumerate() {
        let Input::Array(tensor) = &mut local.parameters[k] else { continue };
        for (axis, rows) in piece.wanted(dimensions, number, &tensor.shape.clone()).iter().enumerate() {
            *tensor = selected(tensor, axis, rows);
        }
    }
    let got = evaluate(kernel, &local_sizes, &local).map_err(|error| format!("{error:?}"))?;
    for (k, (got, whole)) in got.iter().zip(whole).enumerate() {
        let (mut got, mut expected) = (got.clone(), whole.clone());
        let stored = piece.stored(dimensions, k, &whole.shape);
        for (axis, (rows, stored)) in piece.rows[k].iter().zip(stored).enumerate() {
            if got.shape[axis] as i64 != stored.end - stored.start {
                return Err(format!("output {k} has the shape {:?}, expected the rows {stored:?}", got.shape));
            }
            let there: Range<i64> = rows.start as i64 - stored.start..rows.end as i64 - stored.start;
            if !rows.is_empty() && (there.start < 0 || there.end > got.shape[axis] as i64) {
                return Err(format!("there are no rows {there:?} of output {k}"));
            }
            got = selected(&got, axis, &there.map(|row| row as usize).collect::<Vec<_>>());
            expected = selected(&expected, axis, &rows.clone().collect::<Vec<_>>());
        }
        if !got.same_bits(&expected) {
            return Err(format!("output {k} is {got:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// The array parameters, by number.
pub fn arrays(kernel: &Kernel) -> impl Iterator<Item = usize> {
    let is_array = |k: &usize| matches!(kernel.parameters[*k].kind, ParameterKind::Array { .. });
    (0..kernel.parameters.len()).filter(is_array)
}

/// An array of these rows along an axis.
pub fn selected(tensor: &Tensor, axis: usize, rows: &[usize]) -> Tensor {
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
pub fn of_runtime(split: &Split) -> runtime::Split {
    let small = |n: Int| i64::try_from(n).expect("a small number");
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
        inputs: split.inputs.iter().map(|input| input.as_ref().map(along_of_runtime)).collect::<Vec<_>>().leak(),
        outputs: split.outputs.iter().map(along_of_runtime).collect::<Vec<_>>().leak(),
    }
}

/// An axis as the macro emits it.
pub fn along_of_runtime(along: &Along) -> runtime::Along {
    let small = |n: Int| i64::try_from(n).expect("a small number");
    let outside = match along.outside {
        Outside::Nothing => runtime::Outside::Nothing,
        Outside::Value => runtime::Outside::Value,
        Outside::Clamp => runtime::Outside::Clamp,
        Outside::Reflect => runtime::Outside::Reflect,
        Outside::Symmetric => runtime::Outside::Symmetric,
        Outside::Wrap => runtime::Outside::Wrap,
    };
    let [stride, rest, low, high] = [along.stride, along.rest, along.low, along.high].map(small);
    runtime::Along { axis: along.axis, stride, rest, low, high, outside }
}
