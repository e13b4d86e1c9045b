import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { webhooksOf } from './groups/webhooks.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import { until } from './waiting.ts';

const folder = join(import.meta.dirname, '../../examples/webhook-receiver');
/** How the page of the examples starts them. */
const PROGRAMS = [
  [process.execPath, 'receiver.ts'],
  ['python3', 'receiver.py'],
] as const;

/** The examples take what a booking says (docs/reference/webhooks.md#messages), and nothing of strangers. */
export async function webhookExamples(group: Test, service: Service): Promise<void> {
  const call = webhooksOf(service);
  const { propertyId, ...property } = await BlackboxProperty.open(service).then((one) => ({
    propertyId: one.propertyId,
    booked: () => one.booked(),
  }));
  for (const [program, file] of PROGRAMS)
    await group.test(file, async (t) => {
      const [port] = await freePorts(1);
      const url = `http://127.0.0.1:${port}/`;
      const body = { url, events: ['reservation.created'], propertyIds: [propertyId] };
      const { webhookId, secret } = must(await call('POST', '', { body }), 201).json;
      const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) };
      const child = spawn(program, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      t.teardown(() => child.kill());
      let lines = '';
      let said = '';
      child.stdout.on('data', (chunk) => (lines += String(chunk)));
      child.stderr.on('data', (chunk) => (said += String(chunk)));
      await until('it listens', 30_000, () => said.includes('listening') || undefined);
      await property.booked();
      await until('it has the booking', 30_000, () => lines.includes('\n') || undefined);
      t.match(JSON.parse(lines.split('\n')[0]!), { type: 'reservation.created', propertyId, generation: 1 });
      const forged = await fetch(url, {
        method: 'POST',
        headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
        body: '{}',
      });
      t.equal(forged.status, 400);
      const tested = must(await call<{ delivered: boolean }>('POST', `/${webhookId}/test`), 200).json;
      t.ok(tested.delivered);
      must(await call('DELETE', `/${webhookId}`), 200);
      child.kill();
      await once(child, 'exit');
    });
}
