//! Parses the text form of sets.

use crate::{Form, Formula, Int, ParseError, Set};

/// The maximum nesting depth of conditions. The parser is recursive and must not overflow the stack.
const DEPTH: usize = 100;

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, usize)>,
    next: usize,
    names: Vec<&'a str>,
    depth: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Token<'a> {
    Number(Int),
    Name(&'a str),
    Sign(&'a str),
    End,
}

/// One side of a comparison: a form, or the remainder of a form.
struct Side {
    form: Form,
    modulus: Option<Int>,
}

type Read<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Read<Parser<'a>> {
        let tokens = tokens(text)?;
        Ok(Parser { text, tokens, next: 0, names: Vec::new(), depth: 0 })
    }

    pub fn set(mut self) -> Read<Set> {
        self.expect("{")?;
        self.expect("[")?;
        if !self.take("]") {
            loop {
                match self.peek() {
                    Token::Name(name) if self.names.contains(&name) => {
                        return self.fail(&format!("`{name}` is named twice"));
                    }
                    Token::Name(name) if !is_word(name) => self.names.push(name),
                    _ => return self.fail("a name was expected"),
                }
                self.next += 1;
                if !self.take(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        let mut formula = Formula::True;
        if self.take(":") || self.take("|") {
            formula = self.condition()?;
        }
        self.expect("}")?;
        if self.peek() != Token::End {
            return self.fail("the set has ended");
        }
        let names = self.names.iter().map(|name| name.to_string()).collect();
        Ok(Set { names, formula })
    }

    fn condition(&mut self) -> Read<Formula> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("conditions are nested too deeply");
        }
        let mut all = self.disjunction()?;
        while self.take(",") {
            all = all.and(self.disjunction()?);
        }
        self.depth -= 1;
        Ok(all)
    }

    fn disjunction(&mut self) -> Read<Formula> {
        let mut any = self.conjunction()?;
        while self.take_name("or") {
            any = any.or(self.conjunction()?);
        }
        Ok(any)
    }

    fn conjunction(&mut self) -> Read<Formula> {
        let mut all = self.atom()?;
        while self.take_name("and") {
            all = all.and(self.atom()?);
        }
        Ok(all)
    }

    fn atom(&mut self) -> Read<Formula> {
        if self.take_name("true") {
            return Ok(Formula::True);
        }
        if self.take_name("false") {
            return Ok(Formula::False);
        }
        if self.take_name("not") {
            self.expect("(")?;
            let inner = self.condition()?;
            self.expect(")")?;
            return Ok(Formula::Not(Box::new(inner)));
        }
        if self.peek() == Token::Sign("(") && self.holds_condition() {
            self.expect("(")?;
            let inner = self.condition()?;
            self.expect(")")?;
            return Ok(inner);
        }
        self.comparisons()
    }

    /// Whether the parenthesis at this position encloses a condition, not an arithmetic expression.
    fn holds_condition(&self) -> bool {
        let mut open = 0;
        for (token, _) in &self.tokens[self.next..] {
            match token {
                Token::Sign("(") => open += 1,
                Token::Sign(")") => {
                    open -= 1;
                    if open == 0 {
                        return false;
                    }
                }
                Token::Sign("<" | "<=" | ">" | ">=" | "=" | "!=") => return true,
                Token::Name(name) if is_word(name) => return true,
                _ => {}
            }
        }
        false
    }

    fn comparisons(&mut self) -> Read<Formula> {
        let mut left = self.side()?;
        let mut all = Formula::True;
        let mut count = 0;
        while let Token::Sign(sign @ ("<" | "<=" | ">" | ">=" | "=" | "!=")) = self.peek() {
            self.next += 1;
            let right = self.side()?;
            all = all.and(self.compare(&left, sign, &right)?);
            left = right;
            count += 1;
        }
        if count == 0 {
            return self.fail("a comparison was expected");
        }
        Ok(all)
    }

    fn compare(&self, left: &Side, sign: &str, right: &Side) -> Read<Formula> {
        let (remainder, other, modulus) = match (left.modulus, right.modulus) {
            (None, None) => {
                let (a, b) = (&left.form, &right.form);
                return Ok(match sign {
                    "<" => Formula::less(a, b),
                    "<=" => Formula::at_most(a, b),
                    ">" => Formula::greater(a, b),
                    ">=" => Formula::at_least(a, b),
                    "!=" => Formula::differs(a, b),
                    _ => Formula::equal(a, b),
                });
            }
            (Some(modulus), None) => (&left.form, &right.form, modulus),
            (None, Some(modulus)) => (&right.form, &left.form, modulus),
            (Some(_), Some(_)) => return self.fail("a remainder is compared with a number"),
        };
        if !other.is_constant() {
            return self.fail("a remainder is compared with a number");
        }
        let is = other.constant;
        let equal = Formula::Remainder { form: remainder.clone(), modulus, is };
        match sign {
            "=" => Ok(equal),
            "!=" => Ok(Formula::Not(Box::new(equal))),
            _ => self.fail("a remainder is compared with = or !="),
        }
    }

    fn side(&mut self) -> Read<Side> {
        let form = self.sum()?;
        if !self.take("%") {
            return Ok(Side { form, modulus: None });
        }
        match self.peek() {
            Token::Number(modulus) => {
                self.next += 1;
                Ok(Side { form, modulus: Some(modulus) })
            }
            _ => self.fail("a number was expected after %"),
        }
    }

    fn sum(&mut self) -> Read<Form> {
        let negative = self.take("-");
        let mut sum = self.term()?;
        if negative {
            sum = sum.neg();
        }
        loop {
            if self.take("+") {
                sum = sum.add(&self.term()?);
            } else if self.take("-") {
                sum = sum.sub(&self.term()?);
            } else {
                return Ok(sum);
            }
        }
    }

    /// A product of numbers with at most one factor that is not a number.
    fn term(&mut self) -> Read<Form> {
        let mut product = self.factor()?;
        loop {
            let juxtaposed = match self.peek() {
                Token::Name(name) => product.is_constant() && !is_word(name),
                Token::Sign("(") => product.is_constant(),
                _ => false,
            };
            if !juxtaposed && !self.take("*") {
                return Ok(product);
            }
            let factor = self.factor()?;
            product = if product.is_constant() {
                factor.scale(product.constant)
            } else if factor.is_constant() {
                product.scale(factor.constant)
            } else {
                return self.fail("a product of two names is not linear");
            };
        }
    }

    fn factor(&mut self) -> Read<Form> {
        match self.peek() {
            Token::Number(value) => {
                self.next += 1;
                Ok(Form::constant(value))
            }
            Token::Name(name) => match self.names.iter().position(|n| *n == name) {
                Some(k) => {
                    self.next += 1;
                    Ok(Form::var(k))
                }
                None => self.fail(&format!("`{name}` is not a dimension")),
            },
            Token::Sign("-") => {
                self.next += 1;
                self.nested(|parser| Ok(parser.factor()?.neg()))
            }
            Token::Sign("(") => {
                self.next += 1;
                let inner = self.nested(|parser| parser.sum())?;
                self.expect(")")?;
                Ok(inner)
            }
            _ => self.fail("a number or a name was expected"),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("parentheses are nested too deeply");
        }
        let result = read(self)?;
        self.depth -= 1;
        Ok(result)
    }

    fn peek(&self) -> Token<'a> {
        match self.tokens.get(self.next) {
            Some((token, _)) => *token,
            None => Token::End,
        }
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(s) if s == sign);
        self.next += usize::from(found);
        found
    }

    fn take_name(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(name) if name == word);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.take(sign) { Ok(()) } else { self.fail(&format!("`{sign}` was expected")) }
    }

    fn fail<T>(&self, message: &str) -> Read<T> {
        let at = match self.tokens.get(self.next) {
            Some((_, at)) => *at,
            None => self.text.len(),
        };
        Err(ParseError { at, message: message.to_string() })
    }
}

fn is_word(name: &str) -> bool {
    matches!(name, "and" | "or" | "not" | "true" | "false")
}

fn tokens(text: &str) -> Read<Vec<(Token<'_>, usize)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |keep: fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if first.is_ascii_digit() {
            let length = run(|c| c.is_ascii_digit());
            match rest[..length].parse() {
                Ok(value) => tokens.push((Token::Number(value), at)),
                Err(_) => {
                    let message = "this number is too large".to_string();
                    return Err(ParseError { at, message });
                }
            }
            length
        } else if first.is_alphabetic() || first == '_' {
            let length = run(|c| c.is_alphanumeric() || c == '_' || c == '\'');
            tokens.push((Token::Name(&rest[..length]), at));
            length
        } else {
            let two = rest.get(..2).unwrap_or("");
            let length = if matches!(two, "<=" | ">=" | "!=" | "==") { 2 } else { first.len_utf8() };
            let sign = if two == "==" { "=" } else { &rest[..length] };
            if !"{}[]():|,+-*%<><=>=!=".contains(sign) {
                let message = format!("`{sign}` means nothing here");
                return Err(ParseError { at, message });
            }
            tokens.push((Token::Sign(sign), at));
            length
        };
        at += length;
    }
    Ok(tokens)
}
