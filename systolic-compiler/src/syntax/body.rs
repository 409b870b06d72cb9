//! The body of a kernel: constants, the loops with their statements, maps.
use super::expr::{compound, construct, expression, literal};
use super::input::{Input, Result, Token, misspelt, near, not_here};
use super::map::map;
use super::otherwise::{self, Arm};
use super::parse::{array, border, scalar};
use super::tree::{Assign, Constant, ConstantType, Kernel, Loop, Output, Statement, Value};
use super::words::is_construct;
use crate::fault::Fault;
use proc_macro2::Delimiter;

const EXAMPLE: &str = "for example `for i in 0..N { y[i] = 2.0 * x[i]; }`";

/// Reads constants, loops, statements and maps. After a fault in a constant, a statement or a clause, reading continues
/// after its `;`. A fault anywhere else ends the body.
pub(super) fn body(mut input: Input, kernel: &mut Kernel, faults: &mut Vec<Fault>) {
    if let Err(fault) = parts(&mut input, kernel, faults) {
        faults.push(*fault);
    }
}

fn parts(input: &mut Input, kernel: &mut Kernel, faults: &mut Vec<Fault>) -> Result<()> {
    while input.at_word("const") {
        if let Some(constant) = soft(input, faults, constant) {
            kernel.constants.push(constant);
        }
    }
    expect_for(input)?;
    kernel.loops = loops(input)?;
    let words = "`{` and the equations, or `,` and the next loop";
    let (inside, _) = input.expect_group(Delimiter::Brace, words)?;
    kernel.statements = statements(inside, &kernel.outputs, faults);
    while !input.at_end() {
        let seen = input.peek();
        let Token::Word(word) = &seen.token else { return Err(input.expected("`map` or the end of the kernel")) };
        match word.to_string().as_str() {
            "map" => {}
            "for" => {
                let advice = "write all loops in the first `for`; it may have several variables";
                return Err(not_here(seen.at, "second `for` in a kernel", advice));
            }
            "const" => return Err(input.expected("`map` or the end of the kernel: constants come before `for`")),
            found => match near(found, &["map"]) {
                Some(keyword) => faults.push(*misspelt(seen.at, found, keyword)),
                None => return Err(input.expected("`map` or the end of the kernel")),
            },
        }
        input.take(&seen);
        kernel.maps.push(map(input, seen.at, faults)?);
    }
    Ok(())
}

/// Reads one item that ends in `;`. If it has a fault, records the fault and skips past the `;`.
pub(super) fn soft<'a, T>(
    input: &mut Input<'a>,
    faults: &mut Vec<Fault>,
    read: impl FnOnce(&mut Input<'a>) -> Result<T>,
) -> Option<T> {
    let start = *input;
    match read(input) {
        Ok(it) => Some(it),
        Err(fault) => {
            faults.push(*fault);
            *input = start;
            input.skip_past(";");
            None
        }
    }
}

fn expect_for(input: &mut Input) -> Result<()> {
    if input.eat_word("for").is_some() {
        return Ok(());
    }
    let seen = input.peek();
    // A word followed by an index is an equation outside the loops, not a misspelt keyword.
    if let Token::Word(word) = &seen.token
        && !matches!(input.peek_second().token, Token::Group(Delimiter::Bracket, _))
        && let found = word.to_string()
        && let Some(keyword) = near(&found, &["for", "const"])
    {
        return Err(misspelt(seen.at, &found, keyword));
    }
    let fault = input.expected("`for`, the loops and the equations");
    Err(Box::new(fault.with_advice(EXAMPLE)))
}

/// `const K: [f32; 3] = [0.25, 0.5, 0.25];`
fn constant(input: &mut Input) -> Result<Constant> {
    input.expect_word(&["const"], "`const`")?;
    let name = input.name("the name of the constant")?;
    input.expect_op(":", "`:` and the type of the constant")?;
    let is_array = input.at_group(Delimiter::Bracket);
    let ty = if is_array {
        ConstantType::Array(array(input)?)
    } else {
        ConstantType::Scalar(scalar(input, "a type: `f32` or `[f32; 3]`")?)
    };
    let border = if is_array && input.at_word("border") { border(input)? } else { None };
    input.expect_op("=", "`=` and the value of the constant")?;
    let value = value(input)?;
    input.semicolon("the constant")?;
    Ok(Constant { name, ty, border, value })
}

fn value(input: &mut Input) -> Result<Value> {
    let seen = input.peek();
    if let Token::Group(Delimiter::Bracket, mut inside) = seen.token {
        input.take(&input.peek());
        return Ok(Value::List { items: inside.list("value", value)?, at: seen.at });
    }
    Ok(Value::Literal(literal(input, "a literal such as `0.5`, or a list of them in `[ … ]`")?))
}

