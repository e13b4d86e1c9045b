import Fastify from 'fastify';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';

import { compressDashboard } from '../../../src/platform/launch/dashboard.mjs';
import { registerPage } from './static.ts';

const config = {
  issuer: 'https://id.example/realm',
  clientId: 'dashboard',
  audience: 'innkeeper',
  reservationUrl: 'https://api.example',
  rateUrl: 'https://rates.example',
  development: false,
};

t.test('the page and its files are served with a policy that allows nothing else', async (t) => {
  const dir = t.testdir({
    'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
    'main.js': 'export {}',
    'main.css': 'body {}',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'notes.txt': 'not for the browser',
  });
  const fastify = Fastify();
  await registerPage(fastify, { dir, config });
  const get = (url: string, headers = {}) =>
    fastify.inject({ url, headers: { host: 'desk.example:8085', ...headers } });

  const page = await get('/');
  t.equal(page.statusCode, 200);
  t.match(page.headers['content-type'], /^text\/html/);
  const policy = String(page.headers['content-security-policy']);
  t.match(policy, /default-src 'none'/);
  t.match(
    policy,
    "connect-src 'self' ws://desk.example:8085 wss://desk.example:8085 https://id.example https://api.example https://rates.example;",
  );
  t.notMatch(policy, /unsafe/);
  t.notMatch(
    String((await get('/', { host: "x; script-src 'unsafe-inline'" })).headers['content-security-policy']),
    /unsafe/,
  );

  const known = Fastify();
  await registerPage(known, { dir, config, publicUrl: 'https://desk.example' });
  const { headers } = await known.inject({ url: '/', headers: { host: 'evil.example' } });
  t.match(headers['content-security-policy'], "connect-src 'self' ws://desk.example wss://desk.example https://id");
  await known.close();

  for (const path of ['/desk', '/desk/housekeeping', '/ops'])
    t.equal((await get(path)).body, page.body, 'each workspace is the one page');

  t.match((await get('/main.js')).headers['content-type'], /^(text|application)\/javascript/);
  t.match((await get('/main.css')).headers['content-type'], /^text\/css/);
  t.match((await get('/icon.svg')).headers['content-type'], /^image\/svg\+xml/);
  t.equal((await get('/notes.txt')).statusCode, 404);
  t.equal((await get('/../package.json')).statusCode, 404);
  const { etag } = (await get('/main.js')).headers;
  t.equal((await get('/main.js', { 'if-none-match': String(etag) })).statusCode, 304);

  const answer = await get('/config.json');
  t.strictSame(answer.json(), config);
  t.equal(answer.headers['cache-control'], 'no-store');
  await fastify.close();
});

t.test(
  'files are sent as small as the browser takes them, and requested again only where they may differ',
  async (t) => {
    const text = 'export const words = 1;\n'.repeat(100);
    const dir = t.testdir({ 'index.html': '<!doctype html>', 'main.js': text, 'part-ABCD1234.js': text });
    compressDashboard(dir);
    const fastify = Fastify();
    await registerPage(fastify, { dir, config });
    const get = (url: string, encodings: string, headers = {}) =>
      fastify.inject({ url, headers: { 'accept-encoding': encodings, ...headers } });
    for (const [encodings, sent] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const answer = await get('/main.js', encodings);
      t.equal(answer.headers['content-encoding'], sent, encodings);
      t.match(answer.headers.vary, /accept-encoding/i, encodings);
      t.match(answer.headers['content-type'], /javascript/);
      t.match(answer.headers['content-security-policy'], /default-src 'none'/);
      const plain = sent === 'br' ? brotliDecompressSync : sent === 'gzip' ? gunzipSync : (raw: Buffer) => raw;
      t.equal(plain(answer.rawPayload).toString(), text, encodings);
      if (sent) t.ok(answer.rawPayload.length < text.length / 2);
      const etag = String(answer.headers.etag);
      t.equal((await get('/main.js', encodings, { 'if-none-match': etag })).statusCode, 304, encodings);
    }
    t.not((await get('/main.js', 'br')).headers.etag, (await get('/main.js', 'gzip')).headers.etag);
    t.equal((await get('/main.js', 'br')).headers['cache-control'], 'no-cache');
    t.match((await get('/part-ABCD1234.js', 'br')).headers['cache-control'], /max-age=31536000, immutable/);
    for (const name of ['main.js.br', 'main.js.gz']) t.equal((await get(`/${name}`, 'br')).statusCode, 404, name);
    await fastify.close();
  },
);

