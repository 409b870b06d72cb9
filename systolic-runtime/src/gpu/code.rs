//! The code of a kernel on a device. Its entries are looked up once.
#![allow(unsafe_code)]
use super::device::Properties;
use super::image::{asked, checked, choose, refused};
use super::plan::Plan;
use super::raw::{Context, Function, Module};
use crate::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

/// The shared memory, static and dynamic, that a launch may use without setting a function attribute.
const FREELY: u32 = 48 << 10;

/// The loaded code of a kernel.
#[derive(Debug)]
pub struct Code {
    pub module: Module,
    /// The entry with vectorised accesses, if the kernel has any.
    pub wide: Option<Entry>,
    /// The entry for arrays of any alignment.
    pub any: Entry,
    /// The entry with 64-bit indices.
    pub long: Entry,
}

/// One of the entries of a kernel.
#[derive(Debug)]
pub struct Entry {
    pub function: Function,
    /// The static shared memory of the entry.
    own: u32,
    /// Whether the function attribute that raises the limit on dynamic shared memory has been set.
    allowed: AtomicBool,
}

impl Code {
    /// Loads the code that fits the device.
    pub fn load(context: &Context, plan: &Plan, device: &Properties) -> Result<Code, Error> {
        let image = choose(plan, device.arch(), asked())?;
        let bytes = checked(plan, image)?;
        // SAFETY: `checked` guarantees text that ends in a zero, or a file whose sections and segments are inside it.
        let loaded = unsafe { context.load(&bytes)? };
        let module = loaded.map_err(|refusal| refused(plan, image, device, refusal))?;
        let entries = || {
            let wide = if plan.wide.is_empty() { None } else { Some(Entry::find(context, module, plan, "wide")?) };
            let any = Entry::find(context, module, plan, "any")?;
            Ok(Code { module, wide, any, long: Entry::find(context, module, plan, "64")? })
        };
        entries().inspect_err(|_| context.unload(module))
    }
}

impl Entry {
    fn find(context: &Context, module: Module, plan: &Plan, ending: &str) -> Result<Entry, Error> {
        let name = format!("{}_{ending}", plan.entry);
        let none = || Error::Jit { kernel: plan.kernel, code: 500, log: format!("the code has no entry `{name}`") };
        let function = context.function(module, &name)?.ok_or_else(none)?;
        Ok(Entry { function, own: context.static_shared(function)?, allowed: AtomicBool::new(false) })
    }

    /// An entry for tests that only compare functions.
    #[cfg(test)]
    pub fn known(function: Function) -> Entry {
        Entry { function, own: 0, allowed: AtomicBool::new(false) }
    }

    /// Returns the dynamic shared memory that a block can have on this device.
    pub fn room(&self, device: &Properties) -> u32 {
        device.shared_memory.saturating_sub(self.own)
    }

    /// Allows launches to use this many bytes of dynamic shared memory.
    pub fn allow(&self, context: &Context, device: &Properties, bytes: u32) -> Result<(), Error> {
        if bytes.saturating_add(self.own) <= FREELY || self.allowed.load(Ordering::Relaxed) {
            return Ok(());
        }
        // Allows all that there is, not only `bytes`: so threads that do this at the same time set the same value.
        context.allow_shared(self.function, self.room(device))?;
        self.allowed.store(true, Ordering::Relaxed);
        Ok(())
    }
}
