import { beforeAll, describe, expect, it } from 'vitest';
import german from '../messages/server.de.json';
import { setLanguage } from './messages.svelte';
import { compileCatalogue, translateText, translateSentence } from './serverText';

/** Where the server's sentences are written. */
const sources: Record<string, string> = import.meta.glob(
  [
    '../../../crates/geotrawl-{crawl,index,kinds,model,rank,serve,trust}/src/**/*.rs',
    '../../../crates/geotrawl-export/src/import.rs',
    '../../../crates/geotrawl-store/src/backend/shared/monitoring/*.rs',
    '!**/tests.rs',
    '!**/tests/**',
  ],
  { query: '?raw', import: 'default', eager: true },
);

/** Files whose sentences are all for people: each has a translation. */
const closed = [
  'geotrawl-crawl/src/fetch/connect.rs',
  'geotrawl-crawl/src/fetch/dialer.rs',
  'geotrawl-crawl/src/fetch/dns.rs',
  'geotrawl-crawl/src/fetch/failure.rs',
  'geotrawl-crawl/src/fetch/guard.rs',
  'geotrawl-crawl/src/focus/stops.rs',
  'geotrawl-crawl/src/outcome.rs',
  'geotrawl-kinds/src/urls/skip.rs',
  'geotrawl-kinds/src/urls/traps.rs',
  'geotrawl-rank/src/atf.rs',
  'geotrawl-rank/src/hints.rs',
  'geotrawl-rank/src/learned/features.rs',
  'geotrawl-rank/src/polarhub.rs',
  'geotrawl-serve/src/api/account.rs',
  'geotrawl-serve/src/api/alerts.rs',
  'geotrawl-serve/src/api/focus.rs',
  'geotrawl-serve/src/api/quality.rs',
  'geotrawl-serve/src/api/session.rs',
  'geotrawl-serve/src/api/tasks.rs',
  'geotrawl-serve/src/auth/gate.rs',
  'geotrawl-serve/src/auth/names.rs',
  'geotrawl-serve/src/auth/passwords.rs',
  'geotrawl-serve/src/limits.rs',
  'geotrawl-serve/src/problem.rs',
  'geotrawl-serve/src/settings.rs',
  'geotrawl-trust/src/check/judge/content.rs',
  'geotrawl-trust/src/check/verdict.rs',
  'geotrawl-trust/src/score/described.rs',
  'geotrawl-trust/src/score/leave_out.rs',
  'geotrawl-trust/src/score/measured.rs',
  'geotrawl-trust/src/score/rubric.rs',
  'geotrawl-trust/src/standing.rs',
  'geotrawl-trust/src/successor/likeness.rs',
  'geotrawl-trust/src/successor/proposal.rs',
];

/** Texts in closed files that people never see. */
const unseen = new Set([
  'A connection was requested without a route',
  'cannot serialise a task as JSON',
  'nobody has this password',
  'the gate has no access requirements of the routes',
  'the server',
  'The server',
  "no usable name server configuration; using the operating system's resolver",
  'cannot build a redirect: {error}',
  'event {} is not a find: {error}',
  'ignoring an invalid stored setting',
  'cannot read settings: {error}',
  'Bearer realm="geotrawl"',
  'Bearer realm="geotrawl", error="invalid_token"',
  'cannot hash the password: {0}',
  'hashing a password failed: {error}',
  'missing required parameter',
]);

/** Keys that the server composes, with the literals that they come from. */
const composed: Record<string, string[]> = {
  '1 check': ['{number} {what}', 'check'],
  '{n#} checks': ['{number} {what}s', 'check'],
  '1 request': ['{number} {what}', 'request'],
  '{n#} requests': ['{number} {what}s', 'request'],
  '1 record': ['1 {what}', 'record'],
  '{n#} records': ['{n} {what}s', 'record'],
  '1 entry': ['1 {what}', 'entry'],
  '{n#} entries': ['{n} {stem}ies', 'entry'],
  '{good#} of {all#} byte ranges {done!}': ['{good} of {all} {things} {done}', 'byte ranges'],
  'The requested {read#} bytes of {size#}': ['The requested {read} bytes{size}', ' of {size}'],
  'The start of the file of {size#}: the range was ignored': ['The start of the file{size}: the range was ignored', ' of {size}'],
  'The start of the file: the range was ignored': ['The start of the file{size}: the range was ignored'],
  'Changed: {fields*} and {more#} more': ['Changed: {}{more}', ' and {more} more'],
  '{host} is at {ip}, which is not on the public internet ({reason?}); if you may crawl it, allow it with --allow-net {net}': [' is at {ip}, which', '{host}{at} is not on the public internet ({reason}); if you may crawl it, allow it with --allow-net {ip}'],
  'Could not connect to {host} ({error})': ['Could not connect to {host}{error}', ' ({error})'],
  'similarity of the linking page to the topic: {n#}, below the threshold': ['similarity of the linking page to the topic: {:.3}{below}', ', below the threshold'],
  'The response is larger than {n#} bytes, and the service does not support range requests.': ['The response is larger than {MOST_BYTES} bytes{parts}.', ', and the service does not support range requests'],
  'The limit is {n#} requests per minute. Log in for a higher limit.': ['The limit is {per_minute} requests per minute.{hint}', ' Log in for a higher limit.'],
  'The URL redirects to {url}; redirects are not followed (HTTP {status#})': ['The URL redirects{to}; redirects are not followed (HTTP {status})', ' to {url}'],
  'The URL redirects; redirects are not followed (HTTP {status#})': ['The URL redirects{to}; redirects are not followed (HTTP {status})'],
};

