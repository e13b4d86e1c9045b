import type { NotificationKind } from '../domain/notification.ts';

/**
 * What became of a message that was handed to a partner. AWAY: the partner was not there. DEFERRED: it said later.
 * REFUSED: it never will. After these three it was certainly not taken. UNKNOWN: it may have been; who must not send
 * twice does not repeat it. Reasons are ours and short, for answers of partners repeat addresses.
 */
export type Delivery = { outcome: 'SENT' } | { outcome: 'AWAY' | 'DEFERRED' | 'REFUSED' | 'UNKNOWN'; reason: string };

/** What a message is about, for whoever keeps it. */
export type About = { tenantId: string; reservationId: string; kind: NotificationKind };
