//! The sizes at which candidates are measured, and the smaller ones at which they are verified.
use std::collections::BTreeMap;
use systolic_compiler::mapping::Target;
use systolic_compiler::model::{Form, Int, Kernel, ParameterKind};

/// Elements of the largest array where the user names no size: well beyond the caches of a GPU, within a second on a CPU.
const ELEMENTS_GPU: Int = 1 << 26;
const ELEMENTS_CPU: Int = 1 << 22;

/// Points of a call where the user names no size: what either computes in about a second. A product of two matrices with as many
/// elements as above has half as many points on a GPU, and as many on a CPU.
const POINTS_GPU: Int = 1 << 40;
const POINTS_CPU: Int = 1 << 33;

/// The largest sizes at which candidates are held against `reference`: one that no tile divides, and a small one.
const SMALL: [Int; 2] = [101, 13];

/// Bounds on the elements of all arrays of a verification by `reference`, which evaluates point by point.
const MOST_VERIFIED: Int = 1 << 20;

/// Reads `N=8192`.
pub fn parse(words: &[String]) -> Result<BTreeMap<String, Int>, String> {
    let mut sizes = BTreeMap::new();
    for word in words {
        let wrong = || format!("expected a size such as `N=8192`, found `{word}`");
        let (name, value) = word.split_once('=').ok_or_else(wrong)?;
        let value: Int = value.trim().replace('_', "").parse().map_err(|_| wrong())?;
        if !(1..=1 << 36).contains(&value) {
            return Err(format!("a size is from 1 to 2^36, found `{word}`"));
        }
        sizes.insert(name.trim().to_string(), value);
    }
    Ok(sizes)
}

/// The sizes of an instance, in its order: those that the user names, and equal ones for the others.
pub fn chosen(kernel: &Kernel, named: &BTreeMap<String, Int>, target: Target) -> Result<Vec<Int>, String> {
    let names: Vec<&str> = kernel.sizes.iter().take(kernel.call_sizes()).map(|size| size.name.as_str()).collect();
    if let Some(unknown) = named.keys().find(|name| !names.contains(&name.as_str())) {
        let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        return Err(format!("the kernel has no size `{unknown}`; its sizes are {}", listed.join(", ")));
    }
    let (most, most_points) =
        if target == Target::Gpu { (ELEMENTS_GPU, POINTS_GPU) } else { (ELEMENTS_CPU, POINTS_CPU) };
    let with = |free: Int| names.iter().map(|name| named.get(*name).copied().unwrap_or(free)).collect::<Vec<Int>>();
    let mut free = most;
    let is_too_large = |sizes: &[Int]| {
        largest(kernel, sizes).is_none_or(|elements| elements > most) || points(kernel, sizes) > most_points
    };
    while free > 1 && is_too_large(&with_lengths(kernel, with(free))) {
        free /= 2;
    }
    Ok(with_lengths(kernel, with(free)))
}

/// The points of the box around the loops. Bounds that follow other loops are taken at the ends of those.
fn points(kernel: &Kernel, sizes: &[Int]) -> Int {
    let (mut low, mut high) = (sizes.to_vec(), sizes.to_vec());
    let mut product: Int = 1;
    for l in &kernel.loops {
        let ends = |form: &Form| [form.eval(&low), form.eval(&high)].into_iter().flatten().collect::<Vec<Int>>();
        let least = ends(&l.low).into_iter().min().unwrap_or(0);
        let beyond = ends(&l.high).into_iter().max().unwrap_or(1);
        product = product.saturating_mul((beyond - least).max(1));
        low.push(least);
        high.push(beyond - 1);
    }
    product
}

/// Sizes of a call, and lengths as great as they may be.
fn with_lengths(kernel: &Kernel, mut sizes: Vec<Int>) -> Vec<Int> {
    sizes.truncate(kernel.call_sizes());
    let longest: Vec<Int> =
        kernel.lengths().map(|length| length.range.most.eval(&sizes).unwrap_or(length.range.least)).collect();
    sizes.extend(longest);
    sizes
}

/// The sizes of a verification, then those that are timed.
pub fn sets(kernel: &Kernel, timed: &[Int]) -> Vec<Vec<Int>> {
    let small = SMALL.iter().map(|most| timed.iter().map(|size| *size.min(most)).collect::<Vec<Int>>());
    let small = small.map(|sizes| with_lengths(kernel, sizes));
    let fits = |sizes: &Vec<Int>| sizes != timed && largest(kernel, sizes).is_some_and(|n| n <= MOST_VERIFIED);
    let mut sets: Vec<Vec<Int>> = small.filter(fits).collect();
    sets.dedup();
    sets.push(timed.to_vec());
    sets
}

