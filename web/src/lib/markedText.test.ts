import { describe, expect, it } from 'vitest';
import { splitMarkedText, stripMarks } from './markedText';

describe('marked text', () => {
  it('splits marks from text and reads entities', () => {
    expect(splitMarkedText('A &amp; <mark>flood</mark>s')).toEqual([
      { text: 'A & ', mark: false },
      { text: 'flood', mark: true },
      { text: 's', mark: false },
    ]);
    expect(stripMarks('&lt;b&gt; &#39;x&#x27; &nbsp;&unknown;')).toBe("<b> 'x'  &unknown;");
  });
  it('never makes markup of anything else', () => {
    expect(splitMarkedText('<img src=x onerror=alert(1)><mark>a</mark>')).toEqual([
      { text: '<img src=x onerror=alert(1)>', mark: false },
      { text: 'a', mark: true },
    ]);
    expect(splitMarkedText('&amp;lt;script&amp;gt;')).toEqual([{ text: '&lt;script&gt;', mark: false }]);
    expect(stripMarks('&#99999999;&#0;')).toBe('&#99999999;&#0;');
    expect(splitMarkedText('')).toEqual([]);
  });
});
