import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { Desk } from './desk.ts';
import { DeskView } from './desk-view.tsx';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';

/** The revenue workspace, which is loaded when somebody opens it. */
export function openRevenue(config: PageConfig, user: SignedIn): Workspace {
  const desk = new Desk(config, user);
  return { view: (onSignOut) => <DeskView desk={desk} onSignOut={onSignOut} />, close: () => desk.close() };
}
