//! The equations, the program and the emitted text as lines, each with the statements it belongs to.
use super::picture::CodeLine;
use crate::emit::mentions;
use crate::model::{Kernel, ParameterKind, Reader};
use crate::program::{Operation, ValueId};
use crate::schedule::{Schedule, print};
use crate::syntax;
use crate::syntax::tree::{self, Statement};
use std::collections::BTreeSet;

/// The text of a kernel without its maps, and for every statement its first and last line.
pub fn source(tree: &tree::Kernel, kernel: &Kernel) -> (Vec<CodeLine>, Vec<(usize, usize)>) {
    let text = syntax::text(&tree::Kernel { maps: Vec::new(), ..tree.clone() });
    let mut lines: Vec<CodeLine> =
        text.lines().map(|line| CodeLine { text: line.to_string(), ..CodeLine::default() }).collect();
    let mut spans = vec![(0, 0); kernel.equations.len() + kernel.stores.len()];
    let mut at = lines.iter().position(|line| line.text.starts_with("    for ")).map_or(0, |line| line + 1);
    let mut stores = 0..kernel.stores.len();
    let mut number = |target: &str| {
        let equation = kernel.equations.iter().position(|e| e.variable.text == target);
        equation.or_else(|| stores.next().map(|n| kernel.equations.len() + n))
    };
    for statement in &tree.statements {
        let (numbers, first, each, last) = match statement {
            Statement::Assign(assign) => (vec![number(&assign.target.text)], at, 0, at),
            Statement::If { stores, .. } if stores.len() == 1 => (vec![number(&stores[0].target.text)], at, 0, at),
            Statement::If { stores, .. } => {
                let numbers: Vec<_> = stores.iter().map(|store| number(&store.target.text)).collect();
                (numbers, at, 1, at + stores.len() + 1)
            }
        };
        for (k, number) in numbers.into_iter().enumerate() {
            let line = first + each * (k + 1);
            if let (Some(number), Some(code)) = (number, lines.get_mut(line)) {
                code.statements.push(number);
                spans[number] = (line, line);
            }
        }
        at = last + 1;
    }
    (lines, spans)
}

/// The statements that every value of a program belongs to: that of the variable it is, or those whose values it is part of.
fn owners(kernel: &Kernel, schedule: &Schedule) -> Vec<BTreeSet<usize>> {
    let variable = |name: &String| {
        let name = name.split(['.', '[']).next().unwrap_or_default();
        kernel.equations.iter().position(|equation| equation.variable.text == name)
    };
    let own: Vec<Option<usize>> = schedule.values.iter().map(|inst| inst.name.as_ref().and_then(variable)).collect();
    let mut owners = vec![BTreeSet::new(); own.len()];
    let mut open: Vec<(ValueId, usize)> =
        own.iter().enumerate().filter_map(|(k, of)| Some((ValueId(k), (*of)?))).collect();
    for store in &schedule.stores {
        if let Some(output) = store.into.output() {
            open.extend(storing(kernel, output).map(|statement| (store.value, statement)));
        }
    }
    while let Some((id, statement)) = open.pop() {
        if own[id.0].is_some_and(|of| of != statement) || !owners[id.0].insert(statement) {
            continue;
        }
        let inst = &schedule.values[id.0];
        let carried = match inst.operation {
            Operation::Carried { register, .. } => Some(schedule.registers[register.0].value),
            _ => None,
        };
        open.extend(inst.operation.operands().into_iter().chain(carried).map(|operand| (operand, statement)));
    }
    owners
}

/// The stores into an output, as statements.
fn storing(kernel: &Kernel, output: usize) -> impl Iterator<Item = usize> + '_ {
    let stores = kernel.stores.iter().enumerate().filter(move |(_, store)| store.output == output);
    stores.map(|(n, _)| super::links::statement(kernel, Reader::Store(n)))
}

/// The program as lines.
pub fn program(kernel: &Kernel, schedule: &Schedule) -> Vec<CodeLine> {
    let owners = owners(kernel, schedule);
    let number = |word: &str, head: char| word.strip_prefix(head)?.parse::<usize>().ok();
    let line = |text: &str| {
        let text = text.strip_suffix(" if always").unwrap_or(text);
        // A comment names the variable; it is no value.
        let code = text.split("//").next().unwrap_or(text);
        let mut found = CodeLine { text: with_names(kernel, schedule, text), ..CodeLine::default() };
        for word in code.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
            if let Some(k) = number(word, 'v').filter(|k| *k < owners.len() && !found.values.contains(k)) {
                found.values.push(k);
            }
            if let Some(output) = word.strip_prefix("out").and_then(|k| k.parse().ok()) {
                found.statements.extend(storing(kernel, output));
            }
        }
        belong(&mut found, &owners);
        found
    };
    print(schedule).lines().map(line).collect()
}

