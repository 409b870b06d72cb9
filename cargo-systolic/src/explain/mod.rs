//! `cargo systolic explain KERNEL`: shows what a map makes of the equations, as a page, a picture or text. No GPU is needed.
//!
//! | file | does |
//! | --- | --- |
//! | `subject` | finds the kernel, the instance and the map, and has the compiler make the picture |
//! | `html`, `json`, `page.html` | the page: one file with the picture as data and a script that draws it |
//! | `parts` | the pictures of a kernel that runs as several: launches on a GPU, passes on a CPU |
//! | `cut` | shortens a text that is too long for a page |
//! | `written` | the text of a refused kernel, with what is refused |
//! | `palette` | the colour and the shape of everything that carries a value |
//! | `svg`, `grid` | one block of the picture as a drawing |
//! | `text` | the same for a terminal |
//!
//! The picture is `systolic_compiler::explain::Picture`. The printers decide nothing.
mod cut;
mod grid;
mod html;
mod json;
mod palette;
mod parts;
mod subject;
mod svg;
mod text;
mod written;

use crate::End;
use crate::arguments::{self, many, option};
use crate::files::{folder, replace};
use crate::package::Package;
use crate::terminal::{print, say};
use clap::{ArgMatches, Command, value_parser};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use systolic_compiler::explain::Picture;
use systolic_compiler::mapping::Target;
use systolic_compiler::model::Int;

const EXAMPLES: &str = "\
Examples:
  cargo systolic explain blur
      writes target/systolic/explain/blur.html: equations, array, program and cost on one page
  cargo systolic explain conv1d --map wide --instance Q=5 --size C=40
      another map, another instance, a larger picture
  cargo systolic explain blur --on cpu
      the map and the Rust that run on a CPU
  cargo systolic explain conv1d --as text --value 'z[5]'
      which lane computes z[5], at which step, and where its inputs come from
  cargo systolic explain conv1d --as svg --block 1 --output conv1d.svg
      one picture for a paper
  cargo systolic explain conv1d --as code > conv1d.cu
      all of the CUDA, or with --on cpu all of the Rust

The page needs no network and no server. If the map is refused, it shows the points of the counterexample.

Exit codes: 0 done, 1 the map is refused (the page shows why), 2 error.";

/// The options of the command.
pub fn options() -> Command {
    Command::new("explain")
        .about("Shows which lane computes every value, at which step, and what carries it there")
        .after_help(EXAMPLES)
        .arg(arguments::kernel())
        .arg(option("map", "NAME", "The map of this name [default: the first, or the one that the compiler finds]"))
        .arg(
            option("on", "DEVICE", "What runs there: the map and its program [default: as the map is marked, or gpu]")
                .value_parser(["cpu", "gpu"]),
        )
        .arg(option("instance", "T=f32,Q=5", "The instance with these generic arguments [default: the first]"))
        .arg(many("size", "N=40", "A size of the picture; once per size [default: chosen so that it is readable]"))
        .arg(many("at", "N=8192", "A size at which the cost is predicted; once per size [default: large arrays]"))
        .arg(option("value", "z[5]", "The value that is shown first"))
        .arg(
            option("block", "NUMBER", "The block that svg and text show, by number")
                .default_value("0")
                .value_parser(value_parser!(usize)),
        )
        .arg(
            option("warp", "NUMBER", "The warp that svg and text show")
                .default_value("0")
                .value_parser(value_parser!(usize)),
        )
        .arg(
            option("part", "NUMBER", "The launch or pass that is shown first, where a kernel runs as several")
                .value_parser(value_parser!(usize)),
        )
        .arg(option("as", "FORM", "What to write").default_value("html").value_parser(["html", "svg", "text", "code"]))
        .arg(
            option(
                "output",
                "FILE",
                "Where to write it; - is the standard output [default: target/systolic/explain; text and code to the terminal]",
            )
            .short('o')
            .value_parser(value_parser!(PathBuf)),
        )
        .arg(arguments::file())
        .arg(arguments::package())
}

/// What the user asks for.
pub struct Asked {
    pub kernel: String,
    /// The end of the path of its file, if several files have a kernel of this name.
    pub file: Option<PathBuf>,
    pub map: Option<String>,
    /// The device whose program is shown.
    pub on: Option<Target>,
    pub instance: Option<String>,
    pub sizes: BTreeMap<String, Int>,
    pub at: BTreeMap<String, Int>,
}

/// What is shown: one picture, or one per part of a kernel that runs as several.
pub struct Shown {
    pub pictures: Vec<Picture>,
    /// The command that prints the whole code.
    pub command: String,
}

