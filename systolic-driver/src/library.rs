//! The driver's library and the addresses of its functions, which are looked up once.
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The code if the library is missing.
pub const NO_LIBRARY: i32 = 303;
/// The code if the library does not have the function.
pub const NO_FUNCTION: i32 = 302;

/// `RTLD_NOW`: resolves all symbols when the library is opened, so that a broken library fails there and not during a call.
const NOW: c_int = 2;

unsafe extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Returns the library's handle, or `None` if it is missing. It is opened once and never closed. The handle is an address, so
/// that it can be shared between threads.
fn library() -> Option<usize> {
    static LIBRARY: OnceLock<usize> = OnceLock::new();
    // SAFETY: the name ends in a zero, and opening a library is allowed at any time.
    let open = || unsafe { dlopen(c"libcuda.so.1".as_ptr(), NOW) }.expose_provenance();
    Some(*LIBRARY.get_or_init(open)).filter(|address| *address != 0)
}

/// A function of the driver and, after the first call, its address.
pub struct Function {
    name: &'static CStr,
    place: AtomicPtr<c_void>,
}

impl Function {
    /// Returns a function that is not looked up yet.
    pub const fn new(name: &'static CStr) -> Self {
        Function { name, place: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Returns the address of the function, or the error code to return.
    #[inline]
    pub fn place(&self) -> Result<*mut c_void, i32> {
        // Relaxed is enough: the code that it points to was loaded before the pointer was written.
        let place = self.place.load(Ordering::Relaxed);
        if place.is_null() { self.find() } else { Ok(place) }
    }

    #[cold]
    fn find(&self) -> Result<*mut c_void, i32> {
        let library = library().ok_or(NO_LIBRARY)?;
        // SAFETY: the library is open and the name ends in a zero.
        let place = unsafe { dlsym(ptr::with_exposed_provenance_mut(library), self.name.as_ptr()) };
        if place.is_null() {
            return Err(NO_FUNCTION);
        }
        self.place.store(place, Ordering::Relaxed);
        Ok(place)
    }
}
