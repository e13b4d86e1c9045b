import type { BehindBreaker } from './breaker.ts';
import type { About, Delivery } from './delivery.ts';

/** A text to one guest (docs/guide/production.md#partners). */
export type Sms = { messageId: string; to: string; text: string; about: About };

/** Hands texts over for delivery; never throws for what the partner answers. */
export interface SmsSender extends BehindBreaker {
  /** @param signal the process is going */
  send(sms: Sms, signal: AbortSignal): Promise<Delivery>;
}
