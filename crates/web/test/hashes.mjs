// Writes the states of all scenes after at most 100 steps of the native engine to target/hashes.txt, for the tests of the page.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const words = ["run", "--quiet", "--release", "-p", "cairn2d-examples", "--no-default-features", "--features", "threads", "--bin", "hashes", "--", "--steps", "100"];
const lines = execFileSync("cargo", words, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
const folder = fileURLToPath(new URL("../target", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/hashes.txt`, lines);
