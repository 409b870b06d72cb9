//! The registers of a map's program: those that NVIDIA's assembler gives it, where nvcc is there.
use crate::command::output_of_both;
use crate::files::{folder, update};
use crate::package::Package;
use crate::toolkit;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use systolic_build::{Nvcc, flags, later_flags, resources};
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
        self.make(&ptx, |part| self.nvcc.ptx_command(&source, &flags, part))?;
        let told = self.make(&cubin, |part| self.nvcc.cubin_command(&ptx, self.architecture, part))?;
        let entries = resources(&told);
        let most = entries.iter().map(|(_, resources)| resources.registers as usize).max();
        most.filter(|registers| *registers > 0).ok_or_else(|| "the assembler names no registers".to_string())
    }

    /// Has nvcc make a file. It gets its name when it is complete: nvcc may be ended before that.
    fn make(&self, file: &Path, command: impl FnOnce(&Path) -> Command) -> Result<String, String> {
        let mut name = OsString::from("part_");
        name.push(file.file_name().unwrap_or_default());
        let part = self.folder.join(name);
        let told = output_of_both(&mut command(&part))?;
        std::fs::rename(&part, file).map_err(|e| format!("could not write {}: {e}", file.display()))?;
        Ok(told)
    }

    /// `ptxas of nvcc 13.0.88 for sm_90`
    pub fn name(&self) -> String {
        format!("ptxas of nvcc {} for sm_{}", self.nvcc.version(), self.architecture)
    }
}
