//! Maps and their clauses.
use super::body::soft;
use super::expr::expression;
use super::input::{Input, Result, Token, fault, user_name};
use super::literal::{Number, number};
use super::parse::conditions;
use super::tree::{Clause, ClauseKind, Device, Expr, ExprKind, Map, Matrix, MatrixRow, StageMedium};
use crate::fault::{Fault, SyntaxFact};
use crate::region::{Name, Region};
use proc_macro2::Delimiter;

/// The first words of the clauses of a map.
pub const CLAUSES: [&str; 14] = [
    "tile",
    "launches",
    "blocks",
    "warps",
    "space_time",
    "lanes",
    "reorder",
    "unroll",
    "stage",
    "overlap",
    "shift",
    "resident",
    "ahead",
    "direct",
];
const MAY_REPEAT: [&str; 4] = ["tile", "stage", "overlap", "shift"];

/// A map, after the word `map`.
pub(super) fn map(input: &mut Input, at: Region, faults: &mut Vec<Fault>) -> Result<Map> {
    let mut name = None;
    let auto = input.at_word("auto");
    if auto {
        // Also its name, unless another follows.
        name = Some(input.name("`auto`")?);
    }
    if matches!(input.peek().token, Token::Word(_)) && !input.at_word("where") && !at_on(input) {
        name = Some(input.name("the name of the map")?);
    }
    let mut on = None;
    if matches!(input.peek().token, Token::Word(_)) && !input.at_word("where") {
        input.expect_word(&["on", "where"], "`on`, `where` or `{` and the clauses of the map")?;
        let (device, _) = input.expect_word(&["cpu", "gpu"], "`cpu` or `gpu` after `on`")?;
        on = Some(if device == "cpu" { Device::Cpu } else { Device::Gpu });
    }
    let mut required = Vec::new();
    if matches!(input.peek().token, Token::Word(_)) {
        input.expect_word(&["where"], "`where` or `{` and the clauses of the map")?;
        required = conditions(input)?;
    }
    let (inside, _) = input.expect_group(Delimiter::Brace, "`{` and the clauses of the map")?;
    Ok(Map { auto, name, on, conditions: required, clauses: clauses(inside, faults), at })
}

/// Whether `on` stands here as the keyword before a device. Otherwise `on` is the map's name.
fn at_on(input: &Input) -> bool {
    input.at_word("on") && matches!(input.peek_second().token, Token::Word(next) if next != "on" && next != "where")
}

fn clauses(mut input: Input, faults: &mut Vec<Fault>) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    while !input.at_end() {
        let clause = soft(&mut input, faults, |input| {
            let words = "a clause: `tile`, `launches`, `blocks`, `warps`, `space_time`, `lanes`, `reorder`, `unroll`, \
                         `stage`, `overlap`, `shift`, `resident`, `ahead` or `direct`";
            let (word, start) = input.expect_word(&CLAUSES, words)?;
            if seen.contains(&word) && !MAY_REPEAT.contains(&word) {
                return Err(fault(start, SyntaxFact::Repeated { what: format!("`{word}`") }));
            }
            seen.push(word);
            let kind = clause(input, word)?;
            let end = input.semicolon(&format!("`{word} …`"))?;
            Ok(Clause { kind, at: start.to(end) })
        });
        clauses.extend(clause);
    }
    clauses
}

fn clause(input: &mut Input, word: &str) -> Result<ClauseKind> {
    Ok(match word {
        "tile" => tile(input)?,
        "launches" => ClauseKind::Launches(names(input, word)?),
        "blocks" => blocks(input)?,
        "warps" => ClauseKind::Warps(names(input, word)?),
        "reorder" => ClauseKind::Reorder(names(input, word)?),
        "unroll" => ClauseKind::Unroll(names(input, word)?),
        "space_time" => space_time(input)?,
        "lanes" => lanes(input)?,
        "stage" => stage(input)?,
        "shift" => shift(input)?,
        "resident" => ClauseKind::Resident(factor(input)?),
        "ahead" => ClauseKind::Ahead(factor(input)?),
        "direct" => ClauseKind::Direct,
        _ => overlap(input)?,
    })
}

