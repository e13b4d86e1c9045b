import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import t from 'tap';
import { z } from 'zod';

import { paymentBody } from '../../money/contracts/payments.ts';
import { checkInBody, checkOutBody, createBody, listQuery } from '../../stay/contracts/reservations.ts';

const src = resolve(import.meta.dirname, '../..');

/** Every exported schema of a kind, named after its file. */
async function schemas(kind: RegExp): Promise<[string, z.ZodObject][]> {
  const files = globSync('*/contracts/*.ts', { cwd: src }).filter((name) => !name.endsWith('.test.ts'));
  const found = await Promise.all(
    files.map(async (file) => {
      const exported: Record<string, unknown> = await import(resolve(src, file));
      return Object.entries(exported).flatMap(([name, schema]): [string, z.ZodObject][] =>
        kind.test(name) && schema instanceof z.ZodObject ? [[`${file} ${name}`, schema]] : [],
      );
    }),
  );
  return found.flat();
}

const isStrict = ({ def }: z.ZodObject): boolean => def.catchall instanceof z.ZodNever;

void t.test('a body refuses fields that it does not know, a query ignores them', async (t) => {
  const bodies = await schemas(/(Body|Change)$/);
  const queries = await schemas(/Query$/);
  t.ok(bodies.length > 20 && queries.length > 12, `${bodies.length} bodies, ${queries.length} queries`);
  for (const [name, schema] of bodies) t.equal(isStrict(schema), true, name);
  for (const [name, schema] of queries) t.equal(isStrict(schema), false, name);
});

void t.test('a moment that no database takes is refused wherever one may be sent', (t) => {
  for (const moment of ['0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2026-02-30T10:00:00Z', 'soon']) {
    t.notOk(listQuery.safeParse({ updatedSince: moment }).success, `updatedSince ${moment}`);
    t.notOk(checkInBody.safeParse({ identificationVerified: true, checkInTime: moment }).success, moment);
    t.notOk(checkOutBody.safeParse({ checkOutTime: moment }).success, moment);
  }
  t.equal(listQuery.parse({ updatedSince: '2026-06-01T10:00:00+02:00' }).updatedSince, Date.UTC(2026, 5, 1, 8));
  t.end();
});

void t.test('charges and credits may be as large as any amount', (t) => {
  const charged = (amount: number) => checkOutBody.safeParse({ finalCharges: [{ description: 'Hall', amount }] });
  t.match(charged(99_999_999.99), { success: true, data: { finalCharges: [{ amount: 9_999_999_999 }] } });
  t.match(charged(-99_999_999.99), { success: true });
  for (const amount of [100_000_000, -100_000_000, 1.005]) t.notOk(charged(amount).success, String(amount));
  t.end();
});

const codesOf = ({ error }: z.ZodSafeParseResult<unknown>): unknown[] =>
  (error?.issues ?? []).map((issue) => [
    issue.path.join('.'),
    'params' in issue ? (issue.params?.['field'] ?? issue.code) : issue.code,
  ]);

void t.test('a check-in that is past in every zone is listed with what else is wrong', (t) => {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const asked = (checkIn: string, email: string) =>
    createBody.safeParse({
      propertyId: 'p',
      guestInfo: { firstName: 'Ada', lastName: 'Byron', email },
      stayDetails: { checkIn, checkOut: day(5), roomType: 'STD' },
    });
  t.same(codesOf(asked(day(-4), 'nobody')), [
    ['guestInfo.email', 'invalid_format'],
    ['stayDetails.checkIn', 'IN_THE_PAST'],
  ]);
  t.ok(asked(day(-1), 'ada@example.com').success, 'what may be today somewhere is decided by the property');
  t.same(codesOf(asked('2031-02-30', 'ada@example.com')), [['stayDetails.checkIn', 'NO_SUCH_DATE']]);
  t.end();
});

void t.test('a list from a day to an earlier one is refused, not empty', (t) => {
  for (const what of ['arrival', 'departure']) {
    const list = (from: string, to: string) => listQuery.safeParse({ [`${what}From`]: from, [`${what}To`]: to });
    t.same(codesOf(list('2031-02-02', '2031-02-01')), [[`${what}To`, 'REVERSED']]);
    t.ok(list('2031-02-01', '2031-02-01').success);
  }
  t.end();
});

void t.test('a card token is missing with a card, and out of place without one', (t) => {
  t.same(codesOf(paymentBody.safeParse({ method: 'CREDIT_CARD' })), [['cardToken', 'MISSING']]);
  t.same(codesOf(paymentBody.safeParse({ method: 'CASH', cardToken: 'tok_visa' })), [['cardToken', 'EXCLUDED']]);
  t.end();
});

/** Every JSON Schema within one, with the path to it. */
function parts(schema: unknown, path: string): [string, Record<string, unknown>][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([name, value]) => parts(value, `${path}/${name}`));
  return [[path, { ...schema }], ...inner];
}

void t.test('every list of a body is bounded', async (t) => {
  const bodies = await schemas(/(Body|Change)$/);
  const all = bodies.flatMap(([name, schema]) =>
    parts(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), name),
  );
  const lists = all.filter(([, { type }]) => type === 'array');
  t.ok(lists.length > 10, `${lists.length} lists`);
  for (const [path, { maxItems }] of lists) t.ok(Number(maxItems) < 100_000, path);
});
