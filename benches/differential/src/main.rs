fn main() { println!("{}", unsafe { boxdd_sys::ffi::b2GetVersion().major }); }
