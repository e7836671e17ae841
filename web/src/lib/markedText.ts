// Text with hit words marked. The server sends escaped text with <mark>; here it becomes plain pieces, so nothing a
// stranger wrote can ever become markup, whatever the server let through.

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

/** Pieces of text, marked or not; every tag but <mark> is text. */
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

/** The same as plain text. */
export function stripMarks(html: string): string {
  return splitMarkedText(html)
    .map((piece) => piece.text)
    .join('');
}
