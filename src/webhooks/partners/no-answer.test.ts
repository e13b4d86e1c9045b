import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Receivers on real sockets that never answer as HTTP says, each with what is known of it; printed as JSON. */
const NO_ANSWER = `
  import { createServer } from 'node:net';
  import { HttpReceivers } from './src/webhooks/partners/http-receivers.ts';
  const reacts = {
    silent: (socket) => void socket.resume(),
    unread: () => undefined,
    half: (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 O')),
    continues: (socket) => socket.once('data', () => socket.write('HTTP/1.1 100 Continue\\r\\n\\r\\n')),
    upgrades: (socket) => socket.once('data', () => socket.write(
      'HTTP/1.1 101 Switching Protocols\\r\\nconnection: upgrade\\r\\nupgrade: echo\\r\\n\\r\\n')),
    ends: (socket) => socket.once('data', () => socket.end()),
  };
  const receivers = new HttpReceivers({ allowPrivate: true, timeoutMs: 2_000 });
  const all = Object.entries(reacts).flatMap(([name, react]) => ['http', 'https'].map((scheme) => [name, scheme, react]));
  const found = await Promise.all(all.map(async ([name, scheme, react]) => {
    const server = createServer((socket) => void react(socket.on('error', () => undefined)));
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const url = scheme + '://127.0.0.1:' + server.address().port + '/';
    const never = new Promise((done) => setTimeout(() => done({ failure: 'never' }), 20_000));
    const { failure } = await Promise.race([receivers.send({ of: 'hook', url, headers: {}, body: '{}' }), never]);
    return [scheme + ' ' + name, failure];
  }));
  const server = createServer((socket) => socket.on('error', () => undefined).on('data', (said) => {
    if (String(said).startsWith('POST /taken')) socket.end('HTTP/1.1 204 No Content\\r\\n\\r\\n');
  }));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const url = 'http://127.0.0.1:' + server.address().port;
  const silent = Array.from({ length: 40 }, () => receivers.send({ of: 'silent', url, headers: {}, body: '{}' }));
  await new Promise((later) => setTimeout(later, 100));
  const quick = await receivers.send({ of: 'quick', url: url + '/taken', headers: {}, body: '{}' });
  found.push(['beside silent ones', quick.isTaken && quick.durationMs < 1_000]);
  await Promise.all(silent);
  console.log(JSON.stringify(Object.fromEntries(found)));
  process.exit(0);`;

const RUNTIMES = {
  node: [process.execPath, '--import', './src/platform/launch/strip-types.mjs', '--input-type=module', '--eval'],
  deno: ['node_modules/.bin/deno', 'eval', '--no-lock', '--node-modules-dir=manual', '--ext=mjs'],
};
for (const [runtime, [program, ...args]] of Object.entries(RUNTIMES))
  t.test(`on ${runtime} every request ends, whatever its receiver does`, async (t) => {
    const { NODE_OPTIONS: _tap, ...env } = process.env;
    const { stdout } = await promisify(execFile)(program!, [...args, NO_ANSWER], { cwd: ROOT, env, timeout: 60_000 });
    const late = 'it did not answer within 2 s';
    t.match(JSON.parse(stdout), {
      'beside silent ones': true,
      'http silent': late,
      'http unread': late,
      'http half': late,
      'http continues': late,
      'http upgrades': 'it answers 101',
      'http ends': /^it cannot be reached/,
      'https silent': late,
      'https unread': late,
      'https half': /^it cannot be reached/,
      'https continues': /^it cannot be reached/,
      'https upgrades': /^it cannot be reached/,
      'https ends': /^it cannot be reached/,
    });
  });
