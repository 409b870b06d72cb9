//! Parses a block and the headers of its kernels.
use super::body::body;
use super::expr::{condition, expression, literal};
use super::input::{Input, Result, Token, describe, expected, misspelt, near, not_here, user_name};
use super::literal::{Number, number};
use super::tree::{
    ArrayType, Border, BorderMode, Expr, ExprKind, Generic, GenericList, Kernel, Lengths, Output, Parameter,
    ParameterKind, Region0,
};
use super::{Parsed, Skeleton};
use crate::fault::Fault;
use crate::region::{Name, Region};
use proc_macro2::{Delimiter, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// The part of a kernel that was read so far.
pub(super) struct Draft<'a, 'f> {
    pub kernel: Kernel,
    pub faults: &'f mut Vec<Fault>,
    /// The position after the word `kernel`, once it was read: the next braces are the body.
    begun: Option<Input<'a>>,
    named: bool,
    complete: bool,
}

pub(super) fn block(mut input: Input, parsed: &mut Parsed) {
    while !input.at_end() {
        let start = input;
        let before = parsed.faults.len();
        let faults = &mut parsed.faults;
        let mut draft = Draft { kernel: nothing(), faults, begun: None, named: false, complete: false };
        if let Err(fault) = kernel(&mut input, &mut draft) {
            draft.faults.push(*fault);
            input = skip_kernel(start, draft.begun);
        }
        let Draft { kernel, named, complete, .. } = draft;
        if parsed.faults.len() == before {
            parsed.block.kernels.push(kernel);
        } else if named {
            let header = Kernel {
                conditions: Vec::new(),
                constants: Vec::new(),
                loops: Vec::new(),
                statements: Vec::new(),
                maps: Vec::new(),
                ..kernel
            };
            parsed.skeletons.push(Skeleton { header, complete_header: complete });
        }
    }
}

fn nothing() -> Kernel {
    Kernel {
        attributes: Vec::new(),
        visibility: TokenStream::new(),
        name: Name::new("", Span::call_site()),
        generics: Vec::new(),
        parameters: Vec::new(),
        outputs: Vec::new(),
        conditions: Vec::new(),
        constants: Vec::new(),
        loops: Vec::new(),
        statements: Vec::new(),
        maps: Vec::new(),
        at: Region::of(Span::call_site()),
    }
}

/// Skips to just after the kernel's body, or to the start of the next kernel. Skips at least one token.
fn skip_kernel<'a>(start: Input<'a>, begun: Option<Input<'a>>) -> Input<'a> {
    let mut input = begun.unwrap_or_else(|| {
        let mut first = start;
        skip_attributes(&mut first);
        first.take(&first.peek());
        first
    });
    loop {
        let here = input;
        skip_attributes(&mut input);
        if starts_kernel(&input) {
            return here;
        }
        let seen = input.peek();
        input.take(&seen);
        match seen.token {
            Token::End => return input,
            Token::Group(Delimiter::Brace, _) if begun.is_some() => return input,
            _ => {}
        }
    }
}

/// Whether `kernel NAME` or `pub … kernel NAME` stands here, allowing for a misspelt `kernel`.
fn starts_kernel(input: &Input) -> bool {
    let mut ahead = *input;
    if ahead.eat_word("pub").is_some() && ahead.at_group(Delimiter::Parenthesis) {
        ahead.take(&ahead.peek());
    }
    let Token::Word(word) = ahead.peek().token else { return false };
    let near = word == "kernel" || near(&word.to_string(), &["kernel"]).is_some();
    near && matches!(ahead.peek_second().token, Token::Word(_))
}

fn skip_attributes(input: &mut Input) {
    while input.at_op("#") && matches!(input.peek_second().token, Token::Group(Delimiter::Bracket, _)) {
        input.take(&input.peek());
        input.take(&input.peek());
    }
}

fn kernel<'a>(input: &mut Input<'a>, draft: &mut Draft<'a, '_>) -> Result<()> {
    draft.kernel.attributes = attributes(input)?;
    draft.kernel.visibility = visibility(input, draft.faults);
    let start = keyword(input, draft.faults)?;
    draft.begun = Some(*input);
    draft.kernel.name = input.name("the kernel's name")?;
    draft.named = true;
    if input.eat_angle('<').is_some() {
        draft.kernel.generics = generics(input)?;
    }
    let before = draft.faults.len();
    let words = "`(` and the parameters: `(x: [f32; N])`";
    let (inside, _) = input.expect_group(Delimiter::Parenthesis, words)?;
    draft.kernel.parameters = soft_list(inside, draft.faults, "parameter", parameter);
    input.expect_op("->", "`->` and the outputs: `-> (z: [f32; N])`")?;
    let words = "`(` and the outputs with their names: `(z: [f32; N])`";
    let (inside, _) = input.expect_group(Delimiter::Parenthesis, words)?;
    if inside.at_end() {
        return Err(inside.expected("at least one output: `(z: [f32; N])`"));
    }
    draft.kernel.outputs = soft_list(inside, draft.faults, "output", output);
    draft.complete = draft.faults.len() == before;
    let words = "`{` and the body of the kernel, or `where`";
    if matches!(input.peek().token, Token::Word(_)) {
        input.expect_word(&["where"], words)?;
        draft.kernel.conditions = conditions(input)?;
    }
    let (inside, braces) = input.expect_group(Delimiter::Brace, words)?;
    draft.kernel.at = start.to(braces);
    body(inside, &mut draft.kernel, draft.faults);
    Ok(())
}

