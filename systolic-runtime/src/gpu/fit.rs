//! Which of a kernel's entries a launch takes: the fastest that its arrays and numbers allow.
use super::code::{Code, Entry};
use super::plan::{Plan, Wide};
use crate::error::Error;
use std::sync::OnceLock;

/// Below this 32-bit indices are safe, also where a few of them are added.
pub const SHORT: u64 = 1 << 30;

/// Which entry fits.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Arrays lie as wide accesses ask for.
    pub aligned: bool,
    /// All that indices are made of is small.
    pub short: bool,
}

/// The entry that `SYSTOLIC_GPU_ENTRY` asks for, read once.
pub fn asked() -> Option<&'static str> {
    static ASKED: OnceLock<Option<String>> = OnceLock::new();
    let read = || std::env::var_os("SYSTOLIC_GPU_ENTRY").map(|entry| entry.to_string_lossy().into_owned());
    ASKED.get_or_init(read).as_deref()
}

impl Fit {
    /// Before anything is known. An entry that is asked for, `any` or `64`, is one that every launch may take; what
    /// follows can only lead to a more general one.
    pub fn new(plan: &Plan, arch: u32, asked: Option<&str>) -> Result<Fit, Error> {
        match asked {
            None => Ok(Fit { aligned: true, short: true }),
            Some("any") => Ok(Fit { aligned: false, short: true }),
            Some("64") => Ok(Fit { aligned: false, short: false }),
            Some(other) => {
                let there = format!("SYSTOLIC_GPU_ENTRY is `{other}`, neither `any` nor `64`");
                Err(Error::NoCode { kernel: plan.kernel, device: arch, there })
            }
        }
    }

    /// An array at this place, with these steps of its axes in bytes and so many elements from first to last.
    pub fn array(&mut self, wide: Option<&Wide>, address: u64, mut steps: impl Iterator<Item = usize>, extent: u64) {
        if let Some(Wide { bytes, .. }) = wide {
            let multiple = |x: u64| x.checked_rem(u64::from(*bytes)) == Some(0);
            self.aligned &= multiple(address) && steps.all(|step| multiple(step as u64));
        }
        self.short &= extent < SHORT;
    }

    /// A number that indices are made of.
    pub fn number(&mut self, number: i64) {
        self.short &= number.unsigned_abs() < SHORT;
    }

    /// The entry.
    pub fn entry<'c>(&self, code: &'c Code) -> &'c Entry {
        match (&code.wide, self) {
            (_, Fit { short: false, .. }) => &code.long,
            (Some(wide), Fit { aligned: true, .. }) => wide,
            _ => &code.any,
        }
    }
}

#[cfg(test)]
mod tests;
