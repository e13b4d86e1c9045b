import type { NotificationChannel, NotificationKind } from '../domain/notification.ts';
import type { Instant } from '../domain/property-time.ts';

/** A message as it would have gone out; an SMS has neither subject nor HTML. */
export type OutboxMessage = {
  id: string;
  channel: NotificationChannel;
  kind: NotificationKind;
  to: string;
  subject: string | null;
  text: string;
  html: string | null;
  reservationId: string;
  sentAt: Instant;
};

/**
 * What development sends instead of sending it (docs/concepts/notifications.md#channels): in memory only, gone with the
 * process.
 */
export interface Outbox {
  /** Messages of a tenant that are still kept. */
  of(tenantId: string): OutboxMessage[];
  /** Drops what was told about these reservations. */
  forget(tenantId: string, reservationIds: readonly string[]): void;
}
