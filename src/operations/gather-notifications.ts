import { bookingsOf } from '../domain/journal.ts';
import { kindOf, type NotificationChannel } from '../domain/notification.ts';
import type { NewNotification, UnreadJournal } from '../ports/notifications.ts';
import { channelsOf, type Posting } from './posting.ts';

/** Pages read in one go: then others have a turn. */
const MOST_PAGES = 20;

/**
 * Makes notifications of what the journals of a tenant say and nobody has read (architecture.md 3: what follows from a
 * booking is read from the journal). A process that dies anywhere in here has lost nothing, and has doubled nothing
 * when it comes back: positions move on in the same transaction that adds what was found before them, and whatever is
 * read twice has the same key.
 *
 * @returns NOTHING that was not read before, SOME of it, or MORE than was read now
 */
export async function gatherNotifications(posting: Posting, tenantId: string): Promise<'NOTHING' | 'SOME' | 'MORE'> {
  const { notifications } = posting;
  const channels = channelsOf(posting);
  // Who cannot be told now is not told later either: a mail server that is set up one day sends no mails about the past.
  if (channels.length === 0) return notifications.skip(tenantId).then(() => 'NOTHING');
  let more = false;
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const unread = await notifications.unread(tenantId, after);
    if (unread.length === 0) return more ? 'MORE' : page === 0 ? 'NOTHING' : 'SOME';
    const { confirmations } = await posting.settings(tenantId);
    const made = confirmations ? unread.flatMap((journal) => noticesOf(posting, journal, channels)) : [];
    await notifications.take(tenantId, unread, made);
    more ||= unread.some((journal) => journal.more);
    after = unread.at(-1)!.propertyId;
  }
  return 'MORE';
}

/** What a journal gives the guests to know; a row that makes no sense is passed over, and holds up nobody. */
function noticesOf(
  { log }: Posting,
  { propertyId, entries }: UnreadJournal,
  channels: readonly NotificationChannel[],
): NewNotification[] {
  return entries.flatMap(({ seq, at, ...entry }) => {
    try {
      return bookingsOf(entry).flatMap((booking) => {
        const kind = kindOf(booking);
        if (!kind) return [];
        const { reservationId } = booking;
        return channels.map((channel) => ({ propertyId, reservationId, kind, channel, occasion: seq, at }));
      });
    } catch (error) {
      log.error(
        { property: propertyId, seq, error: String(error) },
        'a journal row cannot be read for notifications',
      );
      return [];
    }
  });
}
