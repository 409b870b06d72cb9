//! Lowers the reads of values of other blocks and launches, and the stores that leave values for them.
use super::body::{Body, Ring};
use crate::dependence::Class;
use crate::mapping::{Face, FaceAxis, Instance, PlaceForm, Source, of_sizes};
use crate::model::{Form, Formula, Int};
use crate::planted::planted;
use crate::program::{Condition, FaceId, Into, Operation, Store, ValueId};

impl Body<'_, '_> {
    /// The value that a class of a read finds in a face. It is read only where the producer lies in the box of all points: the
    /// class alone does not say that of places that are no points.
    pub fn read_face(
        &mut self,
        number: usize,
        distance: &[Int],
        class: &Class,
        instance: &Instance,
        need: &Condition,
    ) -> ValueId {
        let face = &self.layout.faces[number];
        let ty = self.layout.kernel.equations[face.variable].ty;
        let moved = |node: usize| class.moved_along(self.layout.places, node);
        let index = match planted(88) {
            true => self.face_index(face, instance, &vec![0; distance.len()], &|_| 0),
            false => self.face_index(face, instance, distance, &moved),
        };
        let need = need.clone().and(self.in_face(face, instance, distance, &moved));
        let id = self.number(Operation::Face { face: FaceId(number), index }, ty);
        self.note_need(id, &need);
        id
    }

    /// Stores the values that faces keep, at the points that they keep.
    pub fn fill_faces(&mut self) -> Result<(), Ring> {
        let layout = self.layout;
        for (number, face) in layout.faces.iter().enumerate() {
            let stands = vec![0; layout.kernel.loops.len()];
            for instance in &layout.instances {
                let runs = self.at(&layout.kernel.equations[face.variable].runs, instance);
                let kept = self.in_face(face, instance, &stands, &|_| 0);
                let is_point = if planted(89) { Condition::True } else { self.point_condition(instance) };
                let condition = is_point.and(runs).and(kept);
                if condition == Condition::False {
                    continue;
                }
                let source = Source { variable: face.variable, instance: instance.clone() };
                self.compute(&source, None)?;
                let value = self.value_of[&source];
                let index = self.face_index(face, instance, &stands, &|_| 0);
                let (whole, into) = (self.whole(instance), Into::Face(FaceId(number)));
                self.stores.push(Store { condition, whole, into, index, value });
            }
        }
        Ok(())
    }

    /// The index in a face of the point that lies back from that of a place: by `distance` along the loops of the kernel and by
    /// `moved` along the nodes of the map.
    fn face_index(
        &self,
        face: &Face,
        instance: &Instance,
        distance: &[Int],
        moved: &dyn Fn(usize) -> Int,
    ) -> Vec<PlaceForm> {
        let (layout, kernel) = (self.layout, self.layout.kernel);
        let along = |(k, axis): (usize, &FaceAxis)| {
            let least = layout.places.least(kernel, k);
            let value = self.form(&Form::var(kernel.loop_dim(k)), instance).plus(-distance[k]);
            match axis {
                FaceAxis::Whole => value.sub(&of_sizes(&least)),
                FaceAxis::Turn { copies: 1 } => PlaceForm::constant(0),
                FaceAxis::Turn { copies } => value.remainder(*copies),
                FaceAxis::Near { outer, inner, by, first, depth, copies } => {
                    let inner = self.back(*inner, instance, moved).plus(-first);
                    let tile = match copies {
                        Some(1) => PlaceForm::constant(0),
                        Some(copies) => self.back(*outer, instance, moved).remainder(*copies),
                        None => self.back(*outer, instance, moved).plus(-least.constant.div_euclid(*by)),
                    };
                    tile.scale(*depth, 1).add(&inner)
                }
            }
        };
        face.axes.iter().enumerate().map(along).collect()
    }

    /// A node of the map as a form of the place, at the point that lies back.
    fn back(&self, node: usize, instance: &Instance, moved: &dyn Fn(usize) -> Int) -> PlaceForm {
        self.leaf_form(&self.layout.places.nodes[node], instance).plus(-moved(node))
    }

    /// The point that lies back is one that the face keeps: it lies in the box of all points, and near the edge of its tile.
    fn in_face(&self, face: &Face, instance: &Instance, distance: &[Int], moved: &dyn Fn(usize) -> Int) -> Condition {
        let (layout, kernel) = (self.layout, self.layout.kernel);
        let mut all = Vec::new();
        for (k, axis) in face.axes.iter().enumerate() {
            let at = Form::var(kernel.loop_dim(k)).plus(-distance[k]);
            let (low, high) = (layout.places.least(kernel, k), layout.places.beyond(kernel, k));
            all.push(self.at(&Formula::within(&at, &low, &high), instance));
            if let FaceAxis::Near { inner, first, depth, .. } = axis {
                let at = layout.places.nodes[*inner].plus(-moved(*inner));
                let (low, high) = (Form::constant(*first), Form::constant(first + depth));
                all.push(self.of_leaves(&Formula::within(&at, &low, &high), instance));
            }
        }
        if planted(86) { Condition::True } else { Condition::all(all) }
    }
}
