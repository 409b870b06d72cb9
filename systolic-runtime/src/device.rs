//! The devices on which kernels run.
use crate::call::LARGEST_SIZE;
use crate::error::{Error, Failure};
use crate::gpu::{Gpu, Plan, Variant, Way};
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// The CPU: blocks run on its threads, lanes as the widest vectors it supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu;

/// The first GPU, if there is one and the kernel has code for it; otherwise the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Auto;

/// The first argument of a kernel's `run`: [`Cpu`], [`Gpu`], [`Auto`], `dyn Device`, or a pointer to one of these. Other
/// crates cannot implement it.
///
/// ```
/// # use systolic_runtime::{Auto, Cpu, Device};
/// let devices: Vec<Box<dyn Device>> = vec![Box::new(Cpu), Box::new(Auto)];
/// ```
pub trait Device: sealed::Sealed {
    /// Returns the requested site; the kernel resolves it when it is called.
    #[doc(hidden)]
    fn site(&self) -> Site;
}

/// Where a caller wants a kernel to run.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Site {
    /// The CPU.
    Cpu,
    /// This GPU.
    Gpu(Gpu),
    /// The first GPU if possible, otherwise the CPU.
    Auto,
}

/// Where a kernel runs, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Choice {
    /// On a GPU.
    #[non_exhaustive]
    Gpu {
        /// The GPU.
        gpu: Gpu,
        /// The maps that it may run.
        maps: Maps,
    },
    /// On the CPU.
    #[non_exhaustive]
    Cpu {
        /// Why it is not a GPU; `None` if the CPU was requested.
        why: Option<Error>,
        /// Why it runs the kernel point by point; `None` if it runs a map.
        point_by_point: Option<&'static str>,
    },
}

/// The maps of a kernel that were compiled for GPUs.
#[derive(Clone, Copy, Debug)]
pub struct Maps(Option<&'static Plan>);

impl Maps {
    fn count(self) -> usize {
        self.0.map_or(1, |plan| (usize::from(!plan.images.is_empty()) + plan.usable().count()).max(1))
    }

    /// The most launches of a way to run the kernel.
    fn launches(self) -> usize {
        let series = self.0.into_iter().flat_map(Plan::usable).map(|variant| match variant {
            Variant::Series(series) => series.members.len(),
            Variant::Map(_) => 1,
        });
        series.max().unwrap_or(1)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Gpu { gpu, maps } => {
                gpu.properties().fmt(f)?;
                match (maps.count(), maps.launches()) {
                    (1, 1) => Ok(()),
                    (1, launches) => write!(f, ", by a series of {launches} launches"),
                    (maps, 1) => write!(f, ", by one of {maps} maps that depends on the sizes"),
                    (2, launches) => write!(f, ", by one map or a series of {launches} launches, as the sizes ask"),
                    (ways, launches) => {
                        write!(f, ", by one of {} maps or a series of {launches} launches, as the sizes ask", ways - 1)
                    }
                }
            }
            Choice::Cpu { why: Some(why), point_by_point: None } => write!(f, "the CPU: {why}"),
            Choice::Cpu { why: Some(why), point_by_point: Some(reason) } => {
                write!(f, "the CPU: {why}; point by point: {reason}")
            }
            Choice::Cpu { why: None, point_by_point: None } => f.write_str("the CPU"),
            Choice::Cpu { why: None, point_by_point: Some(reason) } => {
                write!(f, "the CPU, point by point: {reason}")
            }
        }
    }
}

impl Choice {
    /// The choice of a kernel that failed to compile.
    #[doc(hidden)]
    pub fn nowhere() -> Choice {
        Choice::cpu(None)
    }

    /// The CPU, with the reason why it is not a GPU.
    fn cpu(why: Option<Error>) -> Choice {
        Choice::Cpu { why, point_by_point: None }
    }

    /// The GPU; `None` if the CPU runs the kernel.
    pub fn gpu(&self) -> Option<&Gpu> {
        match self {
            Choice::Gpu { gpu, .. } => Some(gpu),
            Choice::Cpu { .. } => None,
        }
    }

    /// Why it is not a GPU; `None` if it is one or the CPU was requested.
    pub fn why(&self) -> Option<&Error> {
        match self {
            Choice::Gpu { .. } => None,
            Choice::Cpu { why, .. } => why.as_ref(),
        }
    }

