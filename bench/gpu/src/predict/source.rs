//! Finds the kernel of a row of the results by the row's title: the text of its file, its instance, its map and its
//! sizes.
use std::collections::BTreeMap;

/// The kernel of a row.
#[derive(Debug)]
pub struct Source {
    pub file: File,
    pub kernel: &'static str,
    /// The instances that are launched, one after another, such as `T = f32, P = 3`.
    pub instances: Vec<String>,
    /// The name of the map, if it has one.
    pub map: Option<&'static str>,
    pub sizes: BTreeMap<&'static str, i128>,
}

/// The texts of a file of kernels, with the maps and without.
#[derive(Clone, Copy, Debug)]
pub struct File {
    pub mapped: &'static str,
    pub bare: &'static str,
}

macro_rules! file {
    ($name:literal) => {
        File {
            mapped: include_str!(concat!("../../kernels/", $name, ".rs")),
            bare: include_str!(concat!(env!("OUT_DIR"), "/automatic/", $name, ".rs")),
        }
    };
}

/// The elements of a line, the side of a square and of a cube, as in `families`.
const LINE: i128 = 1 << 26;
const SQUARE: i128 = 8192;
const CUBE: i128 = 512;

/// The kernel of a row with a map, given the title of the contest and the name of the contestant. Returns `None` if the row is
/// not ours.
pub fn source(title: &str, line: &str) -> Option<Source> {
    let words: Vec<&str> = title.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    match *words.first()? {
        "conv1d" => conv1d(words.get(1)?, line),
        "conv2d" => conv2d(&words),
        "conv2d-same" => same(words.last()?),
        "stencil" => stencil(words.get(1)?, words.get(2)?),
        "jacobi2d" => {
            let file = file!("jacobi");
            Some(Source {
                file,
                kernel: "jacobi2d",
                instances: vec![format!("T = {}", words.get(1)?)],
                map: None,
                sizes: square(),
            })
        }
        _ => None,
    }
}

fn square() -> BTreeMap<&'static str, i128> {
    BTreeMap::from([("R", SQUARE), ("C", SQUARE)])
}

fn conv1d(taps: &str, line: &str) -> Option<Source> {
    let kernel = match line {
        "reads, folded" => "reads",
        "FBS" => "fbs",
        "SBM" => "sbm",
        "BSM" => "bsm",
        "BFS" => "bfs",
        "FFS" => "ffs",
        "FSM" => "fsm",
        "FBS, stride 2" => "fbs2",
        _ => return None,
    };
    let sizes = BTreeMap::from([("C", LINE)]);
    Some(Source { file: file!("conv1d"), kernel, instances: vec![format!("Q = {taps}")], map: None, sizes })
}

fn conv2d(words: &[&str]) -> Option<Source> {
    let side = words.get(1)?.split('×').next()?;
    let (file, kernel) = match (*words.get(2)?, words.contains(&"weights"), side) {
        ("f32", false, "19" | "20") => (file!("conv2d"), "rows"),
        ("f32", false, _) => (file!("conv2d"), "conv2d"),
        ("f32", true, "9") => (file!("known"), "nine"),
        ("f32", true, "13") => (file!("known"), "thirteen"),
        ("f32", true, "19") => (file!("known"), "nineteen"),
        ("f32", true, "20") => (file!("known"), "twenty"),
        ("f64", ..) => (file!("types"), "double"),
        ("f16", ..) => (file!("types"), "half"),
        _ => return None,
    };
    let columns = words.iter().position(|word| *word == "wide").and_then(|k| words[k - 1].parse().ok());
    let sizes = BTreeMap::from([("R", SQUARE), ("C", columns.unwrap_or(SQUARE))]);
    let instances = match kernel {
        "rows" => (0..2).map(|part| format!("P = {side}, S = {part}")).collect(),
        _ => vec![format!("P = {side}")],
    };
    Some(Source { file, kernel, instances, map: None, sizes })
}

fn same(border: &str) -> Option<Source> {
    let borders = ["zero", "clamp", "reflect", "symmetric", "wrap", "constant"];
    let kernel = borders.into_iter().find(|name| *name == border)?;
    Some(Source { file: file!("same"), kernel, instances: vec!["P = 3".to_string()], map: None, sizes: square() })
}

fn stencil(name: &str, ty: &str) -> Option<Source> {
    let cube = || BTreeMap::from([("L", CUBE), ("R", CUBE), ("C", CUBE)]);
    let of = |file, kernel, instance: String, sizes| {
        Some(Source { file, kernel, instances: vec![instance], map: None, sizes })
    };
    let typed = format!("T = {ty}");
    let star = |kernel| of(file!("star2d"), kernel, typed.clone(), square());
    let boxes = |side: usize| {
        let kernel = if ty == "f64" { "boxes_f64" } else { "boxes" };
        of(file!("box2d"), kernel, format!("P = {side}"), square())
    };
    match name {
        "2d5pt" => star("star5"),
        "2d9pt" => star("star9"),
        "2d13pt" => star("star13"),
        "2d17pt" => star("star17"),
        "2d21pt" => star("star21"),
        "2ds25pt" => star("star25"),
        "2d9-box" => boxes(3),
        "2d25pt" => boxes(5),
        "2d64pt" => boxes(8),
        "2d81pt" => boxes(9),
        "2d121pt" => boxes(11),
        "3d7pt" => of(file!("star3d"), "star7", typed, cube()),
        "3d13pt" => of(file!("star3d"), "star13", typed, cube()),
        "poisson" => of(file!("star3d"), "poisson", typed, cube()),
        "3d27pt" => of(file!("box3d"), "boxes", format!("{typed}, P = 3"), cube()),
        "3d125pt" => of(file!("box3d"), "boxes", format!("{typed}, P = 5"), cube()),
        _ => None,
    }
}
