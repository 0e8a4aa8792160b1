// All texts of the console come from here, in the language of the person.
import { en } from './text.en';
import { zh } from './text.zh';

export type Key = keyof typeof en;
export type Language = 'en' | 'zh';
export type Values = Record<string, string | number>;

export const languages: Record<Language, string> = { en: 'English', zh: '中文' };

const catalogues: Record<Language, Record<Key, string>> = { en, zh };
const storageKey = 'slipway.language';
let current: Language = 'en';

/** The chosen language, else the first of the browser's that there is. */
export function preferredLanguage(): Language {
  const chosen = stored(storageKey);
  if (chosen !== null && isLanguage(chosen)) return chosen;
  for (const wanted of navigator.languages) {
    const short = wanted.slice(0, 2).toLowerCase();
    if (isLanguage(short)) return short;
  }
  return 'en';
}

/** Texts are in this language from now on; who shows some already must be rendered anew. */
export function speak(language: Language, keep = false): void {
  current = language;
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
  if (keep) store(storageKey, language);
}

export function language(): Language {
  return current;
}

/** A text with its values. */
export function t(key: Key, values: Values = {}): string {
  return catalogues[current][key].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? value.toLocaleString(current) : value;
  });
}

/** A text for one or for several. */
export function count(key: 'runs' | 'stuck.count', n: number): string {
  return t(`${key}.${n === 1 ? 'one' : 'other'}`, { n });
}

/** A word of the server for which there may be a text; else the word as it is. */
export function known(prefix: string, word: string): string {
  const key = `${prefix}.${word}`;
  return isKey(key) ? t(key) : word;
}

function isKey(key: string): key is Key {
  return Object.hasOwn(en, key);
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(catalogues, text);
}

/** What this browser keeps for the console; null where it keeps nothing, or may not. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Only for this visit, then.
  }
}
