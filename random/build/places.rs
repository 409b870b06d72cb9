//! Where the kernels run: on the CPU, and with the feature `cuda` on a GPU. `SYSTOLIC_KERNELS_ON=gpu` leaves out the
//! CPU: at build time its code, which takes most of rustc's time; at test time its runs.

#[derive(Clone, Copy)]
pub struct Places {
    pub cpu: bool,
    pub gpu: bool,
}

impl Places {
    pub fn read() -> Places {
        println!("cargo::rerun-if-env-changed=SYSTOLIC_KERNELS_ON");
        let only = std::env::var("SYSTOLIC_KERNELS_ON").ok();
        match (only.as_deref(), cfg!(feature = "cuda")) {
            (None, gpu) => Places { cpu: true, gpu },
            (Some("gpu"), true) => Places { cpu: false, gpu: true },
            (Some(word), _) => panic!("SYSTOLIC_KERNELS_ON is `{word}`: it may be `gpu`, with feature `cuda`"),
        }
    }
}
