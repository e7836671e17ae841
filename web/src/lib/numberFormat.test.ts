import { describe, expect, it } from 'vitest';
import { formatDigits, THIN_SPACE } from './numberFormat';

/** Formats with the platform, using our group separator. */
function platform(value: number, language: string, digits: number): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping: true });
  return format.formatToParts(value).map((part) => (part.type === 'group' ? THIN_SPACE : part.value)).join('');
}

describe('numbers as text', () => {
  const values = [0, -0.0, 1, 12, 999, 1000, 1234, 9999, 10_000, 123_456, 1_234_567_890, -5, -1234.5, 0.25, 0.04, 1.005, 2.5, 99.95, 1e-9, 123_456.789];
  it.each(['en', 'de'])('are what the platform says, in %s', (language) => {
    for (const value of values)
      for (const digits of [0, 1, 2]) {
        // The platform rounds decimal digits, we round the binary number: results differ where it is not an exact decimal.
        if (value === 1.005 && digits === 2) continue;
        // The platform also keeps the sign of a negative zero.
        if (Object.is(value, -0) || (value < 0 && Math.round(Math.abs(value) * 10 ** digits) === 0)) continue;
        expect(formatDigits(value, language, digits), `${value} ${digits}`).toBe(platform(value, language, digits));
      }
  });
  it('has thin spaces from the thousands on', () => {
    expect(formatDigits(3510, 'en')).toBe(`3${THIN_SPACE}510`);
    expect(formatDigits(1234567.5, 'de', 1)).toBe(`1${THIN_SPACE}234${THIN_SPACE}567,5`);
  });
  it('leaves what it does not know to the platform', () => {
    expect(formatDigits(Number.NaN, 'en')).toBe('NaN');
    expect(formatDigits(1e21, 'en')).toBe(platform(1e21, 'en', 0));
    expect(formatDigits(1234.5, 'fr', 1)).toBe(`1${THIN_SPACE}234,5`);
  });
});
