#!/usr/bin/env python3
"""Lists the public items of a crate from the JSON of rustdoc, one a line, sorted: public_api.py CRATE.json

The list has modules, types with their public fields and variants, functions with full signatures, constants, traits with their
items, implementations of traits (derived ones included), and re-exports. Items of another crate are listed with that crate. It leaves out items that are hidden from the
documentation, bodies of functions, values of constants, blanket implementations, and auto traits (except where a type lacks one).
"""
import json
import sys


def generic_args(args):
    if args is None:
        return ""
    if "angle_bracketed" in args:
        parts = [generic_arg(arg) for arg in args["angle_bracketed"]["args"]]
        for constraint in args["angle_bracketed"]["constraints"]:
            binding = constraint["binding"]
            if "equality" in binding:
                value = binding["equality"]
                shown = kind(value["type"]) if "type" in value else value["constant"]["expr"]
                parts.append(f"{constraint['name']} = {shown}")
            else:
                parts.append(f"{constraint['name']}: {bounds(binding['constraint'])}")
        return f"<{', '.join(parts)}>" if parts else ""
    if "parenthesized" in args:
        call = args["parenthesized"]
        output = f" -> {kind(call['output'])}" if call["output"] else ""
        return f"({', '.join(map(kind, call['inputs']))}){output}"
    return "(..)"


def generic_arg(arg):
    if arg == "infer":
        return "_"
    if "lifetime" in arg:
        return arg["lifetime"]
    if "type" in arg:
        return kind(arg["type"])
    return arg["const"]["expr"]


def path(resolved):
    return resolved["path"].split("::")[-1] + generic_args(resolved["args"])


def bounds(list_of_bounds):
    shown = []
    for bound in list_of_bounds:
        if "trait_bound" in bound:
            trait = bound["trait_bound"]
            modifier = {"none": "", "maybe": "?", "maybe_const": "~const "}[trait["modifier"]]
            shown.append(f"{modifier}{higher_ranked(trait['generic_params'])}{path(trait['trait'])}")
        elif "outlives" in bound:
            shown.append(bound["outlives"])
        else:
            captured = [arg.get("lifetime") or arg["param"] for arg in bound["use"]]
            shown.append(f"use<{', '.join(captured)}>")
    return " + ".join(shown)


def higher_ranked(params):
    return f"for<{', '.join(param['name'] for param in params)}> " if params else ""


def kind(node):
    """The text of a type."""
    if node == "infer":
        return "_"
    (name, value), = node.items()
    if name == "resolved_path":
        return path(value)
    if name in ("generic", "primitive"):
        return value
    if name == "dyn_trait":
        traits = [higher_ranked(t["generic_params"]) + path(t["trait"]) for t in value["traits"]]
        lifetime = [value["lifetime"]] if value["lifetime"] else []
        return f"dyn {' + '.join(traits + lifetime)}"
    if name == "function_pointer":
        inputs = ", ".join(kind(pair[1]) for pair in value["sig"]["inputs"])
        output = value["sig"]["output"]
        return f"fn({inputs}){f' -> {kind(output)}' if output else ''}"
    if name == "tuple":
        return f"({', '.join(map(kind, value))}{',' if len(value) == 1 else ''})"
    if name == "slice":
        return f"[{kind(value)}]"
    if name == "array":
        return f"[{kind(value['type'])}; {value['len']}]"
    if name == "impl_trait":
        return f"impl {bounds(value)}"
    if name == "raw_pointer":
        return f"*{'mut' if value['is_mutable'] else 'const'} {kind(value['type'])}"
    if name == "borrowed_ref":
        lifetime = f"{value['lifetime']} " if value["lifetime"] else ""
        return f"&{lifetime}{'mut ' if value['is_mutable'] else ''}{kind(value['type'])}"
    if name == "qualified_path":
        own = kind(value["self_type"])
        trait = value["trait"]
        owner = f"<{own} as {path(trait)}>" if trait and trait["path"] else own
        return f"{owner}::{value['name']}{generic_args(value['args'])}"
    raise ValueError(f"unknown type: {node}")


