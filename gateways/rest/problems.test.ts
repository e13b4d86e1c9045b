import { test } from 'tap';

import { CODES } from '../../src/kernel/rules/domain-error.ts';
import { startHttpWorld } from '../../src/testing/http-world.ts';
import { ProblemPages } from './problems.ts';

void test('every code has a page with cause and remedy', async (t) => {
  await using world = await startHttpWorld({ controllers: [ProblemPages] });
  for (const [code, { cause, remedy }] of Object.entries(CODES)) {
    const slug = code.toLowerCase().replaceAll('_', '-');
    const page = await world.call(`/problems/${slug}`, { as: null, tenant: null, headers: { accept: 'text/html' } });
    t.equal(page.status, 200, slug);
    const plain = page.text
      .replaceAll(/<\/?code>/g, '`')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>');
    t.ok(plain.includes(cause) && plain.includes(remedy) && page.text.includes(code));
  }
});

void test('pages are HTML for people and JSON for programs', async (t) => {
  await using world = await startHttpWorld({ controllers: [ProblemPages] });
  const html = await world.call('/problems/room-taken', { headers: { accept: 'text/html,application/json' } });
  t.match(html.headers.get('content-type'), /^text\/html/);
  const json = await world.call('/problems/room-taken', { headers: { accept: 'application/json' } });
  t.match(json.json, { type: '/problems/room-taken', code: 'ROOM_TAKEN', status: 409, retryable: false });
  t.match((await world.call('/problems')).text, '/problems/room-taken');
  t.match(await world.call('/problems/nope'), { status: 404, json: { code: 'ROUTE_NOT_FOUND' } });
});
