import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';

import { freePorts } from '../../../src/testing/launch/free-ports.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/channel-manager/channel-manager.ts');

/** The example of a channel manager, step by step (docs/reference/channel-protocols.md#generic-json). */
export async function channelExample(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  const start = async (t: Test, more: Record<string, string> = {}) => {
    const [port] = await freePorts(1);
    const { rateUrl: RATE_URL, reservationUrl: RESERVATION_URL } = service.dev;
    const of = { TOKEN: service.token('demo', 'ADMIN'), PROPERTY: propertyId, RATE_URL, RESERVATION_URL };
    const env = { PATH: process.env.PATH, ...of, PORT: String(port), ...more };
    const child = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    t.teardown(() => child.kill());
    const output = { lines: '', errors: '' };
    child.stdout.on('data', (chunk) => (output.lines += String(chunk)));
    child.stderr.on('data', (chunk) => (output.errors += String(chunk)));
    return { child, output, url: `http://127.0.0.1:${port}/` };
  };
  const channels = async (): Promise<{ channelId: string; status: string }[]> => {
    const url = `${service.dev.reservationUrl}/api/v1/channels?propertyId=${propertyId}`;
    return must(await service.call<{ items: { channelId: string; status: string }[] }>('GET', url), 200).json.items;
  };

  await group.test('it is sent what there is, sells, changes and cancels', async (t) => {
    const { child, output } = await start(t);
    const [code] = (await once(child, 'exit')) as [number];
    t.equal(code, 0, output.errors.slice(-1_000));
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
    const lines = output.lines.trim().split('\n');
    t.equal(lines[0], `synced: ${day(30)} has 4 rooms at 100.00 EUR`);
    t.match(lines[1], new RegExp(`^booked: CONFIRMED \\S+, ${day(30)} to ${day(31)}$`));
    t.equal(lines[2], `rooms: 3 on ${day(30)}`);
    t.match(lines[3], new RegExp(`^changed: CONFIRMED \\S+, ${day(31)} to ${day(32)}$`));
    t.equal(lines[4], `rooms: 4 on ${day(30)}`);
    t.match(lines[5], /^cancelled: CANCELLED \S+/);
    t.equal(lines[6], 'disconnected');
    t.equal(lines.length, 7);
    t.same(await channels(), []);
    const [booking] = await property.reservations();
    t.match(booking, { status: 'CANCELLED', source: { channel: 'OTA', collectedBy: 'CHANNEL' } });
  });

  await group.test('it stays connected, is connected again after a restart, and answers nobody else', async (t) => {
    for (const round of [1, 2]) {
      const { child, output, url } = await start(t, { KEEP: '1', FROM_DAY: String(40 + round) });
      await until('it is connected', 60_000, () => (output.lines.includes('connected as') ? true : undefined));
      t.match(await channels(), { length: 1, 0: { status: 'ACTIVE' } }, `round ${round}`);
      t.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401);
      t.equal((await fetch(url)).status, 401);
      child.kill();
      await once(child, 'exit');
    }
  });
}
