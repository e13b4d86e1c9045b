import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { FrontDesk } from './front-desk.ts';
import { FrontDeskView } from './view.tsx';

/** The front desk, loaded on demand. */
export function openFrontDesk(config: PageConfig, user: SignedIn): Workspace {
  const desk = new FrontDesk(config, user);
  return { view: (onSignOut) => <FrontDeskView desk={desk} onSignOut={onSignOut} />, close: () => desk.close() };
}
