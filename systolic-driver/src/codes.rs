//! The error codes of the driver with their names and meanings, available without a driver. Also codes that are newer than the
//! bindings.
use std::cell::Cell;
use std::ffi::{CStr, c_char};

/// A code, its name and its meaning.
type Code = (i32, &'static CStr, &'static CStr);

/// The code that replaces codes unknown to the bindings.
const UNKNOWN: i32 = 999;
/// The code for an invalid argument.
const WRONG_VALUE: i32 = 1;

thread_local! {
    static LAST: Cell<i32> = const { Cell::new(0) };
}

/// Returns the last code other than 0 that the driver returned on this thread, unchanged. The bindings see codes that they do
/// not know as 999.
pub fn last() -> u32 {
    // A program that asks links all functions of this crate, whether the linker meets the driver's own library before or not: only
    // these functions record codes.
    std::hint::black_box(crate::table::DEFINED.0);
    LAST.get().unsigned_abs()
}

/// Returns the name of a code: `CUDA_ERROR_INVALID_VALUE`.
pub fn name(code: u32) -> &'static str {
    find(code as i32).map_or("a code without a name", |(_, name, _)| name.to_str().unwrap_or_default())
}

/// Returns the meaning of a code in a few words.
pub fn text(code: u32) -> &'static str {
    find(code as i32).map_or("a code that this program does not know", |(_, _, text)| text.to_str().unwrap_or_default())
}

/// Records a code and returns one that the enum of the bindings has, because any other value would be undefined behaviour.
#[inline]
pub fn known(code: i32) -> i32 {
    if code == 0 { 0 } else { failed(code) }
}

#[cold]
fn failed(code: i32) -> i32 {
    LAST.set(code);
    if OLD.iter().any(|(known, ..)| *known == code) { code } else { UNKNOWN }
}

fn find(code: i32) -> Option<&'static Code> {
    OLD.iter().chain(&NEW).find(|(known, ..)| *known == code)
}

/// Writes the meaning of a code.
///
/// # Safety
///
/// `place` must be writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorString(code: i32, place: *mut *const c_char) -> i32 {
    // SAFETY: guaranteed by the caller.
    unsafe { tell(find(code).map(|(_, _, text)| *text), place) }
}

/// Writes the name of a code.
///
/// # Safety
///
/// `place` must be writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorName(code: i32, place: *mut *const c_char) -> i32 {
    // SAFETY: guaranteed by the caller.
    unsafe { tell(find(code).map(|(_, name, _)| *name), place) }
}

/// # Safety
///
/// `place` must be writable.
unsafe fn tell(words: Option<&'static CStr>, place: *mut *const c_char) -> i32 {
    // SAFETY: guaranteed by the caller.
    unsafe { place.write(words.map_or(std::ptr::null(), CStr::as_ptr)) };
    if words.is_some() { 0 } else { WRONG_VALUE }
}

