#!/usr/bin/env bash
# Releases the version in Cargo.toml. A person with the rights runs the parts in this order, on a clean checkout of `main`:
#
#   .ci/release.sh check              versions, changelog and metadata; packages of all crates; uploads nothing
#   .ci/release.sh wheel FOLDER       builds the Python wheel of this system, and on Linux the source distribution, into FOLDER
#   .ci/release.sh npm FOLDER         builds the npm package into FOLDER
#   .ci/release.sh publish FOLDER     uploads the crates in order, then the wheels and the npm package in FOLDER, then tags the commit
#
# The workflow "Release files" builds wheels and the npm package on all systems. `publish` needs `cargo login`, `npm login` and a token of
# PyPI in TWINE_PASSWORD. If it fails half way, it can be run again: what a registry has already is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

# Each crate after those that it depends on. The Bevy plugin is a workspace of its own.
CRATES=(cairn2d-simd cairn2d-geometry cairn2d-broadphase cairn2d-dynamics cairn2d-crowd cairn2d)
# Files that name the version, each in the first line that begins so.
VERSIONED=(
    Cargo.toml crates/bevy/Cargo.toml crates/c/Cargo.toml crates/c-box2d/Cargo.toml crates/python/Cargo.toml crates/python/pyproject.toml
    crates/web/Cargo.toml crates/web/npm/package.json crates/python/python/cairn2d/__init__.py CITATION.cff
)

fail() {
    echo "release: $*" >&2
    exit 1
}

# The version that a file names.
version_of() {
    sed -nE 's/^ *"?(__version__|version)"? *[:=] *"?([0-9][0-9A-Za-z.+-]*)"?,?$/\2/p' "$1" | head -n 1
}

version=$(version_of Cargo.toml)

is_clean() {
    [ -z "$(git status --porcelain)" ] || fail "the working tree has changes"
}

check_texts() {
    local file
    for file in "${VERSIONED[@]}"; do
        [ "$(version_of "$file")" = "$version" ] || fail "$file has version '$(version_of "$file")', Cargo.toml has $version"
    done
    grep -qE "^## ${version//./\\.} \([0-9]{1,2} [A-Z][a-z]+ 20[0-9]{2}\)$" CHANGELOG.md ||
        fail "CHANGELOG.md has no heading '## $version (DAY MONTH YEAR)'"
    for file in crates/{simd,geometry,broadphase,dynamics,crowd,cairn2d,bevy}/Cargo.toml; do
        grep -qE '^repository(\.workspace)? = ' "$file" || fail "$file names no repository: set it to the public address"
    done
}

# Every crate builds from its package; dependencies, public items and the oldest Rust are checked as well.
check() {
    is_clean
    check_texts
    .ci/package.sh
    # All at once, so that each finds those before it, which are on no registry yet. The packages were built just now.
    local names=() crate
    for crate in "${CRATES[@]}"; do
        names+=(-p "$crate")
    done
    cargo publish --quiet --dry-run --no-verify --locked "${names[@]}"
    echo "release: $version can be published"
}

wheel() {
    local folder=$1 venv=$PWD/target/release-python python=python3
    command -v python3 >/dev/null || python=python
    "$python" -m venv "$venv"
    python=$venv/bin/python
    [ -x "$python" ] || python=$venv/Scripts/python
    case $(uname -s) in
    # An old C library, so that the wheel runs on every Linux of the last ten years.
    Linux)
        "$python" -m pip install --quiet "maturin[zig]>=1.9,<2"
        "$python" -m maturin sdist --manifest-path crates/python/Cargo.toml --out "$folder"
        "$python" -m maturin build --release --locked --zig --compatibility manylinux2014 --manifest-path crates/python/Cargo.toml --out "$folder"
        ;;
    # One wheel for both processors.
    Darwin)
        rustup target add x86_64-apple-darwin aarch64-apple-darwin
        "$python" -m pip install --quiet "maturin>=1.9,<2"
        "$python" -m maturin build --release --locked --target universal2-apple-darwin --manifest-path crates/python/Cargo.toml --out "$folder"
        ;;
    *)
        "$python" -m pip install --quiet "maturin>=1.9,<2"
        "$python" -m maturin build --release --locked --manifest-path crates/python/Cargo.toml --out "$folder"
        ;;
    esac
}

npm_package() {
    local folder
    folder=$(mkdir -p "$1" && cd "$1" && pwd)
    (cd crates/web && npm ci --no-audit --no-fund && node build.mjs package && cd dist/package && npm pack --pack-destination "$folder")
}

# Publishes a crate unless the registry has it: publish_crate NAME ARGUMENTS...
publish_crate() {
    local name=$1
    shift
    if cargo info --quiet --registry crates-io "$name@$version" >/dev/null 2>&1; then
        echo "release: crates.io has $name $version"
    else
        # Cargo waits until the registry lists the crate, so the next one finds it.
        cargo publish --locked "$@"
    fi
}

publish() {
    local folder=$1 crate package
    is_clean
    check_texts
    ls "$folder"/*.whl "$folder"/*.tar.gz "$folder"/*.tgz >/dev/null || fail "$folder lacks wheels, the source distribution or the npm package"
    for crate in "${CRATES[@]}"; do
        publish_crate "$crate" -p "$crate"
    done
    publish_crate bevy_cairn2d --manifest-path crates/bevy/Cargo.toml
    python3 -m venv target/release-python
    target/release-python/bin/python -m pip install --quiet twine
    TWINE_USERNAME=__token__ target/release-python/bin/python -m twine upload --skip-existing "$folder"/*.whl "$folder"/*.tar.gz
    if [ "$(npm view "cairn2d@$version" version 2>/dev/null)" != "$version" ]; then
        package=$(ls "$folder"/*.tgz)
        npm publish "$package" --provenance=false
    fi
    git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || git tag -a "v$version" -m "cairn2d $version"
    git push origin "v$version"
}

case "${1:-} ${2:+folder}" in
"check ") check ;;
"wheel folder") wheel "$2" ;;
"npm folder") npm_package "$2" ;;
"publish folder") publish "$2" ;;
*) fail "usage: .ci/release.sh check, or wheel, npm or publish with a folder" ;;
esac
