//! Named measurements of the machine itself.
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Probe {
    pub name: String,
    pub value: f64,
}

/// All measurements as a table.
pub fn table(probes: &[Probe]) -> String {
    let rows = probes.iter().map(|probe| format!("| {} | {:.4} |\n", probe.name, probe.value));
    format!(
        "## machine\n\nRates in lanes a clock of a multiprocessor, waits in clocks, bytes in GB/s, launch, chases and blocks as named.\n\n| what | value |\n| --- | --- |\n{}",
        rows.collect::<String>()
    )
}
