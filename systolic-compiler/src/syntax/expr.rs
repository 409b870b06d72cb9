//! Expressions: one grammar for values, indices, conditions and constants.
//! Chains of operators, signs, casts and `else if` are read in loops; only groups and conditions recurse.
use super::input::{Input, Result, Seen, Token, describe, expected, fault, misspelt, near, not_here, user_name};
use super::literal::{Number, number};
use super::operator::{COMPARISON, binary, rank, text};
use super::tree::{BinaryOp, Expr, ExprKind, UnaryOp};
use super::words::{FUNCTIONS, is_construct};
use crate::fault::{Fault, SyntaxFact};
use crate::region::{Name, Region};
use crate::target::limits;
use proc_macro2::{Delimiter, Ident, Literal};

/// Types a literal may name.
const SUFFIXES: [&str; 12] = ["f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// An expression and the depth of its tree. The expression is boxed and the recursive functions hold little else, so that
/// their stack frames stay small.
struct Deep {
    expr: Box<Expr>,
    depth: usize,
}

pub(super) fn expression(input: &mut Input) -> Result<Expr> {
    Ok(*chain(input)?.expr)
}

/// One comparison of a `where`, such as `a % k == c`.
pub(super) fn condition(input: &mut Input) -> Result<Expr> {
    let expr = expression(input)?;
    let (found, split) = match &expr.kind {
        ExprKind::Binary { op, .. } if rank(*op) == COMPARISON => return Ok(expr),
        ExprKind::Binary { op: BinaryOp::And, left, right } => ("`&&`", Some((left, right))),
        ExprKind::Binary { op: BinaryOp::Or, .. } => ("`||`", None),
        ExprKind::Unary { op: UnaryOp::Not, .. } => ("`!`", None),
        _ => ("no comparison", None),
    };
    let fault = expected(expr.at, "one comparison; separate conditions by commas", found);
    Err(match split {
        Some((left, right)) => {
            let code = format!("{}, {}", super::print_expr(left), super::print_expr(right));
            Box::new(fault.with_edit("write a comma instead of `&&`", expr.at, code))
        }
        None => fault,
    })
}

/// A number with an optional sign, or `true` or `false`.
pub(super) fn literal(input: &mut Input, words: &str) -> Result<Expr> {
    let sign = input.eat_op("-");
    let seen = input.peek();
    let expr = match &seen.token {
        Token::Literal(found) => number_of(found, sign)?,
        Token::Word(word) if sign.is_none() && (word == "true" || word == "false") => {
            Expr { kind: ExprKind::Bool(word == "true"), at: seen.at }
        }
        _ => return Err(input.expected(words)),
    };
    input.take(&seen);
    Ok(expr)
}

/// Operands and the operators between them, combined by precedence.
fn chain(input: &mut Input) -> Result<Deep> {
    input.descend()?;
    let mut pending: Vec<(Deep, BinaryOp)> = Vec::new();
    let mut current = operand(input)?;
    while let Some((op, at)) = operator(input)? {
        current = fold(&mut pending, current, op, at)?;
        pending.push((current, op));
        current = operand(input)?;
    }
    while let Some((left, op)) = pending.pop() {
        current = join(left, op, current)?;
    }
    input.ascend();
    Ok(current)
}

/// Combines the pending operands that bind at least as tightly as the operator `op` that follows them.
fn fold(pending: &mut Vec<(Deep, BinaryOp)>, mut current: Deep, op: BinaryOp, at: Region) -> Result<Deep> {
    while let Some((left, before)) = pending.pop_if(|(_, before)| rank(*before) >= rank(op)) {
        if rank(before) == COMPARISON && rank(op) == COMPARISON {
            return Err(two_comparisons(at, op));
        }
        current = join(left, before, current)?;
    }
    Ok(current)
}

/// The operator after an operand, if the expression continues.
fn operator(input: &mut Input) -> Result<Option<(BinaryOp, Region)>> {
    let seen = input.peek();
    let Token::Op(found) = seen.token else { return Ok(None) };
    if let Some(op) = binary(found) {
        input.take(&seen);
        return Ok(Some((op, seen.at)));
    }
    match found {
        "=" => {
            let fault = expected(seen.at, "`==` to compare", "`=`");
            Err(Box::new(fault.with_edit("write `==`", seen.at, "==")))
        }
        "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => Err(compound(seen.at, found)),
        _ => Ok(None),
    }
}

/// Signs, an operand, and casts.
fn operand(input: &mut Input) -> Result<Deep> {
    let mut signs = signs(input);
    let deep = match begin(input, &mut signs)? {
        Begin::Leaf(deep) => deep,
        Begin::If(at) => choice(input, at)?,
        Begin::Open(open) => enclosed(open)?,
    };
    end(input, signs, deep)
}

fn signs(input: &mut Input) -> Vec<(UnaryOp, Region)> {
    let mut signs = Vec::new();
    while !input.at_pasted() {
        if let Some(at) = input.eat_op("-") {
            signs.push((UnaryOp::Neg, at));
        } else if let Some(at) = input.eat_op("!") {
            signs.push((UnaryOp::Not, at));
        } else {
            break;
        }
    }
    signs
}

/// The first token of an operand.
enum Begin<'a> {
    /// The whole operand.
    Leaf(Deep),
    /// The word `if`.
    If(Region),
    Open(Open<'a>),
}

/// A group with expressions in it.
struct Open<'a> {
    inside: Input<'a>,
    at: Region,
    shape: Shape,
}

