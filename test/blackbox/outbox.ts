import { advanceClock, must } from './property.ts';
import type { CallOptions, Service } from './service.ts';
import type { Page } from './shapes.ts';
import { until } from './waiting.ts';

/** A message of `GET /dev/outbox`. */
export type Message = {
  id: string;
  channel: 'MAIL' | 'SMS';
  kind: string;
  to: string;
  subject: string | null;
  text: string;
  html: string | null;
  reservationId: string;
  sentAt: string;
};

/** Messages of a tenant, newest first. */
export async function outbox(service: Service, query = '', options: CallOptions = {}): Promise<Page<Message>> {
  const url = `${service.dev.reservationUrl}/dev/outbox${query}`;
  return must(await service.call<Page<Message>>('GET', url, options), 200).json;
}

/** Notifications of a reservation, oldest first, once there are this many. */
export function messages(service: Service, reservationId: string, count: number): Promise<Message[]> {
  return until(`${count} messages`, 60_000, async () => {
    const { items } = await outbox(service, `?reservationId=${reservationId}`);
    return items.length >= count ? items.toReversed() : undefined;
  });
}

/** Has everything sent that is due: the clock answers after that (docs/reference/set-up.md#development-only). */
export async function posted(service: Service): Promise<void> {
  must(await advanceClock(service, 0), 200);
}
