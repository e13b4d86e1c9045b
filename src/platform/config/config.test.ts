import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';

import { ConfigError, loadConfig } from './config.ts';

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'config-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

function failure(source: Record<string, string>): string {
  try {
    loadConfig(source);
    return 'accepted';
  } catch (error) {
    return error instanceof ConfigError ? error.message : `not a ConfigError: ${String(error)}`;
  }
}

const key = Buffer.alloc(32, 7).toString('base64');
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://innkeeper@db/innkeeper',
  OIDC_ISSUER: 'https://issuer.example/',
  SECRET_KEYS: `k2:${key},k1:${key}`,
  STRIPE_SECRET_KEY: 'sk_test_1',
  PUBLIC_RATE_URL: 'https://hotel.example/rate/',
  PUBLIC_RESERVATION_URL: 'https://hotel.example/reservation',
  PUBLIC_LIVE_URL: 'https://hotel.example/',
};

void test('without anything, the defaults of the contract hold', (t) => {
  const config = loadConfig({ DATA_DIR: folder(t) });
  t.match(config, {
    RATE_PORT: 8083,
    RESERVATION_PORT: 8084,
    LIVE_PORT: 8085,
    OIDC_PORT: 8086,
    REGISTRY_PORT: 8081,
    HOST: '127.0.0.1',
    issuer: 'http://127.0.0.1:8086',
    embeddedIssuer: true,
    OIDC_AUDIENCE: 'innkeeper',
    DEMO: '1',
    DEMO_PACE: '1',
    production: false,
    RATE_LIMIT_TENANT: 2000,
    RATE_LIMIT_SUBJECT: 1000,
    RATE_LIMIT_ADDRESS: 20,
    RATE_LIMIT_COSTLY: 50,
    TENANT_REQUESTS_IN_PROGRESS: 4,
    RATE_LIMIT_AGENT: 60,
    corsOrigins: ['http://127.0.0.1:8085', 'http://localhost:8085'],
  });
  t.ok(Object.isFrozen(config));
  t.end();
});

void test('the payment provider is reached with a secret or a restricted key, and with no public one', (t) => {
  const DATA_DIR = folder(t);
  for (const STRIPE_SECRET_KEY of ['sk_live_1', 'rk_live_1'])
    t.equal(loadConfig({ DATA_DIR, STRIPE_SECRET_KEY }).STRIPE_SECRET_KEY, STRIPE_SECRET_KEY);
  t.match(failure({ DATA_DIR, STRIPE_SECRET_KEY: 'pk_live_1' }), /STRIPE_SECRET_KEY.*sk_\.\.\. or rk_/);
  t.end();
});

void test('keys of a development installation are made once and readable by us only', (t) => {
  const DATA_DIR = folder(t);
  const first = loadConfig({ DATA_DIR }).secretKeys;
  t.match(first, [{ id: 'dev1' }]);
  t.equal(first[0]?.key.length, 32);
  t.same(loadConfig({ DATA_DIR }).secretKeys, first);
  t.equal(statSync(join(DATA_DIR, 'secrets.json')).mode & 0o777, 0o600);
  t.end();
});

void test('a database may have several hosts, each with its port; the service needs the one that takes writes', (t) => {
  const DATA_DIR = folder(t);
  const of = (hosts: string, target = 'read-write'): string =>
    failure({
      DATA_DIR,
      NODE_ENV: 'test',
      DATABASE_URL: `postgres://a:b@${hosts}/innkeeper?target_session_attrs=${target}`,
    });
  for (const hosts of ['db-1:5432', 'db-1,db-2', 'db-1:5432,db-2:5433', '[::1]:5432,10.0.0.2'])
    for (const target of ['read-write', 'primary']) t.equal(of(hosts, target), 'accepted', `${hosts} ${target}`);
  for (const hosts of ['db-1:5432,', ',db-2', 'db-1:5432,db-2:port'])
    t.match(of(hosts), /^DATABASE_URL: expected a postgres:\/\/ URL with one host or several/, hosts);
  t.match(of('db-1,db-2', 'any'), /^DATABASE_URL: expected target_session_attrs=read-write or primary/);
  t.end();
});

void test('given keys come newest first', (t) => {
  t.same(
    loadConfig(production).secretKeys.map(({ id }) => id),
    ['k2', 'k1'],
  );
  t.end();
});

