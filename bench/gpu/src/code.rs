//! Hand-written kernels: loaded once, launched by name.
use crate::Fallible;
use cust::context::CurrentContext;
use cust::module::Module;
use cust::sys::{self, CUfunction, CUresult};
use std::ffi::c_void;
use std::ptr;
use systolic::interop::{self, cust};
use systolic::{Gpu, Stream};

macro_rules! images {
    ($($name:literal)+) => { [$(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".fatbin"))),+] };
}

const IMAGES: [&[u8]; 9] =
    images!("tools" "reference" "roof" "micro" "conv1d" "conv2d" "ssam" "ssam_stencils" "jacobi");

pub struct Code {
    modules: Vec<Module>,
}

impl Code {
    pub fn load(gpu: &Gpu) -> Fallible<Code> {
        CurrentContext::set_current(interop::context(gpu))?;
        let modules: Result<_, _> = IMAGES.iter().map(|image| Module::from_fatbin(image, &[])).collect();
        Ok(Code { modules: modules? })
    }

    /// A kernel with its arguments, ready for launch.
    pub fn kernel(&self, name: &str, grid: [u64; 3], threads: u32, arguments: Arguments) -> Fallible<Kernel> {
        let found = self.modules.iter().find_map(|module| module.get_function(name).ok());
        let function = found.ok_or_else(|| format!("there is no kernel {name}"))?.to_raw();
        let mut blocks = [0; 3];
        for (to, from) in blocks.iter_mut().zip(grid) {
            *to = u32::try_from(from)?;
        }
        Ok(Kernel { function, grid: blocks, threads, arguments })
    }
}

/// The arguments of a kernel, each as a list of words.
#[derive(Default)]
pub struct Arguments(Vec<Vec<u64>>);

impl Arguments {
    /// Adds 64-bit words: addresses, lengths.
    pub fn words<const N: usize>(mut self, words: [u64; N]) -> Self {
        self.0.extend(words.map(|word| vec![word]));
        self
    }

    /// Adds 32-bit integers.
    pub fn ints<const N: usize>(mut self, ints: [i32; N]) -> Self {
        self.0.extend(ints.map(|int| vec![u64::from(int.cast_unsigned())]));
        self
    }

    /// Adds lengths as 32-bit integers.
    pub fn lengths<const N: usize>(mut self, lengths: [u64; N]) -> Fallible<Self> {
        for length in lengths {
            self = self.ints([i32::try_from(length)?]);
        }
        Ok(self)
    }

    pub fn double(mut self, number: f64) -> Self {
        self.0.push(vec![number.to_bits()]);
        self
    }

    /// Adds one argument of many doubles.
    pub fn doubles(mut self, doubles: &[f64]) -> Self {
        self.0.push(doubles.iter().map(|d| d.to_bits()).collect());
        self
    }

    /// Adds one argument of many floats.
    pub fn floats(mut self, floats: &[f32]) -> Self {
        let bits: Vec<u64> = floats.iter().map(|f| u64::from(f.to_bits())).collect();
        self.0.push(bits.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |high| high << 32)).collect());
        self
    }
}

pub struct Kernel {
    function: CUfunction,
    grid: [u32; 3],
    threads: u32,
    arguments: Arguments,
}

impl Kernel {
    /// Enqueues one launch on the stream.
    pub fn launch(&self, stream: &Stream) -> Fallible<()> {
        let mut places: Vec<*mut c_void> = self.arguments.0.iter().map(|a| a.as_ptr().cast_mut().cast()).collect();
        let [x, y, z] = self.grid;
        // SAFETY: the creator of the kernel has given the arguments that its source declares; its arrays live until the
        // stream is done, and the driver copies the arguments before it returns.
        let result = unsafe {
            let stream = interop::stream(stream);
            sys::cuLaunchKernel(
                self.function,
                x,
                y,
                z,
                self.threads,
                1,
                1,
                0,
                stream,
                places.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(format!("a launch failed: {result:?}").into()) }
    }
}
