//! Functions of JavaScript that hooks call.
//!
//! Hooks of the engine can be shared by threads, which functions of JavaScript cannot. So a hook holds the number of its function in
//! a list of its thread.

use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::JsValue;

thread_local! {
    static FUNCTIONS: RefCell<Vec<Option<Function>>> = const { RefCell::new(Vec::new()) };
    /// The first exception of a function since the last [`rethrow`].
    static EXCEPTION: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// A function in the list. Dropping it frees its place.
pub(crate) struct HookFunction(usize);

impl HookFunction {
    pub(crate) fn new(function: Function) -> Self {
        FUNCTIONS.with_borrow_mut(|list| {
            let free = list.iter().position(Option::is_none);
            let place = free.unwrap_or_else(|| {
                list.push(None);
                list.len() - 1
            });
            list[place] = Some(function);
            Self(place)
        })
    }

    /// Calls the function; returns `None` if it throws, and keeps the exception.
    pub(crate) fn call(&self, argument: &JsValue) -> Option<JsValue> {
        // The function may set and remove hooks, so the list is not borrowed during the call.
        let function = FUNCTIONS.with_borrow(|list| list.get(self.0).cloned().flatten())?;
        match function.call1(&JsValue::UNDEFINED, argument) {
            Ok(answer) => Some(answer),
            Err(exception) => {
                keep(exception);
                None
            }
        }
    }
}

impl Drop for HookFunction {
    fn drop(&mut self) {
        FUNCTIONS.with_borrow_mut(|list| list[self.0] = None);
    }
}

/// Keeps an exception for the next [`rethrow`], unless there is one already.
pub(crate) fn keep(exception: JsValue) {
    EXCEPTION.with_borrow_mut(|kept| {
        kept.get_or_insert(exception);
    });
}

/// Throws the exception of a hook within the call that ends.
pub(crate) fn rethrow() -> Result<(), JsValue> {
    EXCEPTION.take().map_or(Ok(()), Err)
}