/// The part of a picture that a drawing or a text shows.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub block: usize,
    pub warp: Int,
    /// A statement and a spot, whose inputs are marked.
    pub value: Option<(usize, usize)>,
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let asked = Asked {
        kernel: text("kernel").unwrap_or_default(),
        file: matches.get_one::<PathBuf>("file").cloned(),
        map: text("map"),
        on: text("on").map(|device| if device == "cpu" { Target::Cpu } else { Target::Gpu }),
        instance: text("instance"),
        sizes: arguments::sizes(matches, "size")?,
        at: arguments::sizes(matches, "at")?,
    };
    let package = Package::find_here(text("package").as_deref())?;
    let shown = Shown { pictures: subject::pictures(&package, &asked)?, command: command(&asked) };
    let number = |name: &str| matches.get_one::<usize>(name).copied();
    let place = (number("block").unwrap_or(0), number("warp").unwrap_or(0) as Int);
    let (views, first) = views(&shown.pictures, number("part"), place, text("value").as_deref())?;
    let output = matches.get_one::<PathBuf>("output").cloned();
    let form = text("as").unwrap_or_default();
    // A page has all parts. So have the others, if none is named.
    let all: Vec<(&Picture, View)> = shown.pictures.iter().zip(views.iter().copied()).collect();
    let named = if number("part").is_some() { &all[first..=first] } else { &all[..] };
    let written = match form.as_str() {
        "text" => named.iter().map(|(picture, view)| text::text(picture, view)).collect::<Vec<_>>().join("\n\n"),
        "code" => named.iter().map(|(picture, _)| code(picture)).collect::<Result<Vec<_>, _>>()?.join("\n"),
        "svg" => svg::svg(named),
        _ => html::html(&shown, &views, first)?,
    };
    let picture = &shown.pictures[first];
    let ending = if form == "svg" { "svg" } else { "html" };
    match output {
        None if form == "text" || form == "code" => print(&written)?,
        Some(path) if is_standard_output(&path) => print(&written)?,
        path => {
            let path = match path {
                Some(path) => path,
                None => page_path(&package, picture, &asked, ending)?,
            };
            replace(&path, &written)?;
            print(&format!("{}\n", path.display()))?;
        }
    }
    match &picture.refused {
        Some(refused) => {
            say(&format!("the map is refused: {}", refused.message));
            Ok(End::Not)
        }
        None => Ok(End::Done),
    }
}

/// The emitted text of a picture. Fails if there is none.
fn code(picture: &Picture) -> Result<String, String> {
    if picture.code.is_empty() {
        let why = picture.without_program.clone().unwrap_or_default();
        return Err(format!("`{}` has no code: {why}", picture.kernel));
    }
    Ok(picture.code.iter().map(|line| line.text.clone() + "\n").collect())
}

/// The command that prints the code of what is shown.
fn command(asked: &Asked) -> String {
    let mut words = vec!["cargo systolic explain".to_string(), asked.kernel.clone()];
    words.extend(asked.file.as_ref().map(|file| format!("--file {}", file.display())));
    words.extend(asked.map.as_ref().map(|map| format!("--map {map}")));
    words.extend(asked.on.map(|on| format!("--on {}", if on == Target::Cpu { "cpu" } else { "gpu" })));
    words.extend(asked.instance.as_ref().map(|instance| format!("--instance '{instance}'")));
    words.join(" ") + " --as code"
}

/// Nothing but what was asked for is written there.
fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout"].iter().any(|name| path == Path::new(name))
}

/// The file of a page where the user names none.
fn page_path(package: &Package, picture: &Picture, asked: &Asked, ending: &str) -> Result<PathBuf, String> {
    let pages = package.target.join("systolic").join("explain");
    folder(&pages)?;
    let instance = asked.instance.as_ref().map(|_| picture.instance.replace(' ', ""));
    let device = asked.on.map(|on| if on == Target::Cpu { "cpu".to_string() } else { "gpu".to_string() });
    let named = [Some(picture.kernel.clone()), picture.map.name.clone(), instance, device];
    let name = named.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    Ok(pages.join(format!("{name}.{ending}")))
}

/// The view of every part, and the part that is shown first: the one that the user names, or the one that computes the value. Fails if
/// there is none.
fn views(
    pictures: &[Picture],
    part: Option<usize>,
    (block, warp): (usize, Int),
    value: Option<&str>,
) -> Result<(Vec<View>, usize), String> {
    let count = pictures.len();
    if let Some(part) = part.filter(|part| !(1..=count).contains(part)) {
        return Err(match pictures.first().and_then(|picture| picture.part.as_ref()) {
            None => format!("the kernel runs as one, there is no part {part}"),
            Some(shown) => format!("the kernel runs as {count} parts, there is no {} {part}", shown.word),
        });
    }
    let of_value = |value: &str| {
        let found = |picture: &Picture| picture.find(value).is_ok_and(|found| !found.is_empty());
        pictures.iter().position(found).or_else(|| pictures.iter().position(|picture| picture.find(value).is_ok()))
    };
    let first = part.map(|part| part - 1).or_else(|| of_value(value?)).unwrap_or(0);
    let default = View { block: 0, warp: 0, value: None };
    let mut views = Vec::new();
    for (k, picture) in pictures.iter().enumerate() {
        views.push(match k == first {
            true => view(picture, block, warp, value)?,
            false => view(picture, 0, 0, None).unwrap_or(default),
        });
    }
    Ok((views, first))
}

/// The part of the picture that is shown first. Fails if there is no such value, block or warp.
fn view(picture: &Picture, block: usize, warp: Int, value: Option<&str>) -> Result<View, String> {
    if block >= picture.blocks.len().max(1) {
        return Err(format!("the picture has {} blocks, there is no block {block}", picture.blocks.len()));
    }
    if warp >= picture.warps.max(1) {
        return Err(format!("a block has {} warps, there is no warp {warp}", picture.warps));
    }
    let marked = picture.refused.as_ref().and_then(|refused| refused.points.first()?.spot);
    if let Some(spot) = marked.filter(|_| value.is_none()) {
        let place = &picture.spots[spot];
        let value = place.statements.last().map(|statement| (*statement, spot));
        return Ok(View { block: place.block, warp: place.warp, value });
    }
    let Some(text) = value else {
        let here =
            |(_, spot): &(usize, usize)| picture.spots[*spot].block == block && picture.spots[*spot].warp == warp;
        return Ok(View { block, warp, value: picture.first().filter(here) });
    };
    let found = picture.find(text)?;
    let Some((statement, spot)) = found.first().copied() else {
        return Err(format!(
            "the picture has no `{text}` at these sizes; it has, for example, `{}`",
            picture.example()
        ));
    };
    let place = &picture.spots[spot];
    Ok(View { block: place.block, warp: place.warp, value: Some((statement, spot)) })
}
