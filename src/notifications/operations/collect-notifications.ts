import type { CommandType } from '../../kernel/rules/commands.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { bookingsOf } from '../../kernel/rules/journal.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import type { NewNotification, UnreadJournal } from '../ports.ts';
import { kindOf, type NotificationChannel, offeredIn, UNREAD_PROPERTIES } from '../rules/notification.ts';
import { mailsIn } from '../rules/stay-mail.ts';
import { channelsOf, eachOf, type Posting } from './posting.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Commands that change the price of a stay but not the booking. */
const OF_THE_FOLIO = new Set<CommandType>(['POST_CHARGE', 'VOID_POSTING', 'ROUTE_FOLIO']);

/** Its guests have heard of their bookings from the system before. */
const OF_AN_IMPORT: CommandType = 'IMPORT_RESERVATIONS';

/** Pages read in one go, before other tenants are served. */
const MAX_PAGES = 20;

/**
 * Creates notifications from unread journal rows of a tenant (docs/concepts/notifications.md#gathering). A crash loses
 * none and doubles none: positions move in the same transaction that adds the notifications before them, and a row that
 * is read twice gives the same key.
 * @returns NOTHING without unread rows, SOME when all were read, or MORE when some are left
 */
export async function gatherNotifications(
  posting: Posting,
  tenantId: TenantId,
): Promise<'NOTHING' | 'SOME' | 'MORE'> {
  const { notifications } = posting;
  const channels = channelsOf(posting);
  // Notifications of a missing channel are skipped for good: a mail server that is set up later sends no mails about
  // the past.
  if (channels.length === 0) return notifications.skip(tenantId).then(() => 'NOTHING');
  let more = false;
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const unread = await notifications.unread(tenantId, after);
    if (unread.length === 0) return more ? 'MORE' : page === 0 ? 'NOTHING' : 'SOME';
    const { confirmations } = await posting.settings(tenantId);
    const notificationsOf = (journal: UnreadJournal): NewNotification[] =>
      noticesOf(posting, tenantId, journal, { channels, confirmations });
    const taken = await takeEach(posting, tenantId, unread, notificationsOf);
    more ||= taken.some((journal) => journal.more);
    if (unread.length < UNREAD_PROPERTIES) return more ? 'MORE' : 'SOME';
    after = unread.at(-1)!.propertyId;
  }
  return 'MORE';
}

/**
 * All at once; after a failure one by one, so that only the failing property is left behind. @returns the stored ones
 */
async function takeEach(
  posting: Posting,
  tenantId: TenantId,
  unread: readonly UnreadJournal[],
  notificationsOf: (journal: UnreadJournal) => NewNotification[],
): Promise<readonly UnreadJournal[]> {
  const { notifications } = posting;
  try {
    await notifications.take(tenantId, unread, unread.flatMap(notificationsOf));
    return unread;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
  }
  const taken: UnreadJournal[] = [];
  for (const journal of unread)
    await eachOf(posting).one(`${tenantId}/${journal.propertyId} notifications`, async () => {
      await notifications.take(tenantId, [journal], notificationsOf(journal));
      taken.push(journal);
    });
  return taken;
}

/** Notifications that follow from journal rows; a malformed row is logged and skipped. */
function noticesOf(
  posting: Posting,
  tenantId: TenantId,
  { propertyId, entries }: UnreadJournal,
  { channels, confirmations }: { channels: readonly NotificationChannel[]; confirmations: boolean },
): NewNotification[] {
  // Guests of a sandbox do not exist, and what its owner tries out there reaches nobody.
  if (isSandbox(propertyId)) return [];
  return entries.flatMap(({ seq, at, type, ...entry }) => {
    if (type === OF_AN_IMPORT) return [];
    try {
      const mails = channels.includes('MAIL') ? mailsIn(entry.facts) : [];
      const ordered = mails.map((mail) => ({ propertyId, ...mail, channel: 'MAIL' as const, occasion: seq, at }));
      // Who turned messages about bookings off still sends a mail by hand.
      if (!confirmations) return ordered;
      const offers = channels.includes('MAIL') ? offeredIn(entry.facts) : [];
      const offered = offers.map((reservationId) => {
        const kind = 'WAITLIST_OFFER' as const;
        return { propertyId, reservationId, kind, channel: 'MAIL' as const, occasion: seq, at };
      });
      const notices = bookingsOf(entry).flatMap((booking) => {
        const kind = kindOf(booking);
        if (!kind || (kind === 'MODIFICATION' && OF_THE_FOLIO.has(type))) return [];
        const { reservationId } = booking;
        if (!UUID.test(reservationId)) throw new Error('the entry has no reservation id');
        return channels.map((channel) => ({ propertyId, reservationId, kind, channel, occasion: seq, at }));
      });
      return [...notices, ...offered, ...ordered];
    } catch (error) {
      eachOf(posting).failed(`${tenantId}/${propertyId} row ${seq}`, error);
      return [];
    }
  });
}
