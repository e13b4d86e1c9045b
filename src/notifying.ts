import type { Config } from './config.ts';
import { Notifier } from './jobs/notifier.ts';
import { clearNotifications } from './operations/clear-notifications.ts';
import { gatherNotifications } from './operations/gather-notifications.ts';
import { channelsOf, type Posting } from './operations/posting.ts';
import { remindGuests } from './operations/remind-guests.ts';
import { sendNotifications } from './operations/send-notifications.ts';
import { DevelopmentOutbox } from './partners/development-outbox.ts';
import { HttpSms } from './partners/http-sms.ts';
import { SmtpMail } from './partners/smtp-mail.ts';
import type { Clock } from './ports/clock.ts';
import type { EachAlone } from './ports/each-alone.ts';
import type { Log } from './ports/log.ts';
import type { Outbox } from './ports/outbox.ts';
import type { Tenants } from './ports/tenants.ts';
import type { Database } from './storage/database.ts';
import { databaseNotifications } from './storage/notifications.ts';

type Parts = {
  config: Pick<Config, 'SMTP_URL' | 'SMS_URL' | 'developmentParts'>;
  database: Database;
  tenants: Tenants;
  settings: Posting['settings'];
  log: Log;
  clock: Clock;
  each: EachAlone;
};

/**
 * Notifications of guests: by SMTP_URL and SMS_URL where they are set. Beside the development issuer an outbox stands in
 * the place of each that is not; elsewhere nothing does, health says UNKNOWN, and guests are not notified that way.
 */
export function openNotifying({ config, database, tenants, settings, log, clock, each }: Parts): {
  notifier: Notifier;
  outbox: Outbox;
} {
  const outbox = new DevelopmentOutbox(clock);
  const instead = config.developmentParts ? outbox : undefined;
  const posting: Posting = {
    notifications: databaseNotifications(database),
    mail: config.SMTP_URL === undefined ? instead?.mail : new SmtpMail(config.SMTP_URL),
    sms: config.SMS_URL === undefined ? instead?.sms : new HttpSms(config.SMS_URL),
    ...{ settings, clock, log, each },
  };
  const notifier = new Notifier({
    ...{ tenants, log, each, channels: channelsOf(posting) },
    gather: (tenantId) => gatherNotifications(posting, tenantId),
    async tidy(tenantId) {
      await each.one(`${tenantId} reminders`, () => remindGuests(posting, tenantId));
      await each.one(`${tenantId} ended notifications`, () => clearNotifications(posting, tenantId));
    },
    send: (tenantId, channel, signal) => sendNotifications(posting, tenantId, channel, signal),
    breaker: (channel) => (channel === 'MAIL' ? posting.mail : posting.sms)?.breaker,
  });
  return { notifier, outbox };
}
