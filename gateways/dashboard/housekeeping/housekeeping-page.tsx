import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { Housekeeping } from './housekeeping.ts';
import { HousekeepingView } from './view.tsx';

/** The housekeeping board, loaded on demand. */
export function openHousekeeping(config: PageConfig, user: SignedIn): Workspace {
  const desk = new Housekeeping(config, user);
  return { view: (onSignOut) => <HousekeepingView desk={desk} onSignOut={onSignOut} />, close: () => desk.close() };
}