/// The codes of CUDA 11.4, which the bindings know.
const OLD: [Code; 87] = [
    (0, c"CUDA_SUCCESS", c"no error"),
    (1, c"CUDA_ERROR_INVALID_VALUE", c"an argument is outside its range"),
    (2, c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
    (3, c"CUDA_ERROR_NOT_INITIALIZED", c"the driver is not initialised"),
    (4, c"CUDA_ERROR_DEINITIALIZED", c"the driver is shutting down"),
    (5, c"CUDA_ERROR_PROFILER_DISABLED", c"profiling is switched off"),
    (6, c"CUDA_ERROR_PROFILER_NOT_INITIALIZED", c"the profiler was not set up"),
    (7, c"CUDA_ERROR_PROFILER_ALREADY_STARTED", c"the profiler runs already"),
    (8, c"CUDA_ERROR_PROFILER_ALREADY_STOPPED", c"the profiler does not run"),
    (34, c"CUDA_ERROR_STUB_LIBRARY", c"the library found is a stub, not a driver"),
    (100, c"CUDA_ERROR_NO_DEVICE", c"no CUDA device"),
    (101, c"CUDA_ERROR_INVALID_DEVICE", c"no device of this number"),
    (102, c"CUDA_ERROR_DEVICE_NOT_LICENSED", c"the device has no licence"),
    (200, c"CUDA_ERROR_INVALID_IMAGE", c"the image is no module"),
    (201, c"CUDA_ERROR_INVALID_CONTEXT", c"no context on this thread, or one that is gone"),
    (202, c"CUDA_ERROR_CONTEXT_ALREADY_CURRENT", c"the context is current already"),
    (205, c"CUDA_ERROR_MAP_FAILED", c"mapping failed"),
    (206, c"CUDA_ERROR_UNMAP_FAILED", c"unmapping failed"),
    (207, c"CUDA_ERROR_ARRAY_IS_MAPPED", c"the array is mapped"),
    (208, c"CUDA_ERROR_ALREADY_MAPPED", c"mapped already"),
    (209, c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"the image has no code for this device"),
    (210, c"CUDA_ERROR_ALREADY_ACQUIRED", c"acquired already"),
    (211, c"CUDA_ERROR_NOT_MAPPED", c"not mapped"),
    (212, c"CUDA_ERROR_NOT_MAPPED_AS_ARRAY", c"not mapped as an array"),
    (213, c"CUDA_ERROR_NOT_MAPPED_AS_POINTER", c"not mapped as a pointer"),
    (214, c"CUDA_ERROR_ECC_UNCORRECTABLE", c"a memory error that could not be corrected"),
    (215, c"CUDA_ERROR_UNSUPPORTED_LIMIT", c"the device has no such limit"),
    (216, c"CUDA_ERROR_CONTEXT_ALREADY_IN_USE", c"the context is in use on another thread"),
    (217, c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", c"the devices cannot reach each other"),
    (218, c"CUDA_ERROR_INVALID_PTX", c"the PTX does not compile"),
    (219, c"CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", c"a graphics context failed"),
    (220, c"CUDA_ERROR_NVLINK_UNCORRECTABLE", c"a link error that could not be corrected"),
    (221, c"CUDA_ERROR_JIT_COMPILER_NOT_FOUND", c"the driver's PTX compiler is missing"),
    (222, c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", c"the PTX is newer than the driver"),
    (223, c"CUDA_ERROR_JIT_COMPILATION_DISABLED", c"compiling PTX is switched off"),
    (224, c"CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", c"the device does not support this affinity"),
    (300, c"CUDA_ERROR_INVALID_SOURCE", c"the source is no kernel"),
    (301, c"CUDA_ERROR_FILE_NOT_FOUND", c"no such file"),
    (302, c"CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", c"the driver has no such function"),
    (303, c"CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", c"the driver's library could not be opened"),
    (304, c"CUDA_ERROR_OPERATING_SYSTEM", c"a call of the operating system failed"),
    (400, c"CUDA_ERROR_INVALID_HANDLE", c"no such handle"),
    (401, c"CUDA_ERROR_ILLEGAL_STATE", c"the object is not ready for this"),
    (500, c"CUDA_ERROR_NOT_FOUND", c"nothing of this name"),
    (600, c"CUDA_ERROR_NOT_READY", c"not finished yet"),
    (700, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"a kernel touched an address that is not its own"),
    (701, c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", c"a launch needs more than the device has"),
    (702, c"CUDA_ERROR_LAUNCH_TIMEOUT", c"a kernel ran too long"),
    (703, c"CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING", c"a launch with another mode of textures"),
    (704, c"CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", c"the devices reach each other already"),
    (705, c"CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", c"the devices do not reach each other"),
    (708, c"CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", c"the primary context is active already"),
    (709, c"CUDA_ERROR_CONTEXT_IS_DESTROYED", c"the context is gone"),
    (710, c"CUDA_ERROR_ASSERT", c"an assertion in a kernel failed"),
    (711, c"CUDA_ERROR_TOO_MANY_PEERS", c"too many devices reach each other"),
    (712, c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", c"the host memory is pinned already"),
    (713, c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", c"the host memory is not pinned"),
    (714, c"CUDA_ERROR_HARDWARE_STACK_ERROR", c"a kernel's stack is broken"),
    (715, c"CUDA_ERROR_ILLEGAL_INSTRUCTION", c"a kernel met an instruction that the device does not have"),
    (716, c"CUDA_ERROR_MISALIGNED_ADDRESS", c"a kernel touched an address that is not aligned"),
    (717, c"CUDA_ERROR_INVALID_ADDRESS_SPACE", c"a kernel touched an address of another memory"),
    (718, c"CUDA_ERROR_INVALID_PC", c"a kernel's program counter left its code"),
    (719, c"CUDA_ERROR_LAUNCH_FAILED", c"a kernel failed"),
    (720, c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", c"a cooperative launch is too large"),
    (800, c"CUDA_ERROR_NOT_PERMITTED", c"not permitted"),
    (801, c"CUDA_ERROR_NOT_SUPPORTED", c"not supported here"),
    (802, c"CUDA_ERROR_SYSTEM_NOT_READY", c"the system is not ready"),
    (803, c"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", c"the driver's parts are of different versions"),
    (804, c"CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", c"forward compatibility is not supported on this device"),
    (805, c"CUDA_ERROR_MPS_CONNECTION_FAILED", c"no connection to the MPS server"),
    (806, c"CUDA_ERROR_MPS_RPC_FAILURE", c"the MPS server failed"),
    (807, c"CUDA_ERROR_MPS_SERVER_NOT_READY", c"the MPS server is not ready"),
    (808, c"CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", c"the MPS server has no room for another client"),
    (809, c"CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", c"the MPS server has no room for another connection"),
    (900, c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", c"not while a stream is captured"),
    (901, c"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", c"the capture was broken off"),
    (902, c"CUDA_ERROR_STREAM_CAPTURE_MERGE", c"two captures would merge"),
    (903, c"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", c"the capture began elsewhere"),
    (904, c"CUDA_ERROR_STREAM_CAPTURE_UNJOINED", c"the capture did not join its streams"),
    (905, c"CUDA_ERROR_STREAM_CAPTURE_ISOLATION", c"the capture depends on work outside it"),
    (906, c"CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", c"the capture depends on the default stream"),
    (907, c"CUDA_ERROR_CAPTURED_EVENT", c"the event belongs to a capture"),
    (908, c"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", c"the capture belongs to another thread"),
    (909, c"CUDA_ERROR_TIMEOUT", c"time ran out"),
    (910, c"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", c"the graph could not be changed"),
    (911, c"CUDA_ERROR_EXTERNAL_DEVICE", c"a device outside failed"),
    (999, c"CUDA_ERROR_UNKNOWN", c"an unknown error"),
];

/// Later codes, which the bindings do not know.
const NEW: [Code; 14] = [
    (36, c"CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", c"the driver is too old for this call"),
    (46, c"CUDA_ERROR_DEVICE_UNAVAILABLE", c"the device is busy or not available"),
    (225, c"CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC", c"the code synchronises from the device, which it cannot"),
    (226, c"CUDA_ERROR_CONTAINED", c"a memory error that stayed inside this program"),
    (402, c"CUDA_ERROR_LOSSY_QUERY", c"the answer would lose something"),
    (721, c"CUDA_ERROR_TENSOR_MEMORY_LEAK", c"a kernel did not give its tensor memory back"),
    (810, c"CUDA_ERROR_MPS_CLIENT_TERMINATED", c"the MPS server ended this client"),
    (811, c"CUDA_ERROR_CDP_NOT_SUPPORTED", c"kernels cannot launch kernels here"),
    (812, c"CUDA_ERROR_CDP_VERSION_MISMATCH", c"kernels that launch kernels are of different versions"),
    (912, c"CUDA_ERROR_INVALID_CLUSTER_SIZE", c"a cluster of this size cannot run"),
    (913, c"CUDA_ERROR_FUNCTION_NOT_LOADED", c"the function is not loaded"),
    (914, c"CUDA_ERROR_INVALID_RESOURCE_TYPE", c"a resource of the wrong kind"),
    (915, c"CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION", c"resources that do not fit together"),
    (916, c"CUDA_ERROR_KEY_ROTATION", c"the device is changing its keys"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_named() {
        for list in [&OLD[..], &NEW] {
            assert!(list.is_sorted_by(|a, b| a.0 < b.0));
            assert!(list.iter().all(|(_, name, text)| name.to_bytes().starts_with(b"CUDA_") && !text.is_empty()));
        }
        assert!(NEW.iter().all(|(new, ..)| OLD.iter().all(|(old, ..)| old != new)));
    }

    #[test]
    fn what_the_bindings_do_not_know_is_kept_for_the_message() {
        assert_eq!((known(222), last(), name(last())), (222, 222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"));
        assert_eq!((known(913), last(), text(last())), (999, 913, "the function is not loaded"));
        assert_eq!((known(12345), last(), name(last())), (999, 12345, "a code without a name"));
        assert_eq!((known(0), last()), (0, 12345));
    }

    #[test]
    fn words_come_without_a_driver() {
        let mut place = std::ptr::null();
        // SAFETY: the result is written to a local variable.
        assert_eq!(unsafe { cuGetErrorString(2, &mut place) }, 0);
        // SAFETY: it points to text that ends in a zero.
        assert_eq!(unsafe { CStr::from_ptr(place) }, c"out of memory");
        // SAFETY: the result is written to a local variable.
        assert_eq!(unsafe { cuGetErrorName(77, &mut place) }, 1);
        assert!(place.is_null());
    }
}
