#!/usr/bin/env python3
"""Runs the unit tests of the crate `boxdd`, Rust's binding of Box2D, on this library.

boxdd.py REGISTRY_SRC WORK LIBRARY_FOLDER

Copies `boxdd` and `boxdd-sys` from cargo's registry to WORK, and changes the copy of `boxdd-sys` so that it compiles no file of Box2D
and links this library. Fails if a test that is not in boxdd-known.txt fails, or if one that is there passes.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Those files of boxdd read structs that are private to Box2D. One of ours does their work.
PRIVATE = ["boxdd_recording_adapter.c", "boxdd_snapshot_validate.c"]


def copy(registry, work, name):
    found = sorted(registry.glob(f"*/{name}-[0-9]*"))
    if not found:
        sys.exit(f"boxdd.py: {name} is not in {registry}")
    target = work / name
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(found[-1], target)
    return target


def replace(path, pairs):
    text = path.read_text()
    for old, new in pairs:
        if old not in text:
            sys.exit(f"boxdd.py: {path} has changed: {old!r} is not there")
        text = text.replace(old, new)
    path.write_text(text)


def prepare(registry, work, library):
    work.mkdir(parents=True, exist_ok=True)
    system = copy(registry, work, "boxdd-sys")
    is_private = " || ".join(f'source.ends_with("{name}")' for name in PRIVATE)
    replace(
        system / "build.rs",
        [
            ("        build.file(source);\n    }\n    for source in &adapter", "    }\n    for source in &adapter"),
            ("        build.file(source);\n    }\n\n    let identity_probe", f"""        if !({is_private}) {{
            build.file(source);
        }}
    }}
    build.file("{HERE}/boxdd_adapter.c");

    let identity_probe"""),
            ('    build.compile("box2d");\n', f"""    build.compile("box2d");
    println!("cargo:rustc-link-search=native={library}");
    println!("cargo:rustc-link-lib=dylib=cairn2d_box2d");
"""),
        ],
    )  # fmt: skip
    binding = copy(registry, work, "boxdd")
    manifest = binding / "Cargo.toml"
    text = manifest.read_text()
    # Examples need windows; the unit tests do not.
    text = re.sub(r"\[(target\.'cfg[^\n]*'\.)?dev-dependencies\.(?!serde_json|static_assertions)[^\[]*", "", text)
    text = re.sub(r"\[\[(example|test|bench)\]\][^\[]*", "", text)
    manifest.write_text(text + '\n[workspace]\n\n[patch.crates-io]\nboxdd-sys = { path = "../boxdd-sys" }\n')
    (binding / "Cargo.lock").unlink(missing_ok=True)
    return binding


def known():
    lines = (HERE / "boxdd-known.txt").read_text().splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def main():
    registry, work, library = (Path(arg).resolve() for arg in sys.argv[1:4])
    binding = prepare(registry, work, library)
    build = ["cargo", "test", "--lib", "--no-run", "--message-format=json", "--manifest-path", str(binding / "Cargo.toml")]
    built = subprocess.run(build, capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr[-5000:])
    program = re.findall(r'"executable":"([^"]*/boxdd-[^"]*)"', built.stdout)[-1]
    environment = os.environ | {"LD_LIBRARY_PATH": str(library)}

    def run(*args):
        return subprocess.run([program, *args], capture_output=True, text=True, timeout=300, env=environment)

    names = run("--list").stdout
    names = re.findall(r"^(.*): test$", names, re.M)
    # All in one process first; those that a crash hides, one by one.
    output = run("--test-threads=1").stdout
    results = {}
    for name, result in re.findall(r"^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)$", output, re.M):
        # Some tests run another in a process of their own, and print its result later.
        results.setdefault(name, result)
    for name in names:
        if name not in results:
            single = run("--exact", name)
            results[name] = "ok" if single.returncode == 0 else "CRASHED" if single.returncode < 0 else "FAILED"
    failed = {name for name, result in results.items() if result not in ("ok", "ignored")}
    (work / "output.txt").write_text(output)
    print(f"boxdd: {len(names) - len(failed)} of {len(names)} unit tests pass")
    expected = known()
    for name in sorted(failed - expected):
        print(f"fails: {name} ({results[name]})")
    for name in sorted(expected - failed):
        print(f"passes, though it is in boxdd-known.txt: {name}")
    return failed != expected


if __name__ == "__main__":
    sys.exit(main())
