import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { Reports } from './reports.ts';
import { ReportsView } from './view.tsx';

/** The reports page, loaded on demand. */
export function openReports(config: PageConfig, user: SignedIn): Workspace {
  const reports = new Reports(config, user);
  return {
    view: (onSignOut) => <ReportsView reports={reports} onSignOut={onSignOut} />,
    close: () => reports.close(),
  };
}
