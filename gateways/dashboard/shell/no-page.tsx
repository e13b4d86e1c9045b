import { START, type WorkspaceName } from '../../../src/live/contracts/page-addresses.ts';
import type { SignedIn } from '../access/identity.ts';
import { signedInRole } from '../access/roles.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { workspaceNames, workspaces as words } from '../workspace-messages.ts';
import { WorkspaceLinks } from '../workspace-switch.tsx';

type Props = {
  path: string;
  workspace?: WorkspaceName;
  /** Who is signed in, if anybody is. */
  user: SignedIn | undefined;
  onSignOut: () => void;
};

/** Shown at an address without a page, or with one that the role may not open: why, and the ways on. */
export function NoPage({ path, workspace, user, onSignOut }: Props) {
  return (
    <>
      <AppBar>{user && <Who tenantId={user.tenantId} role={signedInRole.value} onSignOut={onSignOut} />}</AppBar>
      <main class="centered">
        <h1>{workspace ? words.notYours(workspaceNames[workspace]) : words.missing}</h1>
        <p>{workspace ? words.askForRole(signedInRole.value) : words.noPage(path)}</p>
        <nav class="ways-on" aria-label={words.goTo}>
          <a href={START}>{words.start}</a>
          <WorkspaceLinks />
        </nav>
      </main>
    </>
  );
}
