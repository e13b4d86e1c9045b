import type { NotificationKind } from '../domain/notification.ts';

/**
 * What became of a message that was handed to a partner. DEFERRED: it was certainly not taken, and may be later.
 * REFUSED: it was not taken and never will be. UNKNOWN: it may have been taken; who must not send twice does not repeat it.
 * Reasons are ours and short: answers of partners repeat addresses.
 */
export type Delivery = { outcome: 'SENT' } | { outcome: 'DEFERRED' | 'REFUSED' | 'UNKNOWN'; reason: string };

/** What a message is about, for whoever keeps it. */
export type About = { tenantId: string; reservationId: string; kind: NotificationKind };