/// The word `kernel`. A misspelling is reported, and reading continues.
fn keyword(input: &mut Input, faults: &mut Vec<Fault>) -> Result<Region> {
    let seen = input.peek();
    let Token::Word(word) = &seen.token else { return Err(input.expected("`kernel` and its name")) };
    if word != "kernel" {
        let found = word.to_string();
        let slip = near(&found, &["kernel"]).filter(|_| matches!(input.peek_second().token, Token::Word(_)));
        let Some(keyword) = slip else { return Err(input.expected("`kernel` and its name")) };
        faults.push(*misspelt(seen.at, &found, keyword));
    }
    input.take(&seen);
    Ok(seen.at)
}

fn attributes(input: &mut Input) -> Result<Vec<TokenStream>> {
    let mut attributes = Vec::new();
    while let Some(hash) = input.eat_op("#") {
        if input.at_op("!") {
            return Err(not_here(input.peek().at, "inner attributes", "write `#[…]` before the kernel"));
        }
        let mut attribute = Punct::new('#', Spacing::Alone);
        attribute.set_span(hash.start);
        let group = input.group_token();
        input.expect_group(Delimiter::Bracket, "`[` and an attribute after `#`")?;
        let tokens = [Some(TokenTree::Punct(attribute)), group.map(TokenTree::Group)];
        attributes.push(tokens.into_iter().flatten().collect());
    }
    Ok(attributes)
}

/// `pub`, `pub(crate)`, `pub(in a::b)` or nothing. A wrong word in the parentheses is reported, and reading continues.
fn visibility(input: &mut Input, faults: &mut Vec<Fault>) -> TokenStream {
    let Some(at) = input.eat_word("pub") else { return TokenStream::new() };
    let mut tokens = vec![TokenTree::Ident(Ident::new("pub", at.start))];
    let seen = input.peek();
    if let Token::Group(Delimiter::Parenthesis, mut inside) = seen.token {
        let group = input.group_token();
        input.take(&input.peek());
        let words = "`crate`, `super`, `self` or `in` and a path after `pub(`";
        let fine = if inside.eat_word("in").is_some() {
            path(&mut inside)
        } else {
            ["crate", "super", "self"].iter().any(|word| inside.eat_word(word).is_some())
        };
        if fine && inside.at_end() {
            tokens.extend(group.map(TokenTree::Group));
        } else {
            faults.push(*inside.expected(words));
        }
    }
    tokens.into_iter().collect()
}

fn path(input: &mut Input) -> bool {
    loop {
        let seen = input.peek();
        let Token::Word(_) = seen.token else { return false };
        input.take(&seen);
        if input.eat_op("::").is_none() {
            return true;
        }
    }
}

/// Generics, after `<` up to and including `>`.
fn generics(input: &mut Input) -> Result<Vec<Generic>> {
    let mut generics = Vec::new();
    while input.eat_angle('>').is_none() {
        let form = "`const N: usize in [2, 5]` or `type T in [f32, f64]`";
        let (word, _) = input.expect_word(&["const", "type"], form)?;
        let name = input.name("a name for the generic")?;
        let list = if word == "const" { numbers(input)? } else { types(input)? };
        generics.push(Generic { name, list });
        if input.eat_op(",").is_none() && input.clone().eat_angle('>').is_none() {
            return Err(input.expected("`,` before the next generic, or `>`"));
        }
    }
    Ok(generics)
}

