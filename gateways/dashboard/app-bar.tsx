import type { ComponentChildren } from 'preact';

import { frame as words } from './access/messages.ts';
import { Mark } from './icons.tsx';

/** Header of every page: the link to the start, and what the page adds. */
export function AppBar({ children }: { children: ComponentChildren }) {
  return (
    <header class="bar">
      <a class="brand" href="/" aria-label={words.start}>
        <Mark />
        <span>Innkeeper</span>
      </a>
      {children}
    </header>
  );
}

/** The signed-in user, and sign-out. */
export function Who({ tenantId, role, onSignOut }: { tenantId: string; role: string; onSignOut: () => void }) {
  return (
    <div class="who">
      <span>
        {tenantId} <small>{role.toLowerCase()}</small>
      </span>
      <button type="button" onClick={onSignOut}>
        {words.signOut}
      </button>
    </div>
  );
}
