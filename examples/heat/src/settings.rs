//! What the program is asked to do: `name=value` for each of the fields.
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of all files.
    pub folder: PathBuf,
    /// How many threads, if the ranks are threads.
    pub ranks: usize,
    /// The length of every edge, in cells.
    pub size: usize,
    /// The number of the last step.
    pub steps: usize,
    /// A checkpoint and a picture follow after so many steps.
    pub every: usize,
    /// How much of the difference to its neighbours a cell takes up per step; up to 1/6 it is stable.
    pub rate: f32,
}

impl Settings {
    /// Reads arguments.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Settings, String> {
        let folder = PathBuf::from("heat-files");
        let mut settings = Settings { folder, ranks: 2, size: 64, steps: 200, every: 50, rate: 0.15 };
        for argument in arguments {
            let (name, value) =
                argument.split_once('=').ok_or_else(|| format!("expected name=value, found `{argument}`"))?;
            let number = || value.parse::<usize>().ok().filter(|n| *n > 0);
            let number = || number().ok_or_else(|| format!("expected a number above 0 for `{name}`, found `{value}`"));
            match name {
                "folder" => settings.folder = PathBuf::from(value),
                "ranks" => settings.ranks = number()?,
                "size" => settings.size = number()?,
                "steps" => settings.steps = number()?,
                "every" => settings.every = number()?,
                "rate" => settings.rate = value.parse().map_err(|_| format!("expected a number, found `{value}`"))?,
                _ => return Err(format!("expected folder, ranks, size, steps, every or rate, found `{name}`")),
            }
        }
        Ok(settings)
    }
}

/// As many ranks in two dimensions, as square as possible: the halos are smallest then.
pub fn arranged(ranks: usize) -> Vec<usize> {
    let side = (1..=ranks).take_while(|k| k * k <= ranks).filter(|k| ranks.is_multiple_of(*k)).last().unwrap_or(1);
    vec![ranks / side, side]
}
