//! Compiles plain loops for the widest vectors of this CPU, in a program that runs on any CPU.

/// Runs work compiled for the instructions of this CPU; the argument says whether they include fused multiply-add. This
/// applies only to code that is inlined into it.
#[inline(always)]
pub fn widest<R>(work: impl FnOnce(bool) -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        if has_avx512() {
            // SAFETY: the CPU was checked for every feature.
            return unsafe { avx512(work) };
        }
        if has_avx2() {
            // SAFETY: the CPU was checked for every feature.
            return unsafe { avx2(work) };
        }
    }
    work(cfg!(target_arch = "aarch64"))
}

/// The instruction set that [`widest`] uses here.
pub fn name() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if has_avx512() {
            return "AVX-512";
        }
        if has_avx2() {
            return "AVX2";
        }
    }
    std::env::consts::ARCH
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
    wide && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512dq") && has_avx2()
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
fn avx512<R>(work: impl FnOnce(bool) -> R) -> R {
    work(true)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<R>(work: impl FnOnce(bool) -> R) -> R {
    work(true)
}
