import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { pino } from 'pino';
import { test } from 'tap';
import { z } from 'zod';

import { at, dayField, moneyField } from '../../src/kernel/contracts/answers.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import { memoryCounters } from '../../src/platform/coordination/memory-counters.ts';
import { associationsOfTests, verifierOfTests } from '../../src/testing/http-world.ts';
import { launchBrowser, openPage, pageTestOptions } from '../../src/testing/live/page-browser.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { RateLimits } from '../http/admission/rate-limit.ts';
import { Answers, OrWithStatus } from '../http/answers.ts';
import { createApp } from '../http/app.ts';
import { Needs, OpenRoute, type Operator, OperatorOnly, TheCaller, TheOperator } from '../http/route.ts';
import { setUpDocs } from './docs.ts';
import { type ReservationWrite, TheReservationWriteOrDryRun } from './reservation-write.ts';

const body = z.strictObject({
  name: z.string().max(100).describe('What it is called'),
  price: z.number().positive(),
});
const query = z.object({ propertyId: z.string(), limit: z.coerce.number().int().min(1).max(200).default(50) });
const answer = z.object({
  id: z.uuid(),
  kind: z.literal('THING'),
  price: moneyField,
  day: dayField,
  at: at.nullable(),
});
const THING_SHOWN = {
  id: { format: 'uuid' },
  price: { type: 'number', description: 'A decimal with two places.' },
  day: { type: 'string', format: 'date' },
  at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
};
const [price, day, moment]: [Minor, Day, Instant] = [19_900, 0, 0];
const THING = { id: 'cb7f0cdd-31ee-4aa4-8b5d-9e57c4ae0b2a', kind: 'THING' as const, price, day, at: moment };

@Controller('api/v1/things')
class Things {
  @Get(':thingId')
  @Needs('reservation.read')
  @Answers(answer)
  one(@TheCaller() _caller: Caller, @Param('thingId') id: string, @Query({ schema: query }) _query: unknown) {
    return { ...THING, id };
  }

  @Post()
  @HttpCode(201)
  @Needs('rate.set')
  @Answers(answer, 201, 'Made')
  create(@TheCaller() _caller: Caller, @Body({ schema: body }) _body: unknown) {
    return THING;
  }
}

@Controller('api/v1/tenants/:tenantId/things')
class ThingsOfTenant extends Things {}

@Controller('ops/things')
class OperatorThings {
  @Post()
  @OperatorOnly()
  create(@TheOperator() _operator: Operator, @Body({ schema: body }) _body: unknown) {
    return THING;
  }
}

@Controller('api/v1/stays/:reservationId')
class Stays {
  @Post('comp')
  @Needs('reservation.comp')
  @Answers(answer)
  comp(@TheReservationWriteOrDryRun() _write: ReservationWrite) {
    return THING;
  }

  @Post('wishes')
  @HttpCode(200)
  @Needs('reservation.comp')
  @Answers(answer)
  @OrWithStatus(answer, 202, 'Begun')
  wish(@TheCaller() _caller: Caller, @Body({ schema: body.partial() }) _body: unknown) {
    return THING;
  }
}

@Controller('open')
class OpenThings {
  @Get(':tenantId')
  @OpenRoute()
  look() {
    return THING;
  }
}

async function start() {
  const app = await createApp(
    { controllers: [Things, ThingsOfTenant, OperatorThings, OpenThings, Stays] },
    {
      log: pino({ level: 'silent' }),
      corsOrigins: [],
      authenticator: new Authenticator(verifierOfTests, associationsOfTests()),
      limits: new RateLimits({ tenant: 0, subject: 0, address: 0 }, memoryCounters),
    },
  );
  setUpDocs(app, {
    title: 'Things',
    description: 'About things',
    issuer: 'http://issuer.test/',
    development: true,
    today: () => 20_000,
  });
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), [Symbol.asyncDispose]: () => app.close() };
}

void test('an answer is written by the schema that its route declares', async (t) => {
  await using world = await start();
  const headers = { 'x-tenant-id': 'demo', authorization: 'Bearer demo-viewer' };
  const response = await fetch(`${world.url}/api/v1/things/${THING.id}?propertyId=p`, { headers });
  t.match(await response.text(), '"price":199.00,"day":"1970-01-01","at":"1970-01-01T00:00:00.000Z"');
});

void test('the document names what a write to a reservation reads of its request', async (t) => {
  await using world = await start();
  const response = await fetch(`${world.url}/v3/api-docs`);
  const document = (await response.json()) as { paths: Record<string, { post: { parameters: unknown[] } }> };
  t.match(document.paths['/api/v1/stays/{reservationId}/comp']!.post.parameters, [
    { name: 'reservationId', in: 'path', required: true },
    { name: 'dryRun', in: 'query', required: false, schema: { enum: ['true', 'false'] } },
    { name: 'Idempotency-Key', in: 'header', required: false },
    { name: 'If-Match', in: 'header', required: false, description: /version/ },
    { name: 'X-Tenant-ID', in: 'header' },
  ]);
});

