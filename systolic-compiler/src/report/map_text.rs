//! A map that the compiler found or completed, as text that can be pasted into the kernel and gives the same program.
use crate::model::{Int, Kernel, Mapping, Node, RowName, Shifted, fresh_name};
use crate::region::Name;
use crate::sorted::SortedSet;
use crate::syntax::print_map;
use crate::syntax::tree::{Clause, ClauseKind, Expr, Map, Matrix, MatrixRow};

/// The text of a map of this kernel. Names that the kernel uses (`taken`) are changed.
pub fn map_text(kernel: &Kernel, mapping: &Mapping, taken: &SortedSet<String>) -> String {
    let mut taken = taken.clone();
    let mut fresh = |name: &Name| Name { text: fresh_name(&mut taken, &name.text), at: mapping.at };
    let loops = kernel.loops.len();
    let node = |(k, node): (usize, &Node)| match k < loops {
        true => node.name.clone(),
        false => fresh(&node.name),
    };
    let nodes: Vec<Name> = mapping.nodes.iter().enumerate().map(node).collect();
    let new = mapping.matrix.as_ref().map_or(Vec::new(), |m| m.new.iter().map(&mut fresh).collect());
    let writer = Writer { kernel, mapping, nodes, new };
    let clauses = writer.clauses().into_iter().map(|kind| Clause { kind, at: mapping.at }).collect();
    print_map(&Map { auto: false, name: None, on: mapping.on, conditions: Vec::new(), clauses, at: mapping.at })
}

struct Writer<'m> {
    kernel: &'m Kernel,
    mapping: &'m Mapping,
    nodes: Vec<Name>,
    /// The rows of the matrix.
    new: Vec<Name>,
}

impl Writer<'_> {
    fn clauses(&self) -> Vec<ClauseKind> {
        let mapping = self.mapping;
        let mut clauses = Vec::new();
        self.tiles(&mut clauses);
        let blocks: Vec<Name> = mapping.blocks.iter().map(|leaf| self.leaf(*leaf)).collect();
        let launches: Vec<Name> = mapping.launches.iter().map(|leaf| self.leaf(*leaf)).collect();
        clauses.extend((!launches.is_empty()).then_some(ClauseKind::Launches(launches)));
        let kind = if mapping.ordered { ClauseKind::Ordered } else { ClauseKind::Blocks };
        clauses.extend((!blocks.is_empty()).then(|| kind(blocks)));
        clauses.extend(self.rows(&mapping.warps).map(ClauseKind::Warps));
        if let Some(matrix) = &mapping.matrix {
            let row = |row: &Vec<Int>| MatrixRow {
                entries: row.iter().map(|entry| self.number(*entry)).collect(),
                at: mapping.at,
            };
            let rows = matrix.rows.iter().map(row).collect();
            let old = matrix.old.iter().map(|(leaf, _)| self.leaf(*leaf)).collect();
            let matrix = Matrix { rows, at: mapping.at };
            clauses.push(ClauseKind::SpaceTime { old, new: self.new.clone(), matrix, reverse: None });
        }
        if let Some(loops) = self.rows(&mapping.lanes) {
            clauses.push(ClauseKind::Lanes { loops, fold: (mapping.fold > 1).then(|| self.number(mapping.fold)) });
        }
        if !mapping.sequential.is_sorted() {
            clauses.push(ClauseKind::Reorder(mapping.sequential.iter().map(|leaf| self.leaf(*leaf)).collect()));
        }
        clauses.extend(self.rows(&mapping.unroll).map(ClauseKind::Unroll));
        for stage in &mapping.stages {
            let array = self.kernel.parameters[stage.parameter].name.clone();
            clauses.push(ClauseKind::Stage { array, medium: stage.medium, at: self.row(stage.row) });
        }
        for shift in &mapping.shifts {
            let of = match shift.of {
                Shifted::Variable(k) => self.kernel.equations[k].variable.clone(),
                Shifted::Output(k) => self.kernel.outputs[k].name.clone(),
            };
            clauses.push(ClauseKind::Shift { of, by: shift.by.iter().map(|by| self.number(*by)).collect() });
        }
        clauses.extend(mapping.direct.then_some(ClauseKind::Direct));
        clauses.extend(mapping.wishes.resident.map(|n| ClauseKind::Resident(self.number(n))));
        clauses.extend(mapping.wishes.ahead.map(|n| ClauseKind::Ahead(self.number(n))));
        clauses
    }

    /// A loop is older than the loops that its tile divides it into, so its clause comes first.
    fn tiles(&self, clauses: &mut Vec<ClauseKind>) {
        for (node, name) in self.mapping.nodes.iter().zip(&self.nodes) {
            let Some(tile) = &node.tile else { continue };
            let (outer, inner) = (self.nodes[tile.outer].clone(), self.nodes[tile.inner].clone());
            clauses.push(ClauseKind::Tile { of: name.clone(), by: self.number(tile.by), outer, inner });
            if (tile.before, tile.after) != (0, 0) {
                let after = (tile.before != tile.after).then(|| self.number(tile.after));
                clauses.push(ClauseKind::Overlap { of: name.clone(), before: self.number(tile.before), after });
            }
        }
    }

    fn leaf(&self, leaf: usize) -> Name {
        self.nodes[self.mapping.leaves[leaf]].clone()
    }

    fn row(&self, row: RowName) -> Name {
        match row {
            RowName::Leaf(leaf) => self.leaf(leaf),
            RowName::New(k) => self.new[k].clone(),
        }
    }

    /// The names of rows; `None` if there are none.
    fn rows(&self, rows: &[(RowName, Name)]) -> Option<Vec<Name>> {
        (!rows.is_empty()).then(|| rows.iter().map(|(row, _)| self.row(*row)).collect())
    }

    fn number(&self, value: Int) -> Expr {
        Expr::number(self.mapping.at, value)
    }
}
