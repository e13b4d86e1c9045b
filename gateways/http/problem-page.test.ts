import Fastify from 'fastify';
import { pino } from 'pino';
import t from 'tap';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { sendProblem } from './problem-filter.ts';

const CHROMIUM = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

/** A service whose one route refuses, with markup in its words. */
function refusing(hasStart: boolean) {
  const fastify = Fastify();
  const log = pino({ level: 'silent' });
  const route = '/things/:id';
  fastify.all(route, (request, reply) => {
    sendProblem(log, new DomainError('ROUTE_NOT_FOUND', 'No route matches <b>&.'), request, reply);
    return reply;
  });
  if (hasStart) fastify.get('/', () => 'start');
  return (accept: string, method: 'GET' | 'POST' = 'GET') =>
    fastify.inject({ method, url: '/things/1', headers: { accept } });
}

t.test('a browser that looks at a problem gets a page that says it and leads on', async (t) => {
  const look = refusing(true);
  for (const accept of [CHROMIUM, 'text/html', 'text/html;q=1']) {
    const { statusCode, headers, body } = await look(accept);
    t.equal(statusCode, 404);
    t.match(headers['content-type'], /^text\/html/);
    t.match(headers['content-security-policy'], /^default-src 'none'; style-src 'sha256-[^']+';/);
    t.match(body, '<p>No route matches &#60;b&#62;&#38;.</p>', 'nothing of the request becomes a part of the page');
    t.match(body, '<a href="/">Start page</a>');
    t.match(body, /ROUTE_NOT_FOUND, request \S/);
  }
  t.match((await refusing(false)(CHROMIUM)).body, '<a href="/swagger-ui.html">', 'a service without a start page');
});

t.test('programs get the problem itself', async (t) => {
  const look = refusing(true);
  for (const accept of ['*/*', 'application/json, text/html', 'text/html, image/gif, image/jpeg, *; q=.2'])
    t.match((await look(accept)).headers['content-type'], /^application\/problem\+json/, accept);
  t.match((await look(CHROMIUM, 'POST')).headers['content-type'], /^application\/problem\+json/);
});
