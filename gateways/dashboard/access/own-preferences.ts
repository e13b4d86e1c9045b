import { signal } from '@preact/signals';

import type { PreferenceChange } from '../../../src/tenants/rules/preferences.ts';
import { userHeaders } from '../early/early.ts';
import { type SignedIn, tokenSubject } from './identity.ts';
import { freshAccess } from './page-access.ts';

/** Whether the service knows what was chosen; `alone` while it cannot: nobody is signed in. */
export type PreferenceState = 'saved' | 'saving' | 'unsaved' | 'alone';
export const preferenceState = signal<PreferenceState>('saved');

/** What was chosen and has not reached the service, and who chose it: it is sent with the next start or connection. */
type Unsaved = { subject: string; change: PreferenceChange };
const UNSAVED_KEY = 'innkeeper.unsaved-preferences';
/** After this time the page goes on without the answer. */
const PATIENCE_MS = 2_000;

/** Sends what a person has chosen. It is never lost: what does not arrive now is sent later. */
export async function savePreferences(change: PreferenceChange): Promise<void> {
  const access = await freshAccess().catch(() => undefined);
  if (!access) {
    preferenceState.value = 'alone';
    return;
  }
  const subject = tokenSubject(access.user);
  keep({ subject, change: { ...unsavedOf(access.user), ...change } });
  await sendUnsaved(access.user);
}

/** What this person has chosen here and the service does not know yet. */
export function unsavedOf(user: SignedIn): PreferenceChange {
  try {
    const { subject, change } = JSON.parse(localStorage.getItem(UNSAVED_KEY) ?? '{}') as Partial<Unsaved>;
    return change !== undefined && subject === tokenSubject(user) ? change : {};
  } catch {
    // Not ours, or of another release.
    return {};
  }
}

/** Sends what waits, if anything. */
export async function sendUnsaved(user: SignedIn): Promise<void> {
  const change = unsavedOf(user);
  if (Object.keys(change).length === 0) return;
  preferenceState.value = 'saving';
  const response = await fetch('/auth/preferences', {
    method: 'PATCH',
    headers: { ...userHeaders(user), 'content-type': 'application/json' },
    body: JSON.stringify(change),
    keepalive: true,
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  if (response?.ok && JSON.stringify(unsavedOf(user)) === JSON.stringify(change))
    localStorage.removeItem(UNSAVED_KEY);
  preferenceState.value = response?.ok ? 'saved' : 'unsaved';
}

function keep(unsaved: Unsaved): void {
  localStorage.setItem(UNSAVED_KEY, JSON.stringify(unsaved));
}
