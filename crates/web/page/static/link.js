// Links to what the page shows: a scene with its parameters, or a recording at a step.

/** Longest link that holds a recording itself [characters]. Browsers take more; other programs cut longer ones. */
const LONGEST = 64_000;

/** Name of a parameter in a link: its title without the unit. */
const word = (title) => title.replace(/ \[.*/, "").replaceAll(" ", "_");

/** What a link asks for: `scene` with the text of its parameters, `recording`, the address of a file, or `data`, a recording. */
export function parse(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const [scene, recording, data] = ["scene", "recording", "data"].map((name) => words.get(name));
  return { scene, recording, data, step: Number(words.get("step")) || 0, words };
}

/** Values of parameters that a link names; the usual ones of the others and of texts that are not numbers. */
export function valuesIn(words, knobs) {
  return knobs.map(({ title, low, high, usual }) => {
    const text = words.get(word(title));
    const value = text ? Number(text) : NaN;
    return Number.isNaN(value) ? usual : Math.min(Math.max(value, low), high);
  });
}

/** Link to a scene. Parameters with their usual values are left out. */
export function toScene(name, knobs, values) {
  const changed = knobs.map(({ title, usual }, i) => (values[i] === usual ? "" : `&${word(title)}=${values[i]}`));
  return `#scene=${name}${changed.join("")}`;
}

/** Link to a step of a recording. */
export const toStep = (link, step) => (step > 0 ? `${link}&step=${step}` : link);

async function pass(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Link that holds a recording itself, or null if that would be too long. */
export async function toRecording(bytes) {
  const packed = await pass(bytes, new CompressionStream("deflate-raw"));
  if (packed.length > 0.75 * LONGEST) return null;
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return `#data=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The recording that a link holds. Throws if it is damaged. */
export async function recordingIn(data) {
  try {
    const text = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    return await pass(Uint8Array.from(text, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
  } catch {
    throw new Error("the recording in this link is damaged");
  }
}

/** The recording at an address. Throws if there is none. */
export async function recordingAt(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`no recording at ${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
