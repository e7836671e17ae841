// Messages of the application by language. Keys are checked against the English files.

import archiveWords from '../messages/archive.en.json';
import deskWords from '../messages/desk.en.json';
import commonWords from '../messages/en.json';
import stageWords from '../messages/stage.en.json';
import trustWords from '../messages/trust.en.json';
import { formatDigits } from './numberFormat';

const english = { ...commonWords, ...stageWords, ...deskWords, ...trustWords, ...archiveWords };

export type MessageKey = keyof typeof commonWords | keyof typeof stageWords | keyof typeof deskWords | keyof typeof trustWords | keyof typeof archiveWords;
type Messages = Record<MessageKey, string>;

const loaders: Record<string, () => Promise<Partial<Messages>>> = {
  de: async () => {
    const files = await Promise.all([import('../messages/de.json'), import('../messages/stage.de.json'), import('../messages/desk.de.json'), import('../messages/trust.de.json'), import('../messages/archive.de.json')]);
    return Object.assign({}, ...files.map((file) => file.default));
  },
};

/** Translations of server sentences by language; see serverText.ts. */
const sentenceLoaders: Record<string, () => Promise<Record<string, string>>> = {
  de: async () => (await import('../messages/server.de.json')).default,
};

let language = $state('en');
let messages = $state.raw<Messages>(english);
let sentences = $state.raw<Readonly<Record<string, string>> | null>(null);

export const languages = ['en', ...Object.keys(loaders)];

export function currentLanguage(): string {
  return language;
}

/** Returns the translations of server sentences; null in English. */
export function serverSentences(): Readonly<Record<string, string>> | null {
  return sentences;
}

export async function setLanguage(wanted: string): Promise<void> {
  const load = loaders[wanted];
  const [words, said] = await Promise.all([load?.(), sentenceLoaders[wanted]?.()]);
  messages = words ? { ...english, ...words } : english;
  sentences = said ?? null;
  language = load ? wanted : 'en';
  document.documentElement.lang = language;
}

/** Fills `{name}` placeholders; `{n|one|many}` selects a form by number. */
export function fillPlaceholders(text: string, values: Record<string, string | number>): string {
  return text
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name, one, many) => (Number(values[name]) === 1 ? one : many))
    .replace(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === 'number' ? formatNumber(value) : value;
    });
}

/** Returns the message for a key with its values filled in. */
export function t(key: MessageKey, values: Record<string, string | number> = {}): string {
  return fillPlaceholders(messages[key] ?? key, values);
}

/** Returns the message for a composed key, or null if there is none. */
export function findMessage(key: string): string | null {
  return (messages as Record<string, string | undefined>)[key] ?? null;
}

/** Formats a number in the current language. */
export function formatNumber(value: number, digits = 0): string {
  return formatDigits(value, language, digits);
}
