//! Who is near whom.
#![forbid(unsafe_code)]
