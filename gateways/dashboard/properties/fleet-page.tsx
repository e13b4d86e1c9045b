import { signal } from '@preact/signals';

import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { signedInRole } from '../access/roles.ts';
import { fetchProperties } from '../api.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { onNetworkBack } from '../live/network.ts';
import { Skeleton } from '../shell/skeleton.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import type { Workspace } from '../workspace.ts';
import { FleetView } from './fleet-view.tsx';
import { Fleet } from './fleet.ts';
import { fleet as words } from './messages.ts';

/** The page over all properties, loaded on demand. */
export function openFleet(config: PageConfig, user: SignedIn): Workspace {
  const opened = signal<Fleet | undefined>(undefined);
  const trouble = signal<string | undefined>(undefined);
  let isClosed = false;
  const list = async (): Promise<void> => {
    try {
      const properties = await fetchProperties(config, user);
      if (isClosed || opened.peek()) return;
      trouble.value = undefined;
      opened.value = new Fleet(user, properties);
    } catch (error) {
      trouble.value = error instanceof Error ? error.message : access.notListed;
    }
  };
  void list();
  const stop = onNetworkBack(() => opened.peek() ?? void list());
  const Page = ({ onSignOut }: { onSignOut: () => void }) => (
    <>
      <AppBar>
        <WorkspaceSwitch here="fleet" />
        <span class="connection-space" />
        <KeysHelp groups={[]} />
        <Who tenantId={user.tenantId} role={signedInRole.value} onSignOut={onSignOut} />
      </AppBar>
      <div class="notice" role="alert">
        {trouble.value !== undefined && <p>{trouble.value}</p>}
      </div>
      {opened.value ? (
        <FleetView fleet={opened.value} />
      ) : (
        <main class="fleet">
          <h1>{words.title}</h1>
          {trouble.value === undefined && (
            <>
              <p role="status">{words.loading}</p>
              <Skeleton rows={6} />
            </>
          )}
        </main>
      )}
    </>
  );
  return {
    view: (onSignOut) => <Page onSignOut={onSignOut} />,
    close: () => {
      isClosed = true;
      stop();
      opened.value?.close();
    },
  };
}
