import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { NotificationSettings } from '../../tenants/rules/tenant.ts';
import type { MailSender, Notifications, SmsSender } from '../ports.ts';
import type { NotificationChannel } from '../rules/notification.ts';

/** How long a notification that has come to its end is remembered (docs/concepts/storage.md#retention). */
export const RETENTION_MS = 30 * 86_400_000;

/** Dependencies of notifying guests; a channel that this installation does not have is absent. */
export type Posting = {
  notifications: Notifications;
  mail?: MailSender;
  sms?: SmsSender;
  /** What the tenant wants its guests to be notified of. */
  settings(tenantId: TenantId): Promise<NotificationSettings>;
  clock: Clock;
  log: Log;
  /** Has one property or clock fail alone. */
  each?: ItemRunner;
};

/** Counters of the sender, or some that count nothing. */
export const eachOf = ({ each, log }: Posting): ItemRunner => each ?? ItemRunner.uncounted(log);

/** The channels that there are. */
export function channelsOf({ mail, sms }: Posting): NotificationChannel[] {
  return [...(mail ? ['MAIL' as const] : []), ...(sms ? ['SMS' as const] : [])];
}