/// `i in 0..N, j in i..N`, up to but excluding the `{`.
fn loops(input: &mut Input) -> Result<Vec<Loop>> {
    let mut loops = Vec::new();
    loop {
        if input.at_group(Delimiter::Brace) {
            if loops.is_empty() {
                return Err(Box::new(input.expected("at least one loop: `i in 0..N`").with_advice(EXAMPLE)));
            }
            return Ok(loops);
        }
        let name = input.name("the name of a loop")?;
        input.expect_word(&["in"], "`in` and the range of the loop: `i in 0..N`")?;
        let whole = *input;
        // `$range:expr` pastes low, `..` and high as one group.
        let (low, high) = match input.eat_pasted() {
            Some(mut inside) if has_range(inside) => {
                let range = range(&mut inside)?;
                inside.finish("the end of the pasted range")?;
                range
            }
            _ => {
                *input = whole;
                range(input)?
            }
        };
        loops.push(Loop { name, low, high });
        if input.eat_op(",").is_none() {
            return Ok(loops);
        }
    }
}

fn has_range(mut input: Input) -> bool {
    loop {
        let seen = input.peek();
        match seen.token {
            Token::Op(".." | "..=") => return true,
            Token::End => return false,
            _ => input.take(&seen),
        }
    }
}

fn range(input: &mut Input) -> Result<(super::tree::Expr, super::tree::Expr)> {
    let low = expression(input)?;
    if input.at_op("..=") {
        return Err(not_here(input.peek().at, "`..=`", "write `low..high + 1`: the end is not included"));
    }
    input.expect_op("..", "`..` and the end of the range: `0..N`")?;
    Ok((low, expression(input)?))
}

fn statements(mut input: Input, outputs: &[Output], faults: &mut Vec<Fault>) -> Vec<Statement> {
    let mut statements = Vec::new();
    while !input.at_end() {
        let found = if input.at_word("if") {
            guarded(&mut input, outputs, faults)
        } else {
            soft(&mut input, faults, |input| assign(input, outputs, "the equation")).map(Statement::Assign)
        };
        statements.extend(found);
    }
    statements
}

/// `if guard { store+ }`
fn guarded(input: &mut Input, outputs: &[Output], faults: &mut Vec<Fault>) -> Option<Statement> {
    let (start, condition, mut inside) = soft(input, faults, |input| {
        let (_, start) = input.expect_word(&["if"], "`if`")?;
        let condition = expression(input)?;
        let (inside, _) = input.expect_group(Delimiter::Brace, "`{` and the stores under this guard")?;
        if inside.at_end() {
            return Err(inside.expected("at least one store: `z[i] = Z[i, j];`"));
        }
        Ok((start, condition, inside))
    })?;
    let mut stores = Vec::new();
    while !inside.at_end() {
        stores.extend(soft(&mut inside, faults, |inside| {
            if inside.at_word("if") {
                let advice = "join the guards with `&&`";
                return Err(not_here(inside.peek().at, "`if` inside an `if` that guards stores", advice));
            }
            assign(inside, outputs, "the store")
        }));
    }
    if let Some(at) = input.eat_word("else") {
        let first = Arm { condition: Some(condition.clone()), assigns: stores.clone() };
        faults.push(otherwise::fault((start, at), first, *input, outputs, |input| assign(input, outputs, "the store")));
        // Skips everything that belongs to it: `else { … }`, `else if … { … } else { … }`.
        while !input.at_end() {
            let seen = input.peek();
            input.take(&seen);
            if matches!(seen.token, Token::Group(Delimiter::Brace, _)) && !input.at_word("else") {
                break;
            }
        }
    }
    Some(Statement::If { condition, stores })
}

/// `V[i, j] = expr;`, or `s = expr;` for an output that is a scalar
fn assign(input: &mut Input, outputs: &[Output], what: &str) -> Result<Assign> {
    let seen = input.peek();
    match &seen.token {
        Token::Word(word) => {
            let word = word.to_string();
            if is_construct(&word) {
                return Err(construct(seen.at, &word));
            }
            if word == "map" && matches!(input.peek_second().token, Token::Group(Delimiter::Brace, _)) {
                return Err(input.expected("an equation: a `map` comes after the braces of `for`"));
            }
        }
        Token::Op("#") => return Err(not_here(seen.at, "attributes in a body", "attributes go before the kernel")),
        _ => {}
    }
    let target = input.name("an equation: `V[i, j] = …;`")?;
    let is_scalar = outputs.iter().any(|output| output.is_scalar && output.name == target);
    let (indices, at) = if is_scalar && !matches!(input.peek().token, Token::Group(Delimiter::Bracket, _)) {
        (Vec::new(), target.at)
    } else {
        let words = "`[` and all loops as indices: `V[i, j] = …;`";
        let (mut inside, brackets) = input.expect_group(Delimiter::Bracket, words)?;
        (inside.list("index", expression)?, target.at.to(brackets))
    };
    let seen = input.peek();
    match seen.token {
        Token::Op("=") => input.take(&seen),
        Token::Op(op @ ("+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=")) => {
            return Err(compound(seen.at, op));
        }
        Token::Group(Delimiter::Bracket, _) => {
            let advice = "write all indices in one pair of brackets: `V[i, j]`";
            return Err(not_here(seen.at, "indices after indices", advice));
        }
        _ => return Err(input.expected("`=` and the value")),
    }
    let value = expression(input)?;
    input.semicolon(what)?;
    Ok(Assign { target, indices, value, at })
}
