"""Reads include/cairn2d.h: the declarations for C# are made from it, and the test of Python makes its ctypes from it.

    python3 bindings.py          writes bindings/Cairn2d.cs
    python3 bindings.py --check  tells whether that file is up to date

cbindgen writes a regular header, so a few patterns suffice; what they do not recognize is an error.
"""

import ctypes
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent

NUMBERS = {
    "void": (None, "void"),
    "char": (ctypes.c_char, "byte"),
    "uint8_t": (ctypes.c_uint8, "byte"),
    "int32_t": (ctypes.c_int32, "int"),
    "uint32_t": (ctypes.c_uint32, "uint"),
    "uint64_t": (ctypes.c_uint64, "ulong"),
    "size_t": (ctypes.c_size_t, "System.UIntPtr"),
    "float": (ctypes.c_float, "float"),
    "double": (ctypes.c_double, "double"),
}


class Header:
    """The header: constants, aliases of numbers, opaque types, structures with fields, and functions with parameters."""

    def __init__(self):
        text = (ROOT / "include/cairn2d.h").read_text()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        self.constants = {
            name: int(value) for name, value in re.findall(r"^#define (CAIRN_\w+) (\d+)$", text, flags=re.M)
        }
        text = re.sub(r"^#.*$|^extern \"C\" \{$|^\}  // extern \"C\"$", "", text, flags=re.M)
        self.aliases, self.opaque, self.structs, self.functions, self.callbacks = {}, [], {}, {}, []
        for statement in self._statements(text):
            self._read(statement)

    @staticmethod
    def _statements(text):
        depth = start = 0
        for place, letter in enumerate(text):
            depth += (letter == "{") - (letter == "}")
            if letter == ";" and depth == 0:
                yield " ".join(text[start:place].split())
                start = place + 1
        if text[start:].strip():
            raise ValueError(f"not understood: {text[start:]!r}")

    def _read(self, statement):
        if match := re.fullmatch(r"typedef struct (\w+) \1", statement):
            self.opaque.append(match[1])
        elif match := re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", statement):
            fields = [field.strip() for field in match[2].split(";") if field.strip()]
            self.structs[match[1]] = [self._declared(field) for field in fields]
        elif match := re.fullmatch(r"typedef .+\(\*(\w+)\)\(.*\)", statement):
            self.callbacks.append(match[1])
        elif match := re.fullmatch(r"typedef (\w+) (\w+)", statement):
            self.aliases[match[2]] = match[1]
        elif match := re.fullmatch(r"(.+?)\b(cairn_\w+)\((.*)\)", statement):
            parameters = [] if match[3] == "void" else match[3].split(", ")
            result = self._declared(match[1] + " result")[0]
            self.functions[match[2]] = result, [self._declared(parameter) for parameter in parameters]
        else:
            raise ValueError(f"not understood: {statement!r}")

    def _declared(self, text):
        """Returns type, name, number of stars, length of an array."""
        if match := re.fullmatch(r".+\(\*(\w+)\)\(.*\)", text):
            return ("void", 1), match[1], 1
        match = re.fullmatch(r"(?:const )?(?:struct )?(\w+)\s*(\**)\s*(\w+)(?:\[(\d+)\])?", text.strip())
        if not match:
            raise ValueError(f"not understood: {text!r}")
        name, stars = match[1], len(match[2])
        if name in self.callbacks:
            name, stars = "void", 1
        return (self.aliases.get(name, name), stars), match[3], int(match[4] or 1)


def ctypes_of(header):
    """Returns the structures as classes of ctypes, and a function that declares the functions of a loaded library."""
    classes = {}

    def of(kind):
        name, stars = kind
        if stars:
            return ctypes.c_char_p if (name, stars) == ("char", 1) else ctypes.c_void_p
        return classes[name] if name in classes else NUMBERS[name][0]

    for name, fields in header.structs.items():
        fields = [(field, of(kind) * count if count > 1 else of(kind)) for kind, field, count in fields]
        classes[name] = type(name, (ctypes.Structure,), {"_fields_": fields})

    def declare(library):
        for name, (result, parameters) in header.functions.items():
            function = getattr(library, name)
            function.restype = of(result)
            function.argtypes = [of(kind) for kind, _, _ in parameters]

    return classes, declare


def csharp(header):
    """Returns the declarations for P/Invoke. Pointers are IntPtr-sized `void*` or typed pointers: the class is unsafe."""
    words = {"in", "out", "params", "base", "object", "event", "lock", "ref"}

    def of(kind):
        name, stars = kind
        plain = NUMBERS[name][1] if name in NUMBERS else "void" if name in header.opaque and stars else name
        return plain + "*" * stars

    def named(name):
        return "@" + name if name in words else name

    lines = [
        "// Generated by crates/c/bindings.py from include/cairn2d.h: do not edit. See docs/c.md.",
        "using System.Runtime.InteropServices;",
        "",
        "namespace Cairn2d {",
        "public static unsafe class Native {",
    ]
    lines += [f"    public const uint {name} = {value};" for name, value in header.constants.items()]
    for name, fields in header.structs.items():
        lines += ["    [StructLayout(LayoutKind.Sequential)]", f"    public struct {name} {{"]
        for kind, field, count in fields:
            names = [named(field)] if count == 1 else [f"{field}{index}" for index in range(count)]
            lines += [f"        public {of(kind)} {each};" for each in names]
        lines.append("    }")
    for name, (result, parameters) in header.functions.items():
        listed = ", ".join(f"{of(kind)} {named(parameter)}" for kind, parameter, _ in parameters)
        lines += [
            '    [DllImport("cairn2d", CallingConvention = CallingConvention.Cdecl)]',
            f"    public static extern {of(result)} {name}({listed});",
        ]
    return "\n".join(lines + ["}", "}", ""])


def main():
    path, text = ROOT / "bindings/Cairn2d.cs", csharp(Header())
    if "--check" in sys.argv:
        if not path.exists() or path.read_text() != text:
            sys.exit("bindings/Cairn2d.cs is not what the header says: run `python3 crates/c/bindings.py`")
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
