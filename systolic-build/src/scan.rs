//! Scans the tokens of one file for references to other files (modules and included files), for other names of the
//! macro, and for calls of the macro. Nothing here reads a file.
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The maximum nesting depth; rustc rejects deeper code too.
const MOST_NESTED: usize = 200;

/// A module whose text is in another file.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Module {
    pub name: String,
    /// The folders of the enclosing inline modules.
    pub inside: Vec<String>,
    /// The values of its `path` attributes.
    pub paths: Vec<String>,
    /// Whether the module is under a `cfg`, so that its file may be missing.
    pub is_guarded: bool,
}

/// The references of a file to other files.
#[derive(Debug, Default, PartialEq)]
pub struct Leads {
    pub modules: Vec<Module>,
    /// Paths of `include!`.
    pub includes: Vec<String>,
    /// Names that a `use … as` gives to the macro.
    pub renames: BTreeSet<String>,
}

/// Finds the references in these tokens. `variable` looks up the environment for `env!`.
pub fn leads(tokens: TokenStream, variable: &dyn Fn(&str) -> Option<String>) -> Leads {
    let mut leads = Leads::default();
    Scan { variable, leads: &mut leads }.walk(tokens, &[], 0);
    leads
}

struct Scan<'a> {
    variable: &'a dyn Fn(&str) -> Option<String>,
    leads: &'a mut Leads,
}

impl Scan<'_> {
    fn walk(&mut self, tokens: TokenStream, inside: &[String], depth: usize) {
        if depth > MOST_NESTED {
            return;
        }
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut attributes = Attributes::default();
        let mut k = 0;
        while let Some(token) = tokens.get(k) {
            let rest = &tokens[k + 1..];
            k += 1;
            match (token, rest) {
                (TokenTree::Punct(p), [TokenTree::Group(group), ..]) if p.as_char() == '#' => {
                    attributes.add(group.stream());
                    k += 1;
                    continue;
                }
                // Tokens that may come between an attribute and `mod`.
                (TokenTree::Ident(word), [TokenTree::Group(_), ..]) if word == "pub" => k += 1,
                (TokenTree::Ident(word), _) if word == "pub" => {}
                (TokenTree::Ident(word), [TokenTree::Ident(name), end, ..]) if word == "mod" => {
                    self.module(&plain_name(name), end, inside, &attributes, depth);
                    attributes = Attributes::default();
                    k += 2;
                }
                (TokenTree::Ident(word), [TokenTree::Punct(bang), TokenTree::Group(group), ..])
                    if word == "include" && bang.as_char() == '!' =>
                {
                    self.leads.includes.extend(text_of(group.stream(), self.variable));
                    k += 2;
                }
                (TokenTree::Ident(old), [TokenTree::Ident(word), TokenTree::Ident(new), ..])
                    if old == "systolic" && word == "as" && new != "_" =>
                {
                    self.leads.renames.insert(plain_name(new));
                    k += 2;
                }
                (TokenTree::Group(group), _) => {
                    self.walk(group.stream(), inside, depth + 1);
                    attributes = Attributes::default();
                }
                _ => attributes = Attributes::default(),
            }
        }
    }

    /// Handles a module: an inline one is scanned, any other is recorded.
    fn module(&mut self, name: &str, end: &TokenTree, inside: &[String], attributes: &Attributes, depth: usize) {
        match end {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let folder = attributes.paths.first().map_or(name, String::as_str);
                self.walk(group.stream(), &[inside, &[folder.to_string()]].concat(), depth + 1);
            }
            TokenTree::Punct(p) if p.as_char() == ';' => self.leads.modules.push(Module {
                name: name.to_string(),
                inside: inside.to_vec(),
                paths: attributes.paths.clone(),
                is_guarded: attributes.is_guarded,
            }),
            _ => {}
        }
    }
}

/// The relevant contents of the attributes before an item.
#[derive(Default)]
struct Attributes {
    paths: Vec<String>,
    is_guarded: bool,
}

impl Attributes {
    /// Adds the contents of one `#[…]`.
    fn add(&mut self, attribute: TokenStream) {
        let tokens: Vec<TokenTree> = attribute.into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Ident(word), TokenTree::Punct(p), TokenTree::Literal(path)]
                if word == "path" && p.as_char() == '=' =>
            {
                self.paths.extend(unquoted(&path.to_string()));
            }
            [TokenTree::Ident(word), TokenTree::Group(group)] if word == "cfg" || word == "cfg_attr" => {
                self.is_guarded = true;
                // The attributes follow the condition.
                let parts: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
                let attributes = parts.split(is_comma).skip(1);
                attributes.for_each(|attribute| self.add(attribute.iter().cloned().collect()));
            }
            _ => {}
        }
    }
}

/// The contents of all calls of a macro with one of these names, as text, because tokens cannot move between threads.
pub fn calls(tokens: TokenStream, names: &BTreeSet<String>) -> Vec<String> {
    contents(tokens, names).iter().map(ToString::to_string).collect()
}

/// The same as tokens, which know their places.
pub fn contents(tokens: TokenStream, names: &BTreeSet<String>) -> Vec<TokenStream> {
    fn walk(tokens: TokenStream, names: &BTreeSet<String>, depth: usize, found: &mut Vec<TokenStream>) {
        if depth > MOST_NESTED {
            return;
        }
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (k, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else { continue };
            match &tokens[..k] {
                [.., TokenTree::Ident(name), TokenTree::Punct(bang)]
                    if bang.as_char() == '!' && names.contains(&plain_name(name)) =>
                {
                    found.push(group.stream());
                }
                _ => walk(group.stream(), names, depth + 1, found),
            }
        }
    }
    let mut found = Vec::new();
    walk(tokens, names, 0, &mut found);
    found
}