    /// Why the CPU runs the kernel point by point; `None` if it runs a map, or if a GPU runs the kernel.
    pub fn point_by_point(&self) -> Option<&'static str> {
        match self {
            Choice::Gpu { .. } => None,
            Choice::Cpu { point_by_point, .. } => *point_by_point,
        }
    }

    /// The number of maps that were compiled: more than 1 if the compiler has found the map, and others for some sizes.
    pub fn maps(&self) -> usize {
        match self {
            Choice::Gpu { maps, .. } => maps.count(),
            Choice::Cpu { .. } => 1,
        }
    }

    /// The number of the map, or of the series of launches, that a launch with these sizes takes, in the order of the signature: 0 for
    /// the kernel's own or the first that was found. It depends on the sizes and on the GPU's number of multiprocessors and its memory.
    pub fn map_at(&self, sizes: &[usize]) -> usize {
        let Choice::Gpu { gpu, maps: Maps(Some(plan)) } = self else { return 0 };
        let limited = |size: &usize| i64::try_from(*size).unwrap_or(LARGEST_SIZE).min(LARGEST_SIZE);
        let sizes: Vec<i64> = sizes.iter().map(limited).collect();
        let chosen = plan.at(&sizes, gpu.properties().machine());
        let is_chosen = |variant: &Variant| match (variant, chosen) {
            (Variant::Map(plan), Way::Map(chosen)) => std::ptr::eq(plan, chosen),
            (Variant::Series(series), Way::Series(chosen)) => std::ptr::eq(series, chosen),
            _ => false,
        };
        plan.usable().position(is_chosen).map_or(0, |k| k + 1)
    }
}

impl Auto {
    /// Returns where a kernel runs that has code for the first GPU, and why.
    pub fn choice(self) -> Choice {
        // Kept until the process ends, because opening a device takes longer than most kernels.
        static FIRST: OnceLock<Result<Gpu, Error>> = OnceLock::new();
        match FIRST.get_or_init(|| Gpu::new(0)) {
            Ok(gpu) => Choice::Gpu { gpu: gpu.clone(), maps: Maps(None) },
            Err(why) => Choice::cpu(Some(why.clone())),
        }
    }
}

impl Site {
    /// Returns the GPU that a kernel runs on, or `None` for the CPU. Fails if the kernel has no code for the requested GPU.
    #[inline]
    pub fn gpu(&self, plan: &'static Plan) -> Result<Option<Gpu>, Error> {
        if let Site::Cpu = self { Ok(None) } else { self.find(plan) }
    }

    /// As [`gpu`](Site::gpu), for a kernel that has no code for any GPU: fails if a GPU was requested.
    #[inline]
    pub fn without_gpu(&self, plan: &'static Plan) -> Result<(), Failure> {
        if let Site::Cpu = self { Ok(()) } else { self.find_nothing(plan) }
    }

    /// Not inlined, and without a result that the crate of the kernel would have to drop.
    #[cold]
    #[inline(never)]
    fn find_nothing(&self, plan: &'static Plan) -> Result<(), Failure> {
        Ok(self.find(plan).map(drop)?)
    }

    /// Not inlined: a call on the CPU needs none of this.
    #[cold]
    #[inline(never)]
    fn find(&self, plan: &'static Plan) -> Result<Option<Gpu>, Error> {
        match self {
            Site::Gpu(gpu) => gpu.check_code(plan).map(|()| Some(gpu.clone())),
            Site::Cpu => Ok(None),
            Site::Auto => Ok(self.choice(plan, None).gpu().cloned()),
        }
    }

    /// Returns where a kernel runs, and why. `point_by_point` is the reason why a CPU runs it point by point, if it does.
    pub fn choice(&self, plan: &'static Plan, point_by_point: Option<&'static str>) -> Choice {
        let chosen = match self {
            Site::Cpu => Choice::cpu(None),
            Site::Gpu(gpu) => Choice::Gpu { gpu: gpu.clone(), maps: Maps(None) },
            Site::Auto => Auto.choice(),
        };
        match chosen {
            Choice::Gpu { gpu, .. } => match gpu.check_code(plan) {
                Ok(()) => Choice::Gpu { gpu, maps: Maps(Some(plan)) },
                Err(why) => Choice::Cpu { why: Some(why), point_by_point },
            },
            Choice::Cpu { why, .. } => Choice::Cpu { why, point_by_point },
        }
    }
}

