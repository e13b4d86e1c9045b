import type { TenantId } from '../../kernel/rules/ids.ts';
import { reminderDays } from '../rules/notification.ts';
import { channelsOf, eachOf, type Posting } from './posting.ts';

/** Pages of reminders of one day of arrival. */
const MAX_PAGES = 200;

/**
 * Creates the due reminders of a tenant: for confirmed guests whose check-in time is at most 24 hours away, or the
 * tenant's setting (docs/reference/set-up.md#tenant), by the clock of their property, once for each day of arrival.
 * Guests who booked or changed the stay within these hours were informed then.
 */
export async function remindGuests(posting: Posting, tenantId: TenantId): Promise<void> {
  const { notifications, clock } = posting;
  const channels = channelsOf(posting);
  const { reminders, reminderHours } = await posting.settings(tenantId);
  if (channels.length === 0 || !reminders) return;
  for (const local of await notifications.clocks(tenantId))
    await eachOf(posting).one(`${tenantId}/${(local.properties ?? []).join(',')} reminders`, async () => {
      for (const day of reminderDays(clock.now(), local, reminderHours))
        for (let page = 0; page < MAX_PAGES; page++)
          if ((await notifications.remind(tenantId, local, day, clock.now(), channels)) === 0) break;
    });
}
