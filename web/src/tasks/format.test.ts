import { describe, expect, it } from 'vitest';
import { toCsv } from './csv';
import { formatBoxText, formatBytes, formatCompact, formatCount, formatDuration, formatExactTime, hostAndPath, formatRate, formatRelativeTime, yieldPer100 } from './format';

const thin = '\u202f';

describe('numbers', () => {
  it('have thin separators, and the mark of the language', () => {
    expect(formatCount(1234, 'en')).toBe(`1${thin}234`);
    expect(formatCount(1234567, 'en')).toBe(`1${thin}234${thin}567`);
    expect(formatCount(12345.67, 'de', 1)).toBe(`12${thin}345,7`);
    expect(formatCount(Number.NaN, 'en')).toBe('–');
  });
  it('shrink for small places', () => {
    expect(formatCompact(950, 'en')).toBe('950');
    expect(formatCompact(15_300, 'en')).toBe(`15${thin}k`);
    expect(formatCompact(1_540_000, 'de')).toBe(`1,5${thin}M`);
  });
  it('show rates with the digits that have sense', () => {
    expect(formatRate(0, 'en')).toBe('0');
    expect(formatRate(0.0432, 'en')).toBe('0.04');
    expect(formatRate(3.14, 'en')).toBe('3.1');
    expect(formatRate(120.4, 'en')).toBe('120');
  });
  it('name bytes in the unit that fits', () => {
    expect(formatBytes(0, 'en')).toBe(`0${thin}B`);
    expect(formatBytes(999, 'en')).toBe(`999${thin}B`);
    expect(formatBytes(999_900, 'en')).toBe(`1${thin}MB`);
    expect(formatBytes(1_250_000_000, 'en')).toBe(`1.3${thin}GB`);
  });
  it('yield is not known before the first page', () => {
    expect(yieldPer100(3, 0)).toBeNull();
    expect(yieldPer100(3, 150)).toBe(2);
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');
  it('are lengths in two units at most', () => {
    expect(formatDuration(420, 'en')).toBe(`0.4${thin}s`);
    expect(formatDuration(42_000, 'en')).toBe(`42${thin}s`);
    expect(formatDuration(185_000, 'en')).toBe(`3${thin}min 5${thin}s`);
    expect(formatDuration(7_800_000, 'en')).toBe(`2${thin}h 10${thin}min`);
    expect(formatDuration(86_400_000 * 4 + 3_600_000 * 3, 'en')).toBe(`4${thin}d 3${thin}h`);
    expect(formatDuration(59_700, 'en')).toBe(`1${thin}min`);
  });
  it('are seen from now', () => {
    expect(formatRelativeTime('2026-11-16T11:59:58Z', now, 'en')).toBe('now');
    expect(formatRelativeTime('2026-11-16T11:57:00Z', now, 'en')).toBe('3 minutes ago');
    expect(formatRelativeTime('2026-11-16T14:00:00Z', now, 'de')).toBe('in 2 Stunden');
    expect(formatRelativeTime('2026-11-15T12:00:00Z', now, 'en')).toBe('yesterday');
    expect(formatRelativeTime('nonsense', now, 'en')).toBe('–');
  });
  it('are exact on hover', () => {
    expect(formatExactTime('2026-11-16T12:00:00Z', 'en')).toMatch(/2026.*:00:00/);
    expect(formatExactTime('nonsense', 'en')).toBe('nonsense');
  });
});

describe('addresses and boxes', () => {
  it('split into host and path', () => {
    expect(hostAndPath('https://a.example:8443/x/y?z=1')).toEqual({ host: 'a.example:8443', path: '/x/y?z=1' });
    expect(hostAndPath('not an address')).toEqual({ host: 'not an address', path: '' });
  });
  it('are short', () => expect(formatBoxText([5.86666, 47.2, 15, 55.1])).toBe('5.867, 47.2, 15, 55.1'));
});

describe('csv', () => {
  it('quotes and disarms formulas', () => {
    expect(toCsv(['name', 'n'], [['a "b", c', 1], ['=HYPERLINK("x")', null]])).toBe('name,n\r\n"a ""b"", c",1\r\n"\'=HYPERLINK(""x"")",\r\n');
  });
  it('leaves negative numbers be', () => expect(toCsv(['x'], [[-3]])).toBe('x\r\n-3\r\n'));
});
