//! The driver, through the bindings of `cust`. Every call makes its context current on the calling thread first.
#![allow(unsafe_code)]
use super::{Address, Function, Graph, Mark, Marks, Module, Pattern, Queue, Refusal, Rows, Shape};
use crate::error::{Error, Memory};
use crate::gpu::Properties;
use cust::context::Context as Primary;
use cust::device::Device;
use cust::error::CudaResult;
use cust::sys::{self, CUresult};
use std::ffi::{CString, c_void};
use std::ptr::{self, NonNull};
// Defines the functions of the driver's library, which need not be present when the program is linked or started.
use systolic_driver as driver;

/// The error codes of kernels that failed while they ran. They persist until the context is destroyed.
const FAILED: [u32; 9] = [700, 702, 710, 714, 715, 716, 717, 718, 719];
/// The largest pitch that a 2D copy of the driver accepts.
const LONGEST_PITCH: usize = i32::MAX as usize;
/// The size of the buffer for the log of the driver's compiler, in bytes.
const LOG: usize = 8 << 10;

/// The primary context of a device, kept alive.
#[derive(Debug)]
pub struct Context {
    primary: Primary,
}

/// Returns the error for a failed call.
fn fault(call: &'static str) -> Error {
    let code = driver::last();
    match code {
        303 => Error::NoDriver,
        code if FAILED.contains(&code) => Error::Launch { code, text: driver::text(code) },
        code => Error::Driver { call, code, text: driver::text(code) },
    }
}

fn check(call: &'static str, result: CUresult) -> Result<(), Error> {
    if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(fault(call)) }
}

fn checked<T>(call: &'static str, result: CudaResult<T>) -> Result<T, Error> {
    result.map_err(|_| fault(call))
}

/// Calls a function of the driver by its name and checks the result.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        check(stringify!($name), unsafe { sys::$name($($argument),*) })
    };
}

impl Context {
    /// Returns the number of devices.
    pub fn devices() -> Result<usize, Error> {
        match checked("cuInit", cust::init(cust::CudaFlags::empty())) {
            Err(Error::Driver { code: 100, .. }) => return Ok(0),
            other => other?,
        }
        Ok(checked("cuDeviceGetCount", Device::num_devices())? as usize)
    }

    fn device(ordinal: usize) -> Result<Device, Error> {
        let devices = Self::devices()?;
        match u32::try_from(ordinal) {
            Ok(number) if ordinal < devices => checked("cuDeviceGet", Device::get_device(number)),
            _ => Err(Error::NoDevice { ordinal, devices }),
        }
    }

    /// Returns the properties of a device.
    pub fn properties(ordinal: usize) -> Result<Properties, Error> {
        use sys::CUdevice_attribute_enum as Attribute;
        let device = Self::device(ordinal)?;
        let attribute = |which| {
            let mut value = 0;
            // SAFETY: the result is written to a local variable.
            call!(cuDeviceGetAttribute(&mut value, which, device.as_raw()))?;
            Ok::<u32, Error>(value.unsigned_abs())
        };
        let mut version = 0;
        // SAFETY: the result is written to a local variable.
        call!(cuDriverGetVersion(&mut version))?;
        let version = version.unsigned_abs();
        Ok(Properties {
            ordinal,
            name: checked("cuDeviceGetName", device.name())?,
            capability: (
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            memory: checked("cuDeviceTotalMem", device.total_memory())?,
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared_memory: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            driver: (version / 1000, version % 1000 / 10),
        })
    }

    /// Opens the primary context of a device.
    pub fn open(ordinal: usize) -> Result<Self, Error> {
        let device = Self::device(ordinal)?;
        let primary = checked("cuDevicePrimaryCtxRetain", Primary::new(device))?;
        Ok(Context { primary })
    }

    /// Returns the primary context, for programs that call CUDA themselves.
    pub fn primary(&self) -> &Primary {
        &self.primary
    }

    fn enter(&self) -> Result<(), Error> {
        // SAFETY: the context is kept alive by `self`.
        call!(cuCtxSetCurrent(self.primary.as_raw()))
    }

    pub fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Address, Error> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: the result is written to a local variable.
        let result = call!(cuMemAlloc_v2(&mut address, bytes));
        result.map_err(|error| short(error, Memory::Device, purpose, bytes))?;
        Ok(address)
    }

    /// Frees memory. Errors are ignored: they mean that the device is lost, and its memory with it.
    pub fn free(&self, address: Address) {
        // SAFETY: the address came from `allocate`, and its only owner gives it up.
        let _ = self.enter().and_then(|()| call!(cuMemFree_v2(address)));
    }

