//! Finds what to explain: the kernel by name, one of its instances, one of its maps.
use super::Asked;
use crate::kernel::{fits, of_instance};
use crate::package::Package;
use crate::tune::{chosen_sizes, known};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use systolic_compiler::compile::{Which, described};
use systolic_compiler::explain::{self, Origin, Picture, explain, is_about_map, refused};
use systolic_compiler::fault::{self, Fault, nearest};
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::{Target, default_map};
use systolic_compiler::model::{Device, Int, Kernel, Loop, Size};
use systolic_compiler::syntax::tree;
use systolic_compiler::target::gpu::JUDGED_ARCHITECTURE;
use systolic_compiler::target::machine_file::{self, Machine};
use systolic_compiler::{Checked, check, emit, fill, link};

/// Points of a call at the sizes that are chosen for the cost.
const MOST_POINTS: Int = 1 << 40;

/// The picture that the user asks for.
pub fn picture(package: &Package, asked: &Asked) -> Result<Picture, String> {
    let (file, tokens) = kernel_tokens(package, &asked.kernel, asked.file.as_deref())?;
    let checked = check(tokens);
    let Some((tree, instances)) = checked.kernels.first() else {
        return refused_picture(package, asked, &file, &checked);
    };
    let fitting =
        |lawful: &&Lawful| asked.instance.as_deref().is_none_or(|words| fits(&lawful.kernel().instance, words));
    let lawful = instances.iter().find(fitting).ok_or_else(|| {
        let all: Vec<String> = instances.iter().map(|lawful| format!("`{}`", lawful.kernel().instance)).collect();
        format!("no instance fits `{}`; there are {}", asked.instance.clone().unwrap_or_default(), all.join(", "))
    })?;
    let (which, map, origin) = chosen_map(package, asked, tree, lawful)?;
    let machine = machine(package)?;
    let key = crate::kernel::key(tree, &lawful.kernel().instance);
    let measured = known(&package.root, &key, tree, which)?;
    let at = match &measured {
        Some(measured) if asked.at.is_empty() => parse_shown(&measured.sizes)?,
        _ => asked.at.clone(),
    };
    let sizes = cost_sizes(lawful.kernel(), &at)?;
    let asked_of = explain::Asked {
        tree: &of_instance(tree, &lawful.kernel().instance, true),
        lawful,
        which,
        map: &map,
        origin,
        sizes: &asked.sizes,
        cost: (&machine.gpu, &sizes),
    };
    let mut picture = explain(&asked_of)?;
    if let Some(cost) = &mut picture.cost {
        cost.machine = machine.name;
        let shown: Vec<String> = cost.sizes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let same = measured.filter(|measured| measured.sizes == shown.join(", "));
        cost.measured = same.map(|measured| (measured.seconds, measured.device));
    }
    Ok(picture)
}

/// The sizes at which the cost is predicted: arrays beyond the caches, and no more points than a GPU computes in seconds.
fn cost_sizes(kernel: &Kernel, named: &BTreeMap<String, Int>) -> Result<Vec<Int>, String> {
    let mut sizes = chosen_sizes(kernel, named, Target::Gpu)?;
    let points = |sizes: &[Int]| {
        let extent = |l: &Loop| l.high.eval(sizes).unwrap_or(1) - l.low.eval(sizes).unwrap_or(0);
        kernel.loops.iter().map(|l| extent(l).max(1)).fold(1, Int::saturating_mul)
    };
    let is_free = |size: &(&Size, &Int)| !named.contains_key(&size.0.name) && *size.1 > 1;
    while points(&sizes) > MOST_POINTS
        && kernel.sizes.iter().zip(&sizes).take(kernel.call_sizes()).any(|size| is_free(&size))
    {
        let all = kernel.sizes.iter().zip(&sizes).take(kernel.call_sizes());
        let half = |size: (&Size, &Int)| (size.0.name.clone(), if is_free(&size) { size.1 / 2 } else { *size.1 });
        let halved: BTreeMap<String, Int> = all.map(half).collect();
        sizes = chosen_sizes(kernel, &halved, Target::Gpu)?;
    }
    Ok(sizes)
}

