# Tools for other targets; sourced by the scripts that need them.

# Ends the script because something cannot be installed here. `.ci/run` goes on, and names it at its end.
unavailable() {
    echo "NOT CHECKED: $1 cannot be installed here" >&2
    exit 77
}

# Installs the Debian packages of the commands that are missing: install_debian COMMAND PACKAGE...
install_debian() {
    command -v "$1" >/dev/null && return
    local root
    root=$([ "$(id -u)" = 0 ] || echo sudo)
    shift
    # Checks run side by side: only one of them installs at a time.
    flock -o "${BASH_SOURCE[0]}" $root apt-get update -qq
    flock -o "${BASH_SOURCE[0]}" $root apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Adds the standard library of a target, by rustup.
add_target() {
    rustup target list --installed | grep -qx "$1" || flock -o "${BASH_SOURCE[0]}" rustup target add "$1"
}

# Node of at least a version, 18 without one: install_node [MAJOR.MINOR]
install_node() {
    local least=${1:-18.0} found
    install_debian node nodejs npm
    found=$(node -p process.versions.node)
    printf '%s\n' "$least" "$found" | sort -CV || {
        echo "node has version $found, older than $least" >&2
        return 1
    }
}

# Compilers, emulators and standard libraries of all targets. A check reports the tools that it misses.
install_tools() {
    install_node || true
    install_debian qemu-aarch64 qemu-user || true
    install_debian aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross || true
    install_debian i686-linux-gnu-gcc gcc-i686-linux-gnu libc6-dev-i386-cross || true
    for target in wasm32-unknown-unknown i686-unknown-linux-gnu aarch64-unknown-linux-gnu; do
        add_target "$target" || true
    done
}

# Returns 0 if the standard library of a target and the given commands are here: is_ready TARGET COMMAND...
is_ready() {
    rustup target list --installed | grep -qx "$1" || return 1
    shift
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || return 1
    done
}

# Names the linkers for cargo.
as_linkers() {
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc
}
