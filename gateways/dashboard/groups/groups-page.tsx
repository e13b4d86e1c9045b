import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { GroupsStore } from './groups.ts';
import { GroupsView } from './view.tsx';

/** The groups of a property, loaded on demand. */
export function openGroups(config: PageConfig, user: SignedIn): Workspace {
  const groups = new GroupsStore(config, user);
  return { view: (onSignOut) => <GroupsView groups={groups} onSignOut={onSignOut} />, close: () => groups.close() };
}
