//! NVIDIA's libraries, if they are installed.
mod cublas;
mod npp;

use crate::contest::Entry;
use cublas::Cublas;
use libloading::Library;
use npp::Npp;
use systolic::Gpu;

/// A library, or the reason why it is not available.
pub struct Loaded<T>(Result<T, String>);

pub struct Libraries {
    pub npp: Loaded<Npp>,
    pub cublas: Loaded<Cublas>,
}

impl Libraries {
    /// Loads the libraries. The context of the GPU must be current on this thread.
    pub fn load(gpu: &Gpu) -> Libraries {
        Libraries { npp: Loaded(Npp::load(gpu)), cublas: Loaded(Cublas::load()) }
    }
}

impl<T> Loaded<T> {
    fn entry<'a>(&'a self, ready: impl FnOnce(&'a T) -> Entry<'a>) -> Entry<'a> {
        self.0.as_ref().map_or_else(|why| Entry::Absent(why.clone()), ready)
    }
}

/// Opens the first of several versions of a library that is installed.
fn open(name: &str, versions: &[u32]) -> Result<Library, String> {
    // SAFETY: the initialisers of NVIDIA's libraries have no preconditions.
    let found = versions.iter().find_map(|version| unsafe { Library::new(format!("{name}.so.{version}")) }.ok());
    let versions: Vec<String> = versions.iter().map(u32::to_string).collect();
    found.ok_or_else(|| format!("no {name}.so.{}", versions.join(" or .")))
}

/// Looks up a function of a library.
///
/// # Safety
/// The function must have the type `F`.
unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller guarantees the type.
    unsafe { library.get::<F>(name.as_bytes()) }.map(|f| *f).map_err(|_| format!("its library has no {name}"))
}