/// A line of the program with the names of the kernel: `x[28 cb + lane]` for `Parameter(0)[28 block0 + lane0]`.
fn with_names(kernel: &Kernel, schedule: &Schedule, text: &str) -> String {
    let mut named = text.to_string();
    for (k, parameter) in kernel.parameters.iter().enumerate() {
        named = named.replace(&format!("Parameter({k})"), &parameter.name.text);
    }
    for (k, constant) in kernel.constants.iter().enumerate() {
        named = named.replace(&format!("Constant({k})"), &constant.name.text);
    }
    let word = |word: &str| {
        let number = |head: &str| word.strip_prefix(head).and_then(|k| k.parse::<usize>().ok());
        let frame = &schedule.frame;
        None.or_else(|| schedule.sizes.get(number("size")?).cloned())
            .or_else(|| Some(frame.blocks.get(number("block")?)?.name.clone()))
            .or_else(|| Some(frame.loops.get(number("t")?)?.name.clone()))
            .or_else(|| Some(kernel.outputs.get(number("out")?)?.name.text.clone()))
            .or_else(|| (frame.lanes.len() == 1 && number("lane") == Some(0)).then(|| "lane".to_string()))
            .unwrap_or_else(|| word.to_string())
    };
    let mut out = String::new();
    let mut rest = named.as_str();
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric()) {
        let end = rest[start..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(rest.len(), |end| start + end);
        out.push_str(&rest[..start]);
        out.push_str(&word(&rest[start..end]));
        rest = &rest[end..];
    }
    // A scalar has no index, and a factor of 1 says nothing.
    (out + rest).replace("[]", "").replace("(1 * (", "((").replace(", 1 * (", ", (")
}

/// The CUDA text as lines.
pub fn cuda(kernel: &Kernel, schedule: &Schedule, source: &str) -> Vec<CodeLine> {
    let owners = owners(kernel, schedule);
    let line = |(text, mentioned): (&str, crate::emit::Mentions)| {
        let values = mentioned.values.iter().map(|id| id.0).collect();
        let statements = mentioned.output.map_or(Vec::new(), |output| storing(kernel, output).collect());
        let mut found = CodeLine { text: text.to_string(), statements, values };
        belong(&mut found, &owners);
        found
    };
    source.lines().zip(mentions(kernel, schedule, source)).map(line).collect()
}

/// The Rust of a block as lines. `v12` is a value, and `o0` an output.
pub fn rust(kernel: &Kernel, schedule: &Schedule, source: &str) -> Vec<CodeLine> {
    let owners = owners(kernel, schedule);
    let line = |text: &str| {
        let mut found = CodeLine { text: text.to_string(), ..CodeLine::default() };
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let number = |head: char| word.strip_prefix(head)?.parse::<usize>().ok();
            if let Some(k) = number('v').filter(|k| *k < owners.len() && !found.values.contains(k)) {
                found.values.push(k);
            }
            if let Some(output) = number('o').filter(|k| *k < kernel.outputs.len()) {
                found.statements.extend(storing(kernel, output));
            }
        }
        belong(&mut found, &owners);
        found
    };
    let legend = CodeLine { text: legend(kernel, schedule), ..CodeLine::default() };
    [legend].into_iter().chain(source.lines().map(line)).collect()
}

/// What the names of emitted Rust stand for: `// s0: N, p0: x, o0: y, t0: time1; v0, v1, … are the values of the program`.
fn legend(kernel: &Kernel, schedule: &Schedule) -> String {
    let sizes = schedule.sizes.iter().enumerate().map(|(k, name)| format!("s{k}: {name}"));
    let parameters = kernel.parameters.iter().enumerate().filter(|(_, p)| !matches!(p.kind, ParameterKind::Size));
    let parameters = parameters.map(|(k, parameter)| format!("p{k}: {}", parameter.name.text));
    let outputs = kernel.outputs.iter().enumerate().map(|(k, output)| format!("o{k}: {}", output.name.text));
    let blocks = schedule.frame.blocks.iter().enumerate().map(|(k, block)| format!("b{k}: {}", block.name));
    let loops = schedule.frame.loops.iter().enumerate().map(|(k, time)| format!("t{k}: {}", time.name));
    let names: Vec<String> = sizes.chain(parameters).chain(outputs).chain(blocks).chain(loops).collect();
    format!("// {}; v0, v1, … are the values of the program", names.join(", "))
}

/// A line that is no store belongs to the statements of the value that it defines.
fn belong(line: &mut CodeLine, owners: &[BTreeSet<usize>]) {
    if line.statements.is_empty() {
        line.statements.extend(line.values.first().into_iter().flat_map(|k| &owners[*k]));
    }
}
