"""The package: stubs name what exists, everything public has a docstring, doctests run, licenses are part of it."""

import ast
import doctest
import importlib
import importlib.metadata
import json
import os
import pathlib
import re

import pytest

import cairn2d
from cairn2d import _native
from cairn2d.compat import SETTINGS, Box2D

ROOT = pathlib.Path(cairn2d.__file__).parent
CLASSES = [name for name in dir(_native) if isinstance(getattr(_native, name), type)]


def stub_members():
    tree = ast.parse((ROOT / "_native.pyi").read_text())
    members = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names = set()
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    names.add(item.name)
                elif isinstance(item, ast.AnnAssign):
                    names.add(item.target.id)
            members[node.name] = names
    return members


def is_ours(name):
    return not (name.startswith("__") or name == "_of_data")


@pytest.mark.parametrize("name", CLASSES)
def test_stubs_name_what_exists(name):
    stubs = {member for member in stub_members()[name] if is_ours(member)}
    real = {member for member in vars(getattr(_native, name)) if is_ours(member)}
    assert stubs == real


@pytest.mark.parametrize("name", CLASSES)
def test_everything_has_a_docstring(name):
    kind = getattr(_native, name)
    assert kind.__doc__
    for member, value in vars(kind).items():
        if not member.startswith("_") and not hasattr(type(value), "__set__"):
            assert value.__doc__, f"{name}.{member}"


def test_package_is_typed_and_exports_what_it_lists():
    assert (ROOT / "py.typed").exists()
    for name in cairn2d.__all__:
        assert getattr(cairn2d, name).__doc__, name


def test_licenses_are_part_of_the_package():
    for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
        text = importlib.metadata.distribution("cairn2d").read_text(f"licenses/{name}")
        assert text == (pathlib.Path(__file__).parents[3] / name).read_text(), name


def test_description_has_no_link_into_the_repository():
    # An index of packages shows this page without the files beside it.
    page = importlib.metadata.metadata("cairn2d").get_payload()
    assert page.startswith("# cairn2d for Python")
    targets = re.findall(r"\]\(([^)]*)\)", page)
    assert [target for target in targets if not target.startswith("https://")] == []


@pytest.mark.parametrize("module", ["cairn2d", "cairn2d.pettingzoo", "cairn2d.sb3", "cairn2d.vector"])
def test_examples_of_docstrings_run(module):
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0 and results.failed == 0


def test_programs_of_the_manual_run():
    page = pathlib.Path(__file__).parents[3] / "docs" / "python.md"
    blocks = page.read_text().split("```python\n")[1:]
    assert len(blocks) >= 5
    # The page installs the stand-in with settings, which would hold for the other tests, too.
    settings = dict(Box2D.b2World.defaults)
    for block in blocks:
        code = block.split("```")[0]
        exec(compile(code, str(page), "exec"), {"__name__": "manual"})
    Box2D.b2World.defaults.update(settings)
    os.environ[SETTINGS] = json.dumps(settings)
