//! The kernels of `kernels` without their maps, as the build script has written them. It also searches their maps.
include!(concat!(env!("OUT_DIR"), "/automatic/mod.rs"));

/// The maps that the search has found: the key of each program, and the map as text.
pub const MAPS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/maps.rs"));

/// The launches of a kernel, with its maps and without: `both!(conv2d::conv2d<3>: s x w z)`.
macro_rules! both {
    ($module:ident::$kernel:ident<$($argument:tt),+>: $($name:ident)+) => {
        [
            |$($name),+| crate::kernels::$module::$kernel::<$($argument),+>::launch($($name),+),
            |$($name),+| crate::automatic::$module::$kernel::<$($argument),+>::launch($($name),+),
        ]
    };
}

pub(crate) use both;