    /// Fails unless these bytes are memory of this device that the context can access.
    pub fn check_memory(&self, address: Address, bytes: usize, ordinal: usize) -> Result<(), Error> {
        use sys::CUpointer_attribute_enum as Attribute;
        self.enter()?;
        let (mut context, mut device, mut start, mut length) = (ptr::null_mut::<c_void>(), -1i32, 0u64, 0usize);
        let ask = |which: Attribute, place: *mut c_void| {
            // SAFETY: each result is written to a local variable of its type.
            call!(cuPointerGetAttribute(place, which, address))
        };
        let known = ask(Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (&raw mut device).cast());
        known.map_err(|_| Error::Foreign { why: "the driver does not know it as memory of a device" })?;
        // Memory of a pool belongs to no context, and its driver may not say how long it is.
        let has_context = ask(Attribute::CU_POINTER_ATTRIBUTE_CONTEXT, (&raw mut context).cast()).is_ok();
        let is_other = has_context && !context.is_null() && context.addr() != self.primary.as_raw().addr();
        if is_other || usize::try_from(device).ok() != Some(ordinal) {
            return Err(Error::Foreign { why: "it is on another device, or in another context of this one" });
        }
        let has_range = ask(Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, (&raw mut start).cast()).is_ok()
            && ask(Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE, (&raw mut length).cast()).is_ok();
        let end = start.saturating_add(length as u64);
        let is_inside = address >= start && address.checked_add(bytes as u64).is_some_and(|last| last <= end);
        match !has_range || is_inside {
            true => Ok(()),
            false => Err(Error::Foreign { why: "it is shorter than the array" }),
        }
    }

