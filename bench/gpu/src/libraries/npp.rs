//! NPP: a filter over an image.
use super::{Loaded, function, open};
use crate::Fallible;
use crate::contest::Entry;
use crate::lab::{Lab, Rows};
use cust::device::{Device, DeviceAttribute};
use libloading::Library;
use std::ffi::c_void;
use systolic::interop::{self, cust};
use systolic::{Gpu, Stream};

/// Width and height, or a point.
#[repr(C)]
#[derive(Clone, Copy)]
struct Pair(i32, i32);

/// `NppStreamContext` of NVIDIA's header `nppdefs.h`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Context {
    stream: cust::sys::CUstream,
    device: i32,
    multiprocessors: i32,
    threads_of_multiprocessor: i32,
    threads_of_block: i32,
    shared_memory: usize,
    capability: Pair,
    flags: u32,
    reserved: u32,
}

type Filter = unsafe extern "C" fn(
    *const c_void,
    i32,
    Pair,
    Pair,
    *mut c_void,
    i32,
    Pair,
    *const f32,
    Pair,
    Pair,
    i32,
    Context,
) -> i32;

/// The nearest element outside; NPP has no other border.
const REPLICATE: i32 = 2;

pub struct Npp {
    of_f32: Filter,
    of_f16: Filter,
    context: Context,
    /// Keeps the library loaded while its functions are used.
    _library: Library,
}

impl Npp {
    pub fn load(gpu: &Gpu) -> Result<Npp, String> {
        let library = open("libnppif", &[13, 12])?;
        // SAFETY: the types are those of NVIDIA's header `nppi_filtering_functions.h`.
        let [of_f32, of_f16] = unsafe {
            [
                function(&library, "nppiFilterBorder_32f_C1R_Ctx")?,
                function(&library, "nppiFilterBorder32f_16f_C1R_Ctx")?,
            ]
        };
        let context = context(gpu).map_err(|e| e.to_string())?;
        Ok(Npp { of_f32, of_f16, context, _library: library })
    }
}

fn context(gpu: &Gpu) -> Fallible<Context> {
    let (properties, device) = (gpu.properties(), Device::get_device(0)?);
    Ok(Context {
        stream: std::ptr::null_mut(),
        device: 0,
        multiprocessors: properties.multiprocessors.cast_signed(),
        threads_of_multiprocessor: device.get_attribute(DeviceAttribute::MaxThreadsPerMultiprocessor)?,
        threads_of_block: device.get_attribute(DeviceAttribute::MaxThreadsPerBlock)?,
        shared_memory: usize::try_from(device.get_attribute(DeviceAttribute::MaxSharedMemoryPerBlock)?)?,
        capability: Pair(properties.capability.0.cast_signed(), properties.capability.1.cast_signed()),
        flags: 0,
        reserved: 0,
    })
}

/// The arguments of a call, except the stream.
struct Call {
    filter: Filter,
    context: Context,
    x: Rows,
    z: Rows,
    side: i32,
    weights: u64,
}

impl Call {
    fn run(&self, stream: &Stream) -> Fallible<()> {
        let Call { filter, x, z, side, .. } = *self;
        let context = Context { stream: interop::stream(stream), ..self.context };
        // NPP applies the weights in reverse order, so that the last weight meets the first element.
        let (anchor, before) = (side / 2, side - 1 - side / 2);
        let from = x.address + (before as u64 * x.pitch + before as u64) * x.size;
        let bytes = |rows: Rows| i32::try_from(rows.pitch * rows.size);
        let shape = |rows: Rows| Fallible::Ok(Pair(i32::try_from(rows.columns)?, i32::try_from(rows.rows)?));
        // SAFETY: image, output and weights lie on the device with these sizes, and live until the stream is done.
        let code = unsafe {
            filter(
                from as *const c_void,
                bytes(x)?,
                shape(x)?,
                Pair(before, before),
                z.address as *mut c_void,
                bytes(z)?,
                shape(z)?,
                self.weights as *const f32,
                Pair(side, side),
                Pair(anchor, anchor),
                REPLICATE,
                context,
            )
        };
        if code == 0 { Ok(()) } else { Err(format!("NPP gave {code}").into()) }
    }
}

impl Loaded<Npp> {
    /// A square filter of a padded image.
    pub fn filter<'a>(&'a self, lab: &Lab, x: Rows, z: Rows, side: usize, weights: &[f32]) -> Fallible<Entry<'a>> {
        let backwards: Vec<f32> = weights.iter().rev().copied().collect();
        let (weights, side) = (lab.gpu.upload(&backwards)?, i32::try_from(side)?);
        Ok(self.entry(move |npp| {
            let filter = if x.size == 2 { npp.of_f16 } else { npp.of_f32 };
            let call = Call { filter, context: npp.context, x, z, side, weights: interop::pointer(&weights) };
            Entry::Ready(Box::new(move |stream| {
                // Keeps the weights alive as long as the closure.
                let _ = &weights;
                call.run(stream)
            }))
        }))
    }
}
