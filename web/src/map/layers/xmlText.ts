// Decodes XML in its declared character set; browsers assume UTF-8 for fetched text.

/** Decodes by byte order mark, XML declaration or header; falls back to UTF-8. */
export function decodeXml(bytes: Uint8Array, contentType: string | null): string {
  const begins = (...mark: number[]) => mark.every((byte, at) => bytes[at] === byte);
  const marked = begins(0xef, 0xbb, 0xbf) ? 'utf-8' : begins(0xff, 0xfe) || begins(0x3c, 0x00) ? 'utf-16le' : begins(0xfe, 0xff) || begins(0x00, 0x3c) ? 'utf-16be' : null;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  const said = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  for (const label of [marked, declared, said]) {
    if (!label) continue;
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      // Unknown character set: try the next declaration.
    }
  }
  return new TextDecoder().decode(bytes);
}

/** Returns the text of an XML response. */
export async function readXmlText(response: Response): Promise<string> {
  return decodeXml(new Uint8Array(await response.arrayBuffer()), response.headers.get('content-type'));
}
