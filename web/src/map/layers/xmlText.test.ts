import { describe, expect, it } from 'vitest';
import { decodeXml } from './xmlText';

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('XML as text', () => {
  it('is read in the character set that it declares', () => {
    expect(decodeXml(latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>Zürich</a>'), 'text/xml')).toContain('Zürich');
    expect(decodeXml(latin1("<?xml version='1.0' encoding='ISO-8859-2'?><a>\xa3\xf3d\xbc</a>"), null)).toContain('Łódź');
  });
  it('believes a mark first, then the declaration, then the header', () => {
    expect(decodeXml(new TextEncoder().encode('\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><a>Zürich</a>'), null)).toContain('Zürich');
    expect(decodeXml(new TextEncoder().encode('<?xml version="1.0" encoding="UTF-8"?><a>Zürich</a>'), 'text/xml; charset=ISO-8859-1')).toContain('Zürich');
    expect(decodeXml(latin1('<a>Zürich</a>'), 'text/xml; charset=ISO-8859-1')).toContain('Zürich');
  });
  it('reads UTF-16 with and without a mark', () => {
    const wide = (text: string, mark: boolean) => new Uint8Array(Uint16Array.from([...(mark ? [0xfeff] : []), ...Array.from(text, (letter) => letter.charCodeAt(0))]).buffer);
    for (const mark of [true, false]) expect(decodeXml(wide('<?xml version="1.0" encoding="UTF-16"?><a>Łódź</a>', mark), null)).toContain('Łódź');
  });
  it('takes UTF-8 where nothing helps', () => {
    expect(decodeXml(new TextEncoder().encode('<?xml version="1.0" encoding="klingon"?><a>Zürich</a>'), 'text/xml; charset=none-such')).toContain('Zürich');
    expect(decodeXml(new Uint8Array(), null)).toBe('');
  });
});