/// `R=12, C=3000`, as results are kept under.
fn parse_shown(text: &str) -> Result<BTreeMap<String, Int>, String> {
    let words: Vec<String> = text.split(", ").filter(|word| !word.is_empty()).map(String::from).collect();
    crate::tune::parse_sizes(&words)
}

/// The tokens of a kernel, and its file. Only this kernel is checked: others of the package may take long, or have faults.
fn kernel_tokens(package: &Package, name: &str, file: Option<&Path>) -> Result<(PathBuf, TokenStream), String> {
    let mut found: Vec<(PathBuf, TokenStream)> = Vec::new();
    let mut names = Vec::new();
    for call in systolic_build::find(&package.root) {
        for (other, tokens) in kernels(call.text.parse().unwrap_or_default()) {
            if other == name && file.is_none_or(|file| call.file.ends_with(file)) {
                found.push((call.file.clone(), tokens));
            }
            names.push(other);
        }
    }
    match found.len() {
        1 => found.pop().ok_or_else(String::new),
        0 => Err(missing(package, name, names)),
        _ => {
            let files: Vec<String> = found.iter().map(|(file, _)| relative(package, file)).collect();
            Err(format!("there are several kernels `{name}`, in {}: say which by `--file`", files.join(", ")))
        }
    }
}

/// Why there is no such kernel: a near name, all names, or a file that is not Rust.
fn missing(package: &Package, name: &str, mut names: Vec<String>) -> String {
    if let Some(broken) = not_rust(&package.root.join("src")) {
        return format!("there is no kernel `{name}` that can be read: {broken}");
    }
    names.sort();
    names.dedup();
    let near = nearest(name, names.iter().map(String::as_str)).map(|near| format!("; did you mean `{near}`?"));
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let listed = if all.is_empty() { String::new() } else { format!("; there are {}", all.join(", ")) };
    format!("there is no kernel `{name}` in `{}`{}", package.name, near.unwrap_or(listed))
}

/// The first file below a folder that is not made of Rust tokens, and where.
fn not_rust(folder: &Path) -> Option<String> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.into_iter().find_map(|path| {
        if path.is_dir() {
            return not_rust(&path);
        }
        let text = std::fs::read_to_string(&path).ok().filter(|_| path.extension().is_some_and(|e| e == "rs"))?;
        let error = text.parse::<TokenStream>().err()?;
        let at = error.span().start();
        Some(format!("{}:{}:{}: this is not valid Rust", path.display(), at.line, at.column + 1))
    })
}

