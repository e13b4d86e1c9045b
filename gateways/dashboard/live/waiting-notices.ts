import { computed, effect, signal } from '@preact/signals';

import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import { atLeast, ROLES } from '../../../src/kernel/rules/caller.ts';
import type { waitingMattersAnswer } from '../../../src/notifications/contracts/waiting-matters.ts';
import { WAITING_KINDS, type WaitingKind } from '../../../src/tenants/rules/preferences.ts';
import { freshAccess, pageAccess } from '../access/page-access.ts';
import { signedInRole } from '../access/roles.ts';
import { pageUrl, parameter } from '../address.ts';
import { propertyPath, read } from '../api.ts';
import { PROPERTY_KEY } from '../properties/property-key.ts';
import { network } from './network.ts';
import { wantedNotices } from './notices.ts';

/** What waits at the property that is open until somebody has done something about it. */
export type WaitingNotice = WireOf<typeof waitingMattersAnswer>['items'][number] & { propertyId: string };

/** The first question comes after the page has its own data. */
const FIRST_MS = 5_000;
const EVERY_MS = 60_000;

const all = signal<readonly WaitingNotice[]>([]);
const seen = signal<ReadonlyMap<string, number>>(new Map());

const keyOf = ({ propertyId, kind }: WaitingNotice): string => `${propertyId} ${kind}`;

/** Those that the person wants. */
export const waitingNotices = computed(() => all.value.filter(({ kind }) => wantedNotices.value.includes(kind)));
/** How many kinds have grown since the list was opened. */
export const unseenWaiting = computed(
  () => waitingNotices.value.filter((one) => one.count > (seen.value.get(keyOf(one)) ?? 0)).length,
);

/** The list was opened. What is solved meanwhile and comes again is new. */
export function waitingSeen(): void {
  seen.value = new Map(all.value.map((one) => [keyOf(one), one.count]));
}

/** Takes what a property answers. A kind that this page does not know is of a later release. */
function takeWaiting(notices: readonly WaitingNotice[]): void {
  all.value = notices.filter(({ kind }) => WAITING_KINDS.includes(kind));
  seen.value = new Map(
    [...seen.value].map(([key, count]) => [
      key,
      Math.min(count, all.value.find((one) => keyOf(one) === key)?.count ?? 0),
    ]),
  );
}

/** Where it is solved. */
export function waitingHref({ kind, propertyId: property }: WaitingNotice): string {
  const paths: Record<WaitingKind, [path: string, query?: Record<string, string>]> = {
    ROOMS_MISSING: ['/desk', { list: 'arrivals' }],
    TASKS_OVERDUE: ['/desk/housekeeping'],
    MAINTENANCE_OVERDUE: ['/desk'],
    RECOMMENDATIONS: ['/revenue'],
    MESSAGES_FAILED: ['/admin/messages', { state: 'FAILED' }],
    INVITATIONS_FAILED: ['/admin/users'],
    INVITATION_ACCEPTED: ['/admin/users'],
  };
  const [path, query = {}] = paths[kind];
  return pageUrl(path, { property, ...query });
}

/** Reads it once a minute while somebody who could do something is signed in and looks at the page. */
effect(() => {
  const role = ROLES.find((one) => one === signedInRole.value);
  if (!pageAccess.value || role === undefined || !atLeast(role, 'STAFF')) {
    all.value = [];
    return undefined;
  }
  const first = setTimeout(() => void ask(), FIRST_MS);
  const every = setInterval(() => void ask(), EVERY_MS);
  return () => {
    clearTimeout(first);
    clearInterval(every);
  };
});

async function ask(): Promise<void> {
  const propertyId = parameter('property') ?? sessionStorage.getItem(PROPERTY_KEY);
  if (document.hidden || network.peek().kind === 'offline' || !propertyId) return;
  try {
    const access = await freshAccess();
    if (!access) return;
    const path = `${propertyPath(access.user, propertyId)}/notices`;
    const { items } = await read<WireOf<typeof waitingMattersAnswer>>(access, 'reservation', path);
    takeWaiting(items.map((one) => ({ ...one, propertyId })));
  } catch {
    // What is shown is at most some minutes old, and the page itself says when the service is away.
  }
}