/// `tile c by 28 as (cb, ci)`
fn tile(input: &mut Input) -> Result<ClauseKind> {
    let of = input.name("the loop to tile: `tile c by 32 as (cb, ci);`")?;
    input.expect_word(&["by"], "`by` and the size of the tile")?;
    let by = factor(input)?;
    input.expect_word(&["as"], "`as` and two new loops: `as (cb, ci)`; put a longer size in parentheses")?;
    let words = "`(` and two new loops: `(cb, ci)`";
    let (mut inside, _) = input.expect_group(Delimiter::Parenthesis, words)?;
    let outer = inside.name("the name of the outer new loop: `(cb, ci)`")?;
    inside.expect_op(",", "`,` and the name of the inner new loop: `(cb, ci)`")?;
    let inner = inside.name("the name of the inner new loop: `(cb, ci)`")?;
    inside.eat_op(",");
    inside.finish("`)`: a tile has two new loops, the outer and the inner")?;
    Ok(ClauseKind::Tile { of, by, outer, inner })
}

/// `blocks (ib, jb)`, `blocks (ib, jb) in order`
fn blocks(input: &mut Input) -> Result<ClauseKind> {
    let loops = names(input, "blocks")?;
    if !matches!(input.peek().token, Token::Word(_)) {
        return Ok(ClauseKind::Blocks(loops));
    }
    input.expect_word(&["in"], "`;` after `blocks …`, or `in order`")?;
    input.expect_word(&["order"], "`order` after `in`: `blocks (ib, jb) in order;`")?;
    Ok(ClauseKind::Ordered(loops))
}

/// `(a, b)`
fn names(input: &mut Input, word: &str) -> Result<Vec<Name>> {
    let bare = input.peek();
    if let Token::Word(name) = &bare.token {
        let fault = input.expected(&format!("`(` and the loops of `{word}`"));
        return Err(Box::new(fault.with_edit("put the loop in parentheses", bare.at, format!("({name})"))));
    }
    let (mut inside, _) = input.expect_group(Delimiter::Parenthesis, &format!("`(` and the loops of `{word}`"))?;
    inside.list("loop", |inside| inside.name("the name of a loop"))
}

/// `space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]] reverse [[1, -1], [0, 1]]`
fn space_time(input: &mut Input) -> Result<ClauseKind> {
    let old = names(input, "space_time")?;
    input.expect_op("->", "`->` and the new loops: `(ci, q) -> (s, t)`")?;
    let new = names(input, "space_time")?;
    input.expect_op("=", "`=` and the matrix: `= [[1, 1], [0, 1]]`")?;
    let forward = matrix(input)?;
    let mut reverse = None;
    if matches!(input.peek().token, Token::Word(_)) {
        input.expect_word(&["reverse"], "`;` after `space_time …`, or `reverse` and a matrix")?;
        reverse = Some(matrix(input)?);
    }
    Ok(ClauseKind::SpaceTime { old, new, matrix: forward, reverse })
}

fn matrix(input: &mut Input) -> Result<Matrix> {
    let (mut inside, at) =
        input.expect_group(Delimiter::Bracket, "`[` and the rows of the matrix: `[[1, 1], [0, 1]]`")?;
    let rows = inside.list("row", |inside| {
        let (mut row, at) = inside.expect_group(Delimiter::Bracket, "`[` and a row of the matrix: `[1, 1]`")?;
        Ok(MatrixRow { entries: row.list("entry", expression)?, at })
    })?;
    Ok(Matrix { rows, at })
}

/// `lanes s fold 4`, `lanes (s1, s2)`
fn lanes(input: &mut Input) -> Result<ClauseKind> {
    let loops = if input.at_group(Delimiter::Parenthesis) {
        let (mut inside, _) = input.expect_group(Delimiter::Parenthesis, "`(`")?;
        let mut count = 0;
        inside.list("loop", |inside| {
            count += 1;
            if count > 2 {
                return Err(inside.expected("`)`: `lanes` takes one or two loops"));
            }
            inside.name("the name of a loop")
        })?
    } else {
        vec![input.name("the loop over the lanes: `lanes s;` or `lanes (s1, s2);`")?]
    };
    let mut fold = None;
    if matches!(input.peek().token, Token::Word(_)) {
        input.expect_word(&["fold"], "`;` after `lanes …`, or `fold` and a number")?;
        fold = Some(factor(input)?);
    }
    Ok(ClauseKind::Lanes { loops, fold })
}

