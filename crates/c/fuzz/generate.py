"""Writes a program that calls all functions of the C interface in random order with random arguments.

It is made from the header, so a new function is called without further work. Structures start from their defaults, get random
fields, and sometimes random bytes; pointers are null now and then, otherwise they point to as much as the call says, since that is
the contract. Each call ends with a result; the program checks that none is CAIRN_PANIC or CAIRN_POISONED.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import bindings  # noqa: E402

HEAD = r"""
#include <cairn2d.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROOM 64

static uint64_t state;

/* The world, crowd, bytes and player of the present call. */
static uint32_t slot;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1DULL;
}

static uint32_t below(uint32_t limit) { return (uint32_t)((next() >> 33) % limit); }

static float number(void) {
    static const float special[] = {0.0f, -0.0f, 1e-45f, 1e-6f, 1e6f, 1e9f, 1e20f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN};
    if (below(40) == 0) return special[below(sizeof special / sizeof special[0])];
    return ((float)below(2001) - 1000.0f) / (below(3) == 0 ? 10.0f : 200.0f);
}

/* A number of things that fit a buffer; often few, so that all of them may be valid. */
static size_t some(void) { return below(below(2) ? 5 : ROOM + 1); }

static uint32_t word(void) { return below(8) == 0 ? (uint32_t)next() : below(11); }

