//! The pieces of the innermost loop, one behind the other. Where the next one fetches what this one does, it goes on with
//! what is fetched already: memory is waited for once.
use super::body::{Body, with_wide};
use super::text::Text;
use crate::mapping::Bound;
use crate::program::Piece;

impl Body<'_> {
    /// The pieces of all versions; those of inner blocks only where accesses are aligned, if there are wide ones.
    pub fn pieces(&self, text: &mut Text) {
        let versions = self.program.versions();
        let Some((edges, inner)) = versions.split_last() else { return };
        for (k, version) in inner.iter().enumerate() {
            let test = self.names.condition(&version[0].when);
            let test = if self.program.has_wide() { with_wide(&test) } else { test };
            if k == 0 {
                text.open(format!("if ({test}) {{"))
            } else {
                text.turn(format!("}} else if ({test}) {{"))
            }
            self.version(text, version);
        }
        if !inner.is_empty() {
            text.turn("} else {");
        }
        self.version(text, edges);
        if !inner.is_empty() {
            text.close("}");
        }
    }

    fn version(&self, text: &mut Text, pieces: &[Piece]) {
        pieces.chunk_by(|a, b| self.goes_on(a, b)).for_each(|run| self.run(text, run));
    }

    /// Whether a piece finds what it needs of memory where the one before has fetched ahead.
    fn goes_on(&self, before: &Piece, piece: &Piece) -> bool {
        let alike = || self.fetched_then(&before.step) == self.fetched_then(&piece.step);
        piece.ahead > 0 && before.ahead == piece.ahead && alike()
    }

    /// Pieces that fetch alike, up to `last`. Each begins where the one before has ended: one that is empty changes nothing,
    /// and what was fetched is for the step that runs next.
    fn run(&self, text: &mut Text, run: &[Piece]) {
        let [first, ..] = run else { return };
        let Some(time) = self.names.loops.last() else { return self.step(text, first, None) };
        let last = self.last(run);
        text.open("{");
        text.line(format!("const I last = {};", self.names.bound(&last)));
        text.line(format!("I {time} = {};", self.names.bound(&first.low)));
        if first.ahead > 0 {
            text.open(format!("if ({time} <= last) {{"));
            self.fetch_first(text, first, time);
        }
        for piece in run {
            if piece.high == last {
                self.piece(text, piece, time, "last");
            } else {
                text.open("{");
                text.line(format!("const I end = {};", self.names.bound(&piece.high)));
                self.piece(text, piece, time, "end");
                text.close("}");
            }
        }
        if first.ahead > 0 {
            text.close("}");
        }
        text.close("}");
    }

    /// The last step of some pieces: that of the loop if they reach it, else of the last that is not empty.
    fn last(&self, run: &[Piece]) -> Bound {
        let high = self.program.frame.loops.last().map(|l| &l.high);
        let reaches = run.iter().map(|p| &p.high).find(|last| high == Some(last)).cloned();
        let last = reaches.or_else(|| Bound::greatest(run.iter().map(|p| p.high.clone())));
        last.unwrap_or_else(|| Bound::number(0))
    }

    fn piece(&self, text: &mut Text, piece: &Piece, time: &str, end: &str) {
        if piece.written > 1 {
            text.line("#pragma unroll 1");
            text.open(format!("while ({time} + {} <= {end}) {{", piece.written - 1));
            // As many as are fetched ahead, or a multiple: each has its turn.
            let turn = |k: usize| piece.written.is_multiple_of(piece.ahead).then(|| k % piece.ahead);
            (0..piece.written).for_each(|k| self.iteration(text, piece, time, turn(k)));
            text.close("}");
        }
        text.line("#pragma unroll 1");
        text.open(format!("while ({time} <= {end}) {{"));
        self.iteration(text, piece, time, None);
        text.close("}");
    }

    fn iteration(&self, text: &mut Text, piece: &Piece, time: &str, turn: Option<usize>) {
        let innermost = self.program.frame.loops.len();
        text.open("{");
        self.fill(text, innermost);
        self.step(text, piece, turn);
        self.handover(text, innermost - 1);
        text.close("}");
        text.line(format!("++{time};"));
    }
}
