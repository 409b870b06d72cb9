//! A picture as one page that needs nothing else: the template with the picture as data.
use super::View;
use super::grid::title;
use super::json::json;
use super::svg::escape;
use systolic_compiler::explain::Picture;

/// The page without its data.
const TEMPLATE: &str = include_str!("page.html");

/// What the template has in place of the title and of the data.
const TITLE: &str = "<!--TITLE-->";
const DATA: &str = "\"DATA\"";

/// The whole page.
pub fn html(picture: &Picture, view: &View) -> Result<String, String> {
    let data = serde_json::to_string(&json(picture, view)).map_err(|e| e.to_string())?;
    // Inside a script, `</script>` and `<!--` would end it or change how it is read.
    let data = data.replace('<', "\\u003c");
    let (head, rest) = TEMPLATE.split_once(TITLE).ok_or("internal error: the page has no title")?;
    let (body, tail) = rest.split_once(DATA).ok_or("internal error: the page has no data")?;
    Ok(format!("{head}{}{body}{data}{tail}", escape(&title(picture))))
}
