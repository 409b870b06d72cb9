//! Faults of the compiler that are planted while kernels are compiled, to show that a run on a GPU notices them.
use crate::kernel::{self, Drawn, Skipped};
use systolic_compiler::planted::ALL_PAIRS;

/// Why nothing is planted.
const WITHOUT: &str = "this needs the feature `planted`";

/// The number of a fault, from 1.
#[derive(Clone, Copy)]
pub struct Fault(#[cfg_attr(not(feature = "planted"), expect(dead_code, reason = "there is none"))] u32);

impl Fault {
    /// The fault of this number, or the only one whose text has this part. Fails if there is none, or several.
    #[cfg(feature = "planted")]
    pub fn new(text: &str) -> Result<Fault, String> {
        use systolic_compiler::planted::FAULTS;
        let is_meant = |number: usize| text.parse() == Ok(number) || FAULTS[number - 1].contains(text);
        let found: Vec<usize> = (1..=FAULTS.len()).filter(|number| is_meant(*number)).collect();
        let [number] = found[..] else { return Err(format!("{} faults are `{text}`", found.len())) };
        println!("planted: {number}, {}", FAULTS[number - 1]);
        u32::try_from(number).map(Fault).map_err(|error| error.to_string())
    }

    #[cfg(not(feature = "planted"))]
    pub fn new(_: &str) -> Result<Fault, String> {
        Err(WITHOUT.to_string())
    }

    /// No fault: two blocks run as one wherever they can.
    pub fn all_pairs() -> Result<Fault, String> {
        if cfg!(feature = "planted") { Ok(Fault(ALL_PAIRS)) } else { Err(WITHOUT.to_string()) }
    }
}

/// The random kernel of a seed, compiled with a fault.
#[cfg(feature = "planted")]
pub fn draw(seed: u64, fault: Option<Fault>) -> Result<Drawn, Skipped> {
    use systolic_compiler::planted::plant;
    let Some(Fault(number)) = fault else { return kernel::draw(seed) };
    plant(number);
    // A fault may break what the compiler takes for granted.
    let drawn = std::panic::catch_unwind(|| kernel::draw(seed));
    plant(0);
    drawn.unwrap_or_else(|_| Err(kernel::skip("the compiler panics")))
}

#[cfg(not(feature = "planted"))]
pub fn draw(seed: u64, _: Option<Fault>) -> Result<Drawn, Skipped> {
    kernel::draw(seed)
}
