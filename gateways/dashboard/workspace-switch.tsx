import { useEffect, useRef } from 'preact/hooks';

import { mayOpen, PAGES, type WorkspaceName } from '../../src/live/contracts/page-addresses.ts';
import { noAnswerReason } from './access/messages.ts';
import { signedInRole } from './access/roles.ts';
import { network } from './live/network.ts';
import { workspaceNames, workspaces as words } from './workspace-messages.ts';

/** Links to the workspaces that the role may open. */
export function WorkspaceSwitch({ here }: { here: WorkspaceName }) {
  const nav = useRef<HTMLElement>(null);
  // On a phone the bar is wider than the screen: where one is stands in it from the start.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [here, signedInRole.value]);
  return (
    <nav ref={nav} class="workspaces" aria-label={words.label}>
      <WorkspaceLinks here={here} />
    </nav>
  );
}

/** The links alone. Before the role is known, the open workspace is the only one that is certain. */
export function WorkspaceLinks({ here }: { here?: WorkspaceName }) {
  const role = signedInRole.value;
  const reason = noAnswerReason(network.value);
  const offered = PAGES.filter((page) => !('within' in page) && (page.workspace === here || mayOpen(page, role)));
  return (
    <>
      {offered.map(({ workspace, paths: [path] }) => (
        <a
          key={workspace}
          href={reason === undefined || here === workspace ? path : undefined}
          aria-disabled={(reason !== undefined && here !== workspace) || undefined}
          title={here === workspace ? undefined : reason}
          aria-current={here === workspace ? 'page' : undefined}
        >
          {workspaceNames[workspace]}
        </a>
      ))}
    </>
  );
}
