//! Objects that C holds by an opaque pointer: the pointer is a number in a table, so a stale or wrong one finds nothing.

use crate::abi::{Fault, Outcome};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The objects of a kind, by number.
pub(crate) struct Registry<T> {
    kind: &'static str,
    objects: Mutex<Objects<T>>,
}

/// The last number that was given, and the objects.
struct Objects<T> {
    last: usize,
    by_number: BTreeMap<usize, Arc<Mutex<T>>>,
}

/// Numbers are multiples of this, as addresses of objects are.
const STRIDE: usize = 16;

impl<T> Registry<T> {
    pub(crate) const fn new(kind: &'static str) -> Self {
        Self {
            kind,
            objects: Mutex::new(Objects {
                last: 0,
                by_number: BTreeMap::new(),
            }),
        }
    }

    /// Adds an object and returns its number.
    pub(crate) fn insert(&self, object: T) -> usize {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        objects.last += STRIDE;
        let number = objects.last;
        objects
            .by_number
            .insert(number, Arc::new(Mutex::new(object)));
        number
    }

    /// Removes an object.
    pub(crate) fn remove(&self, number: usize) -> Outcome<Arc<Mutex<T>>> {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        let removed = objects.by_number.remove(&number);
        removed.ok_or(Fault::Stale(self.kind))
    }

    /// Does work with an object.
    pub(crate) fn with<R>(
        &self,
        number: usize,
        work: impl FnOnce(&mut T) -> Outcome<R>,
    ) -> Outcome<R> {
        let found = {
            let objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
            objects.by_number.get(&number).cloned()
        };
        let object = found.ok_or(Fault::Stale(self.kind))?;
        let mut object = object.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut object)
    }
}
