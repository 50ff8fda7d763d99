#!/usr/bin/env bash
# Builds the C library and installs it: header, shared and static library, files for pkg-config and CMake.
#
#     crates/c/install.sh PREFIX           such as /usr/local or $HOME/.local
#
# CAIRN2D_PROFILE is the profile of cargo, release by default.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 PREFIX" >&2; exit 2; }
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
cd "$(dirname "$0")"

profile=${CAIRN2D_PROFILE:-release}
cargo build --locked -p cairn2d-c --profile "$profile"
built=${CARGO_TARGET_DIR:-target}/${profile/#dev/debug}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
case $(uname) in
Darwin) shared=libcairn2d.dylib ;;
*) shared=libcairn2d.so ;;
esac

filled() { sed "s|@PREFIX@|$prefix|; s|@VERSION@|$version|; s|@SHARED@|$shared|" "install/$1.in"; }

mkdir -p "$prefix"/include "$prefix"/lib/pkgconfig "$prefix"/lib/cmake/cairn2d
install -m 644 include/cairn2d.h "$prefix"/include/
install -m 755 "$built/$shared" "$prefix"/lib/
install -m 644 "$built/libcairn2d.a" "$prefix"/lib/
filled cairn2d.pc >"$prefix"/lib/pkgconfig/cairn2d.pc
filled cairn2dConfig.cmake >"$prefix"/lib/cmake/cairn2d/cairn2dConfig.cmake
filled cairn2dConfigVersion.cmake >"$prefix"/lib/cmake/cairn2d/cairn2dConfigVersion.cmake
