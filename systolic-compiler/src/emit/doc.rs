//! The generated part of a kernel's documentation: parameters and outputs, the sources of the sizes, the instances.
use super::arguments::Header;
use super::generated::GeneratedType;
use crate::laws::Lawful;
use crate::model::{self, SizeSource};
use crate::syntax::tree::{self, ArrayType, BorderMode, GenericList, ParameterKind};
use crate::syntax::{print_expr, print_output_type, text};
use crate::target::shown;

/// The lines after the user's own documentation.
pub fn section(header: &Header<'_>, generated: &GeneratedType, listed: &[&Lawful]) -> Vec<String> {
    let tree = header.tree;
    let mut lines = vec![String::new(), "# Arguments".to_string(), String::new()];
    for parameter in &tree.parameters {
        lines.push(format!("- `{}`: {}", parameter.name.text, argument(&parameter.kind)));
    }
    if tree.parameters.is_empty() {
        lines.push("None.".to_string());
    }
    lines.extend(["", "# Returns", ""].map(String::from));
    for output in &tree.outputs {
        lines.push(format!("- `{}`: `{}`", output.name.text, print_output_type(output)));
    }
    if let Some(lawful) = listed.first() {
        lines.extend(sizes(lawful.kernel()));
    }
    if !tree.conditions.is_empty() {
        let conditions: Vec<String> = tree.conditions.iter().map(|c| format!("`{}`", print_expr(c))).collect();
        lines.extend([String::new(), format!("Requires {}.", and(&conditions))]);
    }
    if !tree.generics.is_empty() {
        lines.extend([String::new(), "# Instances".to_string(), String::new()]);
        lines.extend(tree.generics.iter().map(generic));
        if !listed.is_empty() && tree.generics.len() > 1 {
            lines.extend([String::new(), self::listed(listed)]);
        }
    }
    if generated.map.is_none() {
        lines.extend(maps(tree));
    }
    lines
}

/// The kernel as text, without its maps; nothing if its loops could not be read.
pub fn equations(tree: &tree::Kernel) -> Vec<String> {
    if tree.loops.is_empty() {
        return Vec::new();
    }
    let text = text(&tree::Kernel { maps: Vec::new(), ..tree.clone() });
    let lines = ["", "# Equations", "", "```text"].into_iter().chain(text.lines()).chain(["```"]);
    lines.map(String::from).collect()
}

/// "The instances are Q = 2 and Q = 5."
pub fn listed(instances: &[&Lawful]) -> String {
    match instances {
        [] => "There are no instances.".to_string(),
        [_] => format!("The only instance is {}.", self::instances(instances)),
        _ => format!("The instances are {}.", self::instances(instances)),
    }
}

/// "Q = 2 and Q = 5"
pub fn instances(instances: &[&Lawful]) -> String {
    let several = instances.first().is_some_and(|lawful| lawful.kernel().instance.arguments.len() > 1);
    let text = |lawful: &&Lawful| {
        let instance = lawful.kernel().instance.to_string();
        if several { format!("({instance})") } else { instance }
    };
    let mut items: Vec<String> = instances.iter().take(shown::INSTANCES).map(text).collect();
    let rest = instances.len() - items.len();
    if rest > 0 {
        items.push(format!("{rest} more"));
    }
    and(&items)
}

/// What a parameter is.
pub fn argument(kind: &ParameterKind) -> String {
    match kind {
        ParameterKind::Array { array, lengths: Some(lengths), .. } => {
            let range = format!("{}..={}", lengths.least.0, print_expr(&lengths.most));
            format!("`{}`, lengths in `{range}`", self::array(array))
        }
        ParameterKind::Array { array, border: None, .. } => format!("`{}`", self::array(array)),
        ParameterKind::Array { array, border: Some(border), .. } => {
            let read = match &border.mode {
                BorderMode::Zero => "zero".to_string(),
                BorderMode::Clamp => "the nearest element".to_string(),
                BorderMode::Reflect => "the element mirrored at the edge, which is not repeated".to_string(),
                BorderMode::Symmetric => "the element mirrored at the edge, which is repeated".to_string(),
                BorderMode::Wrap => "the element at the index modulo the length".to_string(),
                BorderMode::Constant(value) => format!("`{}`", print_expr(value)),
            };
            format!("`{}`; a read outside gives {read}", self::array(array))
        }
        ParameterKind::Const { array, .. } => format!("`{}`, passed by value", self::array(array)),
        ParameterKind::Scalar { ty } => format!("`{}`", ty.text),
        ParameterKind::Size => "a size".to_string(),
    }
}

/// `[f32; R, C + 1]`
fn array(array: &ArrayType) -> String {
    let dims: Vec<String> = array.dims.iter().map(print_expr).collect();
    format!("[{}; {}]", array.element.text, dims.join(", "))
}

fn sizes(kernel: &model::Kernel) -> Vec<String> {
    if kernel.sizes.is_empty() {
        return Vec::new();
    }
    let mut lines = ["", "# Sizes", ""].map(String::from).to_vec();
    lines.extend(kernel.sizes.iter().filter_map(|size| Some(format!("- `{}` {}", size.name, source(kernel, size)?))));
    lines
}

/// Where a size comes from; `None` for a length.
pub fn source(kernel: &model::Kernel, size: &model::Size) -> Option<String> {
    let name = |parameter: usize| kernel.parameters.get(parameter).map_or("", |p| p.name.text.as_str());
    match size.source {
        SizeSource::Parameter { .. } => Some("is a parameter".to_string()),
        SizeSource::Shape { parameter, axis } => {
            Some(format!("follows from dimension {axis} of `{}`", name(parameter)))
        }
        SizeSource::Length { .. } => None,
    }
}

fn generic(generic: &tree::Generic) -> String {
    let values: Vec<String> = match &generic.list {
        GenericList::Numbers { values, .. } => values.iter().map(|(v, _)| format!("`{v}`")).collect(),
        GenericList::Types { values } => values.iter().map(|name| format!("`{}`", name.text)).collect(),
    };
    format!("- `{}`: {}", generic.name.text, or(&values))
}

fn maps(tree: &tree::Kernel) -> Vec<String> {
    let names: Vec<String> =
        GeneratedType::of(tree).iter().skip(1).map(|generated| format!("[`{}`]", generated.name.text)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![String::new(), "# Maps".to_string(), String::new(), format!("The types of the named maps: {}.", and(&names))]
}

fn and(items: &[String]) -> String {
    joined(items, "and")
}

pub fn or(items: &[String]) -> String {
    joined(items, "or")
}

fn joined(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
