import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { AdminStore } from './admin.ts';
import { AdminView } from './view.tsx';

/** The administration of a tenant, loaded on demand. */
export function openAdmin(config: PageConfig, user: SignedIn): Workspace {
  const admin = new AdminStore(config, user);
  return { view: (onSignOut) => <AdminView admin={admin} onSignOut={onSignOut} />, close: () => admin.close() };
}