static cairn_bool accept(void *context, cairn_shape_id shape) { return context != NULL || shape.bits % 3 != 0; }
static cairn_bool pair_filter(void *context, const cairn_hook_shape *a, const cairn_hook_shape *b) {
    (void)context;
    return (a->shape.bits + b->shape.bits) % 5 != 0;
}
static void pre_solve(void *context, cairn_pre_solve *contact) {
    (void)context;
    contact->friction = (float)(contact->shape_a.shape.bits % 7) - 1.0f;
    contact->surface_speed = contact->normal.x / contact->normal.y;
    contact->ignore = contact->shape_b.shape.bits % 11 == 0;
}
static void polygon(void *c, const cairn_position *p, size_t n, const cairn_draw_style *s) { (void)c, (void)s; (void)p[n - 1].x; }
static void segment(void *c, const cairn_position *a, const cairn_position *b, const cairn_draw_style *s) { (void)c, (void)a, (void)b, (void)s; }
static void point(void *c, const cairn_position *p, float size, const cairn_color *color) { (void)c, (void)p, (void)size, (void)color; }
static void text(void *c, const cairn_position *p, const char *t, const cairn_color *color) { (void)c, (void)p, (void)color; (void)strlen(t); }
"""

# Handles that calls create, and how many of each are kept.
POOL = 3

# Fields that are pointers or count what a pointer points to.
FIELDS = {
    ("cairn_geometry", "points"): "below(9) == 0 ? NULL : some_cairn_vec2s",
    ("cairn_geometry", "point_count"): "below(ROOM)",
    ("cairn_obstacle_def", "points"): "below(9) == 0 ? NULL : some_cairn_vec2s",
    ("cairn_obstacle_def", "point_count"): "below(ROOM)",
    ("cairn_query_filter", "accept"): "below(3) == 0 ? accept : NULL",
    ("cairn_query_filter", "context"): "NULL",
    ("cairn_draw_callbacks", "context"): "NULL",
    ("cairn_draw_callbacks", "polygon"): "below(5) == 0 ? NULL : polygon",
    ("cairn_draw_callbacks", "segment"): "below(5) == 0 ? NULL : segment",
    ("cairn_draw_callbacks", "point"): "below(5) == 0 ? NULL : point",
    ("cairn_draw_callbacks", "text"): "below(5) == 0 ? NULL : text",
    # More threads than cores only cost time.
    ("cairn_world_def", "threads"): "below(40) == 0 ? word() : 1 + below(2)",
    ("cairn_crowd_def", "threads"): "below(40) == 0 ? word() : 1 + below(2)",
    ("cairn_world_def", "substeps"): "below(40) == 0 ? word() : 1 + below(8)",
    # A drawing of circles at a thousand pixels a meter is large.
    ("cairn_draw_def", "pixels_per_meter"): "below(9) == 0 ? number() : 40.0f",
}

ARGUMENTS = {
    ("cairn_world_set_pair_filter", "accept"): "below(2) ? pair_filter : NULL",
    ("cairn_world_set_pre_solve", "callback"): "below(2) ? pre_solve : NULL",
    ("cairn_world_step", "dt"): "below(20) == 0 ? number() : 1.0f / 60.0f",
    ("cairn_crowd_step", "dt"): "below(20) == 0 ? number() : 1.0f / 60.0f",
    ("cairn_crowd_update", "dt"): "below(20) == 0 ? number() : 1.0f / 60.0f",
}

# Structures that start from a value of the caller, not from zeros.
STARTS = {
    "cairn_geometry": "below(2) ? cairn_make_circle(0.0f, 0.0f, 0.5f) : cairn_make_rectangle(1.0f, 0.5f)",
    "cairn_joint_def": "cairn_default_joint_def(below(11), random_cairn_body_id(), random_cairn_body_id())",
    "cairn_obstacle_def": "cairn_default_obstacle_def(some_cairn_vec2s, 3 + below(4))",
    "cairn_walker_def": "{cairn_default_agent_def(), 100.0f, 1.0f}",
    "cairn_target": "{{1.0, 1.0}, 0.5f, 1.0f}",
    "cairn_mass": "{2.0f, 1.0f, {0.0f, 0.1f}}",
    "cairn_wind": "cairn_default_wind_def(3.0f, 1.0f)",
    "cairn_spring": "{1, 2.0f, 0.5f, 0.0f}",
    "cairn_motor": "{1, 2.0f, 10.0f}",
    "cairn_limit": "{1, -1.0f, 1.0f}",
    "cairn_softness": "{1, 5.0f, 1.0f}",
    "cairn_joint_frame": "{{0.5f, 0.0f}, 0.0f}",
    "cairn_body_force": "{random_cairn_body_id(), {1.0f, 2.0f}, 1.0f, 0}",
}

# Destroying and clearing must be rare, or nothing exists. Steps, shapes and bodies must be frequent.
RARE = ("_destroy", "_clear", "_load", "_clone", "_copy_world", "cairn_crowd_create", "_player_create", "_base_save_create", "_set_def", "_set_enabled", "_shift_origin", "_stop_recording", "_set_kind")
FREQUENT = ("cairn_world_step", "cairn_shape_create", "cairn_body_create", "cairn_joint_create", "cairn_crowd_step", "cairn_crowd_create_agent", "cairn_crowd_attach")


class Writer:
    def __init__(self):
        self.header = bindings.Header()
        self.lines = [HEAD]
        self.ids = [name for name in self.header.structs if name.endswith("_id")]
        self.defaults = {
            result[0]: name
            for name, (result, parameters) in self.header.functions.items()
            if name.startswith("cairn_default_") and not parameters
        }

    def value(self, kind, owner, field):
        if (owner, field) in FIELDS:
            return FIELDS[owner, field]
        name, stars = kind
        if stars:
            return "NULL"
        if name in ("float", "double"):
            return "number()"
        if name in ("uint8_t", "char"):
            return "(uint8_t)next()" if field == "priority" else "(uint8_t)below(3)"
        if name in bindings.NUMBERS:
            return "word()"
        return f"random_{name}()"

    def structs(self):
        for name in self.ids:
            self.lines.append(
                f"static {name} known_{name}[{POOL}][ROOM];\n"
                f"static uint32_t count_{name}[{POOL}];\n"
                f"static {name} random_{name}(void) {{\n"
                f"    uint32_t count = count_{name}[slot];\n"
                f"    {name} id = known_{name}[slot][count == 0 ? 0 : below(count < ROOM ? count : ROOM)];\n"
                f"    if (below(20) == 0) id.bits = below(2) ? next() : below(5);\n"
                f"    return id;\n}}"
            )
        self.lines.append("static cairn_vec2 some_cairn_vec2s[ROOM];")
        for name, fields in self.header.structs.items():
            if name in self.ids:
                continue
            start = STARTS.get(name, f"{self.defaults[name]}()" if name in self.defaults else None)
            body = [f"    {name} made" + (f" = {start};\n    int all = below(20) == 0;" if start else ";\n    memset(&made, 0, sizeof made);")]
            for kind, field, count in fields:
                for index in range(count):
                    place = f"made.{field}" + (f"[{index}]" if count > 1 else "")
                    guard = f"if (all || below({2 * len(fields)}) == 0) " if start else ""
                    if (name, field) in FIELDS and name in ("cairn_geometry", "cairn_obstacle_def"):
                        guard = "if (all) " if name == "cairn_obstacle_def" else ""
                    elif kind[1] or field == "kind" and name in ("cairn_body_def",):
                        guard = ""
                    body.append(f"    {guard}{place} = {self.value(kind, name, field)};")
            self.lines.append(f"static {name} random_{name}(void) {{\n" + "\n".join(body) + "\n    return made;\n}")

    def prelude(self, function, parameters):
        """Returns the statements before a call, its arguments, and the statements after it."""
        before, arguments, after = [], [], []
        for index, (kind, name, _) in enumerate(parameters):
            base, stars = kind
            each = f"a{index}"
            if (function, name) in ARGUMENTS:
                arguments.append(ARGUMENTS[function, name])
            elif base in self.header.opaque and stars == 1:
                arguments.append(f"below(40) == 0 ? NULL : pool_{base}[slot]")
            elif base in self.header.opaque and stars == 2:
                before.append(f"{base} *{each} = NULL;")
                arguments.append(f"below(40) == 0 ? NULL : &{each}")
                after.append(
                    f"if ({each} != NULL) {{ {base}_destroy(pool_{base}[slot]); pool_{base}[slot] = {each}; }}"
                )
            elif stars and base in ("void",):
                arguments.append("NULL")
            elif stars and base in ("uint8_t", "char"):
                source = "pool_cairn_bytes[slot]"
                if base == "uint8_t" and name in ("data", "base", "delta"):
                    before.append(f"const uint8_t *{each} = cairn_bytes_data({source}); size_t size{index} = cairn_bytes_size({source});")
                    before.append(f"if (size{index} > 0 && below(3) == 0) size{index} = below((uint32_t)size{index});")
                    arguments.append(each)
                elif base == "uint8_t":
                    before.append(f"uint8_t {each} = 0;")
                    arguments.append(f"&{each}")
                else:
                    before.append(f"char {each}[ROOM];")
                    arguments.append(each)
            elif stars and name in ("count", "triangle_count", "line_count") or stars and base == "size_t":
                before.append(f"size_t {each} = 0;")
                arguments.append(f"below(40) == 0 ? NULL : &{each}")
            elif stars and base in bindings.NUMBERS:
                before.append(f"{base} {each} = 0;")
                arguments.append(f"below(40) == 0 ? NULL : &{each}")
            elif stars:
                before.append(f"static {base} {each}[ROOM];")
                before.append(f"for (uint32_t i = 0, n = below(ROOM); i <= n; i += 1) {each}[i] = random_{base}();")
                arguments.append(f"below(40) == 0 ? NULL : {each}")
                if base in self.ids:
                    after.append(f"if (result == CAIRN_OK && below(2)) known_{base}[slot][count_{base}[slot]++ % ROOM] = {each}[0];")
            elif base == "size_t" and name in ("size", "base_size", "delta_size"):
                arguments.append(f"size{index - 1}")
            elif base == "size_t":
                arguments.append("some()")
            elif base in self.header.structs:
                arguments.append(f"random_{base}()")
            else:
                arguments.append(self.value(kind, function, name))
        return before, arguments, after

    def calls(self):
        for name in self.header.opaque:
            self.lines.append(f"static {name} *pool_{name}[{POOL}];")
        names = []
        for name, (result, parameters) in self.header.functions.items():
            if result != ("uint32_t", 0) or not parameters or name in ("cairn_abi_version",):
                continue
            if name.endswith("_destroy") and parameters[0][0][0] in self.header.opaque and len(parameters) == 1:
                continue  # the pools destroy their handles
            before, arguments, after = self.prelude(name, parameters)
            self.lines.append(
                f"static cairn_result call_{name}(void) {{\n    slot = below({POOL});\n"
                + "".join(f"    {line}\n" for line in before)
                + f"    cairn_result result = {name}({', '.join(arguments)});\n"
                + "".join(f"    {line}\n" for line in after)
                + "    return result;\n}"
            )
            weight = 60 if name in FREQUENT else 1 if any(part in name for part in RARE) else 8
            names.append((name, weight))
        table = ",\n    ".join(f'{{"{name}", call_{name}, {weight}, 0, 0}}' for name, weight in names)
        self.lines.append(
            "static struct { const char *name; cairn_result (*call)(void); uint32_t weight; uint64_t calls, accepted; } "
            f"calls[] = {{\n    {table}}};\n#define CALLS (sizeof calls / sizeof calls[0])"
        )

    def program(self):
        forget = "\n".join(f"        count_{name}[i] = 0;\n        memset(known_{name}[i], 0, sizeof known_{name}[i]);" for name in self.ids)
        fresh = "\n".join(
            f"        {name}_destroy(pool_{name}[i]); pool_{name}[i] = NULL;" for name in self.header.opaque
        )
        self.lines.append(
            r"""
