//! What there is to measure on: the CPU, or the first GPU.
use crate::command::output;
use std::process::Command;
use systolic_compiler::mapping::Target;
use systolic_compiler::model;

/// A device to measure on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub target: Target,
    /// Its name, which is part of what results are kept under.
    pub name: String,
    /// The architecture of a GPU, such as 90, and its highest clock, in clocks per second.
    pub gpu: Option<(u32, u64)>,
}

impl Device {
    /// The device that the user asks for, or the GPU if there is one.
    pub fn find(asked: Option<&str>) -> Result<Device, String> {
        match asked {
            Some("cpu") => Ok(Device::cpu()),
            Some("gpu") => Device::gpu(),
            _ => Ok(Device::gpu().unwrap_or_else(|_| Device::cpu())),
        }
    }

    fn cpu() -> Device {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(threads);
        let plural = if threads == 1 { "" } else { "s" };
        Device { target: Target::Cpu, name: format!("{}, {threads} thread{plural}", cpu_name()), gpu: None }
    }

    /// The first GPU, as the program of NVIDIA's driver describes it.
    pub fn gpu() -> Result<Device, String> {
        let query = ["--query-gpu=name,compute_cap,clocks.max.sm", "--format=csv,noheader,nounits"];
        let text = output(Command::new("nvidia-smi").args(query)).map_err(|why| format!("there is no GPU: {why}"))?;
        described(&text).ok_or(format!("there is no GPU: nvidia-smi says `{}`", text.trim()))
    }

    /// The word of the language.
    pub fn word(&self) -> &'static str {
        if self.target == Target::Gpu { "gpu" } else { "cpu" }
    }

    /// Whether a map for this device, or for any, runs on it.
    pub fn runs(&self, on: Option<model::Device>) -> bool {
        on.is_none_or(|on| on == self.on())
    }

    pub fn on(&self) -> model::Device {
        if self.target == Target::Gpu { model::Device::Gpu } else { model::Device::Cpu }
    }
}

/// The first line: `NVIDIA H200, 9.0, 1980`.
fn described(text: &str) -> Option<Device> {
    let mut parts = text.lines().next()?.split(',').map(str::trim);
    let (name, capability, clock) = (parts.next()?, parts.next()?, parts.next()?);
    let (major, minor) = capability.split_once('.')?;
    let architecture = major.parse::<u32>().ok()?.checked_mul(10)?.checked_add(minor.parse().ok()?)?;
    let clock = clock.parse::<u64>().ok()?.checked_mul(1_000_000)?;
    Some(Device { target: Target::Gpu, name: name.to_string(), gpu: Some((architecture, clock)) })
}

/// The instruction sets for which kernels have code, and whether this CPU has them; the slowest first.
pub fn instruction_sets() -> Vec<(&'static str, bool)> {
    let mut sets = vec![("plain Rust", true)];
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt");
        let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        sets.extend([("AVX2", avx2), ("AVX-512", avx2 && avx512)]);
    }
    #[cfg(target_arch = "aarch64")]
    sets.push(("NEON", std::arch::is_aarch64_feature_detected!("neon")));
    sets
}

/// The name of the CPU.
pub fn cpu_name() -> String {
    let listed = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = listed.lines().find(|line| line.starts_with("model name"));
    let of_linux = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_string());
    let of_mac = || {
        let text = output(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"])).ok()?;
        Some(text.trim().to_string()).filter(|name| !name.is_empty())
    };
    of_linux.or_else(of_mac).unwrap_or_else(|| format!("a CPU of {}", std::env::consts::ARCH))
}

#[cfg(test)]
mod tests {
    use super::{Device, described};
    use systolic_compiler::mapping::Target;

    #[test]
    fn what_the_driver_says() {
        let gpu = Device { target: Target::Gpu, name: "NVIDIA H200".to_string(), gpu: Some((90, 1_980_000_000)) };
        assert_eq!(described("NVIDIA H200, 9.0, 1980\nNVIDIA H200, 9.0, 1980\n"), Some(gpu));
        for text in ["", "No devices were found", "a, b, c", "a, 9.0", "a, 9, 1", "a, 9.0, [N/A]"] {
            assert_eq!(described(text), None, "{text}");
        }
    }

    #[test]
    fn the_cpu_has_a_name() {
        let cpu = Device::find(Some("cpu")).expect("a CPU");
        assert!(cpu.name.contains(" thread") && cpu.word() == "cpu", "{}", cpu.name);
    }
}
