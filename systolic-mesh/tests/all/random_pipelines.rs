//! Random kernels whose values are carried along an axis: run by the evaluator as ranks of a pipeline run them, with chunks of several
//! lengths, every part has the bits of the whole.
//!
//! `SYSTOLIC_RANDOM` is the number of kernels, `SYSTOLIC_SEED` the first seed.
use super::random::{along_of_runtime, arrays, instances, of_runtime, selected};
use std::ops::Range;
use systolic::__private as runtime;
use systolic_compiler::evaluate::{Input, Inputs, SplitMix, Tensor, evaluate, random_inputs};
use systolic_compiler::laws::split::{Stored, split};
use systolic_compiler::model::{Form, Int, Kernel, Value};
use systolic_compiler::relay::{Carrying, Relay, relay};
use systolic_compiler::syntax;
use systolic_mesh::cut;
use systolic_mesh::pieces::{self, Dimension, Piece};
use systolic_mesh::pipeline::Pipeline;

const LOOPS: [&str; 3] = ["i", "j", "k"];
const SIZES: [&str; 3] = ["A", "B", "C"];

/// What was seen.
#[derive(Default, Debug)]
struct Seen {
    relays: usize,
    backward: usize,
    /// Relays with chunks, and those whose chunks take values of each other.
    chunks: [usize; 2],
    pieces: usize,
}

#[test]
fn random_kernels_with_carried_values_have_the_bits_of_the_whole_in_every_part() {
    let number =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (first, count) = (number("SYSTOLIC_SEED", 0), number("SYSTOLIC_RANDOM", 150));
    let mut seen = Seen::default();
    for seed in first..first + count {
        let text = if seed % 3 == 0 { systolic_oracle::random_kernel(seed) } else { drawn(seed) };
        let parsed = syntax::parse(text.parse().expect("the text is made of tokens"));
        for tree in &parsed.block.kernels {
            for lawful in instances(&text).iter().filter(|lawful| lawful.kernel().name == tree.name) {
                for axis in 0..2 {
                    let kernel = lawful.kernel();
                    let Ok(relay) =
                        split(kernel, axis).map_or_else(|_| relay(tree, kernel, axis), |_| Err(String::new()))
                    else {
                        continue;
                    };
                    if let Err(why) = judge(kernel, &relay, seed, &mut seen) {
                        panic!("seed {seed}, axis {axis}: {why}\n{text}");
                    }
                }
            }
        }
    }
    println!("{seen:?}");
    // The test is worth something only if enough kernels are pipelines.
    assert!(seen.relays as u64 * 2 >= count && seen.chunks[1] as u64 * 10 >= count, "{seen:?}");
    assert!(seen.backward as u64 * 10 >= count && seen.pieces as u64 >= 20 * count, "{seen:?}");
}