static void fresh(void) {
    for (int i = 0; i < POOL; i += 1) {
DESTROY
FORGET
        cairn_world_def def = cairn_default_world_def();
        def.id_mark = below(2);
        cairn_world_create(&def, &pool_cairn_world[i]);
        cairn_crowd_create(NULL, &pool_cairn_crowd[i]);
        cairn_bytes_create(&pool_cairn_bytes[i]);
        cairn_world_start_recording(pool_cairn_world[i]);
        cairn_world_step(pool_cairn_world[i], 0.01f);
        cairn_world_stop_recording(pool_cairn_world[i], pool_cairn_bytes[i]);
        cairn_player_create(cairn_bytes_data(pool_cairn_bytes[i]), cairn_bytes_size(pool_cairn_bytes[i]), &pool_cairn_player[i]);
        cairn_world_save(pool_cairn_world[0], pool_cairn_bytes[i]);
        cairn_base_save_create(pool_cairn_world[0], &pool_cairn_base_save[i]);
    }
    for (int i = 0; i < ROOM; i += 1) {
        some_cairn_vec2s[i].x = i < 7 ? cosf((float)i) : number();
        some_cairn_vec2s[i].y = i < 7 ? sinf((float)i) : number();
    }
}

int main(int count, char **arguments) {
    double seconds = count > 1 ? atof(arguments[1]) : 10.0;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 0) : 1, round = 0;
    uint32_t weights = 0;
    for (size_t i = 0; i < CALLS; i += 1) weights += calls[i].weight;
    time_t end = time(NULL) + (time_t)seconds;
    while (time(NULL) < end) {
        state = (seed + round) * 0x9E3779B97F4A7C15ULL | 1;
        fresh();
        for (int step = 0; step < 3000; step += 1) {
            uint32_t draw = below(weights);
            size_t i = 0;
            while (draw >= calls[i].weight) draw -= calls[i++].weight;
            if (getenv("CAIRN2D_TRACE")) fprintf(stderr, "%s\n", calls[i].name);
            cairn_result result = calls[i].call();
            calls[i].calls += 1;
            calls[i].accepted += result == CAIRN_OK || result == CAIRN_BUFFER_TOO_SMALL;
            if (result == CAIRN_PANIC || result == CAIRN_POISONED || result == CAIRN_BUSY) {
                fprintf(stderr, "round %llu: %s: %s: %s\n", (unsigned long long)(seed + round), calls[i].name,
                        cairn_result_name(result), cairn_last_error());
                return 1;
            }
        }
        round += 1;
    }
    for (int i = 0; i < POOL; i += 1) {
DESTROY
    }
    for (size_t i = 0; i < CALLS; i += 1) {
        printf("%-40s %8llu calls, %8llu accepted\n", calls[i].name, (unsigned long long)calls[i].calls,
               (unsigned long long)calls[i].accepted);
    }
    printf("%llu rounds\n", (unsigned long long)round);
    return 0;
}
""".replace("DESTROY", fresh).replace("FORGET", forget).replace("POOL;", f"{POOL};")
        )

    def text(self):
        self.structs()
        self.calls()
        self.program()
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(Writer().text())
