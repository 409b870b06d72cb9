//! An input and an output on the device, and the contestants that compute one from the other.
use crate::Fallible;
use crate::contest::{Contestant, Entry};
use crate::lab::{Lab, Number, Rows};
use crate::standing::Role;
use std::cell::RefCell;
use std::rc::Rc;
use systolic::ndarray::Ix1;
use systolic::{DeviceArray, Error, Launched, Rank, Stream};

pub struct Problem<'a, T: Number, D: Rank> {
    lab: &'a Lab<'a>,
    pub x: DeviceArray<T, D>,
    z: RefCell<DeviceArray<T, D>>,
}

/// The expected output.
pub type Expected<T, D> = Rc<DeviceArray<T, D>>;

impl<'a, T: Number, D: Rank> Problem<'a, T, D> {
    pub fn new(lab: &'a Lab<'a>, input: D, output: D) -> Fallible<Self> {
        let (x, z) = (lab.input(input)?, RefCell::new(lab.gpu.zeros(output)?));
        lab.gpu.own_stream().synchronize()?;
        Ok(Problem { lab, x, z })
    }

    pub fn output(&self) -> Rows {
        Rows::of(&*self.z.borrow())
    }

    /// The bytes of the input and the output together.
    pub fn bytes(&self) -> u64 {
        Rows::of(&self.x).bytes() + self.output().bytes()
    }

    /// A copy of as many bytes, half of them read and half written, between separate arrays.
    pub fn copy(&self) -> Fallible<Contestant<'_>> {
        let shape = Ix1(usize::try_from(self.bytes() / 2 / 4)?);
        let (source, target) = (self.lab.input::<f32, _>(shape)?, self.lab.gpu.zeros::<f32, _>(shape)?);
        let (from, to) = (Rows::of(&source), Rows::of(&target));
        let kernel = self.lab.copy(from, to)?;
        Ok(Contestant {
            name: "copy".to_string(),
            role: Role::Copy,
            entry: Entry::Ready(Box::new(move |stream| kernel.launch(stream))),
            check: Box::new(move || self.lab.same_bits::<f32>(Rows::of(&target), Rows::of(&source))),
            spoil: Box::new(move || self.lab.spoil(to)),
        })
    }

    /// One of our maps, written or found. Its result must be bit-identical to the expected one.
    pub fn ours(
        &self,
        role: Role,
        name: impl Into<String>,
        expected: &Expected<T, D>,
        launch: impl Fn(&Stream, &DeviceArray<T, D>, &mut DeviceArray<T, D>) -> Result<Launched, Error> + 'static,
    ) -> Contestant<'_> {
        let (found, expected) = (self.output(), expected.clone());
        Contestant {
            name: name.into(),
            role,
            entry: Entry::Ready(Box::new(move |stream| {
                launch(stream, &self.x, &mut self.z.borrow_mut())?;
                Ok(())
            })),
            check: Box::new(move || self.lab.same_bits::<T>(found, Rows::of(&*expected))),
            spoil: Box::new(move || self.lab.spoil(found)),
        }
    }

    /// A peer, whose sum may have another order.
    pub fn peer<'b>(&'b self, name: &str, entry: Entry<'b>, expected: &Expected<T, D>, margin: f64) -> Contestant<'b> {
        let (found, expected) = (self.output(), expected.clone());
        Contestant {
            name: name.to_string(),
            role: Role::Peer,
            entry,
            check: Box::new(move || self.lab.close::<T>(found, Rows::of(&*expected), margin)),
            spoil: Box::new(move || self.lab.spoil(found)),
        }
    }
}