impl Device for Cpu {
    #[inline]
    fn site(&self) -> Site {
        Site::Cpu
    }
}

impl Device for Auto {
    #[inline]
    fn site(&self) -> Site {
        Site::Auto
    }
}

impl Device for Gpu {
    fn site(&self) -> Site {
        Site::Gpu(self.clone())
    }
}

/// Pointers to devices are devices.
macro_rules! through {
    ($($pointer:ty),+) => {
        $(impl<D: Device + ?Sized> Device for $pointer {
            fn site(&self) -> Site {
                (**self).site()
            }
        }

        impl<D: Device + ?Sized> sealed::Sealed for $pointer {})+
    };
}

through!(&D, Box<D>, Rc<D>, Arc<D>);

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Cpu {}
    impl Sealed for super::Auto {}
    impl Sealed for crate::gpu::Gpu {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Image;

    static PLAN: Plan =
        Plan { kernel: "a test", why: "nothing was compiled", entry: "k", high: |_| [0; 3], ..Plan::NOTHING };

    #[test]
    fn without_code_kernels_run_on_the_cpu_and_say_why() {
        assert!(matches!(Cpu.site().gpu(&PLAN), Ok(None)));
        assert_eq!(Cpu.site().choice(&PLAN, None).to_string(), "the CPU");
        let choice = Cpu.site().choice(&PLAN, Some("it is a test"));
        assert_eq!(choice.to_string(), "the CPU, point by point: it is a test");
        let choice = Auto.site().choice(&PLAN, Some("it is a test"));
        assert!(choice.to_string().ends_with("; point by point: it is a test"), "{choice}");
        assert!(matches!(Auto.site().gpu(&PLAN), Ok(None)));
        let why = Auto.site().choice(&PLAN, None).why().cloned().expect("a reason");
        match Gpu::new(0) {
            // The error is the first missing thing: the feature, the driver or the device.
            Err(error) => assert_eq!(why, error),
            Ok(gpu) => {
                let there = "nothing was compiled".to_string();
                assert_eq!(why, Error::NoCode { kernel: "a test", device: gpu.properties().arch(), there });
                assert!(gpu.site().gpu(&PLAN).is_err());
            }
        }
    }

    #[test]
    fn how_many_maps_there_are() {
        static WITH: Plan = Plan {
            variants: &[Variant::Map(Plan { images: &[Image { arch: 75, ptx: true, bytes: &[] }], ..Plan::NOTHING })],
            ..Plan::NOTHING
        };
        let maps = |plan| Maps(Some(plan)).count();
        // A plan without code has no map of its own.
        static BOTH: Plan = Plan { images: &[Image { arch: 75, ptx: true, bytes: &[] }], ..WITH };
        assert_eq!((maps(&PLAN), maps(&WITH), maps(&BOTH), Choice::nowhere().maps()), (1, 1, 2, 1));
        assert_eq!(Choice::nowhere().map_at(&[8, 8]), 0, "there is no GPU");
    }

    #[test]
    fn what_points_to_a_device_is_one() {
        fn site(device: &(impl Device + ?Sized)) -> Site {
            device.site()
        }
        let devices: Vec<Box<dyn Device>> = vec![Box::new(Cpu), Box::new(Auto)];
        assert!(matches!(site(&*devices[0]), Site::Cpu));
        assert!(matches!(site(&devices[1]), Site::Auto));
        let borrowed: Vec<&dyn Device> = devices.iter().map(|device| &**device).collect();
        assert!(matches!(site(borrowed[0]), Site::Cpu));
        let shared: Arc<dyn Device + Send + Sync> = Arc::new(Auto);
        assert!(matches!(site(&shared), Site::Auto));
        assert!(matches!(site(&Rc::new(&Cpu)), Site::Cpu));
    }

    #[test]
    fn a_gpu_that_is_not_there_is_an_error() {
        let error = Gpu::new(usize::MAX).expect_err("no machine has so many");
        if cfg!(feature = "cuda") {
            assert!(matches!(error, Error::NoDriver | Error::NoDevice { .. } | Error::Driver { .. }), "{error:?}");
        } else {
            assert_eq!(error, Error::NoFeature);
            assert_eq!(Auto.choice().to_string(), format!("the CPU: {}", Error::NoFeature));
        }
    }
}