/// A recurrence: every read goes to an earlier point, if loops with the sign -1 run from their end.
fn drawn(seed: u64) -> String {
    let mut random = SplitMix::new(seed ^ 0xca77);
    let mut below = |n: u64| random.below(n) as usize;
    let dims = 1 + below(3);
    let signs: Vec<i64> = (0..dims).map(|_| if below(3) == 0 { -1 } else { 1 }).collect();
    // Along each loop values are carried, or not at all; along the first they are.
    let is_carried: Vec<bool> = (0..dims).map(|d| d == 0 || below(3) > 0).collect();
    let (names, sizes) = (LOOPS[..dims].join(", "), SIZES[..dims].join(", "));
    let (mut body, mut borders) = (String::new(), Vec::new());
    for (v, name) in ["V", "W"].iter().enumerate() {
        let mut value = "3".to_string();
        for _ in 0..1 + below(2) {
            let at: Vec<String> = LOOPS[..dims].iter().map(|l| format!("{l} + {}", below(4) as i64 - 2)).collect();
            value = format!("({value} * x{}[{}])", borders.len(), at.join(", "));
            borders.push(["zero", "clamp", "reflect", "symmetric", "constant(7)"][below(5)]);
        }
        for _ in 0..1 + below(2) {
            let leading = (0..dims).filter(|d| is_carried[*d]).nth(below(2) % dims).unwrap_or(0);
            let mut distance = vec![0; dims];
            for (d, distance) in distance.iter_mut().enumerate().filter(|(d, _)| *d >= leading && is_carried[*d]) {
                *distance = signs[d] * (below(3) as i64 + i64::from(d == leading));
            }
            let outside = distance.iter().enumerate().filter(|(_, e)| **e != 0).map(|(d, e)| match *e > 0 {
                true => format!("{} < {e}", LOOPS[d]),
                false => format!("{} >= {} - {}", LOOPS[d], SIZES[d], -e),
            });
            let outside: Vec<String> = outside.collect();
            let at: Vec<String> = distance.iter().enumerate().map(|(d, e)| format!("{} - {e}", LOOPS[d])).collect();
            let read = ["V", "W"][if v == 0 { 0 } else { below(2) }];
            value += &format!(" + if {} {{ {} }} else {{ {read}[{}] }}", outside.join(" || "), below(9), at.join(", "));
        }
        body += &format!("{name}[{names}] = {value};\n");
    }
    body += &format!("y[{names}] = V[{names}] - W[{names}];\n");
    let mut outputs = format!("y: [i64; {sizes}]");
    if dims > 1 && below(2) == 0 {
        let (l, n, rest) = (LOOPS[dims - 1], SIZES[dims - 1], LOOPS[..dims - 1].join(", "));
        let end = if below(2) == 0 { format!("{l} == 0") } else { format!("{l} == {n} - 1") };
        body += &format!("if {end} {{ z[{rest}] = W[{names}]; }}\n");
        outputs += &format!(", z: [i64; {}]", SIZES[..dims - 1].join(", "));
    }
    let inputs: Vec<String> =
        borders.iter().enumerate().map(|(k, border)| format!("x{k}: [i64; {sizes}] border {border}")).collect();
    let bounds: Vec<String> = (0..dims).map(|d| format!("{} in 0..{}", LOOPS[d], SIZES[d])).collect();
    format!("kernel drawn({}) -> ({outputs}) {{ for {} {{ {body} }} }}", inputs.join(", "), bounds.join(", "))
}

/// Runs a kernel as pipelines of some lengths, and compares the parts with the whole.
fn judge(kernel: &Kernel, relay: &Relay, seed: u64, seen: &mut Seen) -> Result<(), String> {
    seen.relays += 1;
    seen.backward += usize::from(relay.carrying.is_backward);
    if let Some(chunks) = &relay.chunks {
        seen.chunks[0] += 1;
        seen.chunks[1] += usize::from(chunks.carrying.is_some());
    }
    let mut random = SplitMix::new(seed);
    let pipeline = Pipeline { axis: relay.axis, relay: Box::leak(Box::new(relay_of_runtime(relay))) };
    for sizes in systolic_oracle::few_sizes(kernel, &[], 1500, 6) {
        let inputs = random_inputs(kernel, &sizes, seed);
        let Ok(whole) = evaluate(kernel, &sizes, &inputs) else { continue };
        let rows = whole.iter().map(|out| out.shape[relay.axis]).min().unwrap_or(0);
        for _ in 0..3 {
            let (ranks, grain) = (2 + random.below(4) as usize, [1, 5, 30][random.below(3) as usize]);
            if ranks <= rows {
                let told = |why: String| format!("sizes {sizes:?} on {ranks} ranks, grain {grain}: {why}");
                let ranks = Ranks { kernel, relay, pipeline, ranks, grain };
                seen.pieces += ranks.run(&sizes, &inputs, &whole).map_err(told)?;
            }
        }
    }
    Ok(())
}

/// A pipeline of ranks.
struct Ranks<'k> {
    kernel: &'k Kernel,
    relay: &'k Relay,
    pipeline: Pipeline,
    ranks: usize,
    grain: i64,
}

