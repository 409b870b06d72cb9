//! Reads the tokens of one group from left to right and reports faults at them.
//! Groups without delimiters, which `macro_rules!` puts around what it pastes, are transparent.
use super::words::is_reserved;
use crate::fault::{Fault, SyntaxFact, nearest};
use crate::region::{Name, Region};
use crate::target::limits;
use proc_macro2::extra::DelimSpan;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenTree};
use syn::buffer::Cursor;

/// The fault is boxed, so that the parser's stack frames stay small.
pub(super) type Result<T> = std::result::Result<T, Box<Fault>>;

pub(super) fn fault(at: Region, fact: SyntaxFact) -> Box<Fault> {
    Box::new(Fault::new(at, fact))
}

pub(super) fn expected(at: Region, expected: &str, found: &str) -> Box<Fault> {
    fault(at, SyntaxFact::Expected { expected: expected.to_owned(), found: found.to_owned() })
}

/// A construct of Rust that the language does not have, and what to write instead.
pub(super) fn not_here(at: Region, what: &str, advice: &str) -> Box<Fault> {
    let fault = Fault::new(at, SyntaxFact::NotHere { what: what.to_owned() });
    Box::new(if advice.is_empty() { fault } else { fault.with_advice(advice) })
}

/// Operators of Rust, the longest first, then the single characters.
const OPERATORS: [&str; 48] = [
    "<<=", ">>=", "..=", "...", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "=>", "..", "::", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "=", "<", ">", "!", "~", "+", "-", "*", "/", "%", "^", "&", "|", "@", ".", ",",
    ";", ":", "#", "$", "?", "'", "_", "\\",
];

pub(super) enum Token<'a> {
    Word(Ident),
    Op(&'static str),
    Literal(Literal),
    Group(Delimiter, Input<'a>),
    Lifetime,
    End,
}

/// The next token, its region and the position after it.
pub(super) struct Seen<'a> {
    pub token: Token<'a>,
    pub at: Region,
    next: Cursor<'a>,
}

impl Seen<'_> {
    /// "expected …" at this token; for a group, at its opening delimiter.
    fn expected(&self, words: &str, input: &Input) -> Box<Fault> {
        let at = if let Token::Group(..) = self.token { Region::of(self.at.start) } else { self.at };
        expected(at, words, &describe(&self.token, input))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    cursor: Cursor<'a>,
    /// The position before the token taken last.
    last: Option<Cursor<'a>>,
    /// The delimiter around these tokens. Groups without delimiters and the block itself have no `close`.
    delimiter: Delimiter,
    close: Option<Span>,
    /// The number of expressions that are being read around this position.
    level: usize,
}

