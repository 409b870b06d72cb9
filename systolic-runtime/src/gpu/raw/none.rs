//! The stand-in without feature `cuda`: functions that take a [`Context`] can never be called, because none exists.
#![allow(unsafe_code)]
use super::{Address, Function, Graph, Mark, Marks, Module, Pattern, Queue, Refusal, Rows, Shape};
use crate::error::Error;
use crate::gpu::Properties;
use std::ptr::NonNull;

/// The context of a device, which cannot be created here.
#[derive(Debug)]
pub enum Context {}

/// Functions that need a context.
macro_rules! never {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        $($(#[$attribute])*
        pub fn $name(&self, $(_: $type),*) $(-> $result)? {
            match *self {}
        })+
    };
}

impl Context {
    pub fn devices() -> Result<usize, Error> {
        Err(Error::NoFeature)
    }

    pub fn properties(_: usize) -> Result<Properties, Error> {
        Err(Error::NoFeature)
    }

    pub fn open(_: usize) -> Result<Self, Error> {
        Err(Error::NoFeature)
    }

    never! {
        allocate(bytes: usize, purpose: &'static str) -> Result<Address, Error>;
        free(address: Address);
        allocate_pinned(bytes: usize) -> Result<NonNull<u8>, Error>;
        free_pinned(place: NonNull<u8>);
        clear(queue: Queue, to: Address, bytes: usize) -> Result<(), Error>;
        clear_rows(queue: Queue, to: Address, rows: Rows) -> Result<(), Error>;
        fill(queue: Queue, to: Address, pattern: Pattern, count: usize) -> Result<(), Error>;
        new_queue() -> Result<Queue, Error>;
        drop_queue(queue: Queue);
        finish(queue: Queue) -> Result<(), Error>;
        new_mark(marks: Marks) -> Result<Mark, Error>;
        drop_mark(mark: Mark);
        record(mark: Mark, queue: Queue) -> Result<(), Error>;
        wait(queue: Queue, mark: Mark) -> Result<(), Error>;
        reach(mark: Mark) -> Result<(), Error>;
        milliseconds(from: Mark, to: Mark) -> Result<f32, Error>;
        capture(enqueue: &mut dyn FnMut(Queue) -> Result<(), Error>) -> Result<Graph, Error>;
        drop_graph(graph: Graph);
        unload(module: Module);
        function(module: Module, name: &str) -> Result<Option<Function>, Error>;
        static_shared(function: Function) -> Result<u32, Error>;
        allow_shared(function: Function, bytes: u32) -> Result<(), Error>;
    }

    pub unsafe fn launch_graph(&self, _: Queue, _: Graph) -> Result<(), Error> {
        match *self {}
    }

    pub unsafe fn upload(&self, _: Queue, _: *const u8, _: Address, _: Rows) -> Result<(), Error> {
        match *self {}
    }

    pub unsafe fn download(&self, _: Queue, _: Address, _: *mut u8, _: Rows) -> Result<(), Error> {
        match *self {}
    }

    pub unsafe fn load(&self, _: &[u8]) -> Result<Result<Module, Refusal>, Error> {
        match *self {}
    }

    pub unsafe fn launch(&self, _: Queue, _: Function, _: Shape, _: &[u64]) -> Result<(), Error> {
        match *self {}
    }
}
