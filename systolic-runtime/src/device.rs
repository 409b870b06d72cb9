//! Where kernels run.
use crate::error::Error;
use crate::gpu::{Gpu, Plan};
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// The machine's own cores: blocks over threads, lanes as vectors of the best kind it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu;

/// The first GPU, where there is one and the kernel has code for it; else the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Auto;

/// What a kernel's `run` takes as its first argument: [`Cpu`], [`Gpu`], [`Auto`], `dyn Device`, and what points to one of
/// these. No other crate can implement it.
///
/// ```
/// # use systolic_runtime::{Auto, Cpu, Device};
/// let devices: Vec<Box<dyn Device>> = vec![Box::new(Cpu), Box::new(Auto)];
/// ```
pub trait Device: sealed::Sealed {
    /// Where to run; what it is comes out when a kernel asks.
    #[doc(hidden)]
    fn site(&self) -> Site;
}

/// Where a caller wants a kernel to run.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Site {
    /// The machine's own cores.
    Cpu,
    /// This GPU.
    Gpu(Gpu),
    /// Wherever there is a place.
    Auto,
}

/// Where [`Auto`] runs kernels, and why there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// The GPU; none for the CPU.
    pub gpu: Option<Gpu>,
    /// Why it is not a GPU.
    pub why: Option<Error>,
    /// Why the CPU runs the kernel point by point; none where it runs the kernel's map, or a GPU does.
    pub point_by_point: Option<&'static str>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.gpu, &self.why, self.point_by_point) {
            (Some(gpu), ..) => gpu.properties().fmt(f),
            (None, Some(why), None) => write!(f, "the CPU: {why}"),
            (None, Some(why), Some(reason)) => write!(f, "the CPU: {why}; point by point: {reason}"),
            (None, None, None) => f.write_str("the CPU"),
            (None, None, Some(reason)) => write!(f, "the CPU, point by point: {reason}"),
        }
    }
}

impl Choice {
    /// Where a kernel runs that was refused when it was compiled.
    #[doc(hidden)]
    pub fn nowhere() -> Choice {
        Choice::cpu(None)
    }

    /// The CPU, and why it is not a GPU.
    fn cpu(why: Option<Error>) -> Choice {
        Choice { gpu: None, why, point_by_point: None }
    }

    fn gpu(gpu: Gpu) -> Choice {
        Choice { gpu: Some(gpu), why: None, point_by_point: None }
    }
}

impl Auto {
    /// Where kernels run that have code for the first GPU, and why there.
    pub fn choice(self) -> Choice {
        // Held for good: opening a device takes longer than most kernels.
        static FIRST: OnceLock<Result<Gpu, Error>> = OnceLock::new();
        match FIRST.get_or_init(|| Gpu::new(0)) {
            Ok(gpu) => Choice::gpu(gpu.clone()),
            Err(why) => Choice::cpu(Some(why.clone())),
        }
    }
}

impl Site {
    /// The GPU that a kernel runs on, or nothing for the CPU.
    #[inline]
    pub fn gpu(&self, plan: &'static Plan) -> Result<Option<Gpu>, Error> {
        match self {
            Site::Gpu(gpu) => gpu.check_code(plan).map(|()| Some(gpu.clone())),
            Site::Cpu => Ok(None),
            Site::Auto => Ok(self.choice(plan, None).gpu),
        }
    }

    /// Where a kernel runs, and why there; with the reason why a CPU runs it point by point, if there is one.
    pub fn choice(&self, plan: &'static Plan, point_by_point: Option<&'static str>) -> Choice {
        let chosen = match self {
            Site::Cpu => Choice::cpu(None),
            Site::Gpu(gpu) => Choice::gpu(gpu.clone()),
            Site::Auto => Auto.choice(),
        };
        let chosen = match chosen.gpu.as_ref().map(|gpu| gpu.check_code(plan)) {
            Some(Err(why)) => Choice::cpu(Some(why)),
            _ => chosen,
        };
        let point_by_point = if chosen.gpu.is_some() { None } else { point_by_point };
        Choice { point_by_point, ..chosen }
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

/// What points to a device is one.
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
        let why = Auto.site().choice(&PLAN, None).why.expect("a reason");
        match Gpu::new(0) {
            // The first thing that is missing.
            Err(error) => assert_eq!(why, error),
            Ok(gpu) => {
                let there = "nothing was compiled".to_string();
                assert_eq!(why, Error::NoCode { kernel: "a test", device: gpu.properties().arch(), there });
                assert!(gpu.site().gpu(&PLAN).is_err());
            }
        }
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
