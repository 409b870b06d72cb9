//! Pictures as one page that needs nothing else: the template with the pictures as data.
use super::cut::cut;
use super::grid::title;
use super::json::{json, lines};
use super::palette::variables;
use super::svg::escape;
use super::{Shown, View};
use serde_json::{Value, json};
use systolic_compiler::explain::{CodeLine, Picture};

/// The page without its data.
const TEMPLATE: &str = include_str!("page.html");

/// What the template has in place of the title, of the colours, and of the data.
const TITLE: &str = "<!--TITLE-->";
const LIGHT: &str = "/*LIGHT*/";
const DARK: &str = "/*DARK*/";
const DATA: &str = "\"DATA\"";

/// Bytes of a page. Programs and emitted texts are shortened where there would be more.
const MOST: usize = 290_000;

/// Bytes of a text that is not shortened further.
const LEAST: usize = 8_000;

/// The program or the emitted text of a part.
struct Code {
    part: usize,
    key: &'static str,
    lines: Vec<CodeLine>,
    missing: usize,
}

/// The whole page. `first` is the part that is shown first.
pub fn html(shown: &Shown, views: &[View], first: usize) -> Result<String, String> {
    let mut parts: Vec<Value> = shown.pictures.iter().zip(views).map(|(picture, view)| json(picture, view)).collect();
    let used = parts.iter().map(bytes).sum::<usize>() + TEMPLATE.len();
    for code in fitting(shown, MOST.saturating_sub(used)) {
        let (lines, missing) = (lines(&code.lines), code.missing);
        if let Some(part) = parts[code.part].as_object_mut() {
            part.insert(code.key.to_string(), lines);
            part.insert(format!("{}Missing", code.key), missing.into());
        }
    }
    let page = json!({ "parts": parts, "first": first, "command": shown.command });
    let (head, rest) = TEMPLATE.split_once(TITLE).ok_or("internal error: the page has no title")?;
    let (body, tail) = rest.split_once(DATA).ok_or("internal error: the page has no data")?;
    let body = body.replace(LIGHT, &variables(|look| look.light)).replace(DARK, &variables(|look| look.dark));
    Ok(format!("{head}{}{body}{}{tail}", escape(&title(&shown.pictures[first])), in_script(&page)))
}

/// The texts of all parts, shortened where they would have more bytes than there is room. The longest is shortened first, and none to
/// less than its share.
fn fitting(shown: &Shown, room: usize) -> Vec<Code> {
    let of_part = |(part, picture): (usize, &Picture)| {
        [("program", picture.program.clone()), ("code", picture.code.clone())].map(|(key, lines)| Code {
            part,
            key,
            lines,
            missing: 0,
        })
    };
    let mut all: Vec<Code> = shown.pictures.iter().enumerate().flat_map(of_part).collect();
    let share = (room / all.len().max(1)).max(LEAST);
    let weight = |lines_of: &[CodeLine]| bytes(&lines(lines_of));
    let mut weights: Vec<usize> = all.iter().map(|code| weight(&code.lines)).collect();
    loop {
        let over = weights.iter().sum::<usize>().saturating_sub(room);
        let longest = weights.iter().enumerate().filter(|(_, weight)| **weight > share);
        let (Some((k, own)), true) = (longest.max_by_key(|(_, weight)| **weight), over > 0) else { return all };
        let code = &mut all[k];
        let before = code.lines.len();
        code.lines = cut(&code.lines, own.saturating_sub(over).max(share), weight);
        code.missing = before - code.lines.len();
        weights[k] = weight(&code.lines);
    }
}

/// As it stands in a script, where `</script>` and `<!--` would end it or change how it is read.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn bytes(value: &Value) -> usize {
    in_script(value).len()
}
