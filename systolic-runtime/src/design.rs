//! The machine that a map describes at given sizes: processors, steps and wires.
use std::fmt;

/// The machine of a kernel in one block, as `describe` returns it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Design {
    /// Processing elements: the product of the extents of the space rows over the iteration points.
    pub pes: usize,
    /// Steps: the product of the extents of the time rows over the iteration points.
    pub steps: usize,
    /// Throughput: results per step.
    pub outturn: f64,
    /// The fraction of all (place, step) pairs that compute a point; points of a halo do not count.
    pub utilization: f64,
    /// The directions in the loops along which points share a place.
    pub projections: Vec<Vec<i64>>,
    /// How every value travels from its producer to its consumer.
    pub wires: Vec<Wire>,
    /// The longest delay, in steps, of a value that waits in registers; time rows that the map unrolls are no steps. A value
    /// with a delay above 12, or for another warp, waits in memory and does not count.
    pub longest_delay: usize,
    /// The registers per lane, in words of 4 bytes, that hold values from one step to a later one.
    pub registers: usize,
    /// Shuffles per result, over all warps and steps of the block.
    pub shuffles: f64,
    /// Why a CPU runs the kernel point by point; `None` if it runs this map.
    pub point_by_point: Option<String>,
    /// Why there is no program for a GPU; `None` if there is one. Registers and shuffles are those of that program, so without
    /// it they are 0.
    pub without_gpu: Option<String>,
    /// The map as text that can be pasted into the kernel, if the compiler found or completed it. If a build script searched for
    /// it, comments tell why it was chosen and which maps came next.
    pub map: Option<String>,
}

/// How one read of a variable is implemented.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wire {
    /// The variable that is read.
    pub variable: String,
    /// The variable or output that reads it.
    pub reader: String,
    /// The dependence distance in the kernel's loops: the consumer's point minus the producer's.
    pub distance: Vec<i64>,
    /// The distance in the space rows.
    pub space: Vec<i64>,
    /// The distance in the time rows.
    pub time: Vec<i64>,
    /// What carries the value.
    pub medium: Medium,
}

/// What carries a value from its producer to its consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Medium {
    /// The register that holds it, under another name.
    Rename,
    /// The register that it always stays in.
    Stays,
    /// A shuffle from another lane.
    Shuffle,
    /// Registers of its lane, one per step of the delay.
    Rotation {
        /// The delay in steps.
        delay: u64,
    },
    /// A shuffle, and then registers.
    ShuffleRotation {
        /// The delay in steps.
        delay: u64,
    },
    /// Shared memory, in the same step.
    Shared,
    /// A ring in shared memory.
    Ring {
        /// Its length in steps.
        length: u64,
    },
    /// A row of scratch memory.
    ScratchRow,
    /// Memory between blocks or launches.
    Face,
    /// The input that it is a copy of, which is loaded again.
    Feed,
    /// An array of all values: the kernel runs point by point.
    Memory,
}

impl fmt::Display for Medium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Medium::Rename => "rename",
            Medium::Stays => "stays",
            Medium::Shuffle => "shuffle",
            Medium::Rotation { delay } => return write!(f, "rotation of {delay}"),
            Medium::ShuffleRotation { delay } => return write!(f, "shuffle, rotation of {delay}"),
            Medium::Shared => "shared memory",
            Medium::Ring { length } => return write!(f, "ring of {length}"),
            Medium::ScratchRow => "scratch row",
            Medium::Face => "face",
            Medium::Feed => "feed",
            Medium::Memory => "memory",
        })
    }
}

impl Design {
    /// Returns a design with these projections and wires in which everything that depends on sizes is 0.
    pub fn new(projections: Vec<Vec<i64>>, wires: Vec<Wire>, longest_delay: usize, registers: usize) -> Design {
        let (outturn, utilization, shuffles) = (0.0, 0.0, 0.0);
        let (point_by_point, without_gpu, map) = (None, None, None);
        Design {
            pes: 0,
            steps: 0,
            outturn,
            utilization,
            projections,
            wires,
            longest_delay,
            registers,
            shuffles,
            point_by_point,
            without_gpu,
            map,
        }
    }
}

impl Wire {
    /// A wire from a variable to its reader.
    pub fn new(
        variable: impl Into<String>,
        reader: impl Into<String>,
        distance: Vec<i64>,
        space: Vec<i64>,
        time: Vec<i64>,
        medium: Medium,
    ) -> Wire {
        let (variable, reader) = (variable.into(), reader.into());
        Wire { variable, reader, distance, space, time, medium }
    }
}

