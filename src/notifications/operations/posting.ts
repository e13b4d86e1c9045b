import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import type { NotificationSettings } from '../../tenants/rules/tenant.ts';
import type { MailSender, Notifications, SmsSender } from '../ports.ts';
import type { NotificationChannel } from '../rules/notification.ts';

/** How long a notification that has come to its end is remembered (docs/concepts/storage.md#retention). */
export const RETENTION_MS = 30 * 86_400_000;

/** What telling guests takes; a channel that this installation does not have is absent. */
export type Posting = {
  notifications: Notifications;
  mail?: MailSender;
  sms?: SmsSender;
  /** What the tenant wants its guests to be told of. */
  settings(tenantId: string): Promise<NotificationSettings>;
  clock: Clock;
  log: Log;
  /** Has one property or clock fail alone. */
  each?: ItemRunner;
};

/** Of whoever posts, or one that counts nothing. */
export const eachOf = ({ each, log }: Posting): ItemRunner => each ?? ItemRunner.uncounted(log);

/** The channels that there are. */
export function channelsOf({ mail, sms }: Posting): NotificationChannel[] {
  return [...(mail ? ['MAIL' as const] : []), ...(sms ? ['SMS' as const] : [])];
}
