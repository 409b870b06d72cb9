//! One warp of one block: its spots, its steps as rows, and the labels of both.
use super::View;
use systolic_compiler::explain::{Picture, RowShown};
use systolic_compiler::model::{Int, RowKind};

/// The part of a picture that fits on paper.
pub struct Grid<'p> {
    pub picture: &'p Picture,
    /// The spots of the warp, by number.
    pub spots: Vec<usize>,
    /// The steps in which the block has points, by number.
    pub steps: Vec<usize>,
    pub lanes: Int,
}

impl<'p> Grid<'p> {
    pub fn new(picture: &'p Picture, view: &View) -> Grid<'p> {
        let here = |k: &usize| picture.spots[*k].block == view.block && picture.spots[*k].warp == view.warp;
        let spots: Vec<usize> = (0..picture.spots.len()).filter(here).collect();
        Grid { picture, spots, steps: picture.steps_of(view.block), lanes: picture.lanes.max(1) }
    }

    /// The row of a step.
    pub fn row(&self, step: usize) -> Option<usize> {
        self.steps.binary_search(&step).ok()
    }

    /// The label of a row: `t=4`, `r=0 t=4`.
    pub fn label(&self, step: usize) -> String {
        let times = self.rows(RowKind::Time).zip(&self.picture.steps[step]);
        let parts: Vec<String> = times.map(|(row, value)| format!("{}={value}", row.name)).collect();
        if parts.is_empty() { format!("step {step}") } else { parts.join(" ") }
    }

    /// The label of a row without the numbers that are the same in all rows, as `time1=0` often is: `time2=4`.
    pub fn short_label(&self, step: usize) -> String {
        let times = self.rows(RowKind::Time).zip(&self.picture.steps[step]).enumerate();
        let varying = times.filter(|(k, _)| self.varies(*k));
        let parts: Vec<String> = varying.map(|(_, (row, value))| format!("{}={value}", row.name)).collect();
        if parts.is_empty() { self.label(step) } else { parts.join(" ") }
    }

    /// Whether a number of the label differs between rows.
    fn varies(&self, k: usize) -> bool {
        let mut numbers = self.steps.iter().map(|step| self.picture.steps[*step].get(k));
        let first = numbers.next();
        numbers.any(|number| Some(number) != first)
    }

    /// The rows of a kind.
    fn rows(&self, kind: RowKind) -> impl Iterator<Item = &'p RowShown> {
        self.picture.rows.iter().filter(move |row| row.kind == kind)
    }

    /// Where the grid lies: `block cb = 0, warp 1`, or nothing if there is one block and one warp.
    pub fn heading(&self, view: &View) -> String {
        let mut parts = Vec::new();
        if let Some(block) = self.picture.blocks.get(view.block).filter(|block| !block.is_empty()) {
            let rows = self.rows(RowKind::Block).zip(block).map(|(row, value)| format!("{} = {value}", row.name));
            parts.push(format!("block {}", rows.collect::<Vec<_>>().join(", ")));
        }
        if self.picture.warps > 1 {
            parts.push(format!("warp {}", view.warp));
        }
        parts.join(", ")
    }
}

/// `conv1d_sbm (Q = 2), map wide`, or `softmax, launch 1 of 3`
pub fn title(picture: &Picture) -> String {
    let instance = if picture.instance.is_empty() { String::new() } else { format!(" ({})", picture.instance) };
    let map = picture.map.name.as_ref().map_or(String::new(), |name| format!(", map {name}"));
    let part = picture.part.as_ref();
    let part = part.map_or(String::new(), |p| format!(", {} {} of {}", p.word, p.number, p.count));
    format!("{}{instance}{map}{part}", picture.kernel)
}

/// `C = 64, Q = 2`
pub fn sizes(sizes: &[(String, Int)]) -> String {
    sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}
