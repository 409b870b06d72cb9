//! Collects lines of C++ and indents them.

#[derive(Default)]
pub struct Text {
    text: String,
    depth: usize,
}

impl Text {
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// A line that opens a block.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// A line that closes a block.
    pub fn close(&mut self, line: impl AsRef<str>) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// A line that closes a block and opens the next.
    pub fn close_and_open(&mut self, line: impl AsRef<str>) {
        self.close(line);
        self.depth += 1;
    }

    pub fn finish(self) -> String {
        self.text
    }
}
