import type { ItemRunner } from '../kernel/operations/item-runner.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import { Notifier } from '../notifications/jobs/notifier.ts';
import { clearNotifications } from '../notifications/operations/clear-notifications.ts';
import { gatherNotifications } from '../notifications/operations/collect-notifications.ts';
import { channelsOf, type Posting } from '../notifications/operations/posting.ts';
import { remindGuests } from '../notifications/operations/remind-guests.ts';
import { sendInvitations } from '../notifications/operations/send-invitations.ts';
import { sendNotifications } from '../notifications/operations/send-notifications.ts';
import { HttpSms } from '../notifications/partners/http-sms.ts';
import { MemoryMailbox } from '../notifications/partners/memory-mailbox.ts';
import { SmtpMail } from '../notifications/partners/smtp-mail.ts';
import type { DevMailbox } from '../notifications/ports.ts';
import { databaseInvitationLetters } from '../notifications/storage/invitation-letters.ts';
import { databaseLetterTemplates } from '../notifications/storage/letter-templates.ts';
import { databaseNotifications } from '../notifications/storage/notifications.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { TenantStore } from '../tenants/ports.ts';

type Parts = {
  config: Pick<Config, 'SMTP_URL' | 'SMS_URL' | 'developmentParts'>;
  database: Database;
  tenants: TenantStore;
  settings: Posting['settings'];
  letterOf: Posting['letterOf'];
  stayUrl: NonNullable<Posting['stayUrl']>;
  signInUrl: (tenantId: TenantId) => string;
  log: Log;
  clock: Clock;
  each: ItemRunner;
};

/**
 * Opens notifications of guests by SMTP_URL and SMS_URL, where set. Without them, development retains messages in an
 * outbox; in production nothing is sent, health says UNKNOWN, and guests are not notified that way.
 */
export function openNotifying({ config, database, tenants, settings, log, clock, each, ...parts }: Parts): {
  notifier: Notifier;
  outbox: DevMailbox;
  /** Whether mails are sent at all. */
  sendsMail: boolean;
} {
  const outbox = new MemoryMailbox(clock);
  const instead = config.developmentParts ? outbox : undefined;
  const posting: Posting = {
    notifications: databaseNotifications(database),
    mail: config.SMTP_URL === undefined ? instead?.mail : new SmtpMail(config.SMTP_URL),
    sms: config.SMS_URL === undefined ? instead?.sms : new HttpSms(config.SMS_URL),
    settings,
    letterOf: parts.letterOf,
    stayUrl: parts.stayUrl,
    templates: databaseLetterTemplates(database),
    clock,
    log,
    each,
  };
  const { signInUrl } = parts;
  const inviting = { letters: databaseInvitationLetters(database), mail: posting.mail, signInUrl, clock, log };
  const notifier = new Notifier({
    tenants,
    log,
    each,
    channels: channelsOf(posting),
    gather: (tenantId) => gatherNotifications(posting, tenantId),
    async tidy(tenantId) {
      await each.one(`${tenantId} reminders`, () => remindGuests(posting, tenantId));
      await each.one(`${tenantId} ended notifications`, () => clearNotifications(posting, tenantId));
    },
    send: (tenantId, channel, signal) => sendNotifications(posting, tenantId, channel, signal),
    invite: (tenantId, signal) => sendInvitations(inviting, tenantId, signal),
    breaker: (channel) => (channel === 'MAIL' ? posting.mail : posting.sms)?.breaker,
  });
  return { notifier, outbox, sendsMail: posting.mail !== undefined };
}
