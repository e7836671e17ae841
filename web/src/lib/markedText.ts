// Text with highlighted matches. The server sends escaped text with <mark>; it is split into plain pieces here, so
// that third-party text can never become markup.

export interface TextPiece {
  text: string;
  mark: boolean;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function plain(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Splits text into marked and unmarked pieces; every tag other than <mark> is text. */
export function splitMarkedText(html: string): TextPiece[] {
  const found: TextPiece[] = [];
  let mark = false;
  for (const part of html.split(/(<\/?mark>)/i)) {
    if (part === '') continue;
    const tag = part.toLowerCase();
    if (tag === '<mark>') mark = true;
    else if (tag === '</mark>') mark = false;
    else found.push({ text: plain(part), mark });
  }
  return found;
}

/** Returns the text without marks. */
export function stripMarks(html: string): string {
  return splitMarkedText(html)
    .map((piece) => piece.text)
    .join('');
}
