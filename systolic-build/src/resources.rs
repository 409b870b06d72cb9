//! Parses the output of the assembler for the resources that each kernel of a module needs.

/// The resources that a kernel needs per thread or per block.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resources {
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of static shared memory per block; dynamic shared memory is not included.
    pub shared: u32,
    /// Bytes of local memory per thread for arrays.
    pub stack: u32,
    /// Bytes per thread that are spilled to local memory for lack of registers, stores and loads together.
    pub spill_bytes: u32,
}

impl Resources {
    /// Bytes of local memory in total.
    pub fn local(&self) -> u32 {
        self.stack.saturating_add(self.spill_bytes)
    }
}

/// The kernels of a module with their resources, ordered by name.
pub fn resources(text: &str) -> Vec<(String, Resources)> {
    let mut entries: Vec<(String, Resources)> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or_default();
            entries.push((name.to_string(), Resources::default()));
        }
        let Some((_, entry)) = entries.last_mut() else { continue };
        if line.contains("bytes stack frame") {
            entry.stack += before(line, " bytes stack frame");
            entry.spill_bytes += before(line, " bytes spill stores") + before(line, " bytes spill loads");
        }
        if line.contains("Used ") {
            entry.registers = before(line, " registers");
            entry.shared = before(line, " bytes smem");
        }
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries
}

/// The number before some words, 0 if the words do not occur.
fn before(line: &str, words: &str) -> u32 {
    let number = line.split(words).next().filter(|head| head.len() < line.len());
    number.and_then(|head| head.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Resources, resources};

    #[test]
    fn kernels_by_name() {
        let text = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k_any' for 'sm_90'
ptxas info    : Function properties for k_any
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 16 bytes cumulative stack size, 128 bytes smem
ptxas info    : Compile time = 6.903 ms
ptxas info    : Compiling entry function 'k_64' for 'sm_90'
ptxas info    : Function properties for k_64
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 0 barriers, 356 bytes cmem[0]";
        let any = Resources { registers: 255, shared: 128, stack: 16, spill_bytes: 20 };
        let long = Resources { registers: 12, ..Resources::default() };
        assert_eq!(resources(text), [("k_64".to_string(), long), ("k_any".to_string(), any)]);
        assert_eq!((any.local(), long.local()), (36, 0));
        assert_eq!(resources("nothing\nUsed 3 registers"), []);
    }
}