/// `stage x in shared at rb`
fn stage(input: &mut Input) -> Result<ClauseKind> {
    let array = input.name("the array to stage: `stage x in shared at rb;`")?;
    input.expect_word(&["in"], "`in shared` or `in registers`")?;
    let (word, _) = input.expect_word(&["shared", "registers"], "`shared` or `registers`")?;
    let medium = if word == "shared" { StageMedium::Shared } else { StageMedium::Registers };
    input.expect_word(&["at"], "`at` and a loop")?;
    let at = input.name("the loop at which to stage")?;
    Ok(ClauseKind::Stage { array, medium, at })
}

/// `overlap c by T + 1`, `overlap c by (k, m)`
fn overlap(input: &mut Input) -> Result<ClauseKind> {
    let of = input.name("the tiled loop to overlap: `overlap c by 2;`")?;
    input.expect_word(&["by"], "`by` and the width of the overlap")?;
    let Token::Group(Delimiter::Parenthesis, mut inside) = input.peek().token else {
        return Ok(ClauseKind::Overlap { of, before: width(input)?, after: None });
    };
    let before = expression(&mut inside)?;
    // Without a comma the parentheses may only be the first operand, as in `(T + 1) * 2`.
    if !inside.at_op(",") {
        inside.finish("`,` and the width after the tile, or `)`")?;
        return Ok(ClauseKind::Overlap { of, before: expression(input)?, after: None });
    }
    input.take(&input.peek());
    inside.eat_op(",");
    let mut after = None;
    if !inside.at_end() {
        after = Some(expression(&mut inside)?);
        inside.eat_op(",");
    }
    inside.finish("`)`: the overlap has one width, or two: `by (k, m)`")?;
    Ok(ClauseKind::Overlap { of, before, after })
}

/// `shift V by (2, 0)`
fn shift(input: &mut Input) -> Result<ClauseKind> {
    let of = input.name("the variable to shift: `shift V by (1, 0);`")?;
    input.expect_word(&["by"], "`by` and one number per loop")?;
    let words = "`(` and one number per loop: `shift V by (1, 0);`";
    let (mut inside, _) = input.expect_group(Delimiter::Parenthesis, words)?;
    Ok(ClauseKind::Shift { of, by: inside.list("number", expression)? })
}

/// A constant that ends at the `;`. Anything that cannot begin one is left to `constant`, whose message lists what can.
fn width(input: &mut Input) -> Result<Expr> {
    match input.peek().token {
        Token::Literal(_) | Token::Word(_) | Token::Op("-") => expression(input),
        _ => constant(input, "a number, a generic, or a constant in parentheses"),
    }
}

/// INT, a generic, `(constant)`, or `_`.
fn factor(input: &mut Input) -> Result<Expr> {
    let hole = input.peek();
    if input.at_word("_") {
        input.take(&hole);
        return Ok(Expr { kind: ExprKind::Hole, at: hole.at });
    }
    constant(input, "a number, a generic, a constant in parentheses, or `_`")
}

/// INT, a generic, or `(constant)`.
fn constant(input: &mut Input, words: &str) -> Result<Expr> {
    if let Some(mut inside) = input.eat_pasted() {
        let expr = expression(&mut inside)?;
        inside.finish("an operator or the end of what the macro pasted")?;
        return Ok(expr);
    }
    let seen = input.peek();
    let kind = match seen.token {
        Token::Literal(ref literal) => {
            let text = literal.to_string();
            match number(&text, false) {
                Number::Int { value, suffix: None } => ExprKind::Int { value, suffix: None },
                Number::TooLarge => return Err(fault(seen.at, SyntaxFact::LiteralTooLarge { text })),
                _ => return Err(input.expected(words)),
            }
        }
        Token::Word(ref word) => ExprKind::Name(user_name(word)?.text),
        Token::Group(Delimiter::Parenthesis, mut inside) => {
            let expr = expression(&mut inside)?;
            inside.finish("an operator or `)`")?;
            input.take(&input.peek());
            return Ok(Expr { at: seen.at, ..expr });
        }
        _ => return Err(input.expected(words)),
    };
    input.take(&seen);
    Ok(Expr { kind, at: seen.at })
}
