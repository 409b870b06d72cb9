//! Prints a tree in a canonical layout. Parsing the printed text gives the same tree.
use super::operator::{ATOM, CAST, COMPARISON, ENCLOSED, UNARY, rank, sign, text};
use super::tree::*;
use crate::region::Name;
use crate::target::shown;
use proc_macro2::{TokenStream, TokenTree};

/// All kernels, with an empty line between them.
pub fn print(block: &Block) -> String {
    block.kernels.iter().map(print_kernel).collect::<Vec<_>>().join("\n")
}

/// One kernel with its maps, ending in a newline.
pub fn print_kernel(kernel: &Kernel) -> String {
    let mut out = String::new();
    for attribute in &kernel.attributes {
        out += &print_attribute(attribute);
        out.push('\n');
    }
    out += &header(kernel);
    for constant in &kernel.constants {
        let ty = match &constant.ty {
            ConstantType::Array(array) => print_array(array),
            ConstantType::Scalar(ty) => ty.text.clone(),
        };
        let (border, value) = (print_border(&constant.border), print_value(&constant.value));
        out += &format!("    const {}: {ty}{border} = {value};\n", constant.name.text);
    }
    let loops = join(&kernel.loops, |l| format!("{} in {}..{}", l.name.text, print_expr(&l.low), print_expr(&l.high)));
    out += &format!("    for {loops} {{\n");
    for statement in &kernel.statements {
        match statement {
            Statement::Assign(assign) => out += &format!("        {}\n", print_assign(assign)),
            Statement::If { condition, stores } => {
                let stores = stores.iter().map(print_assign).collect::<Vec<_>>();
                let condition = print_expr(condition);
                if let [store] = stores.as_slice() {
                    out += &format!("        if {condition} {{ {store} }}\n");
                } else {
                    let stores = stores.join("\n            ");
                    out += &format!("        if {condition} {{\n            {stores}\n        }}\n");
                }
            }
        }
    }
    out += "    }\n";
    for map in &kernel.maps {
        out += &print_map(map);
    }
    out + "}\n"
}

pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    put(&mut out, expr, 0, true);
    out
}

fn header(kernel: &Kernel) -> String {
    let mut head = String::new();
    for token in kernel.visibility.clone() {
        match token {
            TokenTree::Group(group) => {
                head.pop();
                head += &format!("({}) ", group.stream());
            }
            token => head += &format!("{token} "),
        }
    }
    head += &format!("kernel {}", kernel.name.text);
    if !kernel.generics.is_empty() {
        head += &format!("<{}>", join(&kernel.generics, print_generic));
    }
    let parameters: Vec<String> = kernel.parameters.iter().map(print_parameter).collect();
    let mut tail = format!(" -> ({})", join(&kernel.outputs, print_output));
    tail += &print_where(&kernel.conditions);
    tail += " {\n";
    let line = format!("{head}({}){tail}", parameters.join(", "));
    if line.chars().count() <= shown::LINE || parameters.is_empty() {
        return line;
    }
    format!("{head}(\n    {},\n){tail}", parameters.join(",\n    "))
}

/// Prints a doc comment as `/// text` if its text needs no escapes, any other attribute as `#[…]`.
fn print_attribute(tokens: &TokenStream) -> String {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let [TokenTree::Punct(_), TokenTree::Group(group)] = tokens.as_slice() else {
        return tokens.into_iter().collect::<TokenStream>().to_string();
    };
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    if let [TokenTree::Ident(doc), TokenTree::Punct(_), TokenTree::Literal(literal)] = inside.as_slice()
        && doc == "doc"
        && let literal = literal.to_string()
        && let Some(text) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
        && text.chars().all(|c| c == ' ' || c.is_ascii_graphic() && c != '"' && c != '\\')
        && !text.starts_with('/')
    {
        return format!("///{text}");
    }
    format!("#[{}]", group.stream())
}

fn print_generic(generic: &Generic) -> String {
    let name = &generic.name.text;
    match &generic.list {
        GenericList::Numbers { values, single } => match values.as_slice() {
            [(value, _)] if *single => format!("const {name}: usize = {value}"),
            values => format!("const {name}: usize in [{}]", join(values, |(value, _)| value.to_string())),
        },
        GenericList::Types { values } => format!("type {name} in [{}]", print_names(values)),
    }
}

fn print_parameter(parameter: &Parameter) -> String {
    let name = &parameter.name.text;
    match &parameter.kind {
        ParameterKind::Array { array, border, lengths } => {
            let lengths = lengths.as_ref();
            let range = lengths.map(|l| format!(" in {}..={}", l.least.0, print_expr(&l.most))).unwrap_or_default();
            format!("{name}: {}{}{range}", print_array(array), print_border(border))
        }
        ParameterKind::Const { array, border } => {
            format!("{name}: const {}{}", print_array(array), print_border(border))
        }
        ParameterKind::Scalar { ty } => format!("{name}: {}", ty.text),
        ParameterKind::Size => format!("{name}: size"),
    }
}

