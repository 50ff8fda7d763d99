//! Recordings in a buffer that C holds.

use crate::abi::{Fault, In, Outcome, log};
use crate::registry::Registry;
use crate::slot::Slot;
use crate::snapshot::write;
use crate::stream::Stream;
use crate::types::*;
use crate::world_reads::bounds;
use crate::worlds::world_mut;
use cairn2d::RecordingDef;
use core::ffi::{c_char, c_int, c_void};
use std::fs;

/// A recording.
#[derive(Default)]
struct Recording {
    /// Its parts; `None` for one that was loaded, or has not started.
    stream: Option<Stream>,
    /// Its bytes if C has asked for them since the last change.
    bytes: Vec<u8>,
}

impl Recording {
    fn bytes(&mut self) -> &[u8] {
        if let (Some(stream), true) = (&self.stream, self.bytes.is_empty()) {
            self.bytes = stream.bytes();
        }
        &self.bytes
    }
}

static RECORDINGS: Registry<Recording> = Registry::new("recording");

fn with<R>(
    recording: *const c_void,
    work: impl FnOnce(&mut Recording) -> Outcome<R>,
) -> Outcome<R> {
    RECORDINGS.with(recording as usize, work)
}

fn start(slot: &mut Slot, id: b2WorldId, recording: usize) -> Outcome<()> {
    if slot.recording.is_none() {
        let stream = Stream::new(id, write(slot), slot.world.state_hash());
        RECORDINGS.with(recording, |recording| {
            *recording = Recording {
                stream: Some(stream),
                bytes: Vec::new(),
            };
            Ok(())
        })?;
        slot.world.start_recording(RecordingDef::default());
        slot.recording = Some(recording);
        let engine = slot.world.take_recording();
        slot.note(|stream| stream.extend(engine));
    }
    Ok(())
}

impl Slot {
    /// Notes a step in a recording that goes on: it can be read up to there.
    pub(crate) fn record_step(&mut self, dt: f32) {
        if self.recording.is_some() {
            let engine = self.world.take_recording();
            let (hash, substeps) = (self.world.state_hash(), self.world.def().substeps);
            let bounds = bounds(&self.world);
            self.note(|stream| {
                stream.extend(engine);
                stream.step(dt, substeps, hash, bounds);
            });
        }
    }

    /// Ends a recording, if one goes on.
    pub(crate) fn stop_recording(&mut self) {
        if self.recording.is_some() {
            let engine = self.world.stop_recording();
            self.note(|stream| {
                stream.extend(engine);
                stream.end();
            });
            self.recording = None;
        }
    }

    /// Does work with the recording that goes on. If it no longer exists, logs that and records no more.
    fn note(&mut self, work: impl FnOnce(&mut Stream)) {
        let Some(recording) = self.recording else {
            return;
        };
        let noted = RECORDINGS.with(recording, |recording| {
            recording.bytes.clear();
            recording.stream.as_mut().map(work);
            Ok(())
        });
        if let Err(fault) = noted {
            log(&fault.to_string());
            self.recording = None;
            drop(self.world.stop_recording());
        }
    }
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
        with(recording, |recording| Ok(recording.bytes().as_ptr()))?
    }

    fn b2Recording_GetSize(recording: *const c_void) -> c_int {
        with(recording, |recording| Ok(c_int::try_from(recording.bytes().len()).unwrap_or(0)))?
    }

    fn b2World_StartRecording(id: b2WorldId, recording: *mut c_void) {
        world_mut(id, |slot| start(slot, id, recording as usize))?
    }

    fn b2World_StopRecording(id: b2WorldId) {
        world_mut(id, |slot| {
            slot.stop_recording();
            Ok(())
        })?
    }

    fn b2SaveRecordingToFile(recording: *const c_void, file: In<c_char>) -> bool {
        let file = path(file)?;
        with(recording, |recording| Ok(fs::write(&file, recording.bytes()).is_ok()))?
    }

    fn b2LoadRecordingFromFile(file: In<c_char>) -> *mut c_void {
        match fs::read(path(file)?) {
            Ok(bytes) => RECORDINGS.insert(Recording { stream: None, bytes }) as *mut c_void,
            Err(_) => core::ptr::null_mut(),
        }
    }
}
