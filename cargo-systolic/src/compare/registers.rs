//! The registers of a map's program: those that NVIDIA's assembler gives it, where nvcc is there.
use crate::files::{folder, update};
use crate::package::Package;
use crate::toolkit;
use std::path::PathBuf;
use systolic_build::{Nvcc, flags, later_flags};
use systolic_compiler::emit::Unit;
use systolic_compiler::link;

/// nvcc, and what it compiles for.
pub struct Assembler {
    nvcc: Nvcc,
    folder: PathBuf,
    architecture: u32,
}

impl Assembler {
    /// The assembler for an architecture. Fails if nvcc or its C++ compiler is missing, or too old.
    pub fn find(package: &Package, architecture: u32) -> Result<Assembler, String> {
        toolkit::nvcc()?;
        let nvcc = Nvcc::find()?;
        let place = package.target.join("systolic").join("compare");
        folder(&place)?;
        link::HEADERS.iter().try_for_each(|(name, text)| update(&place.join(name), text))?;
        Ok(Assembler { nvcc, folder: place, architecture })
    }

    /// Registers per lane of a program, as many as its hungriest entry takes.
    pub fn registers(&self, unit: &Unit) -> Result<usize, String> {
        let file = |name: String| self.folder.join(name);
        let (source, ptx) = (file(format!("{}.cu", unit.key)), file(link::ptx_file(&unit.key)));
        let cubin = file(link::cubin_file(&unit.key, self.architecture));
        update(&source, &unit.source)?;
        let later = unit.later_for(self.architecture);
        let flags = later.map_or_else(|| flags(&self.folder), |later| later_flags(&self.folder, later));
        self.nvcc.ptx(&source, &flags, &ptx)?;
        let entries = self.nvcc.cubin(&ptx, self.architecture, &cubin)?;
        let most = entries.iter().map(|(_, resources)| resources.registers as usize).max();
        most.filter(|registers| *registers > 0).ok_or_else(|| "the assembler names no registers".to_string())
    }

    /// `ptxas of nvcc 13.0.88 for sm_90`
    pub fn name(&self) -> String {
        format!("ptxas of nvcc {} for sm_{}", self.nvcc.version(), self.architecture)
    }
}
