// Light or dark: what the system says, unless somebody chose.
import { store, stored } from './text';

export type Theme = 'system' | 'light' | 'dark';
export const themes: readonly Theme[] = ['system', 'light', 'dark'];

const storageKey = 'slipway.theme';
const dark = '(prefers-color-scheme: dark)';

export function chosenTheme(): Theme {
  const chosen = stored(storageKey);
  return themes.find((theme) => theme === chosen) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  store(storageKey, theme);
  show(theme);
}

/** Shows the chosen theme, and follows the system from now on where that is the choice. */
export function startTheme(): void {
  show(chosenTheme());
  window.matchMedia(dark).addEventListener('change', () => {
    show(chosenTheme());
  });
}

function show(theme: Theme): void {
  const system = window.matchMedia(dark).matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = theme === 'system' ? system : theme;
}