void test('every wrong value is named with what is expected, one line each', (t) => {
  const wrong = failure({
    RATE_PORT: '70000',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    KAFKA_BROKERS: 'kafka',
    SECRET_KEYS: 'k1:short',
    CORS_ORIGINS: 'http://a.test/path',
    RATE_LIMIT_TENANT: '-1',
    NODE_ROLE: 'leader',
    OTEL_TRACES_EXPORTER: 'pigeon',
    OTEL_TRACES_SAMPLER_ARG: '2',
  });
  const names = wrong.split('\n').map((line) => /^([A-Z_]+)(?:\.\d+)?: expected /.exec(line)?.[1]);
  t.same(
    new Set(names),
    new Set([
      'RATE_PORT',
      'LOG_LEVEL',
      'DATABASE_URL',
      'KAFKA_BROKERS',
      'SECRET_KEYS',
      'CORS_ORIGINS',
      'RATE_LIMIT_TENANT',
      'NODE_ROLE',
      'OTEL_TRACES_EXPORTER',
      'OTEL_TRACES_SAMPLER_ARG',
    ]),
  );
  t.end();
});

void test('a node advertises its address only when others can reach it there', (t) => {
  const DATA_DIR = folder(t);
  for (const NODE_HOST of ['0.0.0.0', '::', '::1', 'fd00::5', '[fd00::5]']) {
    const said = failure({ DATA_DIR, NODE_HOST });
    t.match(said, /^NODE_HOST: .* set NODE_ADVERTISE/, NODE_HOST);
    t.notMatch(said, '\n', 'one line');
    t.match(loadConfig({ DATA_DIR, NODE_HOST, NODE_ADVERTISE: 'node-1:7000' }), { NODE_HOST });
  }
  for (const NODE_HOST of ['10.0.0.5', 'node-1']) t.match(loadConfig({ DATA_DIR, NODE_HOST }), { NODE_HOST });
  for (const NODE_ADVERTISE of ['node-1', '::1:7000', '[fd00::5]:7000', 'node-1:0', 'node-1:70000'])
    t.match(failure({ DATA_DIR, NODE_ADVERTISE }), /^NODE_ADVERTISE: expected a host:port/, NODE_ADVERTISE);
  t.end();
});

void test('production names all that it misses, and takes no embedded part', (t) => {
  t.equal(
    failure({ NODE_ENV: 'production' }),
    'NODE_ENV=production needs what is missing here: DATABASE_URL, OIDC_ISSUER, SECRET_KEYS, ' +
      'PUBLIC_RATE_URL, PUBLIC_RESERVATION_URL, PUBLIC_LIVE_URL, STRIPE_SECRET_KEY (the payment adapter)',
  );
  t.match(failure({ ...production, INNKEEPER_EMBEDDED_POSTGRES: '1' }), /^INNKEEPER_EMBEDDED_POSTGRES: /);
  const brokers = { ...production, KAFKA_BROKERS: 'kafka:9092' };
  t.match(failure(brokers), /needs what is missing here: SCHEMA_REGISTRY_URL \(KAFKA_BROKERS is given\)$/);
  loadConfig({ ...brokers, SCHEMA_REGISTRY_URL: 'http://registry:8081' });
  const config = loadConfig(production);
  t.match(config, { production: true, embeddedIssuer: false, issuer: 'https://issuer.example/' });
  t.same(config.corsOrigins, ['https://hotel.example'], 'where the dashboards are');
  t.end();
});

void test('where others find the service is a web address, and the dashboards are at its root', (t) => {
  const DATA_DIR = folder(t);
  t.match(loadConfig({ DATA_DIR, PUBLIC_RATE_URL: 'https://hotel.example/rate/' }), {
    PUBLIC_RATE_URL: 'https://hotel.example/rate',
  });
  for (const wrong of [
    'hotel.example',
    'ftp://hotel.example',
    'https://hotel.example/?a=1',
    'https://a:b@hotel.example',
  ])
    t.match(failure({ DATA_DIR, PUBLIC_RATE_URL: wrong }), /^PUBLIC_RATE_URL: expected an http or https URL/, wrong);
  t.match(
    failure({ DATA_DIR, PUBLIC_LIVE_URL: 'https://hotel.example/live' }),
    /^PUBLIC_LIVE_URL: .* without a path/,
  );
  t.same(loadConfig({ DATA_DIR, PUBLIC_LIVE_URL: 'https://hotel.example' }).corsOrigins, [
    'https://hotel.example',
    'http://127.0.0.1:8085',
    'http://localhost:8085',
  ]);
  t.end();
});

