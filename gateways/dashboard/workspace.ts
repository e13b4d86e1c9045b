import type { ComponentChild } from 'preact';

import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import type { SignedIn } from './access/identity.ts';

/** A workspace of a signed-in user, with a connection that ends when it is left. */
export type Workspace = { view(onSignOut: () => void): ComponentChild; close(): void };

/** Path of the front desk; other paths are the revenue workspace. */
const DESK = '/desk';
/** Path of the reports. */
const REPORTS = '/reports';
/** Path for operators of the installation, without a user of a tenant. */
const OPERATIONS = '/ops';
const RETURN_KEY = 'innkeeper.return';

/** Loads only the workspace that the address names. */
export async function openWorkspace(config: PageConfig, user: SignedIn): Promise<Workspace> {
  if (location.pathname === REPORTS) return (await import('./reports/reports-page.tsx')).openReports(config, user);
  if (location.pathname !== DESK) return (await import('./revenue/revenue-page.tsx')).openRevenue(config, user);
  return (await import('./front-desk/front-desk-page.tsx')).openFrontDesk(config, user);
}

/** Whether the address names the operations view, which needs no sign-in. */
export const isOperationsHere = (): boolean => location.pathname === OPERATIONS;

export async function openOperationsPage(config: PageConfig): Promise<Workspace> {
  return (await import('./operations/operations-page.tsx')).openOperations(config);
}

/** Signing in ends at `/`: stores the path to return to. */
export function returnHere(): void {
  sessionStorage.setItem(RETURN_KEY, location.pathname);
}

/** Returns to the workspace in which the sign-in started. */
export function rememberWorkspace(): void {
  const path = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  const known = [DESK, REPORTS].find((one) => one === path);
  if (known !== undefined && location.pathname === '/') history.replaceState(null, '', known + location.search);
}
