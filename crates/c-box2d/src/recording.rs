//! Recordings: the engine's format, in a buffer that C holds.

use crate::abi::{Fault, In, Outcome, log};
use crate::registry::Registry;
use crate::slot::Slot;
use crate::types::*;
use crate::worlds::world_mut;
use cairn2d::RecordingDef;
use core::ffi::{c_char, c_int, c_void};
use std::fs;

/// The bytes of a recording.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) bytes: Vec<u8>,
}

static RECORDINGS: Registry<Recording> = Registry::new("recording");

fn with<R>(
    recording: *const c_void,
    work: impl FnOnce(&mut Recording) -> Outcome<R>,
) -> Outcome<R> {
    RECORDINGS.with(recording as usize, work)
}

fn start(slot: &mut Slot, recording: usize) -> Outcome<()> {
    if slot.recording.is_none() {
        RECORDINGS.with(recording, |recording| {
            recording.bytes.clear();
            Ok(())
        })?;
        slot.world.start_recording(RecordingDef::default());
        slot.recording = Some(recording);
        slot.pass_recording();
    }
    Ok(())
}

impl Slot {
    /// Gives what was recorded up to the last step to the buffer: it can be read while the recording goes on.
    pub(crate) fn pass_recording(&mut self) {
        if let Some(recording) = self.recording
            && !append(recording, self.world.take_recording())
        {
            self.recording = None;
            drop(self.world.stop_recording());
        }
    }

    /// Ends a recording, if one goes on, and gives the rest of its bytes to the buffer.
    pub(crate) fn stop_recording(&mut self) {
        if let Some(recording) = self.recording.take() {
            append(recording, self.world.stop_recording());
        }
    }
}

/// Appends to a buffer. Logs that it no longer exists, and then returns `false`.
fn append(recording: usize, bytes: Vec<u8>) -> bool {
    let stored = RECORDINGS.with(recording, |recording| {
        recording.bytes.extend(bytes);
        Ok(())
    });
    stored.map_err(|fault| log(&fault.to_string())).is_ok()
}

/// Returns a path of C as a string.
fn path(text: In<c_char>) -> Outcome<String> {
    let text = text.string().to_str();
    Ok(text.map_err(|_| Fault::Value("path"))?.to_owned())
}

c_functions! {
    fn b2CreateRecording(_capacity: c_int) -> *mut c_void { RECORDINGS.insert(Recording::default()) as *mut c_void }

    fn b2DestroyRecording(recording: *mut c_void) {
        if !recording.is_null() {
            RECORDINGS.remove(recording as usize)?;
        }
    }

    /// The bytes last until the next call for the recording.
    fn b2Recording_GetData(recording: *const c_void) -> *const u8 {
        with(recording, |recording| Ok(recording.bytes.as_ptr()))?
    }

    fn b2Recording_GetSize(recording: *const c_void) -> c_int {
        with(recording, |recording| Ok(c_int::try_from(recording.bytes.len()).unwrap_or(0)))?
    }

    fn b2World_StartRecording(id: b2WorldId, recording: *mut c_void) {
        world_mut(id, |slot| start(slot, recording as usize))?
    }

    fn b2World_StopRecording(id: b2WorldId) {
        world_mut(id, |slot| {
            slot.stop_recording();
            Ok(())
        })?
    }

    fn b2SaveRecordingToFile(recording: *const c_void, file: In<c_char>) -> bool {
        let file = path(file)?;
        with(recording, |recording| Ok(fs::write(&file, &recording.bytes).is_ok()))?
    }

    fn b2LoadRecordingFromFile(file: In<c_char>) -> *mut c_void {
        match fs::read(path(file)?) {
            Ok(bytes) => RECORDINGS.insert(Recording { bytes }) as *mut c_void,
            Err(_) => core::ptr::null_mut(),
        }
    }
}
