//! Macros that define functions which forward to the driver.
use std::ffi::c_void;

/// Any pointer, including function pointers.
pub type Place = *mut c_void;

/// The addresses of the functions that this crate defines.
pub struct Defined(pub &'static [*const ()]);

// SAFETY: they are addresses of functions, which are only kept.
unsafe impl Sync for Defined {}

/// Defines functions with these names and types of arguments. Each calls the function of the driver with the same name. `DEFINED`
/// has the addresses of all.
macro_rules! forward {
    ($($name:ident($($kind:ident),*);)+) => {
        $($crate::forward::named! { $name($($kind),*) (a b c d e f g h i j k l) })+
        pub static DEFINED: $crate::forward::Defined = $crate::forward::Defined(&[$($name as *const ()),+]);
    };
}

/// Defines one function; its arguments get their names from a list.
macro_rules! named {
    ($name:ident($($kind:ident),*) ($($letter:ident)*)) => {
        $crate::forward::named! { @ $name [] ($($kind),*) ($($letter)*) }
    };
    (@ $name:ident [$($done:tt)*] ($kind:ident $(, $rest:ident)*) ($letter:ident $($letters:ident)*)) => {
        $crate::forward::named! { @ $name [$($done)* $letter: $kind,] ($($rest),*) ($($letters)*) }
    };
    (@ $name:ident [$($letter:ident: $kind:ident,)*] () ($($left:ident)*)) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($letter: $kind),*) -> i32 {
            static FUNCTION: $crate::library::Function = match std::ffi::CStr::from_bytes_with_nul(
                concat!(stringify!($name), "\0").as_bytes(),
            ) {
                Ok(name) => $crate::library::Function::new(name),
                Err(_) => panic!("a name with a zero inside"),
            };
            let code = match FUNCTION.place() {
                Ok(place) => {
                    // SAFETY: the driver's function of this name takes these types of arguments and returns a code.
                    let function: unsafe extern "C" fn($($kind),*) -> i32 = unsafe { std::mem::transmute(place) };
                    // SAFETY: the caller meets the requirements of the driver's function.
                    unsafe { function($($letter),*) }
                }
                Err(code) => code,
            };
            $crate::codes::known(code)
        }
    };
}

pub(crate) use {forward, named};
