//! The names of a kernel for an editor. Every name becomes an item at the place where it is defined, with documentation, and
//! every use of it becomes an expression at its place:
//!
//! ```text
//! S[n] = x[n] + S[n - 1];    gives    /// A variable: …         static S: Variable<f32> = …;
//!                                     let _ = &n; let _ = &x; let _ = &n; let _ = &S; let _ = &n;
//! ```
//!
//! So the editor shows what a name is, goes from a use to the definition, finds all uses, and renames.
//!
//! The uses stand before the items, whose documentation quotes equations. An editor completes a word by comparing two expansions, with the
//! word and with a longer one in its place, and takes for granted that both are the same up to the word.
use super::super::arguments::{Header, Over};
use super::super::doc::{self, argument, or};
use super::super::{attributes, literal};
use super::braces;
use crate::model::{self, SizeSource};
use crate::region::{Name, identity};
use crate::sorted::SortedMap;
use crate::syntax::tree::{
    self, Assign, ClauseKind, ConstantType, Expr, ExprKind, GenericList, ParameterKind, Statement,
};
use crate::syntax::{is_reserved, print_array, print_assign, print_expr, print_output_type};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use systolic_arith::Type;

/// The items and the uses of all names. `tokens` are those of the kernel after its name.
pub fn items(header: &Header<'_>, tokens: &[TokenTree], kernel: Option<&model::Kernel>) -> TokenStream {
    let mut names = Names { header, known: SortedMap::new(), uses: TokenStream::new(), items: TokenStream::new() };
    names.of_kernel(kernel, tokens);
    let (body, head) = match tokens.split_last() {
        Some((TokenTree::Group(body), head)) if body.delimiter() == Delimiter::Brace => (Some(body.stream()), head),
        _ => (None, tokens),
    };
    names.uses(head, false);
    let body: Vec<TokenTree> = body.into_iter().flatten().collect();
    let mut groups = braces(&body).map(|group| group.stream().into_iter().collect::<Vec<TokenTree>>());
    let outside: Vec<TokenTree> = body.iter().filter(|token| !is_braces(token)).cloned().collect();
    names.uses(&outside, false);
    // The first braces hold the equations, the others the maps.
    names.uses(&groups.next().unwrap_or_default(), true);
    for (map, tokens) in header.tree.maps.iter().zip(groups) {
        let mut inner =
            Names { header, known: names.known.clone(), uses: TokenStream::new(), items: TokenStream::new() };
        inner.of_map(map);
        inner.uses(&tokens, false);
        let Names { uses, items, .. } = inner;
        names.uses.extend(quote!({ #uses #items }));
    }
    let Names { uses, items, .. } = names;
    let krate = header.krate;
    quote! {
        #[allow(nonstandard_style, unused, clippy::all)]
        fn names() { use #krate::__private::editor::*; #uses #items }
    }
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// What a name stands for in Rust.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Value,
    Type,
}

struct Names<'h> {
    header: &'h Header<'h>,
    /// Where every name is defined.
    known: SortedMap<String, (String, Is)>,
    uses: TokenStream,
    items: TokenStream,
}

impl Names<'_> {
    fn of_kernel(&mut self, kernel: Option<&model::Kernel>, tokens: &[TokenTree]) {
        let header = self.header;
        let tree = header.tree;
        for generic in &tree.generics {
            match &generic.list {
                GenericList::Numbers { values, .. } => {
                    let all: Vec<String> = values.iter().map(|(value, _)| value.to_string()).collect();
                    let first = literal::number(values.first().map_or(0, |(value, _)| (*value).into()));
                    self.item(
                        &generic.name,
                        Is::Value,
                        format!("A number of the instance: {}.", or(&all)),
                        |name| quote!(const #name: usize = #first;),
                    );
                }
                GenericList::Types { values } => {
                    let all: Vec<String> = values.iter().map(|value| format!("`{}`", value.text)).collect();
                    let ty = values.first().map(|first| header.element(first, Over::Generics));
                    self.item(
                        &generic.name,
                        Is::Type,
                        format!("A type of the instance: {}.", or(&all)),
                        |name| quote!(type #name = #ty;),
                    );
                }
            }
        }
        for parameter in &tree.parameters {
            let (kind, element) = match &parameter.kind {
                ParameterKind::Array { array, .. } | ParameterKind::Const { array, .. } => {
                    ("Array", Some(&array.element))
                }
                ParameterKind::Scalar { ty } => ("Scalar", Some(ty)),
                ParameterKind::Size => ("Size", None),
            };
            let words = format!("A parameter: {}.", argument(&parameter.kind));
            self.named(&parameter.name, kind, element, words);
        }
        for output in &tree.outputs {
            let kind = if output.is_scalar { "Scalar" } else { "Array" };
            let words = format!("An output: `{}`.", print_output_type(output));
            let stores = statements(tree).filter(|(assign, _)| assign.target == output.name);
            let words = with_equations(words, stores);
            self.named(&output.name, kind, Some(&output.array.element), words);
        }
        for constant in &tree.constants {
            let (kind, element, ty) = match &constant.ty {
                ConstantType::Array(array) => ("Array", &array.element, print_array(array)),
                ConstantType::Scalar(ty) => ("Scalar", ty, ty.text.clone()),
            };
            self.named(&constant.name, kind, Some(element), format!("A constant: `{ty}`."));
        }
        for l in &tree.loops {
            let words = format!("A loop: `{}..{}`.", print_expr(&l.low), print_expr(&l.high));
            self.named(&l.name, "Index", None, words);
        }
        let loops: Vec<&str> = tree.loops.iter().map(|l| l.name.text.as_str()).collect();
        for (assign, condition) in statements(tree) {
            if self.known.contains_key(&assign.target.text) {
                continue;
            }
            let words = format!("A variable: one value per point ({}).", loops.join(", "));
            let words = with_equations(words, [(assign, condition)].into_iter());
            let ty =
                kernel.and_then(|kernel| kernel.equations.iter().find(|e| e.variable == assign.target)).map(|e| e.ty);
            let ty = ty.map_or_else(|| quote!(()), |ty| literal::ty(header.krate, ty));
            self.typed(&assign.target, "Variable", Some(ty), words);
        }
        for size in kernel.iter().flat_map(|kernel| &kernel.sizes) {
            if let (SizeSource::Shape { .. }, Some(at)) = (&size.source, first(tokens, &size.name)) {
                let from = kernel.and_then(|kernel| doc::source(kernel, size)).unwrap_or_default();
                self.named(&Name::new(&size.name, at), "Size", None, format!("A size: it {from}."));
            }
        }
        // A kernel with faults has no model: a name in a shape that is nothing else is a size.
        for name in tree.parameters.iter().flat_map(shape).flat_map(words) {
            self.named(&name, "Size", None, "A size.".to_string());
        }
    }

    /// The loops that a map introduces.
    fn of_map(&mut self, map: &tree::Map) {
        for clause in &map.clauses {
            match &clause.kind {
                ClauseKind::Tile { of, by, outer, inner } => {
                    let by = print_expr(by);
                    let words = format!("The number of the tile: tiles have {by} points of `{}`.", of.text);
                    self.named(outer, "Index", None, words);
                    self.named(
                        inner,
                        "Index",
                        None,
                        format!("The point in the tile: 0 to {by} - 1, along `{}`.", of.text),
                    );
                }
                ClauseKind::SpaceTime { old, new, matrix, .. } => {
                    for (name, row) in new.iter().zip(&matrix.rows) {
                        self.named(name, "Index", None, format!("A row of the map: `{}`.", sum(&row.entries, old)));
                    }
                }
                _ => {}
            }
        }
    }

    /// A name of this kind, with the type of its elements.
    fn named(&mut self, name: &Name, kind: &str, element: Option<&Name>, words: String) {
        let ty = element.map(|element| self.header.element(element, Over::Generics));
        self.typed(name, kind, ty, words);
    }

    fn typed(&mut self, name: &Name, kind: &str, ty: Option<TokenStream>, words: String) {
        let kind = Ident::new(kind, Span::mixed_site());
        // A generic type is mentioned here, and used at no place of the user's.
        let ty = ty.map(|ty| super::spelling::at(&super::short(self.header.krate, quote!(<#ty>)), Span::mixed_site()));
        self.item(name, Is::Value, words, |name| quote!(static #name: #kind #ty = #kind::IT;));
    }

    /// Defines a name, unless it is taken: then it is a fault, which is reported elsewhere.
    fn item(&mut self, name: &Name, is: Is, words: String, item: impl Fn(&Ident) -> TokenStream) {
        if self.known.contains_key(&name.text) || is_reserved(&name.text) {
            return;
        }
        self.known.insert(name.text.clone(), (identity(name.at.start), is));
        let lines: Vec<String> = words.lines().map(String::from).collect();
        let (words, item) = (attributes::doc(&lines), item(&super::spelling::identifier(&name.text, name.at.start)));
        self.items.extend(quote!(#words #item));
    }

    /// The uses of names. In equations a word that is no name is emitted too: there an editor completes it.
    fn uses(&mut self, tokens: &[TokenTree], equations: bool) {
        for (k, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.uses(&group.stream().into_iter().collect::<Vec<_>>(), equations),
                TokenTree::Ident(word) => {
                    let text = word.to_string();
                    let calls = matches!(tokens.get(k + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                    match self.known.get(&text) {
                        Some((at, _)) if *at == identity(word.span()) => {}
                        Some((_, Is::Value)) => self.uses.extend(quote!(let _ = &#word;)),
                        Some((_, Is::Type)) => self.uses.extend(quote!(let _: #word;)),
                        None if is_primitive(&text) => self.uses.extend(quote!(let _: #word;)),
                        None if equations && !calls && !is_reserved(&text) => self.uses.extend(quote!(let _ = &#word;)),
                        None => {}
                    }
                }
                _ => {}
            }
        }
    }
}

/// A type of the language that Rust has too.
fn is_primitive(word: &str) -> bool {
    Type::parse(word).is_some_and(|ty| !matches!(ty, Type::F16 | Type::Bf16))
}

/// All assignments, with the condition of a store.
fn statements(tree: &tree::Kernel) -> impl Iterator<Item = (&Assign, Option<&Expr>)> {
    tree.statements.iter().flat_map(|statement| match statement {
        Statement::Assign(assign) => vec![(assign, None)],
        Statement::If { condition, stores } => stores.iter().map(|store| (store, Some(condition))).collect(),
    })
}

/// The dimensions of a parameter.
fn shape(parameter: &tree::Parameter) -> &[Expr] {
    match &parameter.kind {
        ParameterKind::Array { array, .. } | ParameterKind::Const { array, .. } => &array.dims,
        ParameterKind::Scalar { .. } | ParameterKind::Size => &[],
    }
}

/// The names in an affine expression.
fn words(expr: &Expr) -> Vec<Name> {
    match &expr.kind {
        ExprKind::Name(text) => vec![Name { text: text.clone(), at: expr.at }],
        ExprKind::Binary { left, right, .. } => words(left).into_iter().chain(words(right)).collect(),
        ExprKind::Unary { operand, .. } => words(operand),
        _ => Vec::new(),
    }
}

/// Words, and equations as text under them.
fn with_equations<'t>(words: String, all: impl Iterator<Item = (&'t Assign, Option<&'t Expr>)>) -> String {
    let line = |(assign, condition): (&Assign, Option<&Expr>)| match condition {
        Some(condition) => format!("if {} {{ {} }}", print_expr(condition), print_assign(assign)),
        None => print_assign(assign),
    };
    let lines: Vec<String> = all.map(line).collect();
    if lines.is_empty() { words } else { format!("{words}\n\n```text\n{}\n```", lines.join("\n")) }
}

/// `ci + 2 * q`
fn sum(entries: &[Expr], loops: &[Name]) -> String {
    let terms = entries.iter().zip(loops).filter_map(|(entry, name)| match print_expr(entry).as_str() {
        "0" => None,
        "1" => Some(name.text.clone()),
        number => Some(format!("{number} * {}", name.text)),
    });
    let terms: Vec<String> = terms.collect();
    if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
}

/// Where a word is written first.
fn first(tokens: &[TokenTree], text: &str) -> Option<Span> {
    tokens.iter().find_map(|token| match token {
        TokenTree::Ident(word) => (word == text).then(|| word.span()),
        TokenTree::Group(group) => first(&group.stream().into_iter().collect::<Vec<_>>(), text),
        _ => None,
    })
}
