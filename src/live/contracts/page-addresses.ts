import { atLeast, ROLES, type Role } from '../../kernel/rules/caller.ts';

/**
 * Addresses of the page, for the server that serves it and for the page itself. A new workspace is a line here, a line
 * in `OPENERS` of `gateways/dashboard/workspace.ts`, and its name in `workspace-messages.ts`.
 */
type PageEntry = {
  readonly workspace: string;
  /** Paths of its views; `{id}` stands for one segment. The first is the one that links lead to. */
  readonly paths: readonly [string, ...string[]];
  /** The least role that may open it; without one it needs no user of a tenant. */
  readonly least?: Role;
  /** From where it is reached; it has no link of its own in the navigation. */
  readonly within?: string;
  /** Script of the workspace in `gateways/dashboard/`, loaded while the page itself still loads. */
  readonly script: string;
};

/** Where a tenant without a property begins; within the sections of the administration, so it comes before them. */
export const FIRST_HOTEL = {
  workspace: 'first-hotel',
  paths: ['/admin/first-hotel'],
  least: 'ADMIN',
  within: 'admin',
  script: 'admin/first-hotel/first-hotel-page.tsx',
} as const satisfies PageEntry;

export const PAGES = [
  { workspace: 'revenue', paths: ['/revenue'], least: 'VIEWER', script: 'revenue/revenue-page.tsx' },
  {
    workspace: 'experiments',
    paths: ['/revenue/experiments'],
    least: 'MANAGER',
    within: 'revenue',
    script: 'experiments/experiments-page.tsx',
  },
  { workspace: 'fleet', paths: ['/fleet'], least: 'VIEWER', script: 'properties/fleet-page.tsx' },
  { workspace: 'desk', paths: ['/desk'], least: 'VIEWER', script: 'front-desk/front-desk-page.tsx' },
  {
    workspace: 'housekeeping',
    paths: ['/desk/housekeeping'],
    least: 'STAFF',
    within: 'desk',
    script: 'housekeeping/housekeeping-page.tsx',
  },
  { workspace: 'groups', paths: ['/groups', '/groups/{id}'], least: 'VIEWER', script: 'groups/groups-page.tsx' },
  { workspace: 'guests', paths: ['/guests', '/guests/{id}'], least: 'VIEWER', script: 'guests/guests-page.tsx' },
  { workspace: 'reports', paths: ['/reports'], least: 'STAFF', script: 'reports/reports-page.tsx' },
  FIRST_HOTEL,
  {
    workspace: 'admin',
    paths: ['/admin', '/admin/{section}'],
    least: 'ADMIN',
    script: 'admin/admin-page.tsx',
  },
  // The way to it is the name of the user in the bar.
  { workspace: 'me', paths: ['/me'], least: 'VIEWER', within: 'bar', script: 'me/me-page.tsx' },
  { workspace: 'operations', paths: ['/ops'], script: 'operations/operations-page.tsx' },
] as const satisfies readonly PageEntry[];

export type WorkspaceName = (typeof PAGES)[number]['workspace'];

/** The start: leads to the page that a role begins its day with. */
export const START = '/';

/** The page at a path, if there is one. */
export function pageAt(path: string): (typeof PAGES)[number] | undefined {
  return PAGES.find(({ paths }) => paths.some((pattern) => fits(path, pattern)));
}

/** Where the day of a role begins: revenue for managers, the front desk for staff, the calendar for viewers. */
export function startOf(role: string | undefined): string {
  return role === 'STAFF' ? '/desk' : '/revenue';
}

/** Whether a role may open a page. The server decides what is answered; this leaves out what would be refused. */
export function mayOpen({ least }: PageEntry, role: string): boolean {
  const known = ROLES.find((one) => one === role);
  return least !== undefined && known !== undefined && atLeast(known, least);
}

function fits(path: string, pattern: string): boolean {
  const given = path.split('/');
  const wanted = pattern.split('/');
  return (
    given.length === wanted.length &&
    wanted.every((segment, index) => (segment.startsWith('{') ? given[index] !== '' : segment === given[index]))
  );
}