impl<'a> Input<'a> {
    pub fn block(cursor: Cursor<'a>) -> Input<'a> {
        Input { cursor, last: None, delimiter: Delimiter::None, close: None, level: 0 }
    }

    fn inside(&self, cursor: Cursor<'a>, delimiter: Delimiter, span: DelimSpan) -> Input<'a> {
        let close = (delimiter != Delimiter::None).then(|| span.close());
        Input { cursor, last: None, delimiter, close, level: self.level }
    }

    pub fn peek(&self) -> Seen<'a> {
        self.look(self.cursor)
    }

    fn look(&self, cursor: Cursor<'a>) -> Seen<'a> {
        if let Some((word, next)) = cursor.ident() {
            let at = Region::of(word.span());
            return Seen { token: Token::Word(word), at, next };
        }
        if let Some((literal, next)) = cursor.literal() {
            let at = Region::of(literal.span());
            return Seen { token: Token::Literal(literal), at, next };
        }
        if let Some((punct, next)) = cursor.punct() {
            return look_operator(&punct, next);
        }
        for delimiter in [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace] {
            if let Some((inside, span, next)) = cursor.group(delimiter) {
                let at = Region { start: span.open(), end: span.close() };
                return Seen { token: Token::Group(delimiter, self.inside(inside, delimiter, span)), at, next };
            }
        }
        if let Some((lifetime, next)) = cursor.lifetime() {
            let at = Region { start: lifetime.apostrophe, end: lifetime.ident.span() };
            return Seen { token: Token::Lifetime, at, next };
        }
        Seen { token: Token::End, at: self.end(), next: cursor }
    }

    /// The region of a fault at the end: the closing delimiter, or the last token of a block.
    fn end(&self) -> Region {
        match (self.close, self.last) {
            (Some(close), _) => Region::of(close),
            (None, Some(last)) => {
                let last = self.look_back(last);
                Region::of(last.at.end)
            }
            (None, None) => Region::of(Span::call_site()),
        }
    }

    /// The token taken last. `last` is always followed by a token, so this never calls `end` again.
    fn look_back(&self, last: Cursor<'a>) -> Seen<'a> {
        Input { last: None, ..*self }.look(last)
    }

    pub fn take(&mut self, seen: &Seen<'a>) {
        if !matches!(seen.token, Token::End) {
            self.last = Some(self.cursor);
            self.cursor = seen.next;
        }
    }

    pub fn at_end(&self) -> bool {
        // Only a group without delimiters needs a closer look: it may be empty.
        self.cursor.eof() || self.cursor.group(Delimiter::None).is_some() && matches!(self.peek().token, Token::End)
    }

    /// The token after the next one.
    pub fn peek_second(&self) -> Seen<'a> {
        let mut ahead = *self;
        ahead.take(&self.peek());
        ahead.peek()
    }

    pub fn at_word(&self, word: &str) -> bool {
        self.cursor.ident().is_some_and(|(found, _)| found == word)
    }

    pub fn at_op(&self, op: &str) -> bool {
        self.clone().eat_op(op).is_some()
    }

    pub fn at_group(&self, delimiter: Delimiter) -> bool {
        self.cursor.group(delimiter).is_some()
    }

    pub fn eat_word(&mut self, word: &str) -> Option<Region> {
        let (found, next) = self.cursor.ident()?;
        (found == word).then(|| self.step(next, found.span()))
    }

    pub fn eat_op(&mut self, op: &str) -> Option<Region> {
        let (first, behind) = self.cursor.punct()?;
        if !op.starts_with(first.as_char()) {
            return None;
        }
        let seen = look_operator(&first, behind);
        let Token::Op(found) = seen.token else { return None };
        (found == op).then(|| {
            self.take(&seen);
            seen.at
        })
    }

    /// A single `<` or `>`, even if it is joined to the next character, as in `>>`.
    pub fn eat_angle(&mut self, angle: char) -> Option<Region> {
        let (punct, next) = self.cursor.punct()?;
        (punct.as_char() == angle).then(|| self.step(next, punct.span()))
    }

    fn step(&mut self, next: Cursor<'a>, span: Span) -> Region {
        self.last = Some(self.cursor);
        self.cursor = next;
        Region::of(span)
    }

    /// A group without delimiters that holds more than one token: what `macro_rules!` pastes for `$e:expr`.
    /// Returns `None` for a group of one token, which is transparent, so that `$x[i]` reads an array.
    pub fn eat_pasted(&mut self) -> Option<Input<'a>> {
        let (inside, span, next) = self.cursor.group(Delimiter::None)?;
        let inside = self.inside(inside, Delimiter::None, span);
        let mut ahead = inside;
        ahead.take(&inside.peek());
        if ahead.at_end() {
            return None;
        }
        self.last = Some(self.cursor);
        self.cursor = next;
        Some(inside)
    }

    pub fn at_pasted(&self) -> bool {
        self.clone().eat_pasted().is_some()
    }

    pub fn expect_op(&mut self, op: &str, words: &str) -> Result<Region> {
        self.eat_op(op).ok_or_else(|| self.expected(words))
    }

    /// One of these words. A likely typing mistake is reported as a misspelt keyword.
    pub fn expect_word(&mut self, choice: &[&'static str], words: &str) -> Result<(&'static str, Region)> {
        let seen = self.peek();
        if let Token::Word(found) = &seen.token {
            let found = found.to_string();
            if let Some(&word) = choice.iter().find(|&&word| word == found) {
                self.take(&seen);
                return Ok((word, seen.at));
            }
            if let Some(keyword) = near(&found, choice) {
                return Err(misspelt(seen.at, &found, keyword));
            }
        }
        Err(self.expected(words))
    }

    /// The tokens inside a group, and the region of the whole group.
    pub fn expect_group(&mut self, delimiter: Delimiter, words: &str) -> Result<(Input<'a>, Region)> {
        let seen = self.peek();
        self.take(&seen);
        match seen.token {
            Token::Group(found, inside) if found == delimiter => Ok((inside, seen.at)),
            _ => Err(seen.expected(words, self)),
        }
    }

    /// Fails if anything follows in this group.
    pub fn finish(&self, words: &str) -> Result<()> {
        if self.at_end() { Ok(()) } else { Err(self.expected(words)) }
    }

    /// A name chosen by the user. Fails for words of Rust.
    pub fn name(&mut self, words: &str) -> Result<Name> {
        let seen = self.peek();
        let Token::Word(word) = &seen.token else { return Err(self.expected(words)) };
        let name = user_name(word)?;
        self.take(&seen);
        Ok(name)
    }

    /// One or more items separated by commas, up to the end of the group; a trailing comma is allowed.
    pub fn list<T>(&mut self, what: &str, mut item: impl FnMut(&mut Input<'a>) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.at_end() {
            return Err(self.expected(&format!("at least one {what}")));
        }
        while !self.at_end() {
            items.push(item(self)?);
            self.comma(what)?;
        }
        Ok(items)
    }

    /// A comma, unless the group ends here.
    pub fn comma(&mut self, what: &str) -> Result<()> {
        if self.at_end() {
            return Ok(());
        }
        self.expect_op(",", &format!("`,` before the next {what}")).map(drop)
    }

    /// The `;` that ends `what`.
    pub fn semicolon(&mut self, what: &str) -> Result<Region> {
        if let Some(at) = self.eat_op(";") {
            return Ok(at);
        }
        let fault = self.expected(&format!("`;` after {what}"));
        let help = "end it with `;`";
        if let Some(at) = self.clone().eat_op(",") {
            return Err(Box::new(fault.with_edit(help, at, ";")));
        }
        // Inserting `;` does not help if a stray sign or a `let` follows.
        let goes_on = match self.peek().token {
            Token::Word(word) => !super::words::is_construct(&word.to_string()),
            Token::End => true,
            _ => false,
        };
        let Some((at, text)) = self.last_token().filter(|_| goes_on) else { return Err(fault) };
        Err(Box::new(fault.with_edit(help, at, format!("{text};"))))
    }

    /// The token taken last, or the closing delimiter if it was a group.
    fn last_token(&self) -> Option<(Region, String)> {
        let seen = self.look_back(self.last?);
        let text = match seen.token {
            Token::Word(word) => word.to_string(),
            Token::Literal(literal) => literal.to_string(),
            Token::Op(op) => op.to_owned(),
            Token::Group(delimiter, _) => delimiters(delimiter).1.to_owned(),
            Token::Lifetime | Token::End => return None,
        };
        Some((Region::of(seen.at.end), text))
    }

    /// "expected …" at the next token.
    #[cold]
    pub fn expected(&self, words: &str) -> Box<Fault> {
        self.peek().expected(words, self)
    }

    /// Skips to just after the next `stop`, or to the end.
    pub fn skip_past(&mut self, stop: &str) {
        loop {
            let seen = self.peek();
            self.take(&seen);
            match seen.token {
                Token::End => return,
                Token::Op(op) if op == stop => return,
                _ => {}
            }
        }
    }

    /// Counts nested expressions, so that reading cannot overflow the stack: `if if if …` nests without groups.
    pub fn descend(&mut self) -> Result<()> {
        if self.level >= limits::NESTING {
            return Err(fault(self.peek().at, SyntaxFact::TooDeep { limit: limits::NESTING }));
        }
        self.level += 1;
        Ok(())
    }

    pub fn ascend(&mut self) {
        self.level -= 1;
    }

    /// The next token, if it is a group, with its own spans. A group inside one without delimiters is rebuilt.
    pub fn group_token(&self) -> Option<Group> {
        if let Some((TokenTree::Group(group), _)) = self.cursor.token_tree()
            && group.delimiter() != Delimiter::None
        {
            return Some(group);
        }
        let seen = self.peek();
        let Token::Group(delimiter, inside) = seen.token else { return None };
        let mut group = Group::new(delimiter, inside.cursor.token_stream());
        group.set_span(seen.at.start);
        Some(group)
    }
}

/// Reads up to three adjacent characters that together form an operator.
fn look_operator<'a>(first: &Punct, behind: Cursor<'a>) -> Seen<'a> {
    let mut text = [first.as_char(), '\0', '\0'];
    let mut ends = [(first.span(), behind); 3];
    let mut glued = first.spacing() == Spacing::Joint;
    for i in 1..3 {
        let Some((punct, next)) = ends[i - 1].1.punct().filter(|_| glued) else { break };
        text[i] = punct.as_char();
        ends[i] = (punct.span(), next);
        glued = punct.spacing() == Spacing::Joint;
    }
    let starts = |op: &&str| op.chars().zip(text).all(|(wanted, found)| wanted == found);
    let op = OPERATORS.into_iter().find(starts).unwrap_or("?");
    let (end, next) = ends[op.len() - 1];
    Seen { token: Token::Op(op), at: Region { start: first.span(), end }, next }
}

