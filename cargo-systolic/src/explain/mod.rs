//! `cargo systolic explain KERNEL`: shows what a map makes of the equations, as a page, a picture or text. No GPU is needed.
//!
//! | file | does |
//! | --- | --- |
//! | `subject` | finds the kernel, the instance and the map, and has the compiler make the picture |
//! | `html`, `json`, `page.html` | the page: one file with the picture as data and a script that draws it |
//! | `written` | the text of a refused kernel, with what is refused |
//! | `svg`, `grid` | one block of the picture as a drawing |
//! | `text` | the same for a terminal |
//!
//! The picture is `systolic_compiler::explain::Picture`. The printers decide nothing.
mod grid;
mod html;
mod json;
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
        .arg(option("as", "FORM", "What to write").default_value("html").value_parser(["html", "svg", "text"]))
        .arg(
            option(
                "output",
                "FILE",
                "Where to write it; - is the standard output [default: target/systolic/explain, text to the terminal]",
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
    let picture = subject::picture(&package, &asked)?;
    let number = |name: &str| matches.get_one::<usize>(name).copied().unwrap_or(0);
    let view = view(&picture, number("block"), number("warp") as Int, text("value").as_deref())?;
    let output = matches.get_one::<PathBuf>("output").cloned();
    let written = match text("as").as_deref() {
        Some("text") => text::text(&picture, &view),
        Some("svg") => svg::svg(&picture, &view),
        _ => html::html(&picture, &view)?,
    };
    let ending = if text("as").as_deref() == Some("svg") { "svg" } else { "html" };
    match (output, text("as").as_deref()) {
        (None, Some("text")) => print(&written)?,
        (Some(path), _) if is_standard_output(&path) => print(&written)?,
        (path, _) => {
            let path = match path {
                Some(path) => path,
                None => page_path(&package, &picture, &asked, ending)?,
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
