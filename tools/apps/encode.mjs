// Expands placeholders in sources: `__ID__` is the id of the application, `@name{text}` encodes the text. Addresses are
// final before bundling, so that every technique can hide them and none has to replace them later.

const reversed = text => [...text].reverse().join("");

const ENCODINGS = {
  b64: text => Buffer.from(text, "utf8").toString("base64"),
  hex: text => Buffer.from(text, "utf8").toString("hex"),
  codes: text => [...text].map(c => c.charCodeAt(0)).join(","),
  shifted: text => [...text].map(c => c.charCodeAt(0) + 7).join(","),
  xor: text => [...text].map((c, i) => c.charCodeAt(0) ^ ((i * 5 + 23) & 63)).join(","),
  reversed,
  rot13: text => text.replace(/[a-z]/gi, c => String.fromCharCode((c <= "Z" ? 90 : 122) >= c.charCodeAt(0) + 13 ? c.charCodeAt(0) + 13 : c.charCodeAt(0) - 13)),
  uri: text => encodeURIComponent(text),
};

/** Expands the placeholders of a source. Throws for an unknown encoding. */
export function expand(text, id) {
  const named = text.replaceAll("__ID__", id);
  return named.replace(/@(\w+)\{\{(.*?)\}\}/gs, (whole, name, inner) => {
    if (!(name in ENCODINGS)) throw new Error(`${id}: no encoding ${name}`);
    return ENCODINGS[name](inner);
  });
}
