// Words of the application, by language. Keys are checked against the English file.

import base from '../messages/en.json';
import desk from '../messages/desk.en.json';

const en = { ...base, ...desk };

export type MessageKey = keyof typeof en;
type Messages = Record<MessageKey, string>;

const loaders: Record<string, () => Promise<{ default: Partial<Messages> }>> = {
  de: async () => ({ default: { ...(await import('../messages/de.json')).default, ...(await import('../messages/desk.de.json')).default } }),
};

let language = $state('en');
let messages = $state.raw<Messages>(en);

export const languages = ['en', ...Object.keys(loaders)];

export function currentLanguage(): string {
  return language;
}

export async function setLanguage(wanted: string): Promise<void> {
  const load = loaders[wanted];
  messages = load ? { ...en, ...(await load()).default } : en;
  language = load ? wanted : 'en';
  document.documentElement.lang = language;
}

/** The message of this key, with `{name}` filled in; `{n|one|many}` chooses by number. */
export function t(key: MessageKey, values: Record<string, string | number> = {}): string {
  return messages[key]
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name, one, many) => (Number(values[name]) === 1 ? one : many))
    .replace(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
    });
}

/** A number with thin separators. */
export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}