t.test('the document of a page names the scripts that its workspace needs, and no others', async (t) => {
  const dir = t.testdir({
    'index.html': '<!doctype html><head></head><script src="/main.js"></script><link href="/main.css" />',
    'main-FFFFFFFF.js': 'import{a}from"./shared-AAAAAAAA.js";import("./front-desk-page-BBBBBBBB.js")',
    'main-GGGGGGGG.css': '',
    'ibm-plex-sans-latin-400-normal-HHHHHHHH.woff2': '',
    'shared-AAAAAAAA.js': '',
    'front-desk-page-BBBBBBBB.js':
      'import"./lists-CCCCCCCC.js";import{a}from"./shared-AAAAAAAA.js";import("./later-DDDDDDDD.js")',
    'lists-CCCCCCCC.js': '',
    'later-DDDDDDDD.js': '',
    'revenue-page-EEEEEEEE.js': '',
  });
  const fastify = Fastify();
  await registerPage(fastify, { dir, config });
  const get = (url: string, headers = {}) => fastify.inject({ url, headers });
  const loaded = async (url: string) =>
    [...(await get(url)).body.matchAll(/modulepreload" href="\/([^"]+)"/g)].map(([, name]) => name);
  t.strictSame(await loaded('/desk?date=2027-03-01'), [
    'shared-AAAAAAAA.js',
    'front-desk-page-BBBBBBBB.js',
    'lists-CCCCCCCC.js',
  ]);
  t.strictSame(await loaded('/revenue'), ['shared-AAAAAAAA.js', 'revenue-page-EEEEEEEE.js']);
  t.strictSame(await loaded('/'), ['shared-AAAAAAAA.js'], 'which workspace it will be is not known yet');

  const html = (await get('/desk')).body;
  t.match(html, 'src="/main-FFFFFFFF.js"');
  t.match(html, 'href="/main-GGGGGGGG.css"');
  const font = 'ibm-plex-sans-latin-400-normal-HHHHHHHH.woff2';
  t.match(html, `<link rel="preload" href="/${font}" as="font" type="font/woff2" fetchpriority="low" crossorigin />`);
  const { headers } = await get(`/${font}`);
  t.match(headers['content-type'], 'font/woff2');
  t.match(headers['cache-control'], /max-age=31536000, immutable/);
  t.match(headers['content-security-policy'], "font-src 'self'");

  const br = await get('/desk', { 'accept-encoding': 'gzip, br' });
  t.equal(br.headers['content-encoding'], 'br');
  t.equal(brotliDecompressSync(br.rawPayload).toString(), (await get('/desk')).body);
  t.equal((await get('/desk', { 'accept-encoding': 'br', 'if-none-match': br.headers.etag })).statusCode, 304);
  t.equal((await get('/desk', { 'accept-encoding': 'gzip', 'if-none-match': br.headers.etag })).statusCode, 200);
  t.equal(br.headers['cache-control'], 'no-cache');
  await fastify.close();
});

t.test('without a bundle there is no page, and no error', async (t) => {
  const fastify = Fastify();
  await registerPage(fastify, { dir: join(t.testdir(), 'missing'), config });
  t.equal((await fastify.inject('/')).statusCode, 404);
  t.equal((await fastify.inject('/config.json')).statusCode, 200);
  await fastify.close();
});

t.test('a folder inside the bundle is not served', async (t) => {
  const dir = t.testdir({ 'index.html': '' });
  mkdirSync(join(dir, 'inner.js'));
  writeFileSync(join(dir, 'inner.js', 'secret.js'), '');
  const fastify = Fastify();
  await registerPage(fastify, { dir, config });
  t.equal((await fastify.inject('/inner.js')).statusCode, 404);
  t.equal((await fastify.inject('/inner.js/secret.js')).statusCode, 404);
  await fastify.close();
});
