import { workspaces as words } from './workspace-messages.ts';

/** Links between workspaces; each is a page with its own connection. */
export function WorkspaceSwitch({ here }: { here: 'revenue' | 'desk' | 'reports' }) {
  return (
    <nav class="workspaces" aria-label={words.label}>
      <a href="/" aria-current={here === 'revenue' ? 'page' : undefined}>
        {words.revenue}
      </a>
      <a href="/desk" aria-current={here === 'desk' ? 'page' : undefined}>
        {words.desk}
      </a>
      <a href="/reports" aria-current={here === 'reports' ? 'page' : undefined}>
        {words.reports}
      </a>
    </nav>
  );
}
