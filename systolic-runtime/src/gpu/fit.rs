//! Chooses the entry of a kernel for a launch: the fastest one that its arrays and sizes allow.
use super::code::{Code, Entry};
use super::plan::{Plan, Wide};
use crate::error::Error;
use std::sync::OnceLock;

/// Below this, 32-bit indices are safe even if a few of them are added.
pub const SHORT: u64 = 1 << 30;

/// What decides which entry a launch can use.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// All arrays are aligned for vectorised access.
    pub aligned: bool,
    /// All numbers that indices are computed from fit 32-bit indices.
    pub short: bool,
}

/// The entry that the environment variable `SYSTOLIC_GPU_ENTRY` requests. It is read once.
pub fn asked() -> Option<&'static str> {
    static ASKED: OnceLock<Option<String>> = OnceLock::new();
    let read = || std::env::var_os("SYSTOLIC_GPU_ENTRY").map(|entry| entry.to_string_lossy().into_owned());
    ASKED.get_or_init(read).as_deref()
}

impl Fit {
    /// Returns the start state, before any array or number is added. If `any` or `64` is requested, that entry is used unless a
    /// more general one is needed. Fails for any other request.
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

    /// Adds an array at this address, with these strides in bytes and `extent` elements from the first to the last. `wide` is
    /// its entry in [`Plan::wide`], if it has one.
    pub fn array(
        &mut self,
        wide: Option<&Wide>,
        address: u64,
        steps: impl ExactSizeIterator<Item = usize>,
        extent: u64,
    ) {
        if let Some(Wide { bytes, merged, .. }) = wide {
            let multiple = |x: u64| x.checked_rem(u64::from(*bytes)) == Some(0);
            let apart = steps.len().saturating_sub(*merged);
            self.aligned &= multiple(address) && steps.take(apart).all(|step| multiple(step as u64));
        }
        self.short &= extent < SHORT;
    }

    /// Adds a number that indices are computed from.
    pub fn number(&mut self, number: i64) {
        self.short &= number.unsigned_abs() < SHORT;
    }

    /// Returns the entry to launch.
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