fn numbers(input: &mut Input) -> Result<GenericList> {
    input.expect_op(":", "`: usize` after the name of a number")?;
    input.expect_word(&["usize"], "`usize`, the type of every number among the generics")?;
    if input.eat_op("=").is_some() {
        return Ok(GenericList::Numbers { values: vec![whole_number(input)?], single: true });
    }
    input.expect_word(&["in"], "`in [2, 5]` or `= 5`: the values the number may have")?;
    let (mut inside, _) = input.expect_group(Delimiter::Bracket, "`[` and the values: `[2, 5]`")?;
    Ok(GenericList::Numbers { values: inside.list("value", whole_number)?, single: false })
}

fn types(input: &mut Input) -> Result<GenericList> {
    input.expect_word(&["in"], "`in [f32, f64]`: the types it may be")?;
    let (mut inside, _) = input.expect_group(Delimiter::Bracket, "`[` and the types: `[f32, f64]`")?;
    Ok(GenericList::Types { values: inside.list("type", |inside| inside.name("a type such as `f32`"))? })
}

/// INT
fn whole_number(input: &mut Input) -> Result<(u64, Region0)> {
    let seen = input.peek();
    let words = "a whole number such as `5`";
    let Token::Literal(literal) = &seen.token else { return Err(input.expected(words)) };
    let text = literal.to_string();
    let value = match number(&text, false) {
        Number::Int { value, suffix: None } => u64::try_from(value).ok(),
        Number::TooLarge => None,
        _ => return Err(input.expected(words)),
    };
    let Some(value) = value else {
        return Err(expected(seen.at, "a whole number below 2^64", &describe(&seen.token, input)));
    };
    input.take(&seen);
    Ok((value, Region0(seen.at)))
}

/// Items separated by commas. A faulty one is reported, and reading continues after the next comma.
fn soft_list<'a, T>(
    mut input: Input<'a>,
    faults: &mut Vec<Fault>,
    what: &str,
    mut item: impl FnMut(&mut Input<'a>) -> Result<T>,
) -> Vec<T> {
    let mut items = Vec::new();
    while !input.at_end() {
        let start = input;
        let read = item(&mut input).and_then(|item| input.comma(what).map(|()| item));
        match read {
            Ok(item) => items.push(item),
            Err(fault) => {
                faults.push(*fault);
                input = start;
                input.skip_past(",");
            }
        }
    }
    items
}

fn parameter(input: &mut Input) -> Result<Parameter> {
    let name = input.name("the name of a parameter")?;
    input.expect_op(":", "`:` and the type of the parameter")?;
    let seen = input.peek();
    let kind = match &seen.token {
        Token::Group(Delimiter::Bracket, _) => {
            let array = array(input)?;
            let lengths = lengths(input)?;
            let border = if lengths.is_some() { None } else { border(input)? };
            if lengths.is_some() {
                no_border(input, "lengths")?;
            }
            ParameterKind::Array { array, border, lengths }
        }
        Token::Word(word) if word == "const" => {
            input.take(&seen);
            let array = array(input)?;
            ParameterKind::Const { array, border: border(input)? }
        }
        Token::Word(word) if word == "size" => {
            input.take(&seen);
            ParameterKind::Size
        }
        _ => {
            let ty = scalar(input, "a type: `[f32; N]`, `const [f32; Q]`, `f32` or `size`")?;
            no_border(input, "a scalar")?;
            ParameterKind::Scalar { ty }
        }
    };
    Ok(Parameter { name, kind })
}

fn output(input: &mut Input) -> Result<Output> {
    let name = input.name("the name of an output")?;
    input.expect_op(":", "`:` and the type of the output")?;
    if input.at_word("const") {
        return Err(not_here(input.peek().at, "`const` outputs", "leave out `const`"));
    }
    let is_scalar = !input.at_op("&") && matches!(input.peek().token, Token::Word(_));
    let array = if is_scalar {
        let element = scalar(input, "a type: `[f32; N]` or `f32`")?;
        let at = element.at;
        ArrayType { element, dims: Vec::new(), at }
    } else {
        array(input)?
    };
    no_border(input, "an output")?;
    Ok(Output { name, array, is_scalar, rest: rest(input)? })
}

/// `rest 0.0`, or nothing
fn rest(input: &mut Input) -> Result<Option<Expr>> {
    let seen = input.peek();
    let Token::Word(word) = &seen.token else { return Ok(None) };
    if word != "rest" {
        let found = word.to_string();
        return match near(&found, &["rest"]) {
            Some(keyword) => Err(misspelt(seen.at, &found, keyword)),
            None => Err(input.expected("`,` before the next output, or `rest`")),
        };
    }
    input.take(&seen);
    literal(input, "a literal: what elements hold that no point stores, as in `rest 0.0`").map(Some)
}

