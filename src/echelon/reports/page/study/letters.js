// Letters: how much room a text takes at most, and names broken into lines that fit, whole; as letters.py and svg.py.

const NARROW = new Set("iljtfrI.,:;|!'()[] "), BROAD = new Set("mwMW@%–—…");
const PIECES = [/\s*\S*\s*/g, /[^:]*:*/g, /[(]*[^\s:,=+/·_()-]*[\s:,=+/·_)-]*/g];

/** Units of width that a text takes at most, in whatever font the reader has. */
const textRoom = (said) => Array.from(said).reduce((room, letter) => room + (NARROW.has(letter) ? 5 : BROAD.has(letter) || letter >= "\u2e80" ? 12.5 : 7.6), 0);

/** The lines of a name, none wider than `room`; it is broken between its words, else after a colon, else after what parts parameters and folders. */
function wrapped(name, room) {
  const lines = [""];
  for (const piece of smallEnough(name, room)) {
    if (lines.at(-1) && textRoom((lines.at(-1) + piece).trimEnd()) > room) lines.push("");
    lines[lines.length - 1] += piece;
  }
  const shown = lines.map((line) => line.trim()).filter(Boolean);
  return shown.length ? shown : [name];
}

/** The pieces of a name, as large as fit; one that is too wide by itself is broken between its letters. */
function smallEnough(name, room, level = 0) {
  if (textRoom(name.trimEnd()) <= room) return [name];
  if (level === PIECES.length) return byLetters(name, room);
  return (name.match(PIECES[level]) ?? []).filter(Boolean).flatMap((piece) => smallEnough(piece, room, level + 1));
}

/** The parts of a piece without anything that parts it, each as long as fits. */
function byLetters(piece, room) {
  const found = [];
  let rest = Array.from(piece);
  while (textRoom(rest.join("").trimEnd()) > room && rest.length > 1) {
    let fit = rest.length - 1;
    while (fit > 1 && textRoom(rest.slice(0, fit).join("")) > room) fit--;
    found.push(rest.slice(0, fit).join(""));
    rest = rest.slice(fit);
  }
  return [...found, rest.join("")];
}
