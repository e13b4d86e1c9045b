import t from 'tap';

import { fuzzApi } from '../../load-tests/fuzz/api.ts';
import { fuzzLive } from '../../load-tests/fuzz/live/run.ts';

/** The OpenAPI documents have 300 operations; a program of others sends dozens of requests to each. */
t.setTimeout(1_800_000);

/** For each service; what it has not sent by then it leaves out, since how much that is depends on the machine. */
const SECONDS = 300;

/** Short runs of `npm run fuzz`, always with the same seed. */
const SEED = 1;

void t.test('schemathesis finds nothing in the APIs', async (t) => {
  const phases = 'examples,coverage';
  const roles = ['ADMIN'] as const;
  const services = ['rates', 'reservations'] as const;
  const bounds = { examples: '1', seconds: String(SECONDS) };
  t.ok(await fuzzApi({ ...bounds, seed: String(SEED), phases, roles, services }));
});

void t.test('no frame harms the live gateway', async (t) => {
  const runtime = process.env['INNKEEPER_SCRIPT'] === 'start:node' ? 'node' : 'deno';
  t.ok(await fuzzLive({ minutes: 0.5, attackers: 12, seed: SEED, runtime }));
});
