import { spawnSync } from 'node:child_process';
import { test } from 'tap';

import { createLog } from './telemetry.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ level: 'trace', to: { write: (line: string) => void lines.push(line) } }));
  return lines.join('');
}

void test('no token, card, e-mail or phone reaches a line, however deep it lies', async (t) => {
  const text = logged((log) => {
    log.info({
      headers: {
        Authorization: 'Bearer abcdefgh',
        cookie: 'a=b',
        'X-Api-Key': 'k1',
        'X-Request-Id': 'r1',
        'set-cookie': ['s'],
      },
      body: { guestInfo: { email: 'ada@example.com', phone: '+351 912 345 678', firstName: 'Ada' } },
      list: [{ paymentDetails: { cardToken: 'tok_visa' } }],
    });
    log
      .child({ email: 'eve@example.com' })
      .warn('mail to bob@example.org, card 4111 1111 1111 1111, Bearer eyJh.bGci.Oi');
    log.error(new Error('no mail for carol@example.net with tok_declined and +49 170 1234567'));
    log.error({ err: new Error('outer', { cause: new Error('dora@example.com') }) }, 'failed');
    const driver = Object.assign(new Error("insert into guests values ('Ada', 'Secret') - duplicate key"), {
      code: '23505',
    });
    log.error({ err: driver }, 'driver');
    log.info({ url: 'postgres://me:pass@db/x' });
  });
  // Any digits may stand in the number of the process and in the time.
  const said = text.replaceAll(/"(?:pid|time)":[^,]*,/g, '');
  t.notMatch(said, /ada|eve@|bob@|carol@|dora@|tok_|Bearer a|eyJ|4111|351|1234567|k1|a=b|'Ada'|Secret|me:pass/i);
  t.match(text, '"X-Request-Id":"r1"');
  t.match(text, 'duplicate key');
});

void test('nothing of the payment provider that could be used reaches a line', async (t) => {
  const text = logged((log) => {
    log.info({ env: { STRIPE_SECRET_KEY: 'sk_9' } }, 'read');
    log.error(new Error("no such method 'pm_1Ab' for sk_test_51x or rk_live_77y"));
  });
  t.notMatch(text, /\b(pm|sk|rk)_|51x|77y/);
  t.match(text, "no such method '[card]' for [key] or [key]");
});

void test('ids, times and amounts stay readable', async (t) => {
  const line = {
    requestId: '0199a1b2-7777-7abc-8def-0123456789ab',
    ms: 12.34,
    status: 200,
    route: '/api/v1/reservations/:id',
    at: '2026-11-21T10:00:00.000Z',
    seq: 1234567890123,
  };
  t.match(JSON.parse(logged((log) => log.info(line, 'request'))), {
    ...line,
    seq: /.*/,
    level: 'info',
    msg: 'request',
  });
});

void test('an error keeps its place', async (t) => {
  const parsed: unknown = JSON.parse(logged((log) => log.error({ err: new TypeError('broken') }, 'x')));
  t.match(parsed, { err: { name: 'TypeError', message: 'broken', stack: [/^at /] } });
});

void test('what is buffered is written when the process ends', async (t) => {
  const script = `import { createLog } from './src/platform/telemetry/telemetry.ts'; createLog({ level: 'info' }).info('last words');`;
  const run = spawnSync(
    process.execPath,
    ['--import', './src/platform/launch/strip-types.mjs', '--input-type=module-typescript', '-e', script],
    {
      encoding: 'utf8',
    },
  );
  t.match(run.stderr, 'last words');
});
