import { expect, test } from 'vitest';
import { formatDistance, localeFor, formatRelativeTime } from './dateFormat';

test.each(['en', 'de', 'fr'])('moments are what the platform says, in %s', (language) => {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  expect(formatDistance(0, 'second', language)).toBe(words.format(0, 'second'));
  for (const unit of ['second', 'minute', 'hour', 'day', 'month', 'year'] as const)
    for (const amount of [1, 2, 3, 5, 11, 21, 29, 59, 234]) for (const sign of [1, -1]) expect(formatDistance(sign * amount, unit, language), `${sign * amount} ${unit}`).toBe(words.format(sign * amount, unit));
});

test('no moment has a unit it has nothing of', () => {
  for (let seconds = 5; seconds < 1e9; seconds *= 1.03) expect(formatRelativeTime(0, seconds * 1000, 'en')).not.toMatch(/\b0 |now/);
});

test('dates follow the region of the browser, words the language of the page', () => {
  expect(localeFor('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(localeFor('de', ['de-AT', 'en-GB'])).toBe('de-AT');
  expect(localeFor('de', ['den-CA', 'en'])).toBe('de');
});