void test('proxies are trusted by number or by network, and nobody without being named', (t) => {
  const DATA_DIR = folder(t);
  t.equal(loadConfig({ DATA_DIR }).TRUST_PROXY, undefined);
  t.equal(loadConfig({ DATA_DIR, TRUST_PROXY: '2' }).TRUST_PROXY, 2);
  t.same(loadConfig({ DATA_DIR, TRUST_PROXY: '10.0.0.0/8, fd00::/8,192.0.2.1,loopback' }).TRUST_PROXY, [
    '10.0.0.0/8',
    'fd00::/8',
    '192.0.2.1',
    'loopback',
  ]);
  for (const wrong of ['true', '99', '10.0.0.0/33', '10.0.0', 'proxy.example', '10.0.0.1,', '*'])
    t.match(failure({ DATA_DIR, TRUST_PROXY: wrong }), /^TRUST_PROXY: expected how many proxies/, wrong);
  t.end();
});

void test('the mode has to be said as soon as anything may be real', (t) => {
  const DATA_DIR = folder(t);
  const real = {
    DATABASE_URL: 'postgres://innkeeper@db/innkeeper',
    OIDC_ISSUER: 'https://issuer.example/',
    HOST: '0.0.0.0',
  };
  for (const [name, value] of Object.entries(real)) {
    t.match(failure({ DATA_DIR, [name]: value }), new RegExp(`^NODE_ENV: not set, and ${name}`));
    t.match(loadConfig({ DATA_DIR, [name]: value, NODE_ENV: 'development' }), { production: false });
  }
  for (const HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1'])
    t.match(loadConfig({ DATA_DIR, HOST }), { HOST });
  const embedded = { DATA_DIR, DATABASE_URL: real.DATABASE_URL, INNKEEPER_EMBEDDED_POSTGRES: '1' };
  t.match(loadConfig(embedded), { production: false, developmentParts: true });
  t.end();
});

void test('development parts are there beside a development issuer only', (t) => {
  const DATA_DIR = folder(t);
  const OIDC_ISSUER = 'https://issuer.example/';
  t.match(loadConfig({ DATA_DIR }), { developmentParts: true, embeddedIssuer: true });
  t.match(loadConfig({ DATA_DIR, OIDC_ISSUER, NODE_ENV: 'development' }), {
    production: false,
    developmentParts: false,
    embeddedIssuer: false,
    issuer: OIDC_ISSUER,
  });
  t.match(loadConfig(production), { developmentParts: false });
  const INNKEEPER_DEVELOPMENT_ISSUER = 'http://127.0.0.1:8086';
  t.match(loadConfig({ DATA_DIR, INNKEEPER_DEVELOPMENT_ISSUER }), {
    developmentParts: true,
    embeddedIssuer: false,
    issuer: INNKEEPER_DEVELOPMENT_ISSUER,
  });
  for (const source of [{ OIDC_ISSUER, NODE_ENV: 'development' }, production])
    t.match(failure({ ...source, DATA_DIR, INNKEEPER_DEVELOPMENT_ISSUER }), /^INNKEEPER_DEVELOPMENT_ISSUER: not /);
  t.match(
    failure({ DATA_DIR, INNKEEPER_DEVELOPMENT_ISSUER: OIDC_ISSUER }),
    /^INNKEEPER_DEVELOPMENT_ISSUER: expected an address of this machine/,
  );
  t.end();
});

void test('each database role has a login of its own, or none has', (t) => {
  const DATA_DIR = folder(t);
  const url = 'postgres://app@127.0.0.1/hotel';
  const own = { DATABASE_APP_URL: url, DATABASE_SYSTEM_URL: url, DATABASE_JOBS_URL: url };
  loadConfig({ DATA_DIR, ...own });
  t.match(failure({ DATA_DIR, DATABASE_APP_URL: url }), /^DATABASE_SYSTEM_URL, DATABASE_JOBS_URL: missing/);
  t.end();
});

void test('an empty value counts as not set', (t) => {
  t.equal(loadConfig({ DATA_DIR: folder(t), REDIS_URL: '', LIVE_PORT: '' }).REDIS_URL, undefined);
  t.end();
});
