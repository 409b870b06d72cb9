//! A kernel of the user's package: found by name, parsed and proved.
use crate::package::Package;
use crate::sources::{self, Found, relative};
use std::path::{Path, PathBuf};
use systolic_compiler::fault;
use systolic_compiler::laws::Lawful;
use systolic_compiler::model::{Argument, Instance};
use systolic_compiler::syntax::tree;
use systolic_compiler::{Checked, check, link, syntax};

/// A kernel and where it stands.
pub struct Kernel {
    pub file: PathBuf,
    pub tree: tree::Kernel,
    pub instances: Vec<Lawful>,
}

impl Kernel {
    /// Finds the kernel of this name. Fails if there is none, if it breaks a law, or if there are several.
    pub fn find(package: &Package, name: &str, file: Option<&Path>) -> Result<Kernel, String> {
        let found = sources::find(package, name, file)?;
        let mut checked = check(found.tokens.clone());
        match checked.kernels.pop() {
            Some((tree, instances)) => Ok(Kernel { file: found.file, tree, instances }),
            None => Err(does_not_compile(package, &found, &checked)),
        }
    }

    /// The kernel without maps, with the generics of one instance only.
    pub fn of_instance(&self, instance: &Instance) -> tree::Kernel {
        of_instance(&self.tree, instance, false)
    }

    /// What the results of an instance are kept under.
    pub fn key(&self, instance: &Instance) -> String {
        key(&self.tree, instance)
    }
}

/// A kernel with the generics of one instance only, with its maps or without.
pub fn of_instance(tree: &tree::Kernel, instance: &Instance, with_maps: bool) -> tree::Kernel {
    let maps = if with_maps { tree.maps.clone() } else { Vec::new() };
    let mut tree = tree::Kernel { maps, attributes: Vec::new(), ..tree.clone() };
    for (generic, (_, argument)) in tree.generics.iter_mut().zip(&instance.arguments) {
        match (&mut generic.list, argument) {
            (tree::GenericList::Numbers { values, .. }, Argument::Number(number)) => {
                values.retain(|(n, _)| n == number)
            }
            (tree::GenericList::Types { values }, Argument::Type(ty)) => {
                values.retain(|name| name.text == ty.to_string())
            }
            _ => {}
        }
    }
    tree
}

/// What the results of an instance are kept under: it changes with the equations, and not with the maps.
pub fn key(tree: &tree::Kernel, instance: &Instance) -> String {
    let text = syntax::text(&of_instance(tree, instance, false));
    link::key(&tree.name.text, &[&text, env!("CARGO_PKG_VERSION")])
}

/// Why a kernel has no instances: its first fault, and where.
pub fn does_not_compile(package: &Package, found: &Found, checked: &Checked) -> String {
    let fault = checked.faults.first();
    let place = fault.map_or_else(|| relative(package, &found.file), |fault| found.place(package, fault));
    let why = fault.map(fault::message).unwrap_or_default();
    format!("the kernel `{}` does not compile\n{place}: {why}", found.name)
}

/// The instances that the user asks for, or all. Fails if there are none.
pub fn fitting<'k>(instances: &'k [Lawful], asked: Option<&str>) -> Result<Vec<&'k Lawful>, String> {
    let is_wanted = |lawful: &&Lawful| asked.is_none_or(|words| fits(&lawful.kernel().instance, words));
    let found: Vec<&Lawful> = instances.iter().filter(is_wanted).collect();
    if found.is_empty() {
        let all: Vec<String> = instances.iter().map(|lawful| format!("`{}`", lawful.kernel().instance)).collect();
        return Err(format!("no instance fits `{}`; there are {}", asked.unwrap_or_default(), all.join(", ")));
    }
    Ok(found)
}

/// The generic arguments of an instance, as Rust: `::<f32, 5>`, or nothing.
pub fn arguments(instance: &Instance) -> String {
    let all: Vec<String> = instance
        .arguments
        .iter()
        .map(|(_, argument)| match argument {
            Argument::Number(number) => number.to_string(),
            Argument::Type(ty) => rust_type(&ty.to_string()),
        })
        .collect();
    if all.is_empty() { String::new() } else { format!("::<{}>", all.join(", ")) }
}

/// A type of the language in Rust.
pub fn rust_type(name: &str) -> String {
    if name == "f16" || name == "bf16" { format!("systolic::{name}") } else { name.to_string() }
}

/// Whether an instance is one that the user asks for: `Q=5` or `T=f32, Q=5`. Every part must be there.
fn fits(instance: &Instance, asked: &str) -> bool {
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let own = plain(&instance.to_string());
    let own: Vec<&str> = own.split(',').collect();
    plain(asked).split(',').filter(|part| !part.is_empty()).all(|part| own.contains(&part))
}
