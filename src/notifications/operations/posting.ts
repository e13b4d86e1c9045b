import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { NotificationSettings } from '../../tenants/rules/tenant.ts';
import type { MailSender, Notifications, SmsSender } from '../ports.ts';
import type { NotificationChannel } from '../rules/notification.ts';

/** Retention of ended notifications (docs/concepts/storage.md#retention). */
export const RETENTION_MS = 30 * 86_400_000;

/** Dependencies of notifying guests; a channel that is not configured is absent. */
export type Posting = {
  notifications: Notifications;
  mail?: MailSender;
  sms?: SmsSender;
  /** Notification settings of the tenant. */
  settings(tenantId: TenantId): Promise<NotificationSettings>;
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
