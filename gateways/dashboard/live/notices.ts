import { computed, signal } from '@preact/signals';

import type { FeedItem, Patch } from '../../../src/live/contracts/live.ts';
import { type NoticeKind, type StayNoticeKind, USUAL_NOTICES } from '../../../src/tenants/rules/preferences.ts';

/** Something that has happened to a stay while somebody worked on a page. */
export type StayNotice = { kind: StayNoticeKind; propertyId: string; item: FeedItem; order: number };

const MAX_NOTICES = 50;
/** A change of one's own is in the feed within this time, before or after its answer. */
const OWN_MS = 10_000;

/** Kinds of notices that the person wants. */
export const wantedNotices = signal<readonly NoticeKind[]>(USUAL_NOTICES);

/** Whether what happens comes at this moment: other pages, and this one without a connection, know nothing of it. */
export const noticesCome = signal(false);

const all = signal<readonly StayNotice[]>([]);
const seen = signal(0);
const own = new Map<string, number>();
let order = 0;

/** Newest first: one for each stay, with what has happened to it last. What is not wanted any more is not shown. */
export const stayNotices = computed(() => all.value.filter(({ kind }) => wantedNotices.value.includes(kind)));
/** How many of them have come since the list was opened. */
export const unseenNotices = computed(() => stayNotices.value.filter((one) => one.order > seen.value).length);

/** Takes what a property's live feed says. What the user does himself is left out. */
export function takeNotices(propertyId: string, patches: readonly Patch[], now = Date.now()): void {
  for (const [id, until] of own) if (until < now) own.delete(id);
  for (const patch of patches) {
    if (patch.topic !== 'feed' || own.has(patch.reservationId)) continue;
    const kind = noticeKindOf(patch);
    if (kind === undefined) continue;
    const { topic: _feed, ...item } = patch;
    const others = all.peek().filter(({ item: { reservationId } }) => reservationId !== item.reservationId);
    all.value = [{ kind, propertyId, item, order: ++order }, ...others].slice(0, MAX_NOTICES);
  }
}

/** Stays that this page has changed itself. */
export function notOfInterest(reservationIds: readonly string[], now = Date.now()): void {
  for (const id of reservationIds) own.set(id, now + OWN_MS);
  const isOld = ({ item }: StayNotice): boolean => item.at < now - OWN_MS;
  all.value = all.peek().filter((one) => !reservationIds.includes(one.item.reservationId) || isOld(one));
}

/** The list was opened. */
export function noticesSeen(): void {
  seen.value = order;
}

/** Nobody else sees the notices of a user. */
export function forgetNotices(): void {
  all.value = [];
  own.clear();
}

/** A room that is held is not booked before it is confirmed. */
function noticeKindOf({ type, status }: FeedItem): StayNoticeKind | undefined {
  switch (type) {
    case 'CREATED':
    case 'REINSTATED':
      return status === 'PENDING' ? undefined : 'BOOKED';
    case 'CONFIRMED':
      return 'BOOKED';
    case 'MODIFIED':
      return status === 'PENDING' ? undefined : 'CHANGED';
    case 'CANCELLED':
    case 'NO_SHOW':
    case 'PAYMENT_FAILED':
      return type;
    default:
      return undefined;
  }
}
