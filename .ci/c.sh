#!/usr/bin/env bash
# Checks of the C interface, a workspace of its own: format, lints, the header, and programs in C, C++ and Python that are linked with
# the installed library. Needs Rust and crates.io, gcc and clang, valgrind, pkg-config, CMake and Python 3.
set -euo pipefail
cd "$(dirname "$0")/../crates/c"

tools="gcc g++ clang clang++ valgrind pkg-config cmake python3"
missing() { for tool in $tools; do command -v "$tool" >/dev/null || echo "$tool"; done; }
if [ -n "$(missing)" ] && command -v apt-get >/dev/null; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    timeout 30 $as_root apt-get update -qq || true
    timeout 120 $as_root apt-get install -y -qq --no-install-recommends gcc g++ clang valgrind pkg-config cmake python3 || true
fi
[ -z "$(missing)" ] || { echo "NOT CHECKED: $(missing | paste -sd ' ') cannot be installed" >&2; exit 77; }

cargo fmt --all --check
cargo clippy --locked -p cairn2d-c --all-targets -- -D warnings
cargo test --locked -q -p cairn2d-c

# Header and declarations are what the sources say, and the header lets any content of a structure be a value.
cargo run --locked -q -p cairn2d-c-header -- --check
python3 bindings.py --check
if grep -nw "bool\|enum" <(sed 's|^ *\*.*||' include/cairn2d.h); then
    echo "include/cairn2d.h: other numbers than 0 and 1 in a bool are undefined behavior" >&2
    exit 1
fi

prefix=$PWD/target/installed
CAIRN2D_PROFILE=dev ./install.sh "$prefix"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
flags="-Wall -Wextra -Werror -pedantic -O1 -g $(pkg-config --cflags cairn2d)"
libraries="$(pkg-config --libs cairn2d) -lm -lpthread"

# Each program with both compilers. Those of gcc run under valgrind: no invalid access, no leak.
programs=target/programs
mkdir -p $programs
for source in tests/*.c examples/*.c; do
    name=$programs/$(basename "${source%.c}")
    gcc -std=c99 $flags "$source" $libraries -o "$name"
    clang -std=c99 $flags "$source" $libraries -o "$name.clang"
    echo "$source"
    "$name.clang" >/dev/null
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect "$name" >/dev/null
done
for source in examples/*.cpp; do
    name=$programs/$(basename "${source%.cpp}")_cpp
    g++ -std=c++17 $flags "$source" $libraries -o "$name"
    clang++ -std=c++17 $flags "$source" $libraries -o "$name.clang"
    echo "$source"
    "$name.clang" $programs/drawing.svg >/dev/null
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect "$name" $programs/drawing.svg >/dev/null
done
grep -q "<polygon" $programs/drawing.svg

# The static library, and CMake's package.
gcc -std=c99 $flags examples/hello.c "$prefix/lib/libcairn2d.a" -lpthread -ldl -lm -o $programs/hello_static
$programs/hello_static >/dev/null
cmake -S examples -B target/cmake -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build target/cmake >/dev/null
target/cmake/hello >/dev/null
target/cmake/hello_static >/dev/null

python3 tests/read_world.py "$prefix"/lib/libcairn2d.*o*