/// The kernels of a block, by name. A kernel ends with its body.
fn kernels(block: TokenStream) -> Vec<(String, TokenStream)> {
    let tokens: Vec<TokenTree> = block.into_iter().collect();
    let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let named = |part: &[TokenTree]| {
        part.windows(2).find_map(|pair| match pair {
            [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "kernel" => Some(name.to_string()),
            _ => None,
        })
    };
    tokens.split_inclusive(is_body).filter_map(|part| Some((named(part)?, part.iter().cloned().collect()))).collect()
}

/// The map that the user names, or the one that `describe` describes.
fn chosen_map(
    package: &Package,
    asked: &Asked,
    tree: &tree::Kernel,
    lawful: &Lawful,
) -> Result<(Which, LawfulMap, Origin), String> {
    let kernel = lawful.kernel();
    let which = match &asked.map {
        None => described(None, lawful),
        Some(name) => {
            let is_it = |map: &tree::Map| map.name.as_ref().is_some_and(|own| own.text == *name);
            let position = tree.maps.iter().position(is_it).ok_or_else(|| no_map(tree, name))?;
            if !kernel.has_map(position) {
                return Err(format!("the map `{name}` is not for the instance `{}`", kernel.instance));
            }
            Which::Map(position)
        }
    };
    if let Which::Map(position) = which
        && !kernel.open.contains(&position)
    {
        let device = tree.maps.get(position).and_then(|map| map.on).unwrap_or(Device::Gpu);
        let map = lawful.map(position, device).cloned().ok_or("internal error: the map is not there")?;
        return Ok((which, map, Origin::Written));
    }
    let kept = kept_text(package, &emit::key(tree, kernel, which));
    if let Some(map) = kept.and_then(|text| fill::kept(tree, lawful, which, &text)) {
        return Ok((which, map, Origin::Kept));
    }
    match which {
        Which::Map(position) => {
            let map = lawful.map(position, Device::Gpu).cloned();
            Ok((which, map.ok_or("internal error: the map was not completed")?, Origin::Completed))
        }
        Which::Default => {
            let map = default_map(lawful, Target::Gpu);
            let none = "the kernel has no map, and the macro finds none: it runs point by point";
            Ok((which, map.ok_or(none)?, Origin::Rules))
        }
    }
}

fn no_map(tree: &tree::Kernel, name: &str) -> String {
    let names: Vec<&str> =
        tree.maps.iter().filter_map(|map| map.name.as_ref()).map(|name| name.text.as_str()).collect();
    let near = nearest(name, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let listed = if all.is_empty() {
        "; no map of it has a name".to_string()
    } else {
        format!("; there are {}", all.join(", "))
    };
    format!("the kernel `{}` has no map `{name}`{}", tree.name.text, near.unwrap_or(listed))
}

/// The map that a build script has kept for a program, from the newest build.
fn kept_text(package: &Package, key: &str) -> Option<String> {
    let folders = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut newest = None;
    for profile in folders(&package.target) {
        for build in folders(&profile.join("build")) {
            let file = build.join("out").join(link::FOLDER).join(link::map_file(key));
            let Ok(time) = std::fs::metadata(&file).and_then(|data| data.modified()) else { continue };
            newest = newest.max(Some((time, file)));
        }
    }
    let text = std::fs::read_to_string(newest?.1).ok()?;
    // The first line says which machine it is for.
    text.split_once('\n').map(|(_, map)| map.to_string())
}

/// The machine of the cost: measured, if there is a file, or the H200.
fn machine(package: &Package) -> Result<Machine, String> {
    let files = [package.root.join(machine_file::FILE), package.workspace.join(machine_file::FILE)];
    for file in files {
        if let Ok(text) = std::fs::read_to_string(&file) {
            return machine_file::read(&text).map_err(|why| format!("{}: {why}", file.display()));
        }
    }
    Ok(Machine::published(JUDGED_ARCHITECTURE))
}

/// The picture of a refused map. Other faults are errors.
fn refused_picture(package: &Package, asked: &Asked, file: &Path, checked: &Checked) -> Result<Picture, String> {
    let meant = |fault: &&Fault| {
        is_about_map(fault) && asked.map.as_ref().is_none_or(|map| fault.map.as_ref().is_none_or(|of| of == map))
    };
    let about_map = checked.faults.iter().find(meant);
    if let (Some(tree), Some(fault)) = (checked.faulty.first(), about_map)
        && let Some(picture) = refused(tree, fault)
    {
        return Ok(picture);
    }
    let why = checked.faults.first().map(fault::message).unwrap_or_default();
    let place = place(package, &asked.kernel, file).unwrap_or_else(|| relative(package, file));
    Err(format!("the kernel `{}` does not compile\n{place}: {why}", asked.kernel))
}

/// `src/lib.rs:12:9`: where the first fault of a kernel stands in its file.
fn place(package: &Package, kernel: &str, file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let (blocks, _) = systolic_build::find_in(&package.root, &text);
    let all = blocks.into_iter().flat_map(kernels);
    let tokens = all.filter(|(name, _)| name == kernel).map(|(_, tokens)| tokens).next()?;
    let at = check(tokens).faults.first()?.at.start.start();
    Some(format!("{}:{}:{}", relative(package, file), at.line, at.column + 1))
}

fn relative(package: &Package, file: &Path) -> String {
    let root = package.root.canonicalize().unwrap_or_else(|_| package.root.clone());
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}
