import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { OwnSettings } from './me.ts';
import { OwnSettingsView } from './view.tsx';

/** The own settings of who is signed in, loaded on demand. */
export function openMe(config: PageConfig, user: SignedIn): Workspace {
  const own = new OwnSettings(config, user);
  return { view: (onSignOut) => <OwnSettingsView own={own} onSignOut={onSignOut} />, close: () => own.close() };
}