/// `in 1..=N`, or nothing
fn lengths(input: &mut Input) -> Result<Option<Lengths>> {
    let Some(start) = input.eat_word("in") else { return Ok(None) };
    let least = whole_number(input)?;
    if input.at_op("..") {
        return Err(not_here(input.peek().at, "`..` after `in`", "write `1..=N`: the greatest length is included"));
    }
    input.expect_op("..=", "`..=` and the greatest length: `in 1..=N`")?;
    let most = expression(input)?;
    let at = start.to(most.at);
    Ok(Some(Lengths { least, most, at }))
}

fn no_border(input: &Input, what: &str) -> Result<()> {
    if input.at_word("border") {
        return Err(not_here(input.peek().at, &format!("border on {what}"), "only arrays that are read have one"));
    }
    Ok(())
}

/// The name of a scalar type, where an array type is allowed as well.
pub(super) fn scalar(input: &mut Input, words: &str) -> Result<Name> {
    if input.at_op("&") {
        return Err(not_here(input.peek().at, "references", "leave out the `&`"));
    }
    input.name(words)
}

/// `[f32; R, C]`
pub(super) fn array(input: &mut Input) -> Result<ArrayType> {
    if input.at_op("&") {
        return Err(not_here(input.peek().at, "references", "leave out the `&`"));
    }
    let words = "an array such as `[f32; N]`";
    let (mut inside, at) = input.expect_group(Delimiter::Bracket, words)?;
    if inside.at_group(Delimiter::Bracket) {
        let advice = "write all dimensions in one list: `[f32; R, C]`";
        return Err(not_here(inside.peek().at, "arrays of arrays", advice));
    }
    let element = inside.name("the type of the elements: `[f32; N]`")?;
    inside.expect_op(";", "`;` and the dimensions: `[f32; R, C]`")?;
    let dims = inside.list("dimension", expression)?;
    Ok(ArrayType { element, dims, at })
}

pub(super) fn border(input: &mut Input) -> Result<Option<Border>> {
    let seen = input.peek();
    let Token::Word(word) = &seen.token else { return Ok(None) };
    if word != "border" {
        let found = word.to_string();
        return match near(&found, &["border"]) {
            Some(keyword) => Err(misspelt(seen.at, &found, keyword)),
            None => Err(input.expected("`,` before the next parameter, or `border`")),
        };
    }
    input.take(&seen);
    let words = "`zero`, `clamp`, `reflect`, `symmetric`, `wrap` or `constant(…)`";
    let (word, mut end) = input.expect_word(&["zero", "clamp", "reflect", "symmetric", "wrap", "constant"], words)?;
    let mode = match word {
        "zero" => BorderMode::Zero,
        "clamp" => BorderMode::Clamp,
        "reflect" => BorderMode::Reflect,
        "symmetric" => BorderMode::Symmetric,
        "wrap" => BorderMode::Wrap,
        _ => {
            let words = "`(` and the value outside the array: `constant(1.0)`";
            let (mut inside, parens) = input.expect_group(Delimiter::Parenthesis, words)?;
            let value = border_value(&mut inside)?;
            inside.finish("`)`: the border is one literal or one name")?;
            end = parens;
            BorderMode::Constant(value)
        }
    };
    Ok(Some(Border { mode, at: seen.at.to(end) }))
}

/// A literal or the name of a scalar parameter.
fn border_value(input: &mut Input) -> Result<Expr> {
    let words = "a literal or the name of a scalar parameter";
    let seen = input.peek();
    match &seen.token {
        Token::Word(word) if word != "true" && word != "false" => {
            let name = user_name(word)?;
            input.take(&seen);
            Ok(Expr { kind: ExprKind::Name(name.text), at: name.at })
        }
        _ => literal(input, words),
    }
}

/// Conditions up to but excluding the `{` after them.
pub(super) fn conditions(input: &mut Input) -> Result<Vec<Expr>> {
    if input.at_group(Delimiter::Brace) {
        return Err(input.expected("a condition after `where`: `N % 4 == 0`"));
    }
    let mut conditions = vec![condition(input)?];
    while input.eat_op(",").is_some() && !input.at_group(Delimiter::Brace) {
        conditions.push(condition(input)?);
    }
    if !input.at_group(Delimiter::Brace) {
        return Err(input.expected("`,` before the next condition, or `{`"));
    }
    Ok(conditions)
}
