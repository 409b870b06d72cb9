//! NVIDIA's libraries, where the machine has them.
mod cublas;
mod npp;

use crate::contest::Entry;
use cublas::Cublas;
use libloading::Library;
use npp::Npp;
use systolic::Gpu;

/// A library, or why it is not there.
pub struct Loaded<T>(Result<T, String>);

pub struct Libraries {
    pub npp: Loaded<Npp>,
    pub cublas: Loaded<Cublas>,
}

impl Libraries {
    /// The context of the GPU is current on this thread.
    pub fn load(gpu: &Gpu) -> Libraries {
        Libraries { npp: Loaded(Npp::load(gpu)), cublas: Loaded(Cublas::load()) }
    }
}

impl<T> Loaded<T> {
    fn entry<'a>(&'a self, ready: impl FnOnce(&'a T) -> Entry<'a>) -> Entry<'a> {
        self.0.as_ref().map_or_else(|why| Entry::Absent(why.clone()), ready)
    }
}

/// The first of some versions of a library that is there.
fn open(name: &str, versions: &[u32]) -> Result<Library, String> {
    // SAFETY: what NVIDIA's libraries do when they are loaded has no preconditions.
    let found = versions.iter().find_map(|version| unsafe { Library::new(format!("{name}.so.{version}")) }.ok());
    let versions: Vec<String> = versions.iter().map(u32::to_string).collect();
    found.ok_or_else(|| format!("no {name}.so.{}", versions.join(" or .")))
}

/// A function of a library.
///
/// # Safety
/// Its type is `F`.
unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller vouches for the type.
    unsafe { library.get::<F>(name.as_bytes()) }.map(|f| *f).map_err(|_| format!("its library has no {name}"))
}
