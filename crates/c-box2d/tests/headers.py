#!/usr/bin/env python3
"""Reads Box2D's headers and compares them with the library.

headers.py INCLUDE layout      prints a C program that prints sizes, offsets and enum values, as the example `layout` does
headers.py INCLUDE exports NM  compares the functions with the symbols of a library, as `nm --defined-only` lists them
headers.py INCLUDE types SRC   compares the types of all functions with the sources
"""

import re
import sys
from pathlib import Path

HEADERS = ["base.h", "id.h", "math_functions.h", "collision.h", "types.h", "box2d.h"]
# Inside a tree: programs have no business with it, and here it is a number.
OPAQUE = {"b2TreeNode", "b2TreeNodeChildren"}
NUMBERS = {
    "float": "f32", "int": "c_int", "bool": "bool", "char": "c_char", "void": "c_void", "size_t": "usize",
    "uint64_t": "u64", "int64_t": "i64", "uint32_t": "u32", "int32_t": "i32", "uint16_t": "u16", "int16_t": "i16", "uint8_t": "u8",
}  # fmt: skip
# Opaque objects of C, which are numbers here.
HANDLES = {"b2Recording", "b2RecPlayer"}


def plain(path):
    """Text of a header without comments and without its double-precision parts."""
    text = path.read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    double = r"#if defined\( BOX2D_DOUBLE_PRECISION \).*?#else(.*?)#endif"
    return re.sub(double, r"\1", text, flags=re.S)


def functions(text):
    """Name, result and parameters of each exported function."""
    for result, name, params in re.findall(r"B2_API\s+([\w\s*]+?)\s*\b(b2\w+)\s*\(([^)]*)\)\s*;", text):
        params = " ".join(params.split())
        types = [] if params in ("", "void") else [re.sub(r"\w+$", "", p).strip() for p in params.split(",")]
        yield name, result.strip(), types


def layout(text):
    """Lines of a C program that prints what the example `layout` prints."""
    for name, body in re.findall(r"typedef struct (b2\w+)\s*\{(.*?)\}\s*\1;", text, re.S):
        if name in OPAQUE:
            continue
        yield f'printf("{name} %zu\\n", sizeof({name}));'
        for field in body.split(";"):
            field = " ".join(field.split())
            if not field:
                continue
            function = re.match(r"void \( \*(\w+) \)", field)
            names = [function[1]] if function else re.sub(r"^(const )?(struct )?\w+\s*\**", "", field).split(",")
            for part in names:
                part = re.sub(r"\[.*", "", part).strip()
                yield f'printf("{name}.{part} %zu\\n", offsetof({name}, {part}));'
    for name, body in re.findall(r"typedef enum (b2\w+)\s*\{(.*?)\}", text, re.S):
        if name == "b2HexColor":
            continue
        for value in body.split(","):
            value = value.split("=")[0].strip()
            if value:
                yield f'printf("{value} %d\\n", {value});'


def rust_type(c_type, callbacks):
    """The type by which the sources stand for a type of C."""
    const = "const" in c_type.split()
    stars = c_type.count("*")
    name = re.sub(r"\b(const|struct)\b|\*", "", c_type).strip()
    if name in callbacks:
        return name
    if stars == 0:
        return NUMBERS.get(name, name)
    if name in HANDLES:
        name = "void"
    rust = NUMBERS.get(name, name)
    if rust == "c_void":
        return "*const c_void" if const else "*mut c_void"
    return f"In<{rust}>" if const else f"Out<{rust}>"


def source_functions(folder):
    """Result and parameters of each function that the sources export."""
    found = {}
    for path in Path(folder).rglob("*.rs"):
        text = path.read_text()
        for name, params, result in re.findall(r"^    fn (b2\w+)\(([^)]*)\)(?: -> ([^{]+?))? ?\{", text, re.M):
            types = [p.split(":", 1)[1].replace("crate::abi::", "").strip() for p in params.split(",") if p.strip()]
            found[name] = (result.strip(), types)
        fields = r"^    (b2\w+_(?:Set|Enable)\w+), (b2\w+): (\w+) ="
        for setter, getter, value in re.findall(fields, text, re.M):
            found[setter] = ("", ["b2JointId", value])
            found[getter] = (value, ["b2JointId"])
    return found


def same(c, rust):
    # A pointer that the library hands out is a plain one.
    return c == rust or re.sub(r"In<(\w+)>", r"*const \1", c) == rust or re.sub(r"Out<(\w+)>", r"*mut \1", c) == rust


def main():
    include, task, *rest = sys.argv[1:]
    texts = [plain(Path(include) / "box2d" / header) for header in HEADERS]
    known = [f for text in texts for f in functions(text)]
    if task == "layout":
        print("#include <box2d/box2d.h>\n#include <stddef.h>\n#include <stdio.h>\nint main( void )\n{")
        for text in texts:
            print("\n".join(layout(text)))
        print("return 0;\n}")
        return 0
    if task == "exports":
        symbols = set(re.findall(r"\bT (b2\w+)", Path(rest[0]).read_text()))
        missing = [name for name, _, _ in known if name not in symbols]
        print(f"{len(known) - len(missing)} of {len(known)} functions are exported", *missing, sep="\n")
        return len(missing) > 0
    callbacks = {c for text in texts for c in re.findall(r"typedef\s+[\w\s*]+?\b(b2\w+)\(", text)}
    sources = source_functions(rest[0])
    wrong = 0
    for name, result, types in known:
        expected = ("" if result == "void" else rust_type(result, callbacks), [rust_type(t, callbacks) for t in types])
        found = sources.get(name)
        is_same = found and len(found[1]) == len(expected[1])
        is_same = is_same and all(map(same, [expected[0], *expected[1]], [found[0], *found[1]]))
        if not is_same:
            wrong += 1
            print(f"{name}: {expected}, in the sources {found}")
    print(f"{len(known) - wrong} of {len(known)} functions have the types of the headers")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