fn print_output(output: &Output) -> String {
    let rest = output.rest.as_ref().map_or(String::new(), |value| format!(" rest {}", print_expr(value)));
    format!("{}: {}{rest}", output.name.text, print_output_type(output))
}

/// `[f32; N]` or `f32`
pub fn print_output_type(output: &Output) -> String {
    if output.is_scalar { output.array.element.text.clone() } else { print_array(&output.array) }
}

/// A border with a space before it.
fn print_border(border: &Option<Border>) -> String {
    let Some(border) = border else { return String::new() };
    let mode = match &border.mode {
        BorderMode::Zero => "zero".to_owned(),
        BorderMode::Clamp => "clamp".to_owned(),
        BorderMode::Reflect => "reflect".to_owned(),
        BorderMode::Symmetric => "symmetric".to_owned(),
        BorderMode::Wrap => "wrap".to_owned(),
        BorderMode::Constant(value) => format!("constant({})", print_expr(value)),
    };
    format!(" border {mode}")
}

/// An array type: `[f32; R, C]`.
pub fn print_array(array: &ArrayType) -> String {
    format!("[{}; {}]", array.element.text, join(&array.dims, print_expr))
}

fn print_value(value: &Value) -> String {
    match value {
        Value::Literal(literal) => print_expr(literal),
        Value::List { items, .. } => format!("[{}]", join(items, print_value)),
    }
}

fn print_where(conditions: &[Expr]) -> String {
    if conditions.is_empty() { String::new() } else { format!(" where {}", join(conditions, print_expr)) }
}

/// `V[i, j] = x[i];`
pub fn print_assign(assign: &Assign) -> String {
    let indices = match assign.indices.as_slice() {
        [] => String::new(),
        indices => format!("[{}]", join(indices, print_expr)),
    };
    format!("{}{indices} = {};", assign.target.text, print_expr(&assign.value))
}

pub fn print_map(map: &Map) -> String {
    let mut out = "    map".to_owned();
    out += if map.auto { " auto" } else { "" };
    if let Some(name) = map.name.as_ref().filter(|name| !map.auto || name.text != "auto") {
        out += &format!(" {}", name.text);
    }
    out += match map.on {
        None => "",
        Some(Device::Cpu) => " on cpu",
        Some(Device::Gpu) => " on gpu",
    };
    out += &format!("{} {{\n", print_where(&map.conditions));
    for clause in &map.clauses {
        out += &format!("        {};\n", print_clause(&clause.kind));
    }
    out + "    }\n"
}

/// A clause of a map, without its `;`.
pub fn print_clause(kind: &ClauseKind) -> String {
    match kind {
        ClauseKind::Tile { of, by, outer, inner } => {
            format!("tile {} by {} as ({}, {})", of.text, print_factor(by), outer.text, inner.text)
        }
        ClauseKind::Blocks(names) => format!("blocks ({})", print_names(names)),
        ClauseKind::Ordered(names) => format!("blocks ({}) in order", print_names(names)),
        ClauseKind::Launches(names) => format!("launches ({})", print_names(names)),
        ClauseKind::Warps(names) => format!("warps ({})", print_names(names)),
        ClauseKind::Reorder(names) => format!("reorder ({})", print_names(names)),
        ClauseKind::Unroll(names) => format!("unroll ({})", print_names(names)),
        ClauseKind::SpaceTime { old, new, matrix, reverse } => {
            let mut out = format!("space_time ({}) -> ({}) = ", print_names(old), print_names(new));
            out += &print_matrix(matrix, out.chars().count());
            if let Some(reverse) = reverse {
                let indent = "            reverse ";
                out += &format!("\n{indent}{}", print_matrix(reverse, indent.len() - 8));
            }
            out
        }
        ClauseKind::Lanes { loops, fold } => {
            let mut out = match loops.as_slice() {
                [one] => format!("lanes {}", one.text),
                loops => format!("lanes ({})", print_names(loops)),
            };
            if let Some(fold) = fold {
                out += &format!(" fold {}", print_factor(fold));
            }
            out
        }
        ClauseKind::Stage { array, medium, at } => {
            let medium = match medium {
                StageMedium::Shared => "shared",
                StageMedium::Registers => "registers",
            };
            format!("stage {} in {medium} at {}", array.text, at.text)
        }
        ClauseKind::Overlap { of, before, after: None } => format!("overlap {} by {}", of.text, print_factor(before)),
        ClauseKind::Overlap { of, before, after: Some(after) } => {
            format!("overlap {} by ({}, {})", of.text, print_expr(before), print_expr(after))
        }
        ClauseKind::Resident(warps) => format!("resident {}", print_factor(warps)),
        ClauseKind::Ahead(steps) => format!("ahead {}", print_factor(steps)),
        ClauseKind::Direct => "direct".to_string(),
        ClauseKind::Shift { of, by, .. } => format!("shift {} by ({})", of.text, join(by, print_expr)),
    }
}

