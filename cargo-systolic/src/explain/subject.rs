//! Finds what to explain: the kernel by name, one of its instances, one of its maps.
use super::written::written;
use super::{Asked, parts};
use crate::kernel::{does_not_compile, fitting, of_instance};
use crate::maps::{cost_sizes, machine, map_of, parse_shown};
use crate::package::Package;
use crate::sources::{Found, find};
use crate::tune::{Known, known, shown_sizes};
use systolic_compiler::compile::{Which, described, which};
use systolic_compiler::explain::{self, Measured, Picture, Refused, explain, is_about_map, refused};
use systolic_compiler::fault::{Fault, nearest};
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::model::Device;
use systolic_compiler::syntax::tree;
use systolic_compiler::{check, prove};

/// The pictures that the user asks for: one, or one per part of a kernel that runs as several.
pub fn pictures(package: &Package, asked: &Asked) -> Result<Vec<Picture>, String> {
    let found = find(package, &asked.kernel, asked.file.as_deref())?;
    let checked = check(found.tokens.clone());
    if let Some((tree, instances)) = checked.kernels.first() {
        return lawful_pictures(package, asked, tree, instances);
    }
    let wrong = || does_not_compile(package, &found, &checked);
    let tree = checked.faulty.first().ok_or_else(wrong)?;
    let Some(name) = &asked.map else {
        return refused_picture(asked, &found, tree, &checked.faults)?.map(|picture| vec![picture]).ok_or_else(wrong);
    };
    // A map says nothing about the others, which may be refused.
    let alone = tree::Kernel { maps: vec![tree.maps[position(tree, name)?].clone()], ..tree.clone() };
    match prove(&alone) {
        Ok(instances) => lawful_pictures(package, asked, &alone, &instances),
        Err(faults) => refused_picture(asked, &found, &alone, &faults)?.map(|picture| vec![picture]).ok_or_else(wrong),
    }
}

/// The pictures of a kernel without a fault.
fn lawful_pictures(
    package: &Package,
    asked: &Asked,
    tree: &tree::Kernel,
    instances: &[Lawful],
) -> Result<Vec<Picture>, String> {
    let lawful = fitting(instances, asked.instance.as_deref())?[0];
    let (which, target) = chosen(asked, tree, lawful)?;
    let machine = machine(package)?;
    let key = crate::kernel::key(tree, &lawful.kernel().instance);
    let measured = known(&package.root, &key, tree, which, target)?;
    let at = match &measured {
        Some(measured) if target == Target::Gpu && asked.at.is_empty() => parse_shown(&measured.sizes)?,
        _ => asked.at.clone(),
    };
    let sizes = cost_sizes(lawful.kernel(), &at)?;
    let of_instance = of_instance(tree, &lawful.kernel().instance, true);
    if which == Which::Default
        && let Some(mut parts) = parts::pictures(package, asked, (tree, lawful, target), (&machine.gpu, &sizes))?
    {
        let together = parts::together(&parts, machine.gpu.timing.launch);
        let shown = shown_sizes(lawful.kernel(), &sizes);
        let known = measured.filter(|known| target == Target::Cpu || known.sizes == shown).map(of_known);
        for picture in &mut parts {
            if let Some(cost) = &mut picture.cost {
                cost.machine = machine.name.clone();
            }
            if let Some(part) = &mut picture.part {
                (part.predicted, part.measured) = (together, known.clone());
            }
        }
        return Ok(parts);
    }
    let (map, origin) = map_of(package, tree, lawful, which, target)?;
    let asked_of = explain::Asked {
        tree: &of_instance,
        lawful,
        which,
        target,
        map: &map,
        origin,
        sizes: &asked.sizes,
        cost: (&machine.gpu, &sizes),
        pictures: 1,
    };
    let mut picture = explain(&asked_of)?;
    if let Some(cost) = &mut picture.cost {
        cost.machine = machine.name;
        let shown = shown_sizes(lawful.kernel(), &sizes);
        let same = measured.filter(|measured| measured.sizes == shown);
        cost.measured = same.map(|measured| (measured.seconds, measured.device));
    } else {
        picture.measured = measured.map(of_known);
    }
    Ok(vec![picture])
}

fn of_known(known: Known) -> Measured {
    Measured { seconds: known.seconds, device: known.device, sizes: known.sizes }
}

/// The map that the user names, or the one that runs on the device that the user names, or the one that `describe` describes; and what
/// its program is for.
fn chosen(asked: &Asked, tree: &tree::Kernel, lawful: &Lawful) -> Result<(Which, Target), String> {
    let target = |device: Option<Device>| if device == Some(Device::Cpu) { Target::Cpu } else { Target::Gpu };
    let device = |position: usize| tree.maps.get(position).and_then(|map| map.on);
    let Some(name) = &asked.map else {
        if let Some(on) = asked.on {
            return Ok((which(None, lawful, on), on));
        }
        let shown = described(None, lawful);
        let device = if let Which::Map(position) = shown { device(position) } else { None };
        return Ok((shown, target(device)));
    };
    let position = position(tree, name)?;
    if !lawful.kernel().has_map(position) {
        return Err(format!("the map `{name}` is not for the instance `{}`", lawful.kernel().instance));
    }
    match (asked.on, device(position)) {
        (Some(on), Some(marked)) if on.device() != marked => Err(format!(
            "the map `{name}` is for the other device: it is marked `on {}`",
            if marked == Device::Cpu { "cpu" } else { "gpu" }
        )),
        (on, marked) => Ok((Which::Map(position), on.unwrap_or_else(|| target(marked)))),
    }
}

/// The position of the map of this name.
fn position(tree: &tree::Kernel, name: &str) -> Result<usize, String> {
    let is_it = |map: &tree::Map| map.name.as_ref().is_some_and(|own| own.text == name);
    tree.maps.iter().position(is_it).ok_or_else(|| no_map(tree, name))
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

/// The picture of a refused map; `None` if no fault is about a map.
fn refused_picture(
    asked: &Asked,
    found: &Found,
    tree: &tree::Kernel,
    faults: &[Fault],
) -> Result<Option<Picture>, String> {
    let Some(fault) = faults.iter().find(|fault| is_about_map(fault)) else { return Ok(None) };
    let mut picture = refused(tree, fault, &asked.sizes)?;
    let unseen = |refused: &&mut Refused| refused.points.iter().all(|point| point.spot.is_none());
    if let Some(refused) = picture.as_mut().and_then(|picture| picture.refused.as_mut()).filter(unseen) {
        refused.written = written(found, fault);
    }
    Ok(picture)
}
