//! The instruction set levels of the CPU, named as in `SYSTOLIC_CPU`.

/// The levels of this architecture, slowest first, and whether this CPU supports each.
pub fn levels() -> Vec<(&'static str, bool)> {
    let mut levels = vec![("plain", true)];
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = has!("avx2") && has!("fma");
        let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        levels.extend([("avx2", avx2), ("avx512", avx2 && avx512)]);
    }
    #[cfg(target_arch = "aarch64")]
    levels.push(("neon", std::arch::is_aarch64_feature_detected!("neon")));
    levels
}
