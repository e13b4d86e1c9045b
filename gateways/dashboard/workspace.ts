import type { ComponentChild } from 'preact';

import { pageAt, START, type WorkspaceName } from '../../src/live/contracts/page-addresses.ts';
import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import type { SignedIn } from './access/identity.ts';
import { loadAdminTexts } from './language/admin-texts.ts';

/** An open workspace, with a connection that ends when it is left. */
export type Workspace = { view(onSignOut: () => void): ComponentChild; close(): void };

type Opener = (config: PageConfig, user: SignedIn) => Promise<Workspace>;

/** Loads only the workspace that the address names. */
export const OPENERS: Record<Exclude<WorkspaceName, 'operations'>, Opener> = {
  revenue: async (...given) => (await import('./revenue/revenue-page.tsx')).openRevenue(...given),
  experiments: async (...given) => (await import('./experiments/experiments-page.tsx')).openExperiments(...given),
  fleet: async (...given) => (await import('./properties/fleet-page.tsx')).openFleet(...given),
  desk: async (...given) => (await import('./front-desk/front-desk-page.tsx')).openFrontDesk(...given),
  housekeeping: async (...given) => (await import('./housekeeping/housekeeping-page.tsx')).openHousekeeping(...given),
  groups: async (...given) => (await import('./groups/groups-page.tsx')).openGroups(...given),
  guests: async (...given) => (await import('./guests/guests-page.tsx')).openGuests(...given),
  'first-hotel': async (...given) => {
    await loadAdminTexts();
    return (await import('./admin/first-hotel/first-hotel-page.tsx')).openFirstHotel(...given);
  },
  admin: async (...given) => {
    await loadAdminTexts();
    return (await import('./admin/admin-page.tsx')).openAdmin(...given);
  },
  me: async (...given) => (await import('./me/me-page.tsx')).openMe(...given),
  reports: async (...given) => (await import('./reports/reports-page.tsx')).openReports(...given),
};

/** The operations view needs no user of a tenant. */
export async function openOperationsPage(config: PageConfig): Promise<Workspace> {
  await loadAdminTexts();
  return (await import('./operations/operations-page.tsx')).openOperations(config);
}

const RETURN_KEY = 'innkeeper.return';

/** Signing in ends at `/`: stores the address to return to. */
export function returnHere(): void {
  sessionStorage.setItem(RETURN_KEY, location.pathname + location.search);
}

/** Returns to the address at which the sign-in started; what the sign-in itself says in the query stays. */
export function rememberAddress(): void {
  const stored = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  if (stored === null || location.pathname !== START) return;
  const { pathname, searchParams } = new URL(stored, location.origin);
  if (pageAt(pathname) === undefined && pathname !== START) return;
  for (const [name, value] of new URLSearchParams(location.search)) searchParams.set(name, value);
  const query = searchParams.toString();
  history.replaceState(null, '', query === '' ? pathname : `${pathname}?${query}`);
}
