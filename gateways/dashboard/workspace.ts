import type { ComponentChild } from 'preact';

import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import type { SignedIn } from './access/identity.ts';

/** What somebody who has signed in works with: it has a connection, which ends when it is left. */
export type Workspace = { view(onSignOut: () => void): ComponentChild; close(): void };

/** Where the front desk is; what has no address of its own is the revenue workspace. */
const DESK = '/desk';
/** Where the lists of a day are. */
const REPORTS = '/reports';
/** For operators of the installation, without a user of a tenant. */
const OPERATIONS = '/ops';
const RETURN_KEY = 'innkeeper.return';

/** Loads the workspace that the address names, and nothing of the others. */
export async function openWorkspace(config: PageConfig, user: SignedIn): Promise<Workspace> {
  if (location.pathname === REPORTS) return (await import('./reports/reports-page.tsx')).openReports(config, user);
  if (location.pathname !== DESK) return (await import('./revenue/revenue-page.tsx')).openRevenue(config, user);
  return (await import('./front-desk/front-desk-page.tsx')).openFrontDesk(config, user);
}

/** Whether the address names the operations view, for which nobody signs in. */
export const isOperationsHere = (): boolean => location.pathname === OPERATIONS;

export async function openOperationsPage(config: PageConfig): Promise<Workspace> {
  return (await import('./operations/operations-page.tsx')).openOperations(config);
}

/** Signing in ends at `/`, wherever it began: the place is stored until then. */
export function returnHere(): void {
  sessionStorage.setItem(RETURN_KEY, location.pathname);
}

/** Goes back to the workspace in which signing in began. */
export function rememberWorkspace(): void {
  const path = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  const known = [DESK, REPORTS].find((one) => one === path);
  if (known !== undefined && location.pathname === '/') history.replaceState(null, '', known + location.search);
}
