//! Parses the JSON that `cargo metadata` prints. A dependency for this one command would be one more to vet.
use std::collections::BTreeMap;

/// A value. Numbers stay text, because nothing here computes with them.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Parses one value. Fails if anything follows it.
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value()?;
        reader.spaces();
        if reader.at < text.len() { Err(reader.fault("the end")) } else { Ok(value) }
    }

    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.get(name),
            _ => None,
        }
    }

    /// A member that is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The elements of a member that is a list; empty if there is no such list.
    pub fn list(&self, name: &str) -> &[Json] {
        match self.get(name) {
            Some(Json::List(values)) => values,
            _ => &[],
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fault(&self, expected: &str) -> String {
        format!("JSON: expected {expected} at byte {}", self.at)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn spaces(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Json, String> {
        self.spaces();
        match self.peek() {
            Some('{') => self.object(),
            Some('[') => self.array(),
            Some('"') => self.string().map(Json::Text),
            Some('-' | '0'..='9') => Ok(Json::Number(self.run(|c| c.is_ascii_digit() || "+-.eE".contains(c)))),
            _ => match self.run(|c| c.is_ascii_lowercase()).as_str() {
                "null" => Ok(Json::Null),
                "true" => Ok(Json::Bool(true)),
                "false" => Ok(Json::Bool(false)),
                _ => Err(self.fault("a value")),
            },
        }
    }

    /// Takes the longest prefix whose characters all fit.
    fn run(&mut self, fits: impl Fn(char) -> bool) -> String {
        let rest = &self.text[self.at..];
        let found = &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
        self.at += found.len();
        found.to_string()
    }

    fn object(&mut self) -> Result<Json, String> {
        let mut members = BTreeMap::new();
        self.items('{', '}', |reader| {
            let name = reader.string()?;
            reader.spaces();
            if !reader.take(':') {
                return Err(reader.fault("`:`"));
            }
            members.insert(name, reader.value()?);
            Ok(())
        })?;
        Ok(Json::Object(members))
    }

    fn array(&mut self) -> Result<Json, String> {
        let mut values = Vec::new();
        self.items('[', ']', |reader| {
            values.push(reader.value()?);
            Ok(())
        })?;
        Ok(Json::List(values))
    }

    /// Parses items between two brackets, separated by commas.
    fn items(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.take(open);
        self.spaces();
        if self.take(close) {
            return Ok(());
        }
        loop {
            self.spaces();
            item(self)?;
            self.spaces();
            if self.take(close) {
                return Ok(());
            }
            if !self.take(',') {
                return Err(self.fault("`,` or the end of a list"));
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.take('"') {
            return Err(self.fault("a text"));
        }
        let mut text = String::new();
        loop {
            text += &self.run(|c| c != '"' && c != '\\');
            if self.take('"') {
                return Ok(text);
            }
            if !self.take('\\') {
                return Err(self.fault("the end of a text"));
            }
            text.push(self.escaped()?);
        }
    }

    /// The character after a backslash.
    fn escaped(&mut self) -> Result<char, String> {
        let Some(c) = self.peek() else { return Err(self.fault("an escape")) };
        self.at += c.len_utf8();
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let digits = self.text.get(self.at..self.at + 4).ok_or_else(|| self.fault("four digits"))?;
                let code = u32::from_str_radix(digits, 16).map_err(|_| self.fault("four digits"))?;
                self.at += 4;
                // A lone half of a surrogate pair is not a character. The values looked up here contain none.
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            c => c,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_value() {
        let text = r#" {"a": [1, -2.5e3, true, null], "b": {"c": "x\n\"\u00e9\\"}, "d": [], "e": {}} "#;
        let json = Json::parse(text).unwrap();
        assert_eq!(json.get("b").and_then(|b| b.text("c")), Some("x\n\"é\\"));
        let number = |text: &str| Json::Number(text.to_string());
        assert_eq!(json.list("a"), [number("1"), number("-2.5e3"), Json::Bool(true), Json::Null]);
        assert_eq!(json.list("d"), []);
        assert_eq!(json.get("e"), Some(&Json::Object(BTreeMap::new())));
    }

    #[test]
    fn says_where_a_text_is_broken() {
        for text in ["", "{", "[1", "{\"a\" 1}", "[1] 2", "\"a", "nul", "\"\\u12\""] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
    }
}
