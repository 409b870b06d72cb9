//! The context of a device and the code that is loaded into it. There is one context per device, however often it is opened.
use super::code::Code;
use super::device::Properties;
use super::plan::Plan;
use super::raw;
use super::sync::lock;
use crate::error::Error;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

/// The context of a device. Everything on the device keeps it alive.
#[derive(Debug)]
pub struct Context {
    pub raw: raw::Context,
    pub properties: Properties,
    // The key is the address of the plan, which is a static of the program.
    codes: Mutex<HashMap<usize, Result<Arc<Code>, Error>>>,
}

/// The contexts that are in use.
static OPEN: Mutex<Vec<Weak<Context>>> = Mutex::new(Vec::new());

impl Context {
    /// Returns the context of a device. Opens it if it is not open yet.
    pub fn open(ordinal: usize) -> Result<Arc<Context>, Error> {
        let mut open = lock(&OPEN);
        open.retain(|context| context.strong_count() > 0);
        let here = open.iter().filter_map(Weak::upgrade).find(|context| context.properties.ordinal == ordinal);
        if let Some(context) = here {
            return Ok(context);
        }
        let properties = raw::Context::properties(ordinal)?;
        let raw = raw::Context::open(ordinal)?;
        let context = Arc::new(Context { raw, properties, codes: Mutex::default() });
        open.push(Arc::downgrade(&context));
        Ok(context)
    }

    /// Fails unless both are the same device, so that memory of this context can be used on the stream.
    pub fn check_same(self: &Arc<Self>, stream: &Arc<Context>) -> Result<(), Error> {
        check_same(self, stream, |context| context.properties.ordinal)
    }

    /// Returns the code of a plan. The first call loads it.
    pub fn code(&self, plan: &'static Plan) -> Result<Arc<Code>, Error> {
        let key = std::ptr::from_ref(plan).addr();
        let mut codes = lock(&self.codes);
        if let Some(code) = codes.get(&key) {
            return code.clone();
        }
        let code = Code::load(&self.raw, plan, &self.properties).map(Arc::new);
        // Other errors, such as too little memory, may be gone at the next call, so they are not kept.
        let lasts = matches!(code, Ok(_) | Err(Error::NoCode { .. } | Error::PtxTooNew { .. } | Error::Jit { .. }));
        if lasts {
            codes.insert(key, code.clone());
        }
        code
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        for code in lock(&self.codes).values().flatten() {
            self.raw.unload(code.module);
        }
    }
}

/// As [`Context::check_same`], for any type of context, so that it can be tested without a device.
fn check_same<C>(array: &Arc<C>, stream: &Arc<C>, ordinal: impl Fn(&C) -> usize) -> Result<(), Error> {
    if Arc::ptr_eq(array, stream) {
        return Ok(());
    }
    Err(Error::WrongDevice { array: ordinal(array), stream: ordinal(stream) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_of_another_device_is_refused() {
        let devices = [0, 1].map(Arc::new);
        for (array, here) in devices.iter().enumerate() {
            for (stream, there) in devices.iter().enumerate() {
                let wanted = if array == stream { Ok(()) } else { Err(Error::WrongDevice { array, stream }) };
                assert_eq!(check_same(here, there, |ordinal| *ordinal), wanted);
            }
        }
    }
}