enum Shape {
    Parentheses,
    /// Pasted by `macro_rules!`; read as if in parentheses.
    Pasted,
    Index(Name),
    Call(Name),
}

fn begin<'a>(input: &mut Input<'a>, signs: &mut Vec<(UnaryOp, Region)>) -> Result<Begin<'a>> {
    if let Some(inside) = input.eat_pasted() {
        return Ok(Begin::Open(Open { inside, at: inside.peek().at, shape: Shape::Pasted }));
    }
    let seen = input.peek();
    input.take(&seen);
    match &seen.token {
        Token::Literal(found) => {
            let sign = signs.pop_if(|(op, _)| *op == UnaryOp::Neg).map(|(_, at)| at);
            Ok(Begin::Leaf(leaf(number_of(found, sign)?)))
        }
        Token::Word(word) if word == "if" => Ok(Begin::If(seen.at)),
        Token::Word(word) => named(input, word, seen.at),
        Token::Group(Delimiter::Parenthesis, inside) => {
            Ok(Begin::Open(Open { inside: *inside, at: seen.at, shape: Shape::Parentheses }))
        }
        token => Err(no_operand(token, seen.at, input)),
    }
}

fn named<'a>(input: &mut Input<'a>, word: &Ident, at: Region) -> Result<Begin<'a>> {
    if word == "true" || word == "false" {
        return Ok(Begin::Leaf(leaf(Expr { kind: ExprKind::Bool(word == "true"), at })));
    }
    let text = word.to_string();
    if is_construct(&text) {
        return Err(construct(at, &text));
    }
    if text == "else" {
        return Err(expected(at, "an expression", "`else`"));
    }
    let name = user_name(word)?;
    let seen = input.peek();
    let (inside, shape) = match seen.token {
        Token::Group(Delimiter::Bracket, inside) => (inside, Shape::Index(name)),
        Token::Group(Delimiter::Parenthesis, inside) => (inside, Shape::Call(name)),
        _ => return Ok(Begin::Leaf(leaf(Expr { kind: ExprKind::Name(name.text), at }))),
    };
    input.take(&input.peek());
    Ok(Begin::Open(Open { inside, at: at.to(seen.at), shape }))
}

/// Reads the expressions in a group and builds the expression that the group stands for.
fn enclosed(mut open: Open) -> Result<Deep> {
    let mut items = Vec::new();
    while more(&open, items.len())? {
        items.push(chain(&mut open.inside)?);
        behind_item(&mut open)?;
    }
    close(open, items)
}

/// Whether another expression is required or allowed here. Fails if an index is missing.
fn more(open: &Open, before: usize) -> Result<bool> {
    match open.shape {
        Shape::Parentheses | Shape::Pasted => Ok(before == 0),
        Shape::Index(_) if before == 0 && open.inside.at_end() => Err(open.inside.expected("at least one index")),
        Shape::Index(_) | Shape::Call(_) => Ok(!open.inside.at_end()),
    }
}

fn behind_item(open: &mut Open) -> Result<()> {
    let inside = &mut open.inside;
    match open.shape {
        Shape::Parentheses if inside.at_op(",") => Err(not_here(inside.peek().at, "tuples", "")),
        Shape::Parentheses => inside.finish("an operator or `)`"),
        Shape::Pasted => inside.finish("an operator or the end of what the macro pasted"),
        _ if inside.at_op("..") || inside.at_op("..=") => {
            Err(not_here(inside.peek().at, "ranges outside `for`", "loops are written in `for`"))
        }
        Shape::Index(_) => inside.comma("index"),
        Shape::Call(_) => inside.comma("argument"),
    }
}

