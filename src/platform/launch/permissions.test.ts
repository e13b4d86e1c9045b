import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'tap';

import { launchFolder, throwAwayFolder } from '../../testing/launch/throw-away.ts';
import { environment } from '../config/environment.ts';
import { permissions } from './permissions.mjs';

const root = join(launchFolder, '../../..');
const dataDir = join(root, '.data');
const embedded = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://postgres:secret@127.0.0.1:40001/innkeeper' };

function net(env: Record<string, string>): string[] {
  const flag = permissions({ ...embedded, ...env }).find((one) => one.startsWith('--allow-net')) ?? '';
  return flag === '--allow-net' ? ['everything'] : flag.slice('--allow-net='.length).split(',');
}

test('one node may listen on its five ports and reach its own database, nothing else', async (t) => {
  const ports = ['8083', '8084', '8085', '8086', '8081'];
  const own = ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]);
  t.same(net({}).sort(), [...own, '127.0.0.1:40001'].sort());
});

test('no flag lets the service run programs, load libraries or ask', async (t) => {
  const flags = permissions({ ...embedded, KAFKA_BROKERS: 'kafka:9092', STRIPE_SECRET_KEY: 'sk_1' });
  for (const flag of flags) t.notMatch(flag, /^(-A|--allow-(all|run|ffi|import|hrtime))/);
  t.ok(flags.some((flag) => flag.startsWith('--allow-sys=hostname')));
});

test('webhooks may have private networks where they are allowed, and every address only where * says so', (t) => {
  t.ok(net({ WEBHOOK_ALLOW_PRIVATE: '1' }).includes('10.0.0.0/8'));
  t.notOk(net({ WEBHOOK_ALLOW_PRIVATE: '0' }).includes('10.0.0.0/8'));
  t.same(net({ INNKEEPER_ALLOW_NET: '*' }), ['everything']);
  for (const more of [{ INNKEEPER_ALLOW_NET: '*' }, { WEBHOOK_ALLOW_PRIVATE: '1' }])
    t.ok(permissions({ ...embedded, ...more }).includes('--allow-sys'));
  t.end();
});

test('the service reads its sources and DATA_DIR, and writes DATA_DIR alone', async (t) => {
  const flags = permissions(embedded);
  t.strictSame(
    flags.filter((flag) => /read|write/.test(flag)),
    [
      ...[
        'src',
        'actors',
        'gateways',
        'migrations',
        'ops/runbook',
        'node_modules',
        'package.json',
        'tsconfig.json',
        '.data',
      ].map((path) => `--allow-read=${path}`),
      '--allow-write=.data',
    ],
  );
});

test('a DATA_DIR that is a link is opened under both names', async (t) => {
  const folder = throwAwayFolder(t);
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const flags = permissions({ ...embedded, DATA_DIR: join(folder, 'link') });
  const both = ['link', 'real'].map((name) => `--allow-write=${relative(root, join(folder, name))}`);
  t.strictSame(
    flags.filter((flag) => flag.startsWith('--allow-write')),
    both,
  );
});

test('a folder whose name Deno would split is refused in one line', async (t) => {
  t.throws(() => permissions({ ...embedded, DATA_DIR: '/srv/one,two' }), { name: 'LaunchError', message: /comma/ });
});