impl Ranks<'_> {
    /// Runs all ranks, one after the other, and returns how many pieces there were.
    fn run(&self, sizes: &[Int], inputs: &Inputs, whole: &[Tensor]) -> Result<usize, String> {
        let axis = self.relay.axis;
        let dimension = |ranks| {
            let split = self.pipeline.relay.split;
            Dimension { split, size: sizes[split.size] as i64, ranks }
        };
        let dimensions: Vec<Dimension> =
            (0..=axis).map(|k| dimension(if k == axis { self.ranks } else { 1 })).collect();
        let shapes: Vec<Vec<usize>> = whole.iter().map(|out| out.shape.clone()).collect();
        let small: Vec<i64> = sizes.iter().map(|size| *size as i64).collect();
        let mut places: Vec<usize> = (0..self.ranks).collect();
        if self.relay.carrying.is_backward {
            places.reverse();
        }
        // What the rank before has given, per chunk.
        let (mut given, mut count): (Vec<Vec<Tensor>>, usize) = (Vec::new(), 0);
        for place in places {
            let part = |shape: &Vec<usize>| -> Vec<Range<usize>> {
                let rows = |(k, n): (usize, &usize)| if k == axis { cut::part(*n, self.ranks, place) } else { 0..*n };
                shape.iter().enumerate().map(rows).collect()
            };
            let rows: Vec<Vec<Range<usize>>> = shapes.iter().map(part).collect();
            let Ok(mut piece) = pieces::undivided(&dimensions, &rows) else { return Ok(0) };
            self.pipeline.extend(&mut piece, &dimensions, place);
            let (mut now, mut held) = (Vec::new(), Vec::new());
            let all = self.pipeline.chunks(piece, &dimensions, (&small, &shapes), self.grain);
            let mut kept = vec![0; whole.len()];
            for (k, piece) in all.iter().enumerate() {
                let windows = self.pipeline.windows(piece, &dimensions[axis], &shapes, place);
                let at = (windows, given.get(k).map_or(&[][..], Vec::as_slice), held.as_slice());
                let (to_give, to_hold) = self
                    .piece(&dimensions, piece, (sizes, inputs, whole), at)
                    .map_err(|why| format!("chunk {k} of {} of part {place}, {windows:?}: {why}", all.len()))?;
                now.push(to_give);
                held = to_hold;
                for (kept, rows) in kept.iter_mut().zip(&piece.rows) {
                    *kept += rows.iter().map(Range::len).product::<usize>();
                }
            }
            let expected: Vec<usize> = rows.iter().map(|rows| rows.iter().map(Range::len).product()).collect();
            if kept != expected {
                return Err(format!("part {place} keeps {kept:?} of {expected:?} elements"));
            }
            (given, count) = (now, count + all.len());
        }
        Ok(count)
    }

    /// Runs a piece, compares the rows that it keeps, and returns what it gives and what it holds.
    fn piece(
        &self,
        dimensions: &[Dimension],
        piece: &Piece,
        (sizes, inputs, whole): (&[Int], &Inputs, &[Tensor]),
        (windows, taken, held): ([usize; 4], &[Tensor], &[Tensor]),
    ) -> Result<(Vec<Tensor>, Vec<Tensor>), String> {
        let (mut local_sizes, mut local) = (sizes.to_vec(), inputs.clone());
        let axis = self.relay.axis;
        local_sizes[dimensions[axis].split.size] = Int::from(piece.intervals[axis].size);
        if let Some(chunk) = &piece.chunk {
            local_sizes[chunk.how.split.size] = Int::from(chunk.interval.size);
        }
        for (number, k) in arrays(self.kernel).enumerate() {
            let Input::Array(tensor) = &mut local.parameters[k] else { continue };
            for (axis, rows) in piece.wanted(dimensions, number, &tensor.shape.clone()).iter().enumerate() {
                *tensor = selected(tensor, axis, rows);
            }
        }
        let chunks = self.relay.chunks.as_ref().and_then(|chunks| chunks.carrying.as_ref());
        let both = [(Some(&self.relay.carrying), taken, &windows[..2]), (chunks, held, &windows[2..])];
        let small: Vec<i64> = sizes.iter().map(|size| *size as i64).collect();
        let mut lengths = Vec::new();
        for (number, (carrying, carried, windows)) in both.into_iter().enumerate() {
            let Some(carrying) = carrying else { continue };
            for (k, of) in carrying.carried.iter().enumerate() {
                let shape = match number {
                    0 => self.pipeline.shape(k, piece, dimensions, &small),
                    _ => self.pipeline.held_shape(k, piece, dimensions, &small),
                };
                // A value that nothing may depend on.
                let poison = Value::from_i64(77, of.ty).unwrap_or(Value::zero(of.ty));
                let empty = Tensor { values: vec![poison; shape.iter().product()], shape: shape.clone() };
                let tensor = carried.get(k).cloned().unwrap_or(empty);
                if tensor.shape != shape {
                    return Err(format!("array {k} has the shape {:?}, expected {shape:?}", tensor.shape));
                }
                local.parameters.push(Input::Array(tensor));
            }
            local.parameters.extend([Input::Size, Input::Size]);
            local_sizes.extend(windows.iter().map(|window| *window as Int));
            lengths.push(carrying.carried.len());
        }
        let kernel = self.relay.lawful.kernel();
        let mut got = evaluate(kernel, &local_sizes, &local).map_err(|error| format!("{error:?}"))?;
        let mut carried = got.split_off(whole.len());
        for (k, (got, whole)) in got.into_iter().zip(whole).enumerate() {
            let (mut got, mut expected) = (got, whole.clone());
            for (axis, (rows, stored)) in
                piece.rows[k].iter().zip(piece.stored(dimensions, k, &whole.shape)).enumerate()
            {
                let there = rows.clone().map(|row| (row as i64 - stored.start) as usize).collect::<Vec<_>>();
                if there.iter().any(|row| *row >= got.shape[axis]) {
                    return Err(format!("there are no rows {there:?} of output {k}"));
                }
                got = selected(&got, axis, &there);
                expected = selected(&expected, axis, &rows.clone().collect::<Vec<_>>());
            }
            if !got.same_bits(&expected) {
                return Err(format!("output {k} is {got:?}, expected {expected:?}"));
            }
        }
        let held = carried.split_off(lengths[0]);
        Ok((carried, held))
    }
}