def generics(node):
    """The parameters in angle brackets, and the where clause."""
    shown = []
    for param in node["params"]:
        detail = param["kind"]
        if "lifetime" in detail:
            outlives = detail["lifetime"]["outlives"]
            shown.append(param["name"] + (f": {' + '.join(outlives)}" if outlives else ""))
        elif "type" in detail:
            if detail["type"]["is_synthetic"]:
                continue
            limit = bounds(detail["type"]["bounds"])
            default = detail["type"]["default"]
            shown.append(param["name"] + (f": {limit}" if limit else "") + (f" = {kind(default)}" if default else ""))
        else:
            shown.append(f"const {param['name']}: {kind(detail['const']['type'])}")
    where = []
    for predicate in node["where_predicates"]:
        if "bound_predicate" in predicate:
            bound = predicate["bound_predicate"]
            where.append(f"{higher_ranked(bound['generic_params'])}{kind(bound['type'])}: {bounds(bound['bounds'])}")
        elif "lifetime_predicate" in predicate:
            bound = predicate["lifetime_predicate"]
            where.append(f"{bound['lifetime']}: {' + '.join(bound['outlives'])}")
        else:
            bound = predicate["eq_predicate"]
            where.append(f"{kind(bound['lhs'])} == {kind(bound['rhs']['type'])}")
    return (f"<{', '.join(shown)}>" if shown else ""), (f" where {', '.join(where)}" if where else "")


def function(name, node):
    header = node["header"]
    words = [word for word in ("const", "async", "unsafe") if header[f"is_{word}"]]
    params, where = generics(node["generics"])
    inputs = ", ".join(f"{pair[0]}: {kind(pair[1])}" for pair in node["sig"]["inputs"])
    output = node["sig"]["output"]
    arrow = f" -> {kind(output)}" if output else ""
    return " ".join([*words, "fn"]) + f" {name}{params}({inputs}){arrow}{where}"


