import { signal } from '@preact/signals';

/** The system's theme, or the one chosen on this device. */
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const THEME_KEY = 'innkeeper.theme';

export const theme = signal<Theme>(THEMES.find((one) => one === localStorage.getItem(THEME_KEY)) ?? 'system');

export function choose(chosen: Theme): void {
  localStorage.setItem(THEME_KEY, chosen);
  theme.value = chosen;
  show();
}

/** Sets the theme attribute, at the start and on a change. */
export function show(): void {
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}
