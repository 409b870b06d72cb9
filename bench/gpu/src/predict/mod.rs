//! Compares the predictions of the compiler's cost model with measured results.
mod source;

use crate::automatic::MAPS;
use crate::standing::{Line, Role, Standing, automatic};
use source::{Source, source};
use std::collections::BTreeMap;
use systolic_compiler::compile::{Which, compile};
use systolic_compiler::cost::{Cost, cost};
use systolic_compiler::emit;
use systolic_compiler::fill::kept;
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::Target;
use systolic_compiler::target::gpu::H200;
use systolic_compiler::{Checked, check};

/// The registers of all kernel entries, found by the build script in their machine code: one `NAME COUNT` per line.
const REGISTERS: &str = include_str!(concat!(env!("OUT_DIR"), "/registers.txt"));
/// A prediction with at most this relative error counts as good.
const CLOSE: f64 = 0.2;

/// One row: measured and predicted.
struct Predicted {
    name: String,
    measured: f64,
    /// The costs of the launches, one after another.
    costs: Vec<Cost>,
    /// Whether no contest of this kind was used when the model was first built.
    is_held_out: bool,
}

impl Predicted {
    /// The predicted time in milliseconds.
    fn time(&self) -> f64 {
        self.costs.iter().map(|cost| cost.time.total * 1e3).sum()
    }

    fn error(&self) -> f64 {
        self.time() / self.measured - 1.0
    }

    /// A text for each launch, joined.
    fn each(&self, what: impl Fn(&Cost) -> String) -> String {
        self.costs.iter().map(what).collect::<Vec<_>>().join(" + ")
    }
}

/// Which maps are predicted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Maps {
    /// Those of the sources.
    Written,
    /// Those that the build script has found for the same kernels without maps.
    Found,
}

/// The tables of all our rows, with summaries: maps of the sources, and maps that were found.
pub fn tables(standings: &[Standing]) -> String {
    format!("{}\n{}", table(standings, Maps::Written), table(standings, Maps::Found))
}

fn table(standings: &[Standing], maps: Maps) -> String {
    let rows = rows(standings, maps);
    let what = if maps == Maps::Written { "predicted" } else { "predicted, automatic" };
    let mut text = format!("## {what}\n\nBy the cost model of the compiler, for {}.\n\n", H200.name);
    text += "| row | measured, ms | predicted, ms | error | roof | registers, predicted | warps | loop |\n";
    text += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for row in &rows {
        let registers = |cost: &Cost| {
            let given = cost.given.map_or(String::from("unknown"), |given| given.to_string());
            format!("{given}, {}", cost.registers)
        };
        text += &format!(
            "| {} | {:.4} | {:.4} | {:+.0} % | {} | {} | {} | {} |\n",
            row.name,
            row.measured,
            row.time(),
            100.0 * row.error(),
            row.each(|cost| cost.time.roof.to_string()),
            row.each(registers),
            row.each(|cost| cost.warps.to_string()),
            row.each(|cost| format!("{:.0}", cost.loop_length)),
        );
    }
    let (held_out, seen): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.is_held_out);
    let all = close(seen.iter().chain(&held_out));
    match maps {
        Maps::Found => text + &format!("\nWithin 20 %: {all}.\n"),
        Maps::Written => {
            let held_out = close(held_out.iter());
            text + &format!("\nWithin 20 %: {all} of all rows, {held_out} of those first held out (8191, 8193, f64).\n")
        }
    }
}

/// Whether a contest with this title has a kernel of ours, with maps and without.
#[cfg(test)]
pub fn is_ours(title: &str) -> bool {
    let costs = |maps| Files::default().costs(&source(title, "ours")?, maps);
    [Maps::Written, Maps::Found].into_iter().all(|maps| costs(maps).is_some())
}

/// The number of good predictions, such as `75 of 89 (84 %)`.
fn close<'r>(rows: impl Iterator<Item = &'r &'r Predicted>) -> String {
    let errors: Vec<f64> = rows.map(|row| row.error().abs()).collect();
    let good = errors.iter().filter(|error| **error <= CLOSE).count();
    format!("{good} of {} ({:.0} %)", errors.len(), 100.0 * good as f64 / errors.len().max(1) as f64)
}

