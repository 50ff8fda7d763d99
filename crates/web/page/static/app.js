// The page: a scene or a recording that runs in the canvas.
import init, { Play, knobs, layers, scenes } from "./scenes.js";
import { paint } from "./canvas.js";
import { move, show } from "./knobs.js";
import { parse, recordingAt, recordingIn, toRecording, toScene, toStep, valuesIn } from "./link.js";
import { listen } from "./pointer.js";
import { isSteering, listenToKeys, steering } from "./steering.js";

/** Length of a step [s]. */
const STEP = 1 / 60;

/** Most steps of a frame: a tab that was hidden does not catch up. */
const MOST_STEPS = 3;

/** Share of the canvas that the frame of a scene takes. */
const MARGIN = 0.86;

/** Share of the view, from its middle, in which the body that a scene is about may move without the view. */
const LOOSE = 0.6;

/** Most that a wide scene with such a body is enlarged beyond its width. */
const CROP = 2.2;

/** Time for which a button says what it did [ms]. */
const NOTICE = 1500;

/** Weight of the last frame in the mean time of a step. */
const SMOOTHING = 0.05;

const element = (id) => document.getElementById(id);
const canvas = element("canvas");
const context = canvas.getContext("2d");
const view = { x: 0, y: 0, scale: 40 };
const list = [];
let play = null;
let scene = "";
let parameters = [];
let values = [];
let bytes = null;
let recordingLink = null;
let recordsNow = false;
let steers = false;
let follows = false;
let running = true;
let shown = 0;
let owed = 0;
let last = 0;
let stepTime = 0;
let painted = 0;

function report(error) {
  const box = element("error");
  box.hidden = !error;
  box.textContent = error ? String(error.message ?? error) : "";
}

function size() {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [width, height];
}

function fit() {
  const [x, y, halfWidth, halfHeight] = play.frame();
  const [width, height] = size();
  const [across, upward] = [width / halfWidth, height / halfHeight];
  follows = play.focus().length > 0;
  Object.assign(view, { x, y, scale: (MARGIN / 2) * Math.min(follows ? CROP * across : across, upward) });
}

/** Keeps the body that the scene is about in view, until the user moves the view. */
function keepInView() {
  const [x, y] = play.focus();
  if (!follows || x === undefined) return;
  const room = (pixels) => (LOOSE / 2) * (pixels / view.scale);
  const within = (center, at, half) => Math.min(Math.max(center, at - half), at + half);
  view.x = within(view.x, x, room(canvas.clientWidth));
  view.y = within(view.y, y, room(canvas.clientHeight));
}

const toWorld = (px, py) => [
  view.x + (px - canvas.clientWidth / 2) / view.scale,
  view.y - (py - canvas.clientHeight / 2) / view.scale,
];

/** Starts a scene, or the opened recording, from its beginning. Returns false if that is not possible. */
function start() {
  setRecording(false);
  try {
    const next = bytes ? Play.recording(bytes) : Play.scene(scene, new Float32Array(values));
    play?.free();
    play = next;
    report(null);
  } catch (error) {
    report(error);
    return false;
  }
  owed = 0;
  stepTime = 0;
  steers = false;
  const entry = list.find(({ name }) => name === scene);
  const keys = play.keys();
  element("about").textContent = bytes ? "A recording." : keys ? `${entry.about} (${keys})` : entry.about;
  element("keys").hidden = !keys;
  document.title = `${bytes ? "Recording" : entry.title}, cairn2d`;
  return true;
}

const setLink = (link) => location.hash !== link && history.replaceState(null, "", link);

function setParameter(index, value) {
  values[index] = value;
  setLink(toScene(scene, parameters, values));
  start();
}

/** Opens the scene of a name. `words` has values of its parameters. */
function open(name, words = new Map()) {
  bytes = null;
  scene = name;
  parameters = numbersOf(name);
  values = valuesIn(words, parameters);
  show(element("knobs"), parameters, values, setParameter);
  element("scene").value = name;
  element("save").hidden = true;
  setLink(toScene(name, parameters, values));
  start();
  fit();
}

