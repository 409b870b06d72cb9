//! A kernel without a map that runs as a series: several launches on a GPU, several passes on a CPU. Each part is a kernel of its own,
//! with a picture of its own.
use super::Asked;
use crate::package::Package;
use crate::series::{Mapped, series};
use systolic_compiler::compile::which;
use systolic_compiler::explain::{self, Part, Picture, explain};
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::model::Int;
use systolic_compiler::series::name;
use systolic_compiler::syntax::tree;
use systolic_compiler::target::Gpu;

/// The pictures of the parts; `None` if the kernel runs as one.
pub fn pictures(
    package: &Package,
    asked: &Asked,
    (tree, lawful, target): (&tree::Kernel, &Lawful, Target),
    cost: (&Gpu, &[Int]),
) -> Result<Option<Vec<Picture>>, String> {
    let Some(Mapped { partition, series, maps }) = series(package, tree, lawful, target) else { return Ok(None) };
    let (kernel, count) = (lawful.kernel(), series.members.len());
    let mut sizes = asked.sizes.clone();
    let mut pictures = Vec::new();
    for (k, (member, (map, origin))) in series.members.iter().zip(&maps).enumerate() {
        let mut picture = explain(&explain::Asked {
            tree: &member.tree,
            lawful: &member.lawful,
            which: which(None, &member.lawful, target),
            target,
            map,
            origin: *origin,
            sizes: &sizes,
            cost,
            pictures: count,
        })?;
        // All parts are drawn at the sizes of the first.
        sizes.extend(picture.sizes.iter().cloned());
        let names = |all: &[usize]| all.iter().map(|k| series.between[*k].name.clone()).collect();
        picture.kernel = kernel.name.text.clone();
        picture.instance = kernel.instance.to_string();
        picture.part = Some(Part {
            number: k + 1,
            count,
            computes: partition[k].iter().map(|node| name(kernel, node).to_string()).collect(),
            takes: names(&member.reads),
            leaves: names(&member.stores),
            word: if target == Target::Cpu { "pass" } else { "launch" },
            predicted: None,
            measured: None,
        });
        pictures.push(picture);
    }
    Ok(Some(pictures))
}

/// What a part is, in a sentence.
pub fn words(part: &Part) -> String {
    let Part { number, count, computes, takes, leaves, word, .. } = part;
    let plural = if *word == "pass" { "passes" } else { "launches" };
    let list = |all: &[String]| all.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "no single map suits all equations, so they run as {count} {plural}, one after another; this is {word} {number}, \
         which computes {}",
        list(computes)
    );
    if !takes.is_empty() {
        text += &format!(", reads {} from before", list(takes));
    }
    if !leaves.is_empty() {
        text += &format!(", and leaves {} in memory for later", list(leaves));
    }
    text + "."
}

/// The predicted time of all launches together, with what each launch after the first takes to begin.
pub fn together(pictures: &[Picture], launch: f64) -> Option<f64> {
    let all = pictures.iter().map(|picture| picture.cost.as_ref().map(|cost| cost.seconds)).sum::<Option<f64>>()?;
    Some(all + launch * (pictures.len() - 1) as f64)
}