fn rows(standings: &[Standing], maps: Maps) -> Vec<Predicted> {
    let mut files = Files::default();
    let mut rows = Vec::new();
    for standing in standings {
        let ours: Vec<_> = standing.lines.iter().filter(|line| line.role == Role::Ours).collect();
        for line in &ours {
            let title = &standing.subject.title;
            let timed = match maps {
                Maps::Written => Some(*line),
                Maps::Found => standing.lines.iter().find(|other| other.name == automatic(&line.name)),
            };
            let Some(measured) = timed.and_then(Line::time) else { continue };
            let Some(costs) = source(title, &line.name).and_then(|source| files.costs(&source, maps)) else { continue };
            let name = if line.name == "ours" { title.clone() } else { format!("{title}, {}", line.name) };
            let is_held_out = ["8191", "8193", "f64"].iter().any(|word| title.contains(word));
            rows.push(Predicted { name, measured, costs, is_held_out });
        }
    }
    rows
}

/// The files that were read, with their kernels.
#[derive(Default)]
struct Files(BTreeMap<&'static str, Checked>);

impl Files {
    fn costs(&mut self, source: &Source, maps: Maps) -> Option<Vec<Cost>> {
        source.instances.iter().map(|instance| self.cost(source, instance, maps)).collect()
    }

    fn cost(&mut self, source: &Source, instance: &str, maps: Maps) -> Option<Cost> {
        let text = if maps == Maps::Written { source.file.mapped } else { source.file.bare };
        let checked = self.0.entry(text).or_insert_with(|| kernels(text));
        let (tree, instances) = checked.kernels.iter().find(|(tree, _)| tree.name.text == source.kernel)?;
        let lawful = instances.iter().find(|l: &&Lawful| l.kernel().instance.to_string() == instance)?;
        let (key, map) = match maps {
            Maps::Written => {
                let named = |map: &&LawfulMap| map.mapping().name.as_ref().map(|n| n.text.as_str()) == source.map;
                let map = lawful.maps().iter().find(named)?.clone();
                (emit::key(tree, lawful.kernel(), Which::Map(map.mapping().position)), map)
            }
            Maps::Found => {
                let key = emit::key(tree, lawful.kernel(), Which::Default);
                let (_, text) = MAPS.iter().find(|(name, _)| *name == key)?;
                (key, kept(tree, lawful, Which::Default, text)?)
            }
        };
        let program = compile(lawful.kernel(), &map, Target::Gpu).ok()?;
        let sizes: Option<Vec<i128>> =
            program.sizes.iter().map(|name| source.sizes.get(name.as_str()).copied()).collect();
        Some(cost(&H200, lawful.kernel(), &program, &sizes?, registers(&key, program.has_wide())))
    }
}

/// The kernels of a file.
fn kernels(text: &str) -> Checked {
    let block =
        text.split_once("systolic! {").and_then(|(_, rest)| rest.rsplit_once('}')).map_or("", |(block, _)| block);
    block.parse().map(check).unwrap_or_default()
}

/// The registers of the entry that is used for aligned arrays.
fn registers(key: &str, wide: bool) -> Option<usize> {
    let entry = format!("{key}_{}", if wide { "wide" } else { "any" });
    REGISTERS.lines().filter_map(|line| line.split_once(' ')).find(|(name, _)| *name == entry)?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic_compiler::syntax::{text, tree};

    #[test]
    fn without_maps_nothing_else_changes() {
        let titles = [
            "conv1d 5 taps",
            "conv2d 3×3 f32",
            "conv2d 9×9 f32, weights in the kernel",
            "conv2d 3×3 f64",
            "conv2d-same 3×3 f32, wrap",
            "stencil 2d5pt f32",
            "stencil 2d9-box f32",
            "stencil 3d7pt f32",
            "stencil 3d27pt f32",
            "jacobi2d 2 steps f32",
        ];
        for title in titles {
            let file = source(title, "SBM").expect("a kernel").file;
            let texts = |text_of: &dyn Fn(&tree::Kernel) -> String, file| -> Vec<String> {
                kernels(file).kernels.iter().map(|(tree, _)| text_of(tree)).collect()
            };
            let removed = |tree: &tree::Kernel| text(&tree::Kernel { maps: Vec::new(), ..tree.clone() });
            assert_eq!(texts(&removed, file.mapped), texts(&text, file.bare), "{title}");
        }
    }
}