/// A name without the `r#` of a raw identifier.
fn plain_name(name: &proc_macro2::Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map(String::from).unwrap_or(name)
}

/// A path as `include!` accepts it: a string, `env!("…")`, or `concat!` of these.
fn text_of(tokens: TokenStream, variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Literal(text)] => unquoted(&text.to_string()),
        [TokenTree::Literal(text), TokenTree::Punct(comma)] if comma.as_char() == ',' => unquoted(&text.to_string()),
        [TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Group(group)] if word == "env" => {
            variable(&text_of(group.stream(), variable)?)
        }
        [TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Group(group)] if word == "concat" => {
            let parts: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
            let parts = parts.split(is_comma).filter(|part| !part.is_empty());
            parts.map(|part| text_of(part.iter().cloned().collect(), variable)).collect()
        }
        _ => None,
    }
}

/// The value of a string literal. Escapes other than of a quote or a backslash are not supported; paths do not contain
/// them.
fn unquoted(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        return Some(raw.trim_matches('#').strip_prefix('"')?.strip_suffix('"')?.to_string());
    }
    let inside = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.push(letters.next().filter(|escaped| matches!(escaped, '\\' | '"'))?),
            letter => text.push(letter),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{Leads, Module, calls, leads};
    use std::collections::BTreeSet;

    fn of(text: &str) -> Leads {
        let variable = |name: &str| (name == "OUT_DIR").then(|| "/out".to_string());
        leads(text.parse().expect("tokens"), &variable)
    }

    fn found(text: &str, names: &[&str]) -> Vec<String> {
        let names: BTreeSet<String> = names.iter().map(ToString::to_string).collect();
        calls(text.parse().expect("tokens"), &names)
    }

    fn module(name: &str, inside: &[&str], paths: &[&str], is_guarded: bool) -> Module {
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        Module { name: name.to_string(), inside: owned(inside), paths: owned(paths), is_guarded }
    }

    #[test]
    fn modules_and_what_stands_before_them() {
        let text = "mod a; pub mod b; pub(crate) mod r#c; #[path = \"x/y.rs\"] #[allow(unused)] pub mod d; mod e {}
                    #[path = \"z.rs\"] fn f() {} mod g;";
        let expected = [("a", &[][..]), ("b", &[]), ("c", &[]), ("d", &["x/y.rs"]), ("g", &[])];
        assert_eq!(of(text).modules, expected.map(|(name, paths)| module(name, &[], paths, false)));
    }

    #[test]
    fn modules_inside_modules() {
        let text = "mod a { pub mod b { mod c; } } #[path = \"p\"] mod d { mod e; } fn f() { mod g; }";
        let expected =
            [module("c", &["a", "b"], &[], false), module("e", &["p"], &[], false), module("g", &[], &[], false)];
        assert_eq!(of(text).modules, expected);
    }

    #[test]
    fn conditions() {
        let text = "#[cfg(unix)] mod a; #[cfg_attr(unix, path = \"u.rs\", doc = \"\")] #[cfg_attr(windows, path = \"w.rs\")] mod b;
                    cfg_if! { if #[cfg(unix)] { mod c; } }";
        let expected =
            [module("a", &[], &[], true), module("b", &[], &["u.rs", "w.rs"], true), module("c", &[], &[], false)];
        assert_eq!(of(text).modules, expected);
    }

    #[test]
    fn included_files() {
        let text = "include!(\"a.rs\"); include!(r\"b\\c.rs\"); const X: u8 = include!(concat!(env!(\"OUT_DIR\"), \"/d.rs\",));
                    include!(concat!(env!(\"UNKNOWN\"), \"/e.rs\")); include!(f());";
        assert_eq!(of(text).includes, ["a.rs", "b\\c.rs", "/out/d.rs"]);
    }

    #[test]
    fn other_names() {
        let text = "use systolic::systolic as kernels; use systolic::{Cpu, systolic as s}; use systolic as _;";
        assert_eq!(of(text).renames.into_iter().collect::<Vec<_>>(), ["kernels", "s"]);
    }

    #[test]
    fn calls_anywhere() {
        let text = "systolic! { one } fn f() { if true { systolic::systolic!(two); } } mod m { ::sys::r#systolic![three]; }
                    macro_rules! systolic { () => { systolic! { four } } } systolic!(); kernels! { five } let x = a!{ six };";
        assert_eq!(found(text, &["systolic", "kernels"]), ["one", "two", "three", "four", "", "five"]);
    }

    #[test]
    fn tokens_survive_as_text() {
        let inside = "/// Words.\n kernel k < const Q : usize in [2] > (x : [f32 ; N]) -> (y : [f32 ; N]) { for n in 0..N, m in -1..=2 {
                      A[n] = x[n] as f32 * 1.5e-3 << 2 >= b && !c || 'a' == -128i8; } }";
        let tokens: proc_macro2::TokenStream = inside.parse().expect("tokens");
        let again: proc_macro2::TokenStream =
            found(&format!("systolic! {{ {inside} }}"), &["systolic"])[0].parse().expect("tokens");
        assert_eq!(again.to_string(), tokens.to_string());
    }

    /// Nesting far deeper than in real code, as a broken file may have it.
    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{}{}", "(".repeat(50_000), ")".repeat(50_000));
        assert_eq!((of(&deep), found(&deep, &["systolic"])), (Leads::default(), Vec::new()));
    }
}
