import type { Test } from 'tap';

import { problemOf } from '../problems.ts';
import { BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';

/** Every path that the documents must describe, with its methods in lower case. */
const RATE_PATHS: Record<string, string[]> = { '/api/v1/rates/current': ['get'], '/api/v1/rates/base': ['put'] };
const RESERVATION_PATHS: Record<string, string[]> = {
  '/api/v1/reservations': ['get', 'post'],
  '/api/v1/reservations/{}': ['get', 'put', 'delete'],
  '/api/v1/tenants/{}/reservations': ['get', 'post'],
  '/api/v1/tenants/{}/reservations/{}': ['get', 'put', 'delete'],
  '/api/v1/tenants/{}/properties': ['get', 'post'],
  '/api/v1/tenants/{}/properties/{}': ['get', 'put', 'delete'],
  '/api/v1/tenants/{}/properties/{}/room-types': ['post'],
  '/api/v1/tenants/{}/properties/{}/rooms': ['post'],
  '/api/v1/tenants/{}/properties/{}/inventory': ['put'],
  '/api/v1/tenants/{}/availability': ['get'],
  '/api/v1/admin/audit/{}': ['get'],
};

type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<
    string,
    Record<string, { operationId?: string; responses?: Record<string, unknown>; requestBody?: unknown }>
  >;
};

/** What people and machines read about the service (docs/reference/api.md#api). */
export async function pages(group: Test, service: Service): Promise<void> {
  const { rateUrl, reservationUrl, liveUrl } = service.dev;
  const open = (url: string) => service.call('GET', url, { authorization: null, tenantHeader: null });

  await group.test('the page of a problem says cause and remedy', async (t) => {
    const property = await BlackboxProperty.open(service);
    const problem = problemOf(await property.book({ roomType: 'NOPE' }));
    for (const base of [reservationUrl, rateUrl]) {
      const page = await open(`${base}${problem.type}`);
      t.equal(page.status, 200);
      t.match(page.text, /UNKNOWN_ROOM_TYPE/);
    }
    t.equal((await open(`${reservationUrl}/problems/no-such-problem`)).status, 404);
  });
  for (const [name, url, paths] of [
    ['rate', rateUrl, RATE_PATHS],
    ['reservation', reservationUrl, RESERVATION_PATHS],
  ] as const) {
    await group.test(`the OpenAPI document of the ${name} service has its own paths`, async (t) => {
      const answer = await service.call<Document>('GET', `${url}/v3/api-docs`, { authorization: null });
      t.equal(answer.status, 200);
      t.match(answer.json.openapi, /^3\.1\./);
      describes(t, answer.json, paths);
      const other = name === 'rate' ? '/api/v1/reservations' : '/api/v1/rates/current';
      t.notOk(other in answer.json.paths, "no path of the other service's");
      const yaml = await open(`${url}/v3/api-docs.yaml`);
      t.match(yaml, { status: 200, text: /^openapi: .?3\.1\./m });
    });
    await group.test(`the interactive page of the ${name} service is served`, async (t) => {
      const moved = await open(`${url}/swagger-ui.html`);
      t.match(moved, { status: 302, headers: { location: /\/swagger-ui\/index\.html$/ } });
      t.match(await open(`${url}/swagger-ui/index.html`), { status: 200, text: /swagger/i });
    });
    await group.test(`the health of the ${name} service is UP`, async (t) => {
      const health = await open(`${url}/actuator/health`);
      t.equal(health.status, 200);
      t.equal(health.headers['content-type'], 'application/vnd.spring-boot.actuator.v3+json');
      t.match(health.json, { status: 'UP', components: { db: { status: 'UP' } } });
      t.match((await open(`${url}/actuator/health/db`)).json, { status: 'UP' });
      t.match((await open(`${url}/actuator/health/readiness`)).json, { status: 'UP' });
      const redis = await open(`${url}/actuator/health/redis`);
      t.match(redis, { status: 200, json: { status: 'UNKNOWN' } }, 'this installation has none');
      const unknown = await open(`${url}/actuator/health/nothing`);
      t.match(unknown, { status: 404, text: '' });
    });
  }
  await group.test('the dashboard is served', async (t) => {
    t.match(await open(`${liveUrl}/`), { status: 200, headers: { 'content-type': /^text\/html/ }, text: /<html/i });
  });
}

function describes(t: Test, document: Document, paths: Record<string, string[]>): void {
  const shapes = new Map(Object.keys(document.paths).map((path) => [path.replaceAll(/\{[^}]*\}/g, '{}'), path]));
  const operationIds: (string | undefined)[] = [];
  for (const [shape, methods] of Object.entries(paths)) {
    const described = document.paths[shapes.get(shape) ?? ''] ?? {};
    t.ok(shapes.has(shape), shape);
    for (const method of methods) {
      const operation = described[method];
      t.ok(operation, `${method} ${shape}`);
      t.ok(operation?.responses, `${method} ${shape} has answers`);
      if (method === 'post' || method === 'put') t.ok(operation?.requestBody, `${method} ${shape} has a body`);
    }
  }
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) operationIds.push(operation.operationId);
  }
  t.equal(new Set(operationIds).size, operationIds.length, 'each operation has an id of its own');
}
