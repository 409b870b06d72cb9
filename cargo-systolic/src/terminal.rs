//! What a person sees: lines on both outputs, colours and bars of progress. A reader that went away is never an error.
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{ErrorKind, IsTerminal, Write};
use std::time::Duration;

/// Writes to the standard output. A reader that has seen enough and went away is no error.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(format!("could not write the output: {e}")),
        _ => Ok(()),
    }
}

/// Writes a line to the error output. If that is not possible, there is nobody to tell.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// A line beside a bar, or on its own where there is no bar.
pub fn say_beside(bar: &ProgressBar, line: &str) {
    if bar.is_hidden() { say(line) } else { bar.println(line) }
}

/// A bar of progress on the error output, if that is a terminal and the user wants plain text nowhere.
pub fn bar(length: usize, message: &'static str) -> Result<ProgressBar, String> {
    let target = if fancy(&std::io::stderr()) { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    bar.set_style(ProgressStyle::with_template("    {wide_bar} {pos}/{len} {msg}").map_err(|e| e.to_string())?);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.set_message(message);
    Ok(bar)
}

/// Whether an output is a terminal that shows colours, and the user has not set `NO_COLOR`.
fn fancy(output: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    output.is_terminal() && set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb")
}

/// Colours of the standard output, or none.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    colours: bool,
}

/// What a piece of text is; every kind has a colour.
#[derive(Clone, Copy, Debug)]
pub enum Ink {
    Good,
    Bad,
    Warning,
    Frame,
    Strong,
}

impl Paint {
    /// For the standard output.
    pub fn of_output() -> Paint {
        Paint { colours: fancy(&std::io::stdout()) }
    }

    /// Without colours.
    pub fn none() -> Paint {
        Paint { colours: false }
    }

    /// A text in the colour of its kind.
    pub fn text(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Good => "32",
            Ink::Bad => "1;31",
            Ink::Warning => "1;33",
            Ink::Frame => "1;34",
            Ink::Strong => "1",
        };
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ink, Paint};

    #[test]
    fn colours_or_none() {
        assert_eq!(Paint { colours: true }.text(Ink::Bad, "error"), "\x1b[1;31merror\x1b[0m");
        assert_eq!(Paint::none().text(Ink::Bad, "error"), "error");
    }
}