    pub fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        self.enter()?;
        let mut place = ptr::null_mut();
        // Portable: any device may use it.
        // SAFETY: the result is written to a local variable.
        let result = call!(cuMemHostAlloc(&mut place, bytes, sys::CU_MEMHOSTALLOC_PORTABLE));
        result.map_err(|error| short(error, Memory::Pinned, "an array", bytes))?;
        let none = || Error::OutOfMemory { memory: Memory::Pinned, purpose: "an array", bytes: bytes as u128 };
        NonNull::new(place.cast()).ok_or_else(none)
    }

    pub fn free_pinned(&self, place: NonNull<u8>) {
        // SAFETY: the pointer came from `allocate_pinned`, and its only owner is being dropped.
        let _ = self.enter().and_then(|()| call!(cuMemFreeHost(place.as_ptr().cast())));
    }

    /// Enqueues setting bytes to zero.
    pub fn clear(&self, queue: Queue, to: Address, bytes: usize) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: the caller owns this many bytes there.
        call!(cuMemsetD8Async(to, 0, bytes, raw(queue.0)))
    }

    /// Enqueues setting rows to zero.
    pub fn clear_rows(&self, queue: Queue, to: Address, rows: Rows) -> Result<(), Error> {
        if rows.count == 1 {
            return self.clear(queue, to, rows.bytes);
        }
        self.enter()?;
        // SAFETY: the caller owns these rows.
        call!(cuMemsetD2D8Async(to, rows.device, 0, rows.bytes, rows.count, raw(queue.0)))
    }

    /// Enqueues setting `count` elements that follow each other to one pattern.
    pub fn fill(&self, queue: Queue, to: Address, pattern: Pattern, count: usize) -> Result<(), Error> {
        self.enter()?;
        // SAFETY, for each of these calls: the caller owns this many elements there.
        match pattern {
            Pattern::One(bits) => call!(cuMemsetD8Async(to, bits, count, raw(queue.0))),
            Pattern::Two(bits) => call!(cuMemsetD16Async(to, bits, count, raw(queue.0))),
            Pattern::Four(bits) => call!(cuMemsetD32Async(to, bits, count, raw(queue.0))),
            Pattern::Eight(low, high) if low == high => call!(cuMemsetD32Async(to, low, 2 * count, raw(queue.0))),
            // The driver has no pattern of 8 bytes, so each half is a column of words that are 8 bytes apart.
            Pattern::Eight(low, high) => {
                call!(cuMemsetD2D32Async(to, 8, low, 1, count, raw(queue.0)))?;
                call!(cuMemsetD2D32Async(to + 4, 8, high, 1, count, raw(queue.0)))
            }
        }
    }

    /// Enqueues a copy from the host to the device.
    ///
    /// # Safety
    ///
    /// Both sides have these rows, and keep them until the queue has done the copy.
    pub unsafe fn upload(&self, queue: Queue, from: *const u8, to: Address, rows: Rows) -> Result<(), Error> {
        self.enter()?;
        if let Some(bytes) = rows.in_one() {
            // SAFETY: guaranteed by the caller.
            return call!(cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, raw(queue.0)));
        }
        if rows.device.max(rows.host) > LONGEST_PITCH {
            return (0..rows.count).try_for_each(|k| {
                let (from, to) = (from.wrapping_add(k * rows.host), to + (k * rows.device) as u64);
                // SAFETY: guaranteed by the caller, row by row.
                call!(cuMemcpyHtoDAsync_v2(to, from.cast(), rows.bytes, raw(queue.0)))
            });
        }
        let copy = sys::CUDA_MEMCPY2D {
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
            srcHost: from.cast(),
            srcPitch: rows.host,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            dstDevice: to,
            dstPitch: rows.device,
            ..plain(rows)
        };
        // SAFETY: guaranteed by the caller.
        call!(cuMemcpy2DAsync_v2(&copy, raw(queue.0)))
    }

    /// Enqueues a copy from the device to the host.
    ///
    /// # Safety
    ///
    /// Both sides have these rows, and keep them until the queue has done the copy.
    pub unsafe fn download(&self, queue: Queue, from: Address, to: *mut u8, rows: Rows) -> Result<(), Error> {
        self.enter()?;
        if let Some(bytes) = rows.in_one() {
            // SAFETY: guaranteed by the caller.
            return call!(cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, raw(queue.0)));
        }
        if rows.device.max(rows.host) > LONGEST_PITCH {
            return (0..rows.count).try_for_each(|k| {
                let (to, from) = (to.wrapping_add(k * rows.host), from + (k * rows.device) as u64);
                // SAFETY: guaranteed by the caller, row by row.
                call!(cuMemcpyDtoHAsync_v2(to.cast(), from, rows.bytes, raw(queue.0)))
            });
        }
        let copy = sys::CUDA_MEMCPY2D {
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcDevice: from,
            srcPitch: rows.device,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
            dstHost: to.cast(),
            dstPitch: rows.host,
            ..plain(rows)
        };
        // SAFETY: guaranteed by the caller.
        call!(cuMemcpy2DAsync_v2(&copy, raw(queue.0)))
    }

    /// Creates a queue that does not synchronise with the default stream.
    pub fn new_queue(&self) -> Result<Queue, Error> {
        self.enter()?;
        let mut queue = ptr::null_mut();
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the result is written to a local variable.
        call!(cuStreamCreate(&mut queue, flags))?;
        Ok(Queue(queue.expose_provenance()))
    }

    pub fn drop_queue(&self, queue: Queue) {
        // SAFETY: its only owner is being dropped.
        let _ = self.enter().and_then(|()| call!(cuStreamDestroy_v2(raw(queue.0))));
    }

    /// Waits until all work on the queue is done.
    pub fn finish(&self, queue: Queue) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: the queue lives as long as its owner.
        call!(cuStreamSynchronize(raw(queue.0)))
    }

    pub fn new_mark(&self, marks: Marks) -> Result<Mark, Error> {
        self.enter()?;
        let mut mark = ptr::null_mut();
        use sys::CUevent_flags as Flags;
        let flags = match marks {
            Marks::Plain => Flags::CU_EVENT_DISABLE_TIMING as u32,
            Marks::Timed => Flags::CU_EVENT_DEFAULT as u32,
            Marks::Awaited => Flags::CU_EVENT_DISABLE_TIMING as u32 | Flags::CU_EVENT_BLOCKING_SYNC as u32,
        };
        // SAFETY: the result is written to a local variable.
        call!(cuEventCreate(&mut mark, flags))?;
        Ok(Mark(mark.expose_provenance()))
    }

    pub fn drop_mark(&self, mark: Mark) {
        // SAFETY: its only owner is being dropped.
        let _ = self.enter().and_then(|()| call!(cuEventDestroy_v2(raw(mark.0))));
    }

    /// Records a mark, which is reached when all work enqueued so far is done.
    pub fn record(&self, mark: Mark, queue: Queue) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: both live as long as their owners.
        call!(cuEventRecord(raw(mark.0), raw(queue.0)))
    }

    /// Makes all further work on the queue wait for the mark.
    pub fn wait(&self, queue: Queue, mark: Mark) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: both live as long as their owners.
        call!(cuStreamWaitEvent(raw(queue.0), raw(mark.0), 0))
    }

    /// Waits on the host until a mark is reached.
    pub fn reach(&self, mark: Mark) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: it lives as long as its owner.
        call!(cuEventSynchronize(raw(mark.0)))
    }

    pub fn milliseconds(&self, from: Mark, to: Mark) -> Result<f32, Error> {
        self.enter()?;
        let mut time = 0.0;
        // SAFETY: both live as long as their owners, and the result is written to a local variable.
        call!(cuEventElapsedTime(&mut time, raw(from.0), raw(to.0)))?;
        Ok(time)
    }

    /// Loads an image. The inner error is the driver's refusal of it.
    ///
    /// # Safety
    ///
    /// The image is text that ends in a zero, or a file whose sections and segments are inside it.
    pub unsafe fn load(&self, image: &[u8]) -> Result<Result<Module, Refusal>, Error> {
        self.enter()?;
        let mut module = ptr::null_mut();
        // SAFETY: guaranteed by the caller, and the result is written to a local variable.
        let result = unsafe { sys::cuModuleLoadData(&mut module, image.as_ptr().cast()) };
        if result == CUresult::CUDA_SUCCESS {
            return Ok(Ok(Module(module.expose_provenance())));
        }
        let code = driver::last();
        if FAILED.contains(&code) {
            return Err(fault("cuModuleLoadData"));
        }
        // SAFETY: guaranteed by the caller.
        let log = unsafe { log(image) };
        let log = if log.is_empty() { driver::text(code).to_string() } else { log };
        Ok(Err(Refusal { code, log }))
    }

    pub fn unload(&self, module: Module) {
        // SAFETY: its only owner gives it up, after all launches.
        let _ = self.enter().and_then(|()| call!(cuModuleUnload(raw(module.0))));
    }

    /// Returns the kernel of this name, or `None` if the module has none.
    pub fn function(&self, module: Module, name: &str) -> Result<Option<Function>, Error> {
        self.enter()?;
        let Ok(name) = CString::new(name) else { return Ok(None) };
        let mut function = ptr::null_mut();
        // SAFETY: the module is loaded, the name ends in a zero, and the result is written to a local variable.
        match call!(cuModuleGetFunction(&mut function, raw(module.0), name.as_ptr())) {
            Ok(()) => Ok(Some(Function(function.expose_provenance()))),
            Err(Error::Driver { code: 500, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the bytes of static shared memory of a kernel.
    pub fn static_shared(&self, function: Function) -> Result<u32, Error> {
        self.enter()?;
        let mut bytes = 0;
        let which = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
        // SAFETY: the function's module is loaded, and the result is written to a local variable.
        call!(cuFuncGetAttribute(&mut bytes, which, raw(function.0)))?;
        Ok(bytes.unsigned_abs())
    }

    /// Allows launches to use this many bytes of dynamic shared memory.
    pub fn allow_shared(&self, function: Function, bytes: u32) -> Result<(), Error> {
        self.enter()?;
        let which = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        // SAFETY: the function's module is loaded.
        call!(cuFuncSetAttribute(raw(function.0), which, bytes))
    }

    /// Enqueues a kernel with one parameter.
    ///
    /// # Safety
    ///
    /// The kernel takes such a parameter, and the memory that it accesses stays valid until the kernel is done.
    pub unsafe fn launch(&self, queue: Queue, function: Function, shape: Shape, words: &[u64]) -> Result<(), Error> {
        self.enter()?;
        let mut bytes = size_of_val(words);
        let size: *mut usize = &mut bytes;
        // Passes the parameter as a pointer and a size (CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE) instead of a list of
        // pointers, so that the driver knows its length.
        let mut extra: [*mut c_void; 5] = [
            ptr::without_provenance_mut(1),
            words.as_ptr().cast_mut().cast(),
            ptr::without_provenance_mut(2),
            size.cast(),
            ptr::null_mut(),
        ];
        let [x, y, z] = shape.grid;
        // SAFETY: guaranteed by the caller; the driver reads the list before the call returns.
        call!(cuLaunchKernel(
            raw(function.0),
            x,
            y,
            z,
            32,
            shape.warps,
            1,
            shape.shared,
            raw(queue.0),
            ptr::null_mut(),
            extra.as_mut_ptr(),
        ))
    }
}

/// Graphs: work that is captured once and launched as a whole.
impl Context {
    /// Captures what the closure enqueues on the queue that it gets, which does not run.
    pub fn capture(&self, enqueue: &mut dyn FnMut(Queue) -> Result<(), Error>) -> Result<Graph, Error> {
        // On a queue of its own, so that whatever fails here leaves those of the program alone.
        let queue = self.new_queue()?;
        let captured = self.captured(queue, enqueue);
        self.drop_queue(queue);
        let graph = captured?;
        let mut ready = ptr::null_mut();
        // SAFETY: the graph was captured, and the result is written to a local variable.
        let made = call!(cuGraphInstantiateWithFlags(&mut ready, graph, 0));
        // SAFETY: what was made of the graph does not need it.
        let _ = call!(cuGraphDestroy(graph));
        made.map(|()| Graph(ready.expose_provenance()))
    }

    fn captured(
        &self,
        queue: Queue,
        enqueue: &mut dyn FnMut(Queue) -> Result<(), Error>,
    ) -> Result<sys::CUgraph, Error> {
        // Other threads are not concerned.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the queue exists.
        call!(cuStreamBeginCapture_v2(raw(queue.0), mode))?;
        let enqueued = enqueue(queue);
        let mut graph = ptr::null_mut();
        // SAFETY: the queue captures, and the result is written to a local variable.
        let ended = call!(cuStreamEndCapture(raw(queue.0), &mut graph));
        match enqueued.and(ended) {
            Ok(()) => Ok(graph),
            Err(error) => {
                if !graph.is_null() {
                    // SAFETY: nobody else knows it.
                    let _ = call!(cuGraphDestroy(graph));
                }
                Err(error)
            }
        }
    }

    /// Enqueues a graph.
    ///
    /// # Safety
    ///
    /// The memory that its work accesses stays valid until it is done.
    pub unsafe fn launch_graph(&self, queue: Queue, graph: Graph) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: guaranteed by the caller; the graph lives as long as its owner.
        call!(cuGraphLaunch(raw(graph.0), raw(queue.0)))
    }

    pub fn drop_graph(&self, graph: Graph) {
        // SAFETY: its only owner is being dropped, after its last launch.
        let _ = self.enter().and_then(|()| call!(cuGraphExecDestroy(raw(graph.0))));
    }
}

/// Converts the error of an allocation to [`Error::OutOfMemory`]. For enormous lengths the driver reports an invalid value (1)
/// or a failure of the operating system (304) instead.
fn short(error: Error, memory: Memory, purpose: &'static str, bytes: usize) -> Error {
    match error {
        Error::Driver { code: 1 | 2 | 304, .. } => Error::OutOfMemory { memory, purpose, bytes: bytes as u128 },
        other => other,
    }
}

/// Converts a handle back to the driver's pointer.
fn raw<T>(handle: usize) -> *mut T {
    ptr::with_exposed_provenance_mut(handle)
}

/// A copy of rows whose two sides the caller fills in.
fn plain(rows: Rows) -> sys::CUDA_MEMCPY2D {
    sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: ptr::null(),
        srcDevice: 0,
        srcArray: ptr::null_mut(),
        srcPitch: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: ptr::null_mut(),
        dstDevice: 0,
        dstArray: ptr::null_mut(),
        dstPitch: 0,
        WidthInBytes: rows.bytes,
        Height: rows.count,
    }
}

impl Rows {
    /// Returns the bytes of the copy if it can be done in one piece, because the rows have no gaps on either side.
    fn in_one(self) -> Option<usize> {
        let touch = self.host == self.bytes && self.device == self.bytes;
        (touch || self.count <= 1).then_some(self.bytes * self.count)
    }
}

/// Returns the log of the driver's compiler for an image that it refused.
///
/// # Safety
///
/// As for [`Context::load`], and the context is current.
unsafe fn log(image: &[u8]) -> String {
    let mut text = vec![0u8; LOG];
    let mut options =
        [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values: [*mut c_void; 2] = [text.as_mut_ptr().cast(), ptr::without_provenance_mut(LOG)];
    let mut module = ptr::null_mut();
    // SAFETY: guaranteed by the caller; there are as many options as values, and the log buffer has the given size.
    let result = unsafe {
        let (count, options) = (options.len() as u32, options.as_mut_ptr());
        sys::cuModuleLoadDataEx(&mut module, image.as_ptr().cast(), count, options, values.as_mut_ptr())
    };
    if result == CUresult::CUDA_SUCCESS {
        // SAFETY: the module was just loaded and is not used.
        unsafe { sys::cuModuleUnload(module) };
    }
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(LOG);
    String::from_utf8_lossy(&text[..end]).trim().to_string()
}