fn close(open: Open, mut items: Vec<Deep>) -> Result<Deep> {
    let depth = items.iter().map(|item| item.depth).max().unwrap_or(0);
    let all = |items: Vec<Deep>| items.into_iter().map(|item| *item.expr).collect();
    let kind = match open.shape {
        Shape::Index(name) => ExprKind::Index { name, indices: all(items) },
        Shape::Call(function) => ExprKind::Call { function, arguments: all(items) },
        Shape::Parentheses | Shape::Pasted => {
            let Some(mut item) = items.pop() else { return Err(open.inside.expected("an expression")) };
            if let Shape::Parentheses = open.shape {
                item.expr.at = open.at;
            }
            return Ok(item);
        }
    };
    grow(depth, open.at, kind)
}

/// Applies the signs before an operand and the casts after it.
fn end(input: &mut Input, mut signs: Vec<(UnaryOp, Region)>, mut deep: Deep) -> Result<Deep> {
    no_postfix(input)?;
    while let Some((op, at)) = signs.pop() {
        let at = at.to(deep.expr.at);
        deep = grow(deep.depth, at, ExprKind::Unary { op, operand: deep.expr })?;
    }
    while input.eat_word("as").is_some() {
        let ty = input.name("a type such as `f32` after `as`")?;
        let at = deep.expr.at.to(ty.at);
        deep = grow(deep.depth, at, ExprKind::Cast { operand: deep.expr, ty })?;
    }
    Ok(deep)
}

/// One `if` or `else if`.
struct Arm {
    start: Region,
    condition: Deep,
    then: Deep,
}

/// `if c { a } else if d { b } else { e }`, after its first word.
fn choice(input: &mut Input, first: Region) -> Result<Deep> {
    let mut arms: Vec<Arm> = Vec::new();
    let mut next = Some(first);
    while let Some(start) = next {
        no_let(input)?;
        let condition = chain(input)?;
        let (mut inside, _) = input.expect_group(Delimiter::Brace, "`{` and a value after the condition")?;
        let then = chain(&mut inside)?;
        finish_branch(&inside)?;
        arms.push(Arm { start, condition, then });
        expect_else(input)?;
        next = input.eat_word("if");
    }
    let (mut inside, braces) = input.expect_group(Delimiter::Brace, "`{` and a value after `else`, or `if`")?;
    let otherwise = chain(&mut inside)?;
    finish_branch(&inside)?;
    nest(arms, otherwise, braces)
}

fn nest(mut arms: Vec<Arm>, mut deep: Deep, end: Region) -> Result<Deep> {
    while let Some(Arm { start, condition, then }) = arms.pop() {
        let depth = deep.depth.max(condition.depth).max(then.depth);
        let kind = ExprKind::If { condition: condition.expr, then: then.expr, otherwise: deep.expr };
        deep = grow(depth, start.to(end), kind)?;
    }
    Ok(deep)
}

fn no_let(input: &Input) -> Result<()> {
    if input.at_word("let") {
        return Err(not_here(input.peek().at, "`if let`", "compare with `==`"));
    }
    Ok(())
}

fn finish_branch(inside: &Input) -> Result<()> {
    inside.finish("an operator or `}`: a branch is one expression, without `;`")
}

fn expect_else(input: &mut Input) -> Result<()> {
    if input.eat_word("else").is_some() { Ok(()) } else { Err(no_else(input)) }
}

fn leaf(expr: Expr) -> Deep {
    Deep { expr: Box::new(expr), depth: 1 }
}

/// A node whose deepest child has this depth. Fails if the tree gets too deep.
fn grow(depth: usize, at: Region, kind: ExprKind) -> Result<Deep> {
    if depth >= limits::EXPRESSION_DEPTH {
        return Err(fault(Region::of(at.end), SyntaxFact::TooDeep { limit: limits::EXPRESSION_DEPTH }));
    }
    Ok(Deep { expr: Box::new(Expr { kind, at }), depth: depth + 1 })
}

fn join(left: Deep, op: BinaryOp, right: Deep) -> Result<Deep> {
    let at = left.expr.at.to(right.expr.at);
    let depth = left.depth.max(right.depth);
    grow(depth, at, ExprKind::Binary { op, left: left.expr, right: right.expr })
}

