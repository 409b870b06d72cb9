//! A kernel's code on a device: its entries, found once.
#![allow(unsafe_code)]
use super::device::Properties;
use super::image::{asked, checked, choose, refused};
use super::plan::Plan;
use super::raw::{Context, Function, Module};
use crate::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

/// Dynamic shared memory that every launch may have without asking.
const FREELY: u32 = 48 << 10;

/// A kernel's code, loaded.
#[derive(Debug)]
pub struct Code {
    pub module: Module,
    /// With wide accesses, where the kernel has any.
    pub wide: Option<Entry>,
    /// For arrays of any alignment.
    pub any: Entry,
    /// With 64-bit indices.
    pub long: Entry,
}

/// One of a kernel's entries.
#[derive(Debug)]
pub struct Entry {
    pub function: Function,
    /// The shared memory that it declares itself.
    own: u32,
    /// Whether launches may have more than a block gets freely.
    allowed: AtomicBool,
}

impl Code {
    /// Loads the code that fits the device.
    pub fn load(context: &Context, plan: &Plan, device: &Properties) -> Result<Code, Error> {
        let image = choose(plan, device.arch(), asked())?;
        let bytes = checked(plan, image)?;
        // SAFETY: it is text that ends in a zero, or a file whose parts lie inside it.
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

    /// One that a test asks for by name only.
    #[cfg(test)]
    pub fn known(function: Function) -> Entry {
        Entry { function, own: 0, allowed: AtomicBool::new(false) }
    }

    /// The dynamic shared memory that a block can have on this device.
    pub fn room(&self, device: &Properties) -> u32 {
        device.shared_memory.saturating_sub(self.own)
    }

    /// Lets launches have so much dynamic shared memory.
    pub fn allow(&self, context: &Context, device: &Properties, bytes: u32) -> Result<(), Error> {
        if bytes <= FREELY || self.allowed.load(Ordering::Relaxed) {
            return Ok(());
        }
        // All that there is, and not only this: threads that allow it at the same time allow the same.
        context.allow_shared(self.function, self.room(device))?;
        self.allowed.store(true, Ordering::Relaxed);
        Ok(())
    }
}
