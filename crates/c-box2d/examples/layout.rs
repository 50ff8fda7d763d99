//! Prints sizes, offsets and enum values of the C types, a line each: `.ci/c-box2d.sh` compares them with those of the headers.

fn main() {
    for line in cairn2d_box2d::layout() {
        println!("{line}");
    }
}
