//! A program that links `-lcuda` builds and starts without the library. Its calls then return an error code.
use std::ffi::{CStr, c_char, c_void};
use std::io::Write;
use systolic_driver::{last, name, text};

#[link(name = "cuda")]
unsafe extern "C" {
    fn cuInit(flags: u32) -> i32;
    fn cuMemAlloc_v2(place: *mut u64, bytes: usize) -> i32;
    fn cuCtxSetCurrent(context: *mut c_void) -> i32;
    fn cuGetErrorName(code: i32, place: *mut *const c_char) -> i32;
}

#[test]
fn starts_with_and_without_a_driver() {
    // SAFETY: allowed at any time.
    let code = unsafe { cuInit(0) };
    let mapped = std::fs::read_to_string("/proc/self/maps").expect("Linux");
    let there = mapped.contains("libcuda.so");
    assert_eq!(code == 303, !there, "cuInit gave {code}");
    if there {
        // Not by a macro: the test would capture it.
        let _ = writeln!(std::io::stderr(), "skipped: there is a driver, so calls without one were not tried");
        return;
    }
    assert_eq!((last(), name(last())), (303, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"));
    assert_eq!(text(last()), "the driver's library could not be opened");
    let mut address = 7;
    // SAFETY: the result is written to a local variable.
    assert_eq!((unsafe { cuMemAlloc_v2(&mut address, 1) }, address), (303, 7));
    // SAFETY: a null context is always allowed.
    assert_eq!(unsafe { cuCtxSetCurrent(std::ptr::null_mut()) }, 303);
    let mut words = std::ptr::null();
    // SAFETY: the result is written to a local variable, and it is valid because the code is 0.
    unsafe {
        assert_eq!(cuGetErrorName(303, &mut words), 0);
        assert_eq!(CStr::from_ptr(words), c"CUDA_ERROR_SHARED_OBJECT_INIT_FAILED");
    }
}