/// `1 step`, `2 steps`
fn steps(count: usize) -> String {
    format!("{count} step{}", if count == 1 { "" } else { "s" })
}

/// `(1, -1)`
fn vector(numbers: &[i64]) -> String {
    format!("({})", numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.point_by_point, &self.without_gpu) {
            (Some(reason), _) => writeln!(f, "runs         point by point: {reason}")?,
            (None, Some(reason)) => writeln!(f, "runs         not on a GPU: {reason}")?,
            (None, None) => {}
        }
        // Without a map there is no machine, so there are no figures.
        if self.pes > 0 {
            writeln!(f, "places       {}", self.pes)?;
            writeln!(f, "steps        {}", self.steps)?;
            writeln!(f, "outturn      {:.3} results per step", self.outturn)?;
            writeln!(f, "utilization  {:.1} %", 100.0 * self.utilization)?;
        }
        if self.without_gpu.is_none() && self.pes > 0 {
            writeln!(f, "delay        at most {} in registers", steps(self.longest_delay))?;
            writeln!(f, "registers    {} words per lane", self.registers)?;
            writeln!(f, "shuffles     {:.3} per result", self.shuffles)?;
        }
        let projections: Vec<String> = self.projections.iter().map(|p| vector(p)).collect();
        if !projections.is_empty() {
            writeln!(f, "projections  {}", projections.join(", "))?;
        }
        self.wires(f)?;
        match &self.map {
            Some(map) => write!(f, "\n{map}"),
            None => Ok(()),
        }
    }
}

impl Design {
    /// Writes the table of wires.
    fn wires(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.wires.is_empty() {
            return Ok(());
        }
        let head = ["wire", "distance", "space", "time", "medium"].map(String::from);
        let rows = self.wires.iter().map(|w| {
            let name = format!("{} -> {}", w.variable, w.reader);
            [name, vector(&w.distance), vector(&w.space), vector(&w.time), w.medium.to_string()]
        });
        let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
        let widths: [usize; 5] =
            std::array::from_fn(|k| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0));
        writeln!(f)?;
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(widths) {
                line.push_str(&format!("{cell:width$}  "));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_a_table() {
        let wires = vec![
            Wire::new("X", "X", vec![-1, 1], vec![0], vec![1], Medium::Rename),
            Wire::new("Z", "Z", vec![0, 1], vec![1], vec![1], Medium::ShuffleRotation { delay: 2 }),
        ];
        let machine = Design::new(vec![vec![-1, 1]], wires, 1, 2);
        let design = Design { pes: 20, steps: 5, outturn: 3.2, utilization: 0.8, shuffles: 0.25, ..machine };
        let text = "\
places       20
steps        5
outturn      3.200 results per step
utilization  80.0 %
delay        at most 1 step in registers
registers    2 words per lane
shuffles     0.250 per result
projections  (-1, 1)

wire    distance  space  time  medium
X -> X  (-1, 1)   (0)    (1)   rename
Z -> Z  (0, 1)    (1)    (1)   shuffle, rotation of 2
";
        assert_eq!(design.to_string(), text);
    }

    #[test]
    fn what_runs_point_by_point_says_so_and_shows_no_figures() {
        let reason = || Some("it is a test".to_string());
        let nothing = Design::new(Vec::new(), Vec::new(), 0, 0);
        let without_map = Design { point_by_point: reason(), without_gpu: reason(), ..nothing.clone() };
        assert_eq!(without_map.to_string(), "runs         point by point: it is a test\n");
        let with_map = Design { pes: 4, steps: 2, outturn: 1.5, utilization: 0.5, ..without_map.clone() };
        let text = "\
runs         point by point: it is a test
places       4
steps        2
outturn      1.500 results per step
utilization  50.0 %
";
        assert_eq!(with_map.to_string(), text);
        let series =
            Design { without_gpu: None, map: Some("    // launch 1 of 2\n".to_string()), ..without_map.clone() };
        assert_eq!(series.to_string(), "runs         point by point: it is a test\n\n    // launch 1 of 2\n");
        let on_cpu = Design { pes: 4, without_gpu: reason(), ..nothing };
        assert!(on_cpu.to_string().starts_with("runs         not on a GPU: it is a test\nplaces       4\n"));
    }
}
