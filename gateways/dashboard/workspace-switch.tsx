import { useRef } from 'preact/hooks';

import { mayOpen, PAGES, type WorkspaceName } from '../../src/live/contracts/page-addresses.ts';
import { noAnswerReason } from './access/messages.ts';
import { signedInRole } from './access/roles.ts';
import { network } from './live/network.ts';
import { MorePages, useLinksThatFit } from './shell/more-pages.tsx';
import { workspaceNames, workspaces as words } from './workspace-messages.ts';

type Offered = (typeof PAGES)[number];

/** Links to the workspaces that the role may open: as many as fit, and the others in a menu behind them. */
export function WorkspaceSwitch({ here }: { here: WorkspaceName }) {
  const nav = useRef<HTMLElement>(null);
  const offered = offeredPages(here);
  const fitting = useLinksThatFit(nav, `${here} ${signedInRole.value}`);
  const isLeftOut = (place: number): boolean => fitting !== undefined && !fitting.includes(place);
  const rest = offered.filter((_, place) => isLeftOut(place));
  return (
    <nav ref={nav} class="workspaces" aria-label={words.label}>
      {offered.map((page, place) => (
        <WorkspaceLink key={page.workspace} page={page} here={here} isLeftOut={isLeftOut(place)} />
      ))}
      <MorePages name={fitting?.length === 0 ? words.pages : words.more} hidden={rest.length === 0}>
        {rest.map((page) => (
          <WorkspaceLink key={page.workspace} page={page} here={here} />
        ))}
      </MorePages>
    </nav>
  );
}

/** The links alone. */
export function WorkspaceLinks() {
  return offeredPages(undefined).map((page) => <WorkspaceLink key={page.workspace} page={page} />);
}

/** Before the role is known, the open workspace is the only one that is certain. */
function offeredPages(here: WorkspaceName | undefined): Offered[] {
  const role = signedInRole.value;
  return PAGES.filter((page) => !('within' in page) && (page.workspace === here || mayOpen(page, role)));
}

type LinkProps = { page: Offered; here?: WorkspaceName; isLeftOut?: boolean };

function WorkspaceLink({ page: { workspace, paths }, here, isLeftOut }: LinkProps) {
  const reason = noAnswerReason(network.value);
  return (
    <a
      href={reason === undefined || here === workspace ? paths[0] : undefined}
      aria-disabled={(reason !== undefined && here !== workspace) || undefined}
      title={here === workspace ? undefined : reason}
      aria-current={here === workspace ? 'page' : undefined}
      data-left-out={isLeftOut || undefined}
    >
      {workspaceNames[workspace]}
    </a>
  );
}