fn number_of(literal: &Literal, sign: Option<Region>) -> Result<Expr> {
    let own = Region::of(literal.span());
    let at = sign.map_or(own, |sign| sign.to(own));
    let text = literal.to_string();
    let kind = match number(&text, sign.is_some()) {
        Number::Int { value, suffix } => ExprKind::Int { value, suffix },
        Number::Float { text, suffix } => ExprKind::Float { text, suffix },
        Number::TooLarge => return Err(fault(own, SyntaxFact::LiteralTooLarge { text })),
        Number::Text => return Err(not_here(own, "text literals", "write the number, as in `65u8` for `b'A'`")),
    };
    if let ExprKind::Int { suffix: Some(suffix), .. } | ExprKind::Float { suffix: Some(suffix), .. } = &kind
        && !SUFFIXES.contains(&suffix.as_str())
    {
        let types = SUFFIXES.join("`, `");
        return Err(expected(own, &format!("one of the types `{types}` after the digits"), &format!("`{suffix}`")));
    }
    Ok(Expr { kind, at })
}

// Faults for what the grammar does not allow. Kept out of line, so that the stack frames above stay small.

#[cold]
fn two_comparisons(at: Region, op: BinaryOp) -> Box<Fault> {
    let found = format!("a second `{}`", text(op));
    let fault = expected(at, "one comparison at a time: they do not chain", &found);
    Box::new(fault.with_advice("write `a < b && b < c`, or parentheses"))
}

#[cold]
pub(super) fn compound(at: Region, op: &str) -> Box<Fault> {
    let advice =
        "a variable is written once at each point: read its value at an earlier point, as in `Z[i] = Z[i - 1] + a;`";
    not_here(at, &format!("`{op}`"), advice)
}

#[cold]
pub(super) fn construct(at: Region, word: &str) -> Box<Fault> {
    let advice = match word {
        "let" | "static" => "define a variable with all loops as indices: `V[i, j] = …;`",
        "match" => "write `if … { … } else if … { … } else { … }`",
        "for" | "while" | "loop" => "write all loops in the one `for` of the kernel",
        "fn" | "move" => return not_here(at, &format!("`{word}`"), &functions()),
        _ => "",
    };
    not_here(at, &format!("`{word}`"), advice)
}

/// "the functions are `min max …`"
fn functions() -> String {
    format!("the functions are `{}`", FUNCTIONS.map(|(name, ..)| name).join(" "))
}

#[cold]
fn no_else(input: &Input) -> Box<Fault> {
    let seen = input.peek();
    if let Token::Word(word) = &seen.token
        && let found = word.to_string()
        && let Some(keyword) = near(&found, &["else"])
    {
        return misspelt(seen.at, &found, keyword);
    }
    input.expected("`else { … }`: an `if` that is a value needs both branches")
}

#[cold]
fn no_operand(token: &Token, at: Region, input: &Input) -> Box<Fault> {
    match token {
        Token::Op("&" | "&&") => not_here(at, "references", "leave out the `&`"),
        Token::Op("*") => not_here(at, "dereferences", "leave out the `*`"),
        Token::Op("|" | "||") => not_here(at, "closures", ""),
        Token::Op(".." | "..=") => not_here(at, "ranges outside `for`", "loops are written in `for`"),
        Token::Group(Delimiter::Brace, _) => not_here(at, "blocks of statements", "use parentheses to group"),
        Token::Group(Delimiter::Bracket, _) => not_here(at, "lists as values", ""),
        Token::Lifetime => not_here(at, "lifetimes", ""),
        token => expected(at, "an expression", &describe(token, input)),
    }
}

/// Rejects what Rust allows after a value but this language does not.
fn no_postfix(input: &Input) -> Result<()> {
    let seen = input.peek();
    match seen.token {
        Token::Op("." | "?" | "::" | "!" | "...") | Token::Group(Delimiter::Bracket, _) => postfix(input, &seen),
        _ => Ok(()),
    }
}

#[cold]
fn postfix(input: &Input, seen: &Seen) -> Result<()> {
    Err(match (&seen.token, input.peek_second().token) {
        (Token::Op("."), Token::Word(method)) => not_here(
            seen.at,
            &format!("method calls such as `.{method}`"),
            &format!("call it as a function: `{method}(…)`"),
        ),
        (Token::Op("."), _) => not_here(seen.at, "fields", ""),
        (Token::Op("?"), _) => not_here(seen.at, "`?`", ""),
        (Token::Op("::"), _) => not_here(seen.at, "paths with `::`", "functions and types have one name: `max(a, b)`"),
        (Token::Op("!"), _) => not_here(seen.at, "macro calls", ""),
        (Token::Op(_), _) => not_here(seen.at, "`...`", "a range is written `low..high`"),
        _ => not_here(seen.at, "indices after indices or values", "write all indices after one name: `x[i, j]`"),
    })
}