test('every server that the environment names can be reached, at the port that its scheme implies', async (t) => {
  const cases: [string, string, string[]][] = [
    ['DATABASE_URL', 'postgresql://app:p%40ss@db.example.org/hotel?sslmode=require', ['db.example.org:5432']],
    [
      'DATABASE_URL',
      'postgres://app:a,b@db-1:5433,db-2,[fd00::3]:1/hotel',
      ['db-1:5433', 'db-2:5432', '[fd00::3]:1'],
    ],
    ['SCHEMA_REGISTRY_URL', 'http://registry:8081/', ['registry:8081']],
    ['OIDC_ISSUER', 'https://login.example.org/realms/x', ['login.example.org:443']],
    ['SMTP_URL', 'smtp://mail.example.org', ['mail.example.org:25', 'mail.example.org:587']],
    ['SMTP_URL', 'smtps://mail.example.org', ['mail.example.org:465']],
    ['SMS_URL', 'http://[2001:db8::1]:9000/send', ['[2001:db8::1]:9000']],
    [
      'COMPETITOR_FEED_URL',
      'https://a.example.org,https://b.example.org:444',
      ['a.example.org:443', 'b.example.org:444'],
    ],
    ['ANALYTICS_URL', 'http://127.0.0.1:7777', ['127.0.0.1:7777']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318', ['127.0.0.1:4318']],
    ['STRIPE_SECRET_KEY', 'sk_test', ['api.stripe.com:443']],
    ['INNKEEPER_ALLOW_NET', 'keys.example.org:443', ['keys.example.org:443']],
    ['HOST', '0.0.0.0', ['0.0.0.0:8083', '127.0.0.1:8083']],
    ['HOST', '::', ['[::]:8085', '127.0.0.1:8085']],
    ['RATE_PORT', '9083', ['127.0.0.1:9083']],
    ['RATE_PORT', '0', ['127.0.0.1']],
  ];
  for (const [name, value, expected] of cases) {
    const hosts = net({ [name]: value });
    for (const host of expected) t.ok(hosts.includes(host), `${name}=${value} opens ${host}`);
  }
  t.notOk(net({ RATE_PORT: '9083' }).includes('127.0.0.1:8083'));
});

test('what is no address opens nothing', async (t) => {
  t.same(net({ SMS_URL: 'not an address', ANALYTICS_URL: '' }), net({}));
});

test('a database behind a Unix socket is reached by its file', async (t) => {
  const flags = permissions({ ...embedded, DATABASE_URL: 'postgres://app@localhost/hotel?host=/srv/sockets' });
  t.match(flags[0], /unix:\/srv\/sockets\/\.s\.PGSQL\.5432/);
  for (const kind of ['read', 'write']) {
    t.ok(flags.some((flag) => flag.startsWith(`--allow-${kind}=`) && flag.endsWith('srv/sockets/.s.PGSQL.5432')));
  }
});

test('brokers and nodes name each other addresses, so private networks are open with them, and no others', async (t) => {
  const open = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'localhost'];
  for (const [env, own] of [
    [{ KAFKA_BROKERS: 'kafka-1:9092, kafka-2:9093' }, ['kafka-1:9092', 'kafka-2:9093']],
    [{ REDIS_URL: 'redis://cache' }, ['cache:6379']],
  ] as const) {
    const hosts = net(env);
    for (const host of [...open, ...own]) t.ok(hosts.includes(host), host);
    t.notOk(hosts.includes('everything'));
  }
  for (const host of open.slice(0, 4)) t.notOk(net({}).includes(host), `${host} without them`);
  t.ok(net({ REDIS_URL: 'redis://cache', INNKEEPER_ALLOW_NET: '*.internal' }).includes('*.internal'));
});

test('the service sees its own variables and no others', async (t) => {
  const flags = permissions({ ...embedded, INNKEEPER_ALLOW_ENV: 'ONE,TWO', AWS_SECRET_ACCESS_KEY: 'x' });
  const allowed = flags
    .find((flag) => flag.startsWith('--allow-env='))!
    .slice('--allow-env='.length)
    .split(',');
  for (const name of [...Object.keys(environment.shape), 'ONE', 'TWO']) t.ok(allowed.includes(name), name);
  t.notOk(allowed.includes('AWS_SECRET_ACCESS_KEY'));
  t.ok(flags.includes('--ignore-env'), 'packages that enumerate them go on');
});

test('the certificates of a cluster can be read', async (t) => {
  const flags = permissions({ ...embedded, CLUSTER_TLS_CA: join(root, 'certificates', 'ca.pem') });
  t.ok(flags.includes(`--allow-read=${join('certificates', 'ca.pem')}`));
});
