import type { ComponentChildren } from 'preact';

import { frame as words, noAnswerReason, roleName } from './access/messages.ts';
import { pageAccess } from './access/page-access.ts';
import { currentPath } from './address.ts';
import { DemoPaceSwitch } from './demo-pace.tsx';
import { Icon, Mark } from './icons.tsx';
import { linkRefused, network } from './live/network.ts';
import { NoticesButton } from './live/notices-button.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { workspaceNames } from './workspace-messages.ts';

/** Header of every page: the link to the start, notices where there is a user, and what the page adds. */
export function AppBar({ children }: { children: ComponentChildren }) {
  return (
    <header class="bar" data-demo={pageAccess.value?.config.demo || undefined}>
      <a class="brand" href="/" aria-label={words.start}>
        <Mark />
        <span>Innkeeper</span>
      </a>
      <PaletteButton />
      {pageAccess.value && <NoticesButton />}
      <p class="link-refused" aria-live="polite">
        {linkRefused.value && noAnswerReason(network.value)}
      </p>
      {children}
    </header>
  );
}

/** The pace of the demo where there is one, the signed-in user with the way to his settings, and sign-out. */
export function Who({ tenantId, role, onSignOut }: { tenantId: string; role: string; onSignOut: () => void }) {
  return (
    <>
      <DemoPaceSwitch />
      <div class="who">
        <a href="/me" title={workspaceNames.me} aria-current={currentPath() === '/me' ? 'page' : undefined}>
          <Icon name="person" />
          <span class="visually-hidden">{workspaceNames.me}</span>
          <span>
            {tenantId} <small>{roleName(role)}</small>
          </span>
        </a>
        <button type="button" onClick={onSignOut}>
          {words.signOut}
        </button>
      </div>
    </>
  );
}
