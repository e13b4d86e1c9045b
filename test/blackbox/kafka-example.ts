import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';

import type { Services } from '../services/start.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import { until } from './waiting.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/kafka-consumer/consumer.ts');
const SOON_MS = 60_000;

type Line = { eventType: string; propertyId: string; generation: number; seq: number; reservationId: string };

/** The example while it runs. */
class Consumer {
  readonly #child: ChildProcess;
  #text = '';

  constructor({ env: { KAFKA_BROKERS, SCHEMA_REGISTRY_URL } }: Services, group: string) {
    const env = { PATH: process.env.PATH, KAFKA_BROKERS, SCHEMA_REGISTRY_URL, GROUP: group };
    this.#child = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    this.#child.stdout!.on('data', (chunk) => (this.#text += String(chunk)));
  }

  of(propertyId: string): Line[] {
    const lines = this.#text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.propertyId === propertyId);
  }

  /** @returns how it ended */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    this.#child.kill(signal);
    const [code] = (await once(this.#child, 'exit')) as [number | null];
    return code;
  }
}

/** The example that reads topics with their schemas (docs/reference/events.md#delivery), and continues where it was. */
export async function kafkaExample(t: Test, parts: Services, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  const first = await property.booked();
  must(await service.reservations('DELETE', `/${first.reservationId}`, { body: {} }), 200);
  const group = `example-${propertyId}`;
  const consumer = new Consumer(parts, group);
  t.teardown(() => consumer.end('SIGKILL'));
  const read = await until('the example has both events', SOON_MS, () => {
    const lines = consumer.of(propertyId);
    return lines.length >= 2 ? lines : undefined;
  });
  t.same(read.map(({ eventType }) => eventType).toSorted(), ['RESERVATION_CANCELLED', 'RESERVATION_CREATED']);
  for (const line of read) t.match(line, { reservationId: first.reservationId, generation: 1, seq: Number });
  t.equal(await consumer.end(), 0, 'it ends in order');
  const second = await property.booked();
  const next = new Consumer(parts, group);
  t.teardown(() => next.end('SIGKILL'));
  const more = await until('the next one has the next event', SOON_MS, () => {
    const lines = next.of(propertyId);
    return lines.length > 0 ? lines : undefined;
  });
  t.same(
    more.map(({ reservationId }) => reservationId),
    [second.reservationId],
    'and nothing of what was there before',
  );
  t.equal(await next.end(), 0);
}
