import { describe, expect, it } from 'vitest';
import { digitsOf } from './digits';

describe('numbers as text', () => {
  const values = [0, -0.0, 1, 12, 999, 1000, 1234, 9999, 10_000, 123_456, 1_234_567_890, -5, -1234.5, 0.25, 0.04, 1.005, 2.5, 99.95, 1e-9, 123_456.789];
  it.each(['en', 'de'])('are what the platform says, in %s', (language) => {
    for (const value of values)
      for (const digits of [0, 1, 2]) {
        // The platform rounds by the decimal digits, we by the number: they may part where the number is no exact decimal.
        if (value === 1.005 && digits === 2) continue;
        // And it keeps the sign of a negative nothing.
        if (value < 0 && Math.round(Math.abs(value) * 10 ** digits) === 0) continue;
        for (const [from, useGrouping] of [[4, true], [5, 'min2']] as const) {
          if (Object.is(value, -0)) continue;
          expect(digitsOf(value, language, digits, { from }), `${value} ${digits}`).toBe(new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping }).format(value));
        }
      }
  });
  it('leaves what it does not know to the platform', () => {
    expect(digitsOf(Number.NaN, 'en')).toBe('NaN');
    expect(digitsOf(1e21, 'en')).toBe('1,000,000,000,000,000,000,000');
    expect(digitsOf(1234.5, 'fr', 1)).toBe(new Intl.NumberFormat('fr', { maximumFractionDigits: 1 }).format(1234.5));
  });
});