/** String literals of Rust code up to its tests, without comments, notes for programmers, and byte strings. */
function literalsOf(code: string): string[] {
  const source = code.split('#[cfg(test)]\nmod tests {')[0]!;
  const token = /(?:\bdescription = |, reason = |\.expect\()"(?:\\[\s\S]|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.[^']*|[^\\'])'|(b?)r(#*)"([\s\S]*?)"\2|(b?)"((?:\\[\s\S]|[^"\\])*)"/g;
  const found: string[] = [];
  for (const [, , , raw, bytes, plain] of source.matchAll(token)) {
    if (raw !== undefined) found.push(raw);
    else if (plain !== undefined && !bytes) found.push(plain.replace(/\\\n\s*/g, '').replace(/\\(["\\])/g, '$1').replaceAll('\\n', '\n'));
  }
  return found;
}

/** The same for all spellings of a placeholder, with or without what is put before and after a part of a sentence. */
function loose(text: string): string {
  return text
    .replace(/\{[\w:.?!*#@]*\}/g, '{}')
    .replaceAll('{{', '{')
    .replaceAll('}}', '}')
    .replace(/^(?:\{\}|[\s;:,.])+/, '')
    .replace(/(?:\{\}|[\s;:,.])+$/, '');
}

describe('sentences of the server', () => {
  const written = new Set(Object.values(sources).flatMap(literalsOf).map(loose));

  it('are written in the sources as the catalogue has them', () => {
    const lost = Object.keys(german).filter((key) => !(composed[key] ?? [key]).every((part) => written.has(loose(part))));
    expect(lost).toEqual([]);
  });

  it('are all translated where a file has nothing else', () => {
    const keys = new Set([...Object.keys(german), ...Object.values(composed).flat()].map(loose));
    const missing: string[] = [];
    for (const file of closed) {
      expect(sources, file).toHaveProperty([`../../../crates/${file}`]);
      const sentences = literalsOf(sources[`../../../crates/${file}`] ?? '').filter((text) => /[a-z]{2,}\S* \S*[a-z]{2,}/i.test(text.replace(/\{[^}]*\}/g, '')) && !unseen.has(text));
      missing.push(...sentences.filter((text) => !keys.has(loose(text))).map((text) => `${file}: ${text}`));
    }
    expect(missing).toEqual([]);
  });

  it('say of every kind what it is', () => {
    const told = Object.entries(sources).filter(([path]) => path.includes('/geotrawl-kinds/src/kinds/')).flatMap(([, code]) => [...code.matchAll(/\bwhat: ("(?:\\[\s\S]|[^"\\])+")/g)].flatMap((found) => literalsOf(found[1]!)));
    expect(told.length).toBeGreaterThan(50);
    expect(told.filter((text) => !(text in german))).toEqual([]);
  });

  it('fill in every value and no other', () => {
    for (const [key, text] of Object.entries(german)) {
      const names = (of: string) => [...new Set([...of.matchAll(/\{(\w+)/g)].map((found) => found[1]))].sort();
      expect(names(text), key).toEqual(names(key));
    }
  });

  it('are told from other texts by words or by conditions', () => {
    for (const key of Object.keys(german).filter((one) => one.includes('{'))) {
      const words = key.replace(/\{[^}]*\}/g, '').match(/[a-zA-Z]/g)?.length ?? 0;
      expect(words >= 4 || /\{\w+[!#]\}/.test(key), key).toBe(true);
    }
  });
});

describe('a sentence', () => {
  const catalogue = compileCatalogue({
    'Not found': 'Nicht gefunden',
    'Try again.': 'Noch einmal.',
    'Answered in {n#} ms': 'Antwort in {n} ms',
    '{what!}: {seen?}.': '{what}: {seen}.',
    'The server failed': 'Der Server meldete einen Fehler',
    'An error report: {text}': 'Eine Fehlermeldung: {text}',
    '{n#} layers': '{n} {n|Ebene|Ebenen}',
    'Failing since {at@}': 'Gestört seit {at}',
    'Changed: {fields*}': 'Geändert: {fields}',
    title: 'Titel',
  });
  const said = (text: string) => translateText(catalogue, text);

  it('is translated whole, with or without a full stop or a capital letter', () => {
    expect([said('Not found'), said('Not found.'), said('Title')]).toEqual(['Nicht gefunden', 'Nicht gefunden.', 'Titel']);
  });
  it('keeps what it does not know', () => {
    for (const text of ['', 'Roads of Norway', 'Roads: of Norway.', 'Answered in a moment ms', 'some layers', 'Failing since yesterday']) expect(said(text)).toBe(text);
  });
  it('translates the sentences inside it, not the words of others', () => {
    expect(said('The server failed: An error report: Not found.')).toBe('Der Server meldete einen Fehler: Eine Fehlermeldung: Not found.');
    expect(said('Answered in 12 ms; 1 layers; roads {n}.')).toBe('Antwort in 12 ms; 1 Ebene; roads {n}.');
    expect(said('Not found. Try again.')).toBe('Nicht gefunden. Noch einmal.');
    expect(said('Changed: title, roads')).toBe('Geändert: Titel, roads');
  });
  it('takes no long time for a long text', () => {
    const patterns = compileCatalogue({ '{a?}x{b?}x{c?}x{d?}x{e!}': '{a}{b}{c}{d}{e}', '{a?}: {b?}': '{a}: {b}' });
    const start = performance.now();
    for (const text of ['x'.repeat(2000), 'a: '.repeat(660), '; '.repeat(1000), '. '.repeat(1000)]) expect(translateText(patterns, text)).toHaveLength(text.length);
    expect(translateText(patterns, 'y: '.repeat(100_000))).toHaveLength(300_000);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('the page in German', () => {
  beforeAll(async () => {
    Object.assign(globalThis, { document: { documentElement: {} } });
    await setLanguage('de');
    return () => setLanguage('en').then(() => Reflect.deleteProperty(globalThis, 'document'));
  });
  it.each([
    ['Answered in 212 ms; 3 of 3 maps drawn in 300 ms.', 'Antwort in 212 ms; 3 von 3 Karten gezeichnet in 300 ms.'],
    ['Answered in 212 ms; 2 of 3 byte ranges returned in 30 ms; 1 of 3 failed: Status 500 (roads).', 'Antwort in 212 ms; 2 von 3 Bytebereichen geliefert in 30 ms; 1 von 3 fehlgeschlagen: Status 500 (roads).'],
    ['Answered in 9 ms, but 0 of 2 tiles returned: A web page instead of a picture.', 'Antwort in 9 ms, aber 0 von 2 Kacheln geliefert: Eine Webseite statt eines Bildes.'],
    ['Moved to https://b.org/wms, which answered in 9 ms; 3 of 3 maps drawn, but slowly: 30000 ms (limit 10000 ms).', 'Umgezogen nach https://b.org/wms, Antwort in 9 ms; 3 von 3 Karten gezeichnet, aber langsam: 30\u202f000 ms (Grenze 10\u202f000 ms).'],
    ['The server failed: Status 500: An error report: Out of memory.', 'Der Server meldete einen Fehler: Status 500: Eine Fehlermeldung: Out of memory.'],
    ['Changed: title, datasets[roads].title and 2 more', 'Geändert: Titel, datasets[roads].title und 2 weitere'],
    ['WMS 1.3.0 with 12 layers', 'WMS 1.3.0 mit 12 Ebenen'],
    ['roads: PNG of 64 by 64 pixels with content (1 of 1)', 'roads: PNG, 64 × 64 Pixel, mit Inhalt (1 von 1)'],
    ['One feature (0.6 of 1)', 'Ein Objekt (0,6 von 1)'],
    ['median 120 ms of the last 5 checks; up to 1000 ms earns full points, 10000 ms half, 100000 ms none', 'Median 120 ms aus 5 Prüfungen; volle Punkte bis 1\u202f000 ms, halbe bei 10\u202f000 ms, keine ab 100\u202f000 ms'],
    ['Nothing could be read. https://a.org/: There is no host named a.org.', 'Nichts konnte gelesen werden. https://a.org/: Es gibt keinen Server namens a.org.'],
    ['Wrong name or password.', 'Name oder Passwort ist falsch.'],
    ["'stem' in its URL", '„stem“ in der Adresse'],
    ['The search engines returned no seeds (none of them has a result for these keywords).', 'Die Suchmaschinen ergaben keine Startadressen (keine hat ein Ergebnis zu diesen Wörtern).'],
  ])('says %s', (english, text) => expect(translateSentence(english)).toBe(text));
  it('dates failures in its own way', () => {
    expect(translateSentence('The server does not respond: Could not connect to a.org (3 checks in a row since 2026-11-01T10:00:00Z)')).toMatch(/^Der Server antwortet nicht: Keine Verbindung zu a.org \(3 Prüfungen in Folge seit .*2026.*\)$/);
  });
});