void test('the document names no key where none is read, no body where a missing one does, and every status', async (t) => {
  await using world = await start();
  const response = await fetch(`${world.url}/v3/api-docs`);
  const { paths } = (await response.json()) as {
    paths: Record<string, { post: { parameters: { name: string }[]; requestBody: object; responses: object } }>;
  };
  const names = (path: string) => paths[path]!.post.parameters.map(({ name }) => name);
  t.same(names('/api/v1/things'), ['X-Tenant-ID']);
  t.same(names('/api/v1/stays/{reservationId}/wishes'), ['reservationId', 'X-Tenant-ID']);
  t.match(paths['/api/v1/things']!.post.requestBody, { required: true });
  t.match(paths['/api/v1/stays/{reservationId}/wishes']!.post, {
    requestBody: { required: false },
    responses: { 200: { description: 'Done' }, 202: { description: 'Begun' } },
  });
});

void test('the document shows bodies, queries, answers, roles and problems', async (t) => {
  await using world = await start();
  const response = await fetch(`${world.url}/v3/api-docs`);
  t.match(response.headers.get('content-type'), 'application/json');
  const document: unknown = await response.json();
  const problem = (status: number) => ({ $ref: `#/components/responses/Problem${status}` });
  t.match(document, {
    openapi: '3.1.0',
    info: { title: 'Things', version: 'v1' },
    paths: {
      '/api/v1/things': {
        post: {
          operationId: 'thingsCreate',
          'x-role': 'MANAGER',
          description: /role MANAGER/,
          security: [{ bearer: [] }, { oidc: [] }],
          parameters: [{ name: 'X-Tenant-ID', in: 'header', required: true }],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['name', 'price'],
                  additionalProperties: false,
                  properties: {
                    name: { type: 'string', maxLength: 100, description: 'What it is called' },
                    price: { type: 'number', exclusiveMinimum: 0 },
                  },
                },
              },
            },
          },
          responses: {
            201: {
              description: 'Made',
              content: { 'application/json': { schema: { required: ['id', 'kind', 'price', 'day', 'at'] } } },
            },
            400: problem(400),
            422: problem(422),
          },
        },
      },
      '/api/v1/things/{thingId}': {
        get: {
          operationId: 'thingsOne',
          'x-role': 'VIEWER',
          parameters: [
            { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'propertyId', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query', required: false, schema: { minimum: 1, maximum: 200, default: 50 } },
            { name: 'X-Tenant-ID' },
          ],
          responses: {
            200: { content: { 'application/json': { schema: { properties: THING_SHOWN } } } },
          },
        },
      },
      '/api/v1/tenants/{tenantId}/things/{thingId}': {
        get: {
          operationId: 'thingsOfTenantOne',
          'x-role': 'VIEWER',
          parameters: [
            { name: 'tenantId', in: 'path', required: true },
            { name: 'thingId', in: 'path', required: true },
            { name: 'propertyId', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query' },
            { name: 'X-Tenant-ID' },
          ],
          responses: {
            200: { content: { 'application/json': { schema: { properties: { id: { format: 'uuid' } } } } } },
          },
        },
      },
      '/ops/things': {
        post: {
          operationId: 'operatorThingsCreate',
          description: /scope `innkeeper:operate`/,
          security: [{ bearer: [] }, { oidc: ['innkeeper:operate'] }],
          responses: { 400: problem(400), 409: problem(409) },
        },
      },
      '/open/{tenantId}': {
        get: {
          operationId: 'openThingsLook',
          security: [],
          parameters: [{ name: 'tenantId', in: 'path', required: true }],
        },
      },
    },
    components: {
      schemas: { Problem: { required: /.*/ } },
      responses: { Problem404: { content: { 'application/problem+json': {} } } },
      securitySchemes: {
        bearer: { type: 'http' },
        oidc: { openIdConnectUrl: 'http://issuer.test/.well-known/openid-configuration' },
      },
    },
  });
});

void test('the document comes as YAML too, and the page is where Spring has it', async (t) => {
  await using world = await start();
  const yaml = await fetch(`${world.url}/v3/api-docs.yaml`);
  t.match(await yaml.text(), /^openapi: 3\.1\.0$/m);
  const old = await fetch(`${world.url}/swagger-ui.html`, { redirect: 'manual' });
  await old.text();
  t.equal(old.status, 302);
  t.equal(old.headers.get('location'), '/swagger-ui/index.html');
});

void test(
  'the interactive page shows its operations in a browser that has nothing to complain about',
  pageTestOptions,
  async (t) => {
    await using world = await start();
    const browser = await launchBrowser();
    t.teardown(() => browser.close());
    const { page, complaints } = await openPage(browser, 'about:blank');
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    for (const path of ['/swagger-ui.html', '/swagger-ui', '/swagger-ui/', '/swagger-ui/index.html']) {
      await page.goto(world.url + path);
      await page.getByText('/api/v1/things', { exact: true }).first().waitFor();
      t.equal(new URL(page.url()).pathname, '/swagger-ui/index.html', path);
    }
    await page.getByText('npm run token -- --tenant demo --role MANAGER').waitFor();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('bearer (http, Bearer)').waitFor();
    t.equal(await page.getByText('openIdConnect').count(), 0, 'no way in that does not work here');
    t.strictSame(failed, []);
    t.strictSame(complaints, []);
  },
);

void test('of the files of swagger-ui those that the page loads are served, and no others', async (t) => {
  await using world = await start();
  for (const name of ['package.json', 'index.html/../package.json', 'swagger-ui-bundle.js.map', 'LICENSE']) {
    const response = await fetch(`${world.url}/swagger-ui/${name}`);
    await response.text();
    t.equal(response.status, 404, name);
  }
});