class Lister:
    def __init__(self, crate):
        self.crate = crate
        self.index = crate["index"]
        self.lines = set()
        self.paths = {}

    def item(self, number):
        return self.index.get(str(number))

    def add(self, line):
        self.lines.add(line)

    def walk(self, number, prefix, name=None):
        item = self.item(number)
        if item is None:
            return
        (form, node), = item["inner"].items()
        full = f"{prefix}::{name or item['name']}"
        if form in ("struct", "enum", "union", "trait") and self.paths.setdefault(number, full) != full:
            self.add(f"use {full} = {self.paths[number]}")
            return
        visit = getattr(self, f"visit_{form}", None)
        if visit is None:
            raise ValueError(f"unknown item: {form} {full}")
        visit(item, node, full, prefix)

    def mark(self, item):
        is_open = any("non_exhaustive" in str(attribute) for attribute in item["attrs"])
        return "#[non_exhaustive] " if is_open else ""

    def visit_module(self, item, node, full, prefix):
        self.add(f"mod {full}")
        self.members(node, full)

    def members(self, module, prefix):
        # Modules last: what the root has is listed there, and once.
        public = [child for child in module["items"] if self.item(child) and self.item(child)["visibility"] == "public"]
        for child in sorted(public, key=lambda child: ("module" in self.item(child)["inner"], self.item(child)["name"] or "")):
            self.walk(child, prefix)

    def visit_use(self, item, node, full, prefix):
        target = node["id"] is not None and self.item(node["id"])
        if not target:
            star = "::*" if node["is_glob"] else ""
            self.add(f"use {prefix}::{node['name']} = {node['source']}{star}")
        elif node["is_glob"]:
            self.members(target["inner"]["module"], prefix)
        else:
            self.walk(node["id"], prefix, node["name"])

    def visit_struct(self, item, node, full, prefix):
        params, where = generics(node["generics"])
        shape = node["kind"]
        if shape == "unit":
            self.add(f"{self.mark(item)}struct {full}{params}{where};")
        elif "tuple" in shape:
            fields = [f"pub {kind(self.item(field)['inner']['struct_field'])}" if field is not None and self.item(field) else "_" for field in shape["tuple"]]
            self.add(f"{self.mark(item)}struct {full}{params}({', '.join(fields)}){where};")
        else:
            closed = " with private fields" if shape["plain"]["has_stripped_fields"] else ""
            self.add(f"{self.mark(item)}struct {full}{params}{where}{closed}")
            for field in shape["plain"]["fields"]:
                self.field(field, full)
        self.implementations(node["impls"], full)

    def field(self, number, full):
        field = self.item(number)
        if field:
            self.add(f"field {full}.{field['name']}: {kind(field['inner']['struct_field'])}")

    def visit_enum(self, item, node, full, prefix):
        params, where = generics(node["generics"])
        self.add(f"{self.mark(item)}enum {full}{params}{where}")
        for number in node["variants"]:
            variant = self.item(number)
            if variant is None:
                continue
            shape = variant["inner"]["variant"]["kind"]
            text = f"{self.mark(variant)}variant {full}::{variant['name']}"
            if shape != "plain" and "tuple" in shape:
                fields = [kind(self.item(field)["inner"]["struct_field"]) for field in shape["tuple"] if field is not None]
                text += f"({', '.join(fields)})"
            elif shape != "plain":
                for field in shape["struct"]["fields"]:
                    self.field(field, f"{full}::{variant['name']}")
            self.add(text)
        self.implementations(node["impls"], full)

    def implementations(self, numbers, full):
        traits = set()
        for number in numbers:
            item = self.item(number)
            if item is None:
                continue
            node = item["inner"]["impl"]
            trait = node["trait"]
            if node["blanket_impl"] or (node["is_synthetic"] and not node["is_negative"]):
                continue
            if trait is None:
                for child in node["items"]:
                    if self.item(child)["visibility"] == "public":
                        self.walk(child, full)
                continue
            params, where = generics(node["generics"])
            negative = "!" if node["is_negative"] else ""
            if path(trait) not in ("StructuralPartialEq", "UnwindSafe", "RefUnwindSafe"):
                traits.add(f"{params}{' ' if params else ''}{negative}{path(trait)}{where}")
        if traits:
            self.add(f"impl {full}: {', '.join(sorted(traits))}")

    def visit_function(self, item, node, full, prefix):
        self.add(function(full, node))

    def visit_trait(self, item, node, full, prefix):
        params, where = generics(node["generics"])
        above = bounds(node["bounds"])
        self.add(f"trait {full}{params}{f': {above}' if above else ''}{where}")
        for child in node["items"]:
            self.walk(child, full)

    def visit_constant(self, item, node, full, prefix):
        self.add(f"const {full}: {kind(node['type'])}")

    def visit_static(self, item, node, full, prefix):
        self.add(f"static {full}: {kind(node['type'])}")

    def visit_type_alias(self, item, node, full, prefix):
        params, where = generics(node["generics"])
        self.add(f"type {full}{params}{where} = {kind(node['type'])}")

    def visit_assoc_const(self, item, node, full, prefix):
        self.add(f"const {full}: {kind(node['type'])}")

    def visit_assoc_type(self, item, node, full, prefix):
        limit = bounds(node["bounds"])
        default = f" = {kind(node['type'])}" if node["type"] else ""
        self.add(f"type {full}{f': {limit}' if limit else ''}{default}")

    def visit_macro(self, item, node, full, prefix):
        self.add(f"macro {full}!")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        crate = json.load(file)
    lister = Lister(crate)
    root = lister.item(crate["root"])
    lister.members(root["inner"]["module"], root["name"])
    print("\n".join(sorted(lister.lines)))


main()
