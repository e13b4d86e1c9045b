import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import type { ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { NotificationSettings } from '../../tenants/rules/tenant.ts';
import type { LetterTemplates, MailSender, Notifications, SmsSender } from '../ports.ts';
import type { LetterTexts } from '../rules/letter-texts.ts';
import type { Letter } from '../rules/letter.ts';
import type { NotificationChannel } from '../rules/notification.ts';
import type { StayMail } from '../rules/stay-mail.ts';

/** Retention of ended notifications (docs/concepts/storage.md#retention). */
export const RETENTION_MS = 30 * 86_400_000;

/** Longer than any delivery: one still in progress after this was interrupted. */
export const CUT_OFF_MS = 5 * 60_000;

/** A letter with its sender, in a language. */
export type MailLetter = { property: Property; letter: Letter; texts: LetterTexts };

/** Dependencies of notifying guests; a channel that is not configured is absent. */
export type Posting = {
  notifications: Notifications;
  mail?: MailSender;
  sms?: SmsSender;
  /** Notification settings of the tenant. */
  settings(tenantId: TenantId): Promise<NotificationSettings>;
  /** Own texts of properties for letters. */
  templates: Pick<LetterTemplates, 'get'>;
  /** Address of the page of a stay for its guest, with the link as of the order of a letter; none that was revoked. */
  stayUrl?: (tenantId: TenantId, id: ReservationId, orderedAt: Instant) => Promise<string | undefined>;
  /** Letter of a mail that staff send. */
  letterOf(tenantId: TenantId, mail: StayMail): Promise<MailLetter>;
  clock: Clock;
  log: Log;
  /** Isolates failures of single properties and clocks. */
  each?: ItemRunner;
};

/** The runner of the sender, or one without counters. */
export const eachOf = ({ each, log }: Posting): ItemRunner => each ?? ItemRunner.uncounted(log);

/** The configured channels. */
export function channelsOf({ mail, sms }: Posting): NotificationChannel[] {
  return [...(mail ? ['MAIL' as const] : []), ...(sms ? ['SMS' as const] : [])];
}