/// The data as the macro emits it.
fn relay_of_runtime(relay: &Relay) -> runtime::Relay {
    let chunks = relay.chunks.as_ref().map(|chunks| {
        let stored = chunks.chunked.stored.iter().map(|stored| match stored {
            Stored::Rows(along) => runtime::Stored::Rows(along_of_runtime(along)),
            Stored::First => runtime::Stored::First,
            Stored::Last => runtime::Stored::Last,
        });
        runtime::Chunks {
            split: of_runtime(&chunks.chunked.split),
            stored: stored.collect::<Vec<_>>().leak(),
            least: chunks.chunked.least as i64,
            carrying: chunks.carrying.as_ref().map(carrying_of_runtime),
        }
    });
    runtime::Relay { split: of_runtime(&relay.split), carrying: carrying_of_runtime(&relay.carrying), chunks }
}

fn carrying_of_runtime(carrying: &Carrying) -> runtime::Carrying {
    let form = |form: &Form| runtime::Form::new(form.coefs.clone().leak(), form.constant);
    let carried = carrying.carried.iter().map(|carried| {
        let lengths: &'static [runtime::Form] = carried.lengths.iter().map(form).collect::<Vec<_>>().leak();
        lengths
    });
    runtime::Carrying {
        is_backward: carrying.is_backward,
        reach: carrying.reach as i64,
        lowest: carrying.lowest as i64,
        carried: carried.collect::<Vec<_>>().leak(),
    }
}