/// Checks that a word may be a name.
pub(super) fn user_name(word: &Ident) -> Result<Name> {
    let text = word.to_string();
    let at = Region::of(word.span());
    if let Some(plain) = text.strip_prefix("r#") {
        return Err(not_here(at, &format!("raw names such as `{text}`"), &format!("choose a name such as `{plain}_`")));
    }
    if is_reserved(&text) {
        return Err(fault(at, SyntaxFact::Reserved { word: text }));
    }
    Ok(Name { text, at })
}

/// The keyword that was probably meant.
pub(super) fn near(found: &str, choice: &[&'static str]) -> Option<&'static str> {
    if is_reserved(found) { None } else { nearest(found, choice.iter().copied()) }
}

pub(super) fn misspelt(at: Region, found: &str, keyword: &str) -> Box<Fault> {
    let fact = SyntaxFact::Misspelt { found: found.to_owned(), keyword: keyword.to_owned() };
    Box::new(Fault::new(at, fact).with_edit(format!("write `{keyword}`"), at, keyword))
}

pub(super) fn describe(token: &Token, input: &Input) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Op(op) => format!("`{op}`"),
        Token::Literal(literal) => {
            let text = literal.to_string();
            match text.char_indices().nth(40) {
                Some((cut, _)) => format!("`{}…`", &text[..cut]),
                None => format!("`{text}`"),
            }
        }
        Token::Group(delimiter, _) => whole(*delimiter),
        Token::Lifetime => "a lifetime".to_owned(),
        Token::End if input.close.is_some() => format!("the end of {}", whole(input.delimiter)),
        Token::End => "the end".to_owned(),
    }
}

fn whole(delimiter: Delimiter) -> String {
    let (open, close) = delimiters(delimiter);
    format!("`{open} … {close}`")
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => ("", ""),
    }
}
