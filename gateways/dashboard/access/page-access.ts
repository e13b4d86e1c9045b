import { signal } from '@preact/signals';

import type { SignedAccess } from '../api.ts';
import { freshUser, sessionUser, type SignedIn, tokenSubject } from './identity.ts';

/** Access of the page to the services, for what belongs to no workspace; `undefined` while nobody is signed in. */
export const pageAccess = signal<SignedAccess | undefined>(undefined);

/** Whether a service has refused the token, and the session gives no other: signing in is all that helps. */
export const isTokenRefused = signal(false);

/** A newer token of the same person, where the session still gives one. */
export async function renewed(user: SignedIn): Promise<SignedIn | undefined> {
  const fresh = await sessionUser().catch(() => undefined);
  const isSame = fresh?.tenantId === user.tenantId && tokenSubject(fresh) === tokenSubject(user);
  return fresh && isSame && fresh.token !== user.token ? fresh : undefined;
}

/** The same with a token that has not expired, where the session still gives one. */
export async function freshAccess(): Promise<SignedAccess | undefined> {
  const known = pageAccess.peek();
  if (!known || known.user.expiresAt > Date.now()) return known;
  const access = { config: known.config, user: await freshUser(known.user) };
  pageAccess.value = access;
  return access;
}
