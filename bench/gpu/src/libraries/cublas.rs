//! cuBLAS: a matrix product.
use super::{Loaded, function, open};
use crate::Fallible;
use crate::contest::Entry;
use crate::lab::Rows;
use libloading::Library;
use std::ffi::c_void;
use std::ptr;
use systolic::Stream;
use systolic::interop::{self, cust::sys::CUstream};

type Handle = *mut c_void;
type Create = unsafe extern "C" fn(*mut Handle) -> i32;
type SetStream = unsafe extern "C" fn(Handle, CUstream) -> i32;
type Sgemm = unsafe extern "C" fn(
    Handle,
    i32,
    i32,
    i32,
    i32,
    i32,
    *const f32,
    *const f32,
    i32,
    *const f32,
    i32,
    *const f32,
    *mut f32,
    i32,
) -> i32;

/// The code for a matrix that is not transposed.
const PLAIN: i32 = 0;

pub struct Cublas {
    handle: Handle,
    set_stream: SetStream,
    sgemm: Sgemm,
    /// Keeps the library loaded while its functions are used.
    _library: Library,
}

impl Cublas {
    pub fn load() -> Result<Cublas, String> {
        let library = open("libcublas", &[13, 12])?;
        // SAFETY: the types are those of NVIDIA's header `cublas_api.h`.
        let (create, set_stream, sgemm): (Create, SetStream, Sgemm) = unsafe {
            (
                function(&library, "cublasCreate_v2")?,
                function(&library, "cublasSetStream_v2")?,
                function(&library, "cublasSgemm_v2")?,
            )
        };
        let mut handle = ptr::null_mut();
        // SAFETY: the handle is written to a local variable.
        match unsafe { create(&raw mut handle) } {
            0 => Ok(Cublas { handle, set_stream, sgemm, _library: library }),
            code => Err(format!("cublasCreate gave {code}")),
        }
    }

    fn square(&self, stream: &Stream, a: Rows, c: Rows) -> Fallible<()> {
        let (n, pitch, out_pitch) = (i32::try_from(a.rows)?, i32::try_from(a.pitch)?, i32::try_from(c.pitch)?);
        let (one, none) = (1.0, 0.0);
        let (from, to) = (a.address as *const f32, c.address as *mut f32);
        // SAFETY: both are matrices of `n` rows with this pitch on the device, and live until the stream is done.
        // cuBLAS expects columns; passing rows computes the transposed product, which is the product of the transposes.
        let codes = unsafe {
            let set = (self.set_stream)(self.handle, interop::stream(stream));
            let sgemm = self.sgemm;
            let (one, none) = (&raw const one, &raw const none);
            [set, sgemm(self.handle, PLAIN, PLAIN, n, n, n, one, from, pitch, from, pitch, none, to, out_pitch)]
        };
        if codes == [0, 0] { Ok(()) } else { Err(format!("cuBLAS gave {codes:?}").into()) }
    }
}

impl Loaded<Cublas> {
    /// A square matrix times itself.
    pub fn square(&self, a: Rows, c: Rows) -> Entry<'_> {
        self.entry(|cublas| Entry::Ready(Box::new(move |stream| cublas.square(stream, a, c))))
    }
}
