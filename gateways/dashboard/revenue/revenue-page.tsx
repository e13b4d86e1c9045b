import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { RevenueStore } from './store.ts';
import { RevenueView } from './view.tsx';

/** The revenue workspace, loaded on demand. */
export function openRevenue(config: PageConfig, user: SignedIn): Workspace {
  const desk = new RevenueStore(config, user);
  return { view: (onSignOut) => <RevenueView desk={desk} onSignOut={onSignOut} />, close: () => desk.close() };
}
