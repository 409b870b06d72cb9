//! Finds what to explain: the kernel by name, one of its instances, one of its maps.
use super::Asked;
use crate::kernel::{does_not_compile, fitting, of_instance};
use crate::maps::{cost_sizes, machine, map_of, parse_shown};
use crate::package::Package;
use crate::sources::{Found, find};
use crate::tune::known;
use systolic_compiler::compile::{Which, described};
use systolic_compiler::explain::{self, Picture, explain, is_about_map, refused};
use systolic_compiler::fault::{Fault, nearest};
use systolic_compiler::laws::Lawful;
use systolic_compiler::syntax::tree;
use systolic_compiler::{Checked, check};

/// The picture that the user asks for.
pub fn picture(package: &Package, asked: &Asked) -> Result<Picture, String> {
    let found = find(package, &asked.kernel, asked.file.as_deref())?;
    let checked = check(found.tokens.clone());
    let Some((tree, instances)) = checked.kernels.first() else {
        return refused_picture(package, asked, &found, &checked);
    };
    let lawful = fitting(instances, asked.instance.as_deref())?[0];
    let which = chosen(asked, tree, lawful)?;
    let (map, origin) = map_of(package, tree, lawful, which)?;
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

/// The map that the user names, or the one that `describe` describes.
fn chosen(asked: &Asked, tree: &tree::Kernel, lawful: &Lawful) -> Result<Which, String> {
    let Some(name) = &asked.map else { return Ok(described(None, lawful)) };
    let is_it = |map: &tree::Map| map.name.as_ref().is_some_and(|own| own.text == *name);
    let position = tree.maps.iter().position(is_it).ok_or_else(|| no_map(tree, name))?;
    if !lawful.kernel().has_map(position) {
        return Err(format!("the map `{name}` is not for the instance `{}`", lawful.kernel().instance));
    }
    Ok(Which::Map(position))
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

/// The picture of a refused map. Other faults are errors.
fn refused_picture(package: &Package, asked: &Asked, found: &Found, checked: &Checked) -> Result<Picture, String> {
    let meant = |fault: &&Fault| {
        is_about_map(fault) && asked.map.as_ref().is_none_or(|map| fault.map.as_ref().is_none_or(|of| of == map))
    };
    let about_map = checked.faults.iter().find(meant);
    if let (Some(tree), Some(fault)) = (checked.faulty.first(), about_map)
        && let Some(picture) = refused(tree, fault, &asked.sizes)?
    {
        return Ok(picture);
    }
    Err(does_not_compile(package, found, checked))
}
