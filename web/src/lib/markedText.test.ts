import { describe, expect, it } from 'vitest';
import { pieces, words } from './markedText';

describe('marked text', () => {
  it('splits marks from text and reads entities', () => {
    expect(pieces('A &amp; <mark>flood</mark>s')).toEqual([
      { text: 'A & ', mark: false },
      { text: 'flood', mark: true },
      { text: 's', mark: false },
    ]);
    expect(words('&lt;b&gt; &#39;x&#x27; &nbsp;&unknown;')).toBe("<b> 'x'  &unknown;");
  });
  it('never makes markup of anything else', () => {
    expect(pieces('<img src=x onerror=alert(1)><mark>a</mark>')).toEqual([
      { text: '<img src=x onerror=alert(1)>', mark: false },
      { text: 'a', mark: true },
    ]);
    expect(pieces('&amp;lt;script&amp;gt;')).toEqual([{ text: '&lt;script&gt;', mark: false }]);
    expect(words('&#99999999;&#0;')).toBe('&#99999999;&#0;');
    expect(pieces('')).toEqual([]);
  });
});
