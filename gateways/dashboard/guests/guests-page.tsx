import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { GuestsStore } from './guests.ts';
import { GuestsView } from './view.tsx';

/** The guests of a tenant, loaded on demand. */
export function openGuests(config: PageConfig, user: SignedIn): Workspace {
  const guests = new GuestsStore(config, user);
  return { view: (onSignOut) => <GuestsView guests={guests} onSignOut={onSignOut} />, close: () => guests.close() };
}