/// `R=100, C=200`
pub fn shown(kernel: &Kernel, sizes: &[Int]) -> String {
    let parts =
        kernel.sizes.iter().take(kernel.call_sizes()).zip(sizes).map(|(size, value)| format!("{}={value}", size.name));
    parts.collect::<Vec<_>>().join(", ")
}

/// The elements of the largest array; `None` if that is no number.
fn largest(kernel: &Kernel, sizes: &[Int]) -> Option<Int> {
    let inputs = kernel.parameters.iter().filter_map(|parameter| match &parameter.kind {
        ParameterKind::Array { dims, .. } => Some(dims),
        _ => None,
    });
    let elements =
        |dims: &Vec<Form>| dims.iter().try_fold(1, |product: Int, form| product.checked_mul(form.eval(sizes)?.max(1)));
    let mut all = inputs.chain(kernel.outputs.iter().map(|output| &output.dims)).map(elements);
    all.try_fold(1, |most: Int, elements| Some(most.max(elements?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic_compiler::check;

    const BLUR: &str = "kernel blur(x: [f32; R + 2, C], w: const [f32; 3], steps: size) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, t in 0..steps { Y[r, c, t] = x[r, c] * w[0]; if t == steps - 1 { y[r, c] = Y[r, c, t]; } } }";

    #[test]
    fn sizes_of_a_kernel() {
        let checked = check(BLUR.parse().expect("tokens"));
        let kernel = checked.kernels[0].1[0].kernel();
        let named = parse(&["R=1_000".to_string(), "steps = 3".to_string()]).expect("sizes");
        let sizes = chosen(kernel, &named, Target::Cpu).expect("sizes");
        assert_eq!(shown(kernel, &sizes), "R=1000, C=4096, steps=3");
        assert_eq!(sets(kernel, &sizes), [vec![101, 101, 3], vec![13, 13, 3], vec![1000, 4096, 3]]);
        assert_eq!(sets(kernel, &[5, 5, 2]), [vec![5, 5, 2]]);
        let why = chosen(kernel, &parse(&["K=1".to_string()]).expect("sizes"), Target::Cpu);
        assert_eq!(why, Err("the kernel has no size `K`; its sizes are `R`, `C`, `steps`".to_string()));
    }

    #[test]
    fn lengths_are_as_great_as_they_may_be() {
        let text = "kernel double(x: [f32; B, N], n: [u32; B] in 0..=N) -> (y: [f32; B, N] rest 0.0) {
            for k in 0..B, i in 0..n[k] { y[k, i] = 2.0 * x[k, i]; } }";
        let checked = check(text.parse().expect("tokens"));
        let kernel = checked.kernels[0].1[0].kernel();
        let named = parse(&["B=8".to_string(), "N=200".to_string()]).expect("sizes");
        let sizes = chosen(kernel, &named, Target::Cpu).expect("sizes");
        assert_eq!((sizes.as_slice(), shown(kernel, &sizes).as_str()), ([8, 200, 200].as_slice(), "B=8, N=200"));
        assert_eq!(sets(kernel, &sizes), [vec![8, 101, 101], vec![8, 13, 13], vec![8, 200, 200]]);
    }

    #[test]
    fn default_sizes_are_affordable() {
        // Short arrays, and a point per pair or triple of elements.
        for (head, loops) in [
            ("kernel pairs(x: [f32; N], y: [f32; M])", "i in 0..N, j in 0..M"),
            ("kernel pairs(x: [f32; N], y: [f32; M])", "i in 0..N, j in 0..M, k in 0..i + 1"),
        ] {
            let names: Vec<&str> = loops.split(", ").map(|l| &l[..1]).collect();
            let (all, zero) = (names.join(", "), names.join(" == 0 && "));
            let text = format!(
                "{head} -> (s: [f32; 1]) {{ for {loops} {{ S[{all}] = x[i] * y[j]; if {zero} == 0 {{ s[0] = S[{all}]; }} }} }}"
            );
            let checked = check(text.parse().expect("tokens"));
            assert!(checked.faults.is_empty(), "{:?}", checked.faults);
            let kernel = checked.kernels[0].1[0].kernel();
            for (target, most) in [(Target::Gpu, POINTS_GPU), (Target::Cpu, POINTS_CPU)] {
                let sizes = chosen(kernel, &BTreeMap::new(), target).expect("sizes");
                let count = points(kernel, &sizes);
                assert!((most / 16..=most).contains(&count), "{count} points at {sizes:?}");
            }
        }
    }

    #[test]
    fn what_is_no_size() {
        for word in ["N", "N=", "N=a", "N=0", "N=-1", "N=99999999999999"] {
            assert!(parse(&[word.to_string()]).is_err(), "{word}");
        }
    }
}
