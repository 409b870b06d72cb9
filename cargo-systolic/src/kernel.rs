//! A kernel of the user's package: found by name, parsed and proved.
use crate::package::Package;
use std::path::PathBuf;
use systolic_compiler::fault;
use systolic_compiler::laws::Lawful;
use systolic_compiler::model::{Argument, Instance};
use systolic_compiler::syntax::tree;
use systolic_compiler::{check, link, syntax};

/// A kernel and where it stands.
pub struct Kernel {
    pub file: PathBuf,
    pub tree: tree::Kernel,
    pub instances: Vec<Lawful>,
}

impl Kernel {
    /// Finds the kernel of this name. Fails if there is none, if it breaks a law, or if there are several.
    pub fn find(package: &Package, name: &str) -> Result<Kernel, String> {
        let mut found: Vec<Kernel> = Vec::new();
        let mut names = Vec::new();
        let mut faults = Vec::new();
        for call in systolic_build::find(&package.root) {
            // The text was printed from tokens, so it parses.
            let checked = check(call.text.parse().unwrap_or_default());
            names.extend(checked.kernels.iter().map(|(tree, _)| tree.name.text.clone()));
            if checked.faulty.iter().any(|tree| tree.name.text == name) {
                faults.extend(checked.faults.iter().map(fault::message));
            }
            for (tree, instances) in checked.kernels.into_iter().filter(|(tree, _)| tree.name.text == name) {
                found.push(Kernel { file: call.file.clone(), tree, instances });
            }
        }
        match (found.len(), faults.first()) {
            (_, Some(fault)) => Err(format!("the kernel `{name}` does not compile: {fault}")),
            (0, None) => Err(format!("there is no kernel `{name}` in `{}`{}", package.name, listed(&mut names))),
            (1, None) => found.pop().ok_or_else(String::new),
            (_, None) => {
                let files: Vec<String> = found.iter().map(|kernel| kernel.file.display().to_string()).collect();
                Err(format!("there are several kernels `{name}`: in {}", files.join(", ")))
            }
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

fn listed(names: &mut Vec<String>) -> String {
    names.sort();
    names.dedup();
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) }
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
pub fn fits(instance: &Instance, asked: &str) -> bool {
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let own = plain(&instance.to_string());
    let own: Vec<&str> = own.split(',').collect();
    plain(asked).split(',').filter(|part| !part.is_empty()).all(|part| own.contains(&part))
}
