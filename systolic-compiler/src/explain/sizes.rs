//! Chooses sizes at which a picture is readable: full lanes, some steps, a few blocks.
use crate::laws::LawfulMap;
use crate::model::{Form, Int, Kernel, Mapping, Node, Places, RowKind};
use crate::target::{gpu, shown};
use std::collections::BTreeMap;
use systolic_sets::{Answer, find_point};

/// The sizes of a call, with those that the user names. The others are chosen so that there are at most `most` places, if
/// possible.
pub fn chosen(
    kernel: &Kernel,
    map: &LawfulMap,
    named: &BTreeMap<String, Int>,
    most: usize,
) -> Result<Vec<Int>, String> {
    let names = known(kernel, named)?;
    let free: Vec<usize> = (0..names.len()).filter(|k| !named.contains_key(names[*k])).collect();
    let (mapping, places) = (map.mapping(), map.places());
    let judge = Judge { kernel: map.kernel(kernel), mapping, places, most: most as Int };
    let mut best: Option<(f64, Vec<Int>)> = None;
    for values in choices(free.len()) {
        let mut sizes: Vec<Int> = names.iter().map(|name| named.get(*name).copied().unwrap_or(1)).collect();
        free.iter().zip(&values).for_each(|(k, value)| sizes[*k] = *value);
        let sizes = with_lengths(kernel, &sizes);
        if kernel.assumptions().holds(&sizes) != Some(true) {
            continue;
        }
        let score = judge.score(&sizes);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, sizes));
        }
    }
    if let Some((_, sizes)) = best {
        return Ok(sizes);
    }
    if free.is_empty() {
        return Err("the kernel does not allow these sizes".to_string());
    }
    match find_point(kernel.sizes.len(), &kernel.assumptions()) {
        Answer::Point(sizes) if named.is_empty() => Ok(sizes),
        _ => Err("no sizes were found that the kernel allows; name all of them by `--size`".to_string()),
    }
}

/// The names of a kernel's sizes. Fails if the user names one that it does not have.
pub fn known<'k>(kernel: &'k Kernel, named: &BTreeMap<String, Int>) -> Result<Vec<&'k str>, String> {
    let names: Vec<&str> = kernel.sizes.iter().take(kernel.call_sizes()).map(|size| size.name.as_str()).collect();
    let Some(unknown) = named.keys().find(|name| !names.contains(&name.as_str())) else { return Ok(names) };
    let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Err(match listed.as_slice() {
        [] => format!("the kernel has no size `{unknown}`; all its loops are constant"),
        listed => format!("the kernel has no size `{unknown}`; its sizes are {}", listed.join(", ")),
    })
}

/// Sizes of a call, and lengths as great as they may be.
pub fn with_lengths(kernel: &Kernel, sizes: &[Int]) -> Vec<Int> {
    let mut sizes = sizes[..kernel.call_sizes()].to_vec();
    let longest: Vec<Int> =
        kernel.lengths().map(|length| length.range.most.eval(&sizes).unwrap_or(length.range.least)).collect();
    sizes.extend(longest);
    sizes
}

/// Combinations of sizes to try, fewer values each where there are many sizes.
fn choices(count: usize) -> Vec<Vec<Int>> {
    let all: [Int; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128];
    let mut stride = 1;
    while (all.len() / stride).saturating_pow(count as u32) > shown::SIZE_CHOICES && stride < all.len() {
        stride += 1;
    }
    let values: Vec<Int> = all.iter().rev().step_by(stride).rev().copied().collect();
    let mut combinations: Vec<Vec<Int>> = vec![Vec::new()];
    for _ in 0..count {
        combinations =
            combinations.iter().flat_map(|c| values.iter().map(|v| [c.as_slice(), &[*v]].concat())).collect();
    }
    combinations
}

/// Judges sizes by the picture that they give.
struct Judge<'k> {
    kernel: &'k Kernel,
    mapping: &'k Mapping,
    places: &'k Places,
    /// The most places of a picture.
    most: Int,
}

impl Judge<'_> {
    /// Higher is better.
    fn score(&self, sizes: &[Int]) -> f64 {
        let nodes = self.extents(sizes);
        let row = |kind: RowKind| {
            let extent = |coefs: &[Int]| {
                let along = coefs.iter().zip(&self.mapping.leaves).map(|(c, leaf)| c.abs() * (nodes[*leaf] - 1).max(0));
                along.sum::<Int>() + 1
            };
            self.places.of_kind(kind).map(|row| extent(&row.coefs)).fold(1, Int::saturating_mul)
        };
        let points: Int = self.mapping.leaves.iter().map(|leaf| nodes[*leaf].max(0)).fold(1, Int::saturating_mul);
        let most = self.most;
        let (lanes, steps, blocks) = (row(RowKind::Lane), row(RowKind::Time), row(RowKind::Block));
        let lanes = (lanes as f64 / (gpu::LANES * self.mapping.fold) as f64).min(1.0);
        let enough =
            (steps.min(shown::STEPS) as f64 / shown::STEPS as f64) - (steps - shown::STEPS).max(0) as f64 / 100.0;
        let several = [0.0, 0.0, 1.0, 1.0][blocks.clamp(0, 3) as usize] - (blocks - shown::BLOCKS).max(0) as f64 / 4.0;
        let warps = (row(RowKind::Warp).min(2) - 1) as f64;
        let too_many = ((points - most).max(0) as f64 / most as f64).min(1e6);
        let full = |(n, node): (usize, &Node)| {
            node.tile.as_ref().map(|tile| nodes[n] as f64 / (nodes[tile.outer] * tile.by).max(1) as f64)
        };
        let full: f64 = self.mapping.nodes.iter().enumerate().filter_map(full).product();
        // A loop of one or two iterations shows little.
        let loops = &nodes[..self.kernel.loops.len()];
        let long = loops.iter().map(|n| (*n).clamp(0, shown::LOOP) as f64 / shown::LOOP as f64).sum::<f64>();
        // A size of 1 hides what happens from one row to the next, which matters more than full lanes.
        let small: f64 = sizes[..self.kernel.call_sizes()].iter().map(|n| 4.0 / (*n as f64).powi(2)).sum();
        full + 2.0 * long / loops.len().max(1) as f64 + 4.0 * lanes + 2.0 * enough + several + warps
            - 10.0 * too_many
            - small
            - points as f64 / (4 * most) as f64
    }

    /// How many values every node takes, at most.
    fn extents(&self, sizes: &[Int]) -> Vec<Int> {
        let mut nodes = vec![1; self.mapping.nodes.len()];
        let value = |form: &Form| form.eval(sizes).unwrap_or(0);
        for (k, node) in nodes.iter_mut().enumerate().take(self.kernel.loops.len()) {
            *node = value(&self.places.beyond(self.kernel, k)) - value(&self.places.least(self.kernel, k));
        }
        for n in 0..nodes.len() {
            if let Some(tile) = &self.mapping.nodes[n].tile {
                nodes[tile.outer] = (nodes[n] + tile.by - 1).div_euclid(tile.by);
                nodes[tile.inner] = nodes[n].min(tile.by) + tile.before + tile.after;
            }
        }
        nodes
    }
}