/// One row per line, aligned at this column of a clause.
fn print_matrix(matrix: &Matrix, column: usize) -> String {
    let indent = format!(",\n{}", " ".repeat(8 + column + 1));
    let rows: Vec<String> = matrix.rows.iter().map(|row| format!("[{}]", join(&row.entries, print_expr))).collect();
    format!("[{}]", rows.join(&indent))
}

/// A number or a name as it is, anything else in parentheses.
fn print_factor(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int { value: 0.., suffix: None } | ExprKind::Name(_) | ExprKind::Hole => print_expr(expr),
        _ => format!("({})", print_expr(expr)),
    }
}

fn print_names(names: &[Name]) -> String {
    join(names, |name| name.text.clone())
}

fn join<T>(items: &[T], print: impl Fn(&T) -> String) -> String {
    items.iter().map(print).collect::<Vec<_>>().join(", ")
}

/// Writes an expression, in parentheses if it binds less tightly than `least`.
/// If `last`, no operator follows, so an `if` needs no parentheses.
fn put(out: &mut String, expr: &Expr, least: u8, last: bool) {
    let bound = match &expr.kind {
        ExprKind::Unary { .. } => UNARY,
        ExprKind::Binary { op, .. } => rank(*op),
        ExprKind::Cast { .. } => CAST,
        ExprKind::If { .. } if !last => 0,
        _ => ATOM,
    };
    if bound < least {
        out.push('(');
        put_bare(out, expr, true);
        out.push(')');
    } else {
        put_bare(out, expr, last);
    }
}

fn put_bare(out: &mut String, expr: &Expr, last: bool) {
    match &expr.kind {
        ExprKind::Unary { op, operand } => {
            out.push_str(sign(*op));
            // A minus right before a literal would become part of it.
            let literal = matches!(operand.kind, ExprKind::Int { .. } | ExprKind::Float { .. });
            put(out, operand, if literal && *op == UnaryOp::Neg { ENCLOSED } else { UNARY }, false);
        }
        ExprKind::Cast { operand, ty } => {
            put(out, operand, CAST, false);
            out.push_str(" as ");
            out.push_str(&ty.text);
        }
        ExprKind::Binary { op, left, right } => {
            let rank = rank(*op);
            // Comparisons do not chain. Rust reads a `<` after a type as the start of generic arguments.
            let typed = matches!(op, BinaryOp::Lt | BinaryOp::Shl) && matches!(left.kind, ExprKind::Cast { .. });
            put(out, left, if typed { ATOM } else { rank + u8::from(rank == COMPARISON) }, false);
            out.push(' ');
            out.push_str(text(*op));
            out.push(' ');
            put(out, right, rank + 1, last);
        }
        ExprKind::If { .. } => put_if(out, expr),
        ExprKind::Index { name, indices: items } | ExprKind::Call { function: name, arguments: items } => {
            let index = matches!(expr.kind, ExprKind::Index { .. });
            out.push_str(&name.text);
            out.push(if index { '[' } else { '(' });
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                put(out, item, 0, true);
            }
            out.push(if index { ']' } else { ')' });
        }
        _ => out.push_str(&leaf(expr)),
    }
}

fn put_if(out: &mut String, expr: &Expr) {
    let mut rest = expr;
    while let ExprKind::If { condition, then, otherwise } = &rest.kind {
        out.push_str("if ");
        put(out, condition, 0, true);
        out.push_str(" { ");
        put(out, then, 0, true);
        out.push_str(" } else ");
        rest = otherwise;
    }
    out.push_str("{ ");
    put(out, rest, 0, true);
    out.push_str(" }");
}

fn leaf(expr: &Expr) -> String {
    match &expr.kind {
        // `0bf16` would be a binary number.
        ExprKind::Int { value: 0, suffix: Some(suffix) } => format!("0_{suffix}"),
        ExprKind::Int { value, suffix } => format!("{value}{}", suffix.as_deref().unwrap_or("")),
        ExprKind::Float { text, suffix } => format!("{text}{}", suffix.as_deref().unwrap_or("")),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Hole => "_".to_string(),
        _ => String::new(),
    }
}
