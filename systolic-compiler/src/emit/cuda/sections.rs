//! The versions of the innermost loop and their sections, as CUDA.
use super::body::{Body, with_wide};
use super::text::Text;
use crate::schedule::{Pipeline, Section, Slot, Version};

impl Body<'_> {
    /// Writes the innermost loop: a block runs the first version whose condition holds. If the program has wide accesses, every
    /// version but the last also requires that they are aligned; not the one for blocks that have no memory for rows.
    pub fn innermost(&self, text: &mut Text) {
        for (k, version) in self.program.versions.iter().enumerate() {
            let is_last = k + 1 == self.program.versions.len();
            let mut test = self.names.condition(&version.when);
            if self.is_of_pair(&version.when) {
                let second = self.beside(|body| body.names.condition(&version.when));
                test = format!("({test}) && ({})", second.unwrap_or_default());
            }
            let has_no_rows = k == 0 && self.program.needs_no_rows().is_some();
            let test = if self.program.has_wide() && !has_no_rows { with_wide(&test) } else { test };
            match (k, is_last) {
                (0, true) => {}
                (0, false) => text.open(format!("if ({test}) {{")),
                (_, false) => text.close_and_open(format!("}} else if ({test}) {{")),
                (_, true) => text.close_and_open("} else {"),
            }
            self.version(text, version);
        }
        if self.program.versions.len() > 1 {
            text.close("}");
        }
    }

    fn version(&self, text: &mut Text, version: &Version) {
        for pipeline in version.pipelines(self.program, self.has_64_bits) {
            self.pipeline(text, &pipeline);
        }
    }

    /// Writes the sections of a pipeline. They share one time variable: each section begins where the one before has ended, so
    /// that an empty section changes nothing, and the prefetched loads are those of the step that runs next.
    fn pipeline(&self, text: &mut Text, pipeline: &Pipeline<'_>) {
        let Some(time) = self.names.loops.last() else {
            return pipeline.sections.iter().for_each(|section| self.step(text, pipeline, section, Slot::Shift));
        };
        text.open("{");
        text.line(format!("const I last = {};", self.names.bound(&pipeline.last)));
        text.line(format!("I {time} = {};", self.names.bound(pipeline.low)));
        let streams = match pipeline.sections {
            [section] => section.step.streams.as_ref().map(|streams| (&section.step, streams)),
            _ => None,
        };
        if let Some((step, streams)) = streams {
            if !streams.needs_alignment() {
                self.chunks(text, step, streams, time);
                return text.close("}");
            }
            text.open("if (wide) {");
            self.chunks(text, step, streams, time);
            text.close_and_open("} else {");
        }
        if pipeline.distance > 0 {
            text.open(format!("if ({time} <= last) {{"));
            self.load_first(text, pipeline, time);
        }
        for section in pipeline.sections {
            if section.high == pipeline.last {
                self.section(text, pipeline, section, time, "last");
            } else {
                text.open("{");
                text.line(format!("const I end = {};", self.names.bound(&section.high)));
                self.section(text, pipeline, section, time, "end");
                text.close("}");
            }
        }
        if pipeline.distance > 0 {
            text.close("}");
        }
        if streams.is_some() {
            text.close("}");
        }
        text.close("}");
    }

    /// Writes the unrolled loop, if there is one, and the loop over the remaining iterations.
    fn section(&self, text: &mut Text, pipeline: &Pipeline<'_>, section: &Section, time: &str, end: &str) {
        let unroll = pipeline.prefetch(section).unroll;
        if unroll > 1 {
            text.line("#pragma unroll 1");
            text.open(format!("while ({time} + {} <= {end}) {{", unroll - 1));
            (0..unroll).for_each(|k| self.iteration(text, pipeline, section, time, pipeline.slot(section, k)));
            text.close("}");
        }
        text.line("#pragma unroll 1");
        text.open(format!("while ({time} <= {end}) {{"));
        self.iteration(text, pipeline, section, time, Slot::Shift);
        text.close("}");
    }

    fn iteration(&self, text: &mut Text, pipeline: &Pipeline<'_>, section: &Section, time: &str, slot: Slot) {
        let innermost = self.program.frame.loops.len();
        text.open("{");
        self.fill(text, innermost);
        self.step(text, pipeline, section, slot);
        self.handover(text, innermost - 1);
        text.close("}");
        text.line(format!("++{time};"));
    }
}