/** Opens a recording. `link` is one to it; without one, the link holds the recording. */
async function openRecording(recording, link, step = 0) {
  const before = bytes;
  bytes = recording;
  if (!start()) {
    bytes = before;
    return;
  }
  recordingLink = link ?? (await toRecording(recording));
  if (recordingLink) setLink(toStep(recordingLink, step));
  const [, length] = play.place();
  const seek = (_, value) => {
    setRunning(false);
    play.seek(value);
  };
  element("scene").selectedIndex = -1;
  show(element("knobs"), [{ title: "step", low: 0, high: length, step: 1 }], [0], seek);
  const save = element("save");
  URL.revokeObjectURL(save.href);
  Object.assign(save, { hidden: false, href: URL.createObjectURL(new Blob([recording])), download: `${scene || "scene"}.rec` });
  if (step > 0) seek(0, step);
  fit();
}

/** Opens what the link of the page asks for. */
async function follow() {
  const { scene: name, recording, data, step, words } = parse(location.hash);
  let problem = null;
  try {
    if (data) return await openRecording(await recordingIn(data), `#data=${data}`, step);
    if (recording) return await openRecording(await recordingAt(recording), `#recording=${encodeURIComponent(recording)}`, step);
  } catch (error) {
    problem = error;
  }
  const known = list.some((entry) => entry.name === name);
  if (known || !play) open(known ? name : list[0].name, words);
  if (problem) report(problem);
}

function setRecording(value) {
  recordsNow = value;
  element("record").textContent = value ? "Stop" : "Record";
  document.querySelector("#recording summary").textContent = value ? "Recording\u2026" : "Recording";
}

/** Starts to record the scene, or ends that and shows the recording. */
function record() {
  if (bytes) return;
  if (recordsNow) return openRecording(play.stopRecording());
  play.startRecording();
  setRecording(true);
  setRunning(true);
}

/** Copies a link to the scene with its parameters, or to the step of a recording. */
async function share() {
  if (bytes && !recordingLink) {
    return report("This recording is too long for a link. Save its file, put it on a server, and link to #recording=ADDRESS.");
  }
  if (bytes) setLink(toStep(recordingLink, running ? 0 : play.place()[0]));
  const button = element("share");
  const said = await navigator.clipboard.writeText(location.href).then(() => "Copied", () => "See address");
  button.textContent = said;
  setTimeout(() => (button.textContent = "Link"), NOTICE);
}

/** Lets the user steer, from the first key on. */
function steer() {
  steers ||= isSteering() && play.keys() !== "";
  if (steers) play.steer(...steering());
}

function step() {
  const begin = performance.now();
  let goesOn = false;
  try {
    steer();
    goesOn = play.step();
  } catch (error) {
    report(error);
  }
  const time = performance.now() - begin;
  stepTime = stepTime === 0 ? time : stepTime + SMOOTHING * (time - stepTime);
  if (!goesOn) setRunning(false);
}

function setRunning(value) {
  running = value;
  element("play").textContent = running ? "Pause" : "Play";
}

const isDark = () => document.documentElement.dataset.theme === "dark";

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function draw() {
  const [width, height] = size();
  keepInView();
  context.clearRect(0, 0, width, height);
  const commands = play.draw(view.x, view.y, view.scale, width, height, shown, isDark());
  painted = paint(context, commands, play.texts().split("\n"));
  const [steps, bodies, awake, contacts, joints] = play.figures();
  const count = (number, name, plural = `${name}s`) => `${number} ${number === 1 ? name : plural}`;
  const counts = [count(bodies, "body", "bodies"), `${awake} awake`, count(contacts, "contact"), count(joints, "joint")];
  const words = [`step ${steps}`, `${stepTime.toFixed(2)} ms`, ...counts];
  element("figures").textContent = words.join(" · ");
  const [place] = play.place();
  if (place !== undefined) move(element("knobs"), 0, place);
}

