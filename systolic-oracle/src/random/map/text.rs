//! A map as text of the language.
use super::Map;

impl Map {
    pub fn text(&self) -> String {
        let mut clauses: Vec<String> =
            self.tiles.iter().map(|t| format!("tile {} by {} as ({}, {});", t.of, t.by, t.outer, t.inner)).collect();
        for t in &self.tiles {
            match t.overlap {
                Some((k, m)) if k == m => clauses.push(format!("overlap {} by {k};", t.of)),
                Some((k, m)) => clauses.push(format!("overlap {} by ({k}, {m});", t.of)),
                None => {}
            }
        }
        clauses.extend(named("launches", &self.launches));
        let blocks = named("blocks", &self.blocks);
        clauses.extend(blocks.map(|text| if self.ordered { text.replace(");", ") in order;") } else { text }));
        clauses.extend(named("warps", &self.warps));
        if !self.new.is_empty() {
            let rows: Vec<String> = self.matrix.iter().map(|row| format!("{row:?}")).collect();
            let (old, new) = (self.old.join(", "), self.new.join(", "));
            clauses.push(format!("space_time ({old}) -> ({new}) = [{}];", rows.join(", ")));
        }
        let lanes =
            if let [one] = self.lanes.as_slice() { one.clone() } else { format!("({})", self.lanes.join(", ")) };
        let fold = if self.fold == 1 { String::new() } else { format!(" fold {}", self.fold) };
        clauses.push(format!("lanes {lanes}{fold};"));
        if self.reorder {
            clauses.extend(named("reorder", &self.sequential));
        }
        clauses.extend(named("unroll", &self.unroll));
        clauses.extend(self.stages.iter().cloned());
        clauses.extend(self.shift_clauses.iter().cloned());
        clauses.extend(wishes(clauses.iter().map(String::len).sum()));
        clauses.join(" ")
    }
}

/// The clauses `resident`, `ahead` and `direct`, derived from the length of the text, so that they consume no random numbers.
fn wishes(length: usize) -> impl Iterator<Item = String> {
    let resident = length.is_multiple_of(4).then(|| format!("resident {};", 1 + length % 7));
    let ahead = length.is_multiple_of(3).then(|| format!("ahead {};", length % 7));
    let direct = (length % 11 == 3).then(|| "direct;".to_string());
    resident.into_iter().chain(ahead).chain(direct)
}

fn named(word: &str, names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| format!("{word} ({});", names.join(", ")))
}
