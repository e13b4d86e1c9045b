import { signal } from '@preact/signals';

import type { Language } from '../../src/kernel/rules/languages.ts';
import {
  type ClockStyle,
  DENSITIES,
  type Density,
  FIRST_DAYS,
  type FirstDay,
  NOTICE_KINDS,
  type NoticeKind,
  type Preferences,
  type Theme,
  THEMES,
  USUAL_NOTICES,
} from '../../src/tenants/rules/preferences.ts';
import { savePreferences } from './access/own-preferences.ts';
import { CLOCK_KEY, pageClock, pageLanguage } from './language/texts.ts';
import { wantedNotices } from './live/notices.ts';

/**
 * How the page looks: what a person has chosen, in whatever browser. This browser has a copy, so that the first paint
 * is right (docs/reference/own-settings.md#preferences).
 */

const THEME_KEY = 'innkeeper.theme';
const DENSITY_KEY = 'innkeeper.density';
const FIRST_DAY_KEY = 'innkeeper.first-day';
const NOTICES_KEY = 'innkeeper.notices';

const stored = <T extends string>(key: string, values: readonly T[], usual: T): T =>
  values.find((one) => one === localStorage.getItem(key)) ?? usual;

export const theme = signal<Theme>(stored(THEME_KEY, THEMES, 'system'));
export const density = signal<Density>(stored(DENSITY_KEY, DENSITIES, 'comfortable'));
export const firstDay = signal<FirstDay>(stored(FIRST_DAY_KEY, FIRST_DAYS, 'MONDAY'));
export const shownLanguage = signal<Language>(pageLanguage);
export const shownClock = signal<ClockStyle>(pageClock);

wantedNotices.value = storedNotices();

/** A year, in seconds. */
const CHOICE_SECONDS = 31_536_000;
/** What the document was loaded again for: once, also where a browser keeps no cookies. */
const LOADED_FOR_KEY = 'innkeeper.loaded-for';

export function choose(chosen: Theme): void {
  take({ theme: chosen });
  void savePreferences({ theme: chosen });
}

export function chooseDensity(chosen: Density): void {
  take({ density: chosen });
  void savePreferences({ density: chosen });
}

export function chooseFirstDay(chosen: FirstDay): void {
  take({ firstDay: chosen });
  void savePreferences({ firstDay: chosen });
}

/** Kinds of notices that the person wants; none is a choice, too. */
export function chooseNotices(chosen: readonly NoticeKind[]): void {
  const notices = NOTICE_KINDS.filter((kind) => chosen.includes(kind));
  take({ notices });
  void savePreferences({ notices });
}

function storedNotices(): readonly NoticeKind[] {
  const kinds = localStorage.getItem(NOTICES_KEY)?.split(' ');
  return kinds === undefined ? USUAL_NOTICES : NOTICE_KINDS.filter((kind) => kinds.includes(kind));
}

/** The document is sent in the language of a cookie (gateways/live/transport/page-documents.ts). */
export function chooseLanguage(chosen: Language): void {
  take({ language: chosen });
  void savePreferences({ language: chosen }).then(() => location.reload());
}

/** All formats of the page are made with its clock. */
export function chooseClock(chosen: ClockStyle): void {
  take({ clock: chosen });
  void savePreferences({ clock: chosen }).then(() => location.reload());
}

/**
 * Takes over what a person has chosen, wherever that was; what he has not chosen stays as this browser has it.
 *
 * @returns whether the document has to be loaded again, which is the case at most once
 */
export function takeOver(preferences: Preferences): boolean {
  take(preferences);
  const { language = pageLanguage, clock = pageClock } = preferences;
  if (language === pageLanguage && clock === pageClock) return false;
  const wanted = `${language} ${clock}`;
  if (sessionStorage.getItem(LOADED_FOR_KEY) === wanted) return false;
  sessionStorage.setItem(LOADED_FOR_KEY, wanted);
  return true;
}

function take(chosen: Preferences): void {
  if (chosen.theme !== undefined) localStorage.setItem(THEME_KEY, (theme.value = chosen.theme));
  if (chosen.density !== undefined) localStorage.setItem(DENSITY_KEY, (density.value = chosen.density));
  if (chosen.firstDay !== undefined) localStorage.setItem(FIRST_DAY_KEY, (firstDay.value = chosen.firstDay));
  if (chosen.notices !== undefined) {
    wantedNotices.value = chosen.notices;
    localStorage.setItem(NOTICES_KEY, chosen.notices.join(' '));
  }
  if (chosen.clock !== undefined) localStorage.setItem(CLOCK_KEY, chosen.clock);
  if (chosen.language !== undefined)
    document.cookie = `language=${chosen.language}; path=/; max-age=${CHOICE_SECONDS}; samesite=lax`;
  show();
}

/** Sets the attributes that styles read, at the start and on a change. */
export function show(): void {
  document.documentElement.dataset['density'] = density.value;
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}