function frame(now) {
  if (play) {
    if (running) {
      owed = Math.min(owed + (now - last) / 1000, MOST_STEPS * STEP);
      for (; owed >= STEP && running; owed -= STEP) step();
    }
    draw();
  }
  last = now;
  requestAnimationFrame(frame);
}

/** Zooms so that the place under a pixel stays there. */
function zoom(factor, px, py) {
  follows = false;
  const [x, y] = toWorld(px, py);
  view.scale = Math.min(Math.max(view.scale * factor, 1e-3), 1e5);
  view.x = x - (px - canvas.clientWidth / 2) / view.scale;
  view.y = y + (py - canvas.clientHeight / 2) / view.scale;
}

function fillList() {
  const groups = new Map();
  for (const line of scenes().split("\n")) {
    const [name, title, category, about] = line.split("\t");
    list.push({ name, title, about });
    if (!groups.has(category)) {
      const group = document.createElement("optgroup");
      group.label = category;
      groups.set(category, group);
      element("scene").append(group);
    }
    groups.get(category).append(new Option(title, name));
  }
}

function fillLayers() {
  for (const line of layers().split("\n")) {
    const [bit, on, title] = line.split("\t");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: on === "1" });
    if (box.checked) shown |= 1 << bit;
    box.addEventListener("change", () => (shown ^= 1 << bit));
    const label = document.createElement("label");
    label.append(box, ` ${title}`);
    element("layers").lastElementChild.append(label);
  }
}

/** Numbers that a scene can be built with. */
function numbersOf(name) {
  const lines = knobs(name).split("\n").filter((line) => line);
  return lines.map((line) => {
    const [title, ...numbers] = line.split("\t");
    const [low, high, usual, step] = numbers.map(Number);
    return { title, low, high, usual, step };
  });
}

function connect() {
  const single = () => {
    setRunning(false);
    step();
  };
  const keys = { " ": () => setRunning(!running), n: single, r: start, f: fit, t: () => setTheme(!isDark()), l: share };
  const buttons = { play: keys[" "], step: single, restart: start, view: fit, theme: keys.t, share, record };
  for (const [id, act] of Object.entries(buttons)) element(id).addEventListener("click", act);
  canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key.toLowerCase()];
    if (act) event.preventDefault();
    act?.();
  });
  // After a choice with the pointer, the keys belong to the scene; with the keyboard, to the list.
  let byPointer = false;
  element("scene").addEventListener("pointerdown", () => (byPointer = true));
  element("scene").addEventListener("keydown", () => (byPointer = false));
  element("scene").addEventListener("change", (event) => {
    open(event.target.value);
    if (byPointer) canvas.focus({ preventScroll: true });
  });
  element("file").addEventListener("change", async ({ target: { files } }) => files[0] && openRecording(new Uint8Array(await files[0].arrayBuffer())));
  element("error").addEventListener("click", () => report(null));
  listenToKeys(element("keys"), () => play.keys() !== "");
  new ResizeObserver(() => play && fit()).observe(canvas);
  window.addEventListener("hashchange", follow);
  listen(canvas, {
    grab: (px, py) => play.grab(...toWorld(px, py)),
    pull: (px, py) => play.pull(...toWorld(px, py)),
    release: () => play.release(),
    pan: (dx, dy) => {
      follows = false;
      Object.assign(view, { x: view.x - dx / view.scale, y: view.y + dy / view.scale });
    },
    zoom,
  });
}

await init({ module_or_path: new URL("./scenes_bg.wasm", import.meta.url) });
fillList();
fillLayers();
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
connect();
await follow();
requestAnimationFrame(frame);

// For the tests of the page.
window.testbed = {
  names: () => list.map(({ name }) => name),
  open,
  pause: () => setRunning(false),
  play: () => setRunning(true),
  steps: (count) => {
    for (let i = 0; i < count; i++) step();
  },
  hash: () => play.hash(),
  focus: () => Array.from(play.focus()),
  steering,
  painted: () => painted,
  pixel: (x, y) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [left + (x - view.x) * view.scale + width / 2, top + (view.y - y) * view.scale + height / 2];
  },
};
