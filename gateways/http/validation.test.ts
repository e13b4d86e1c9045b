import type { ArgumentMetadata } from '@nestjs/common';
import t from 'tap';
import { z } from 'zod';

import { SchemaPipe } from './validation.ts';

const pipe = new SchemaPipe();
const given = (schema: z.ZodType): ArgumentMetadata => ({ type: 'body', schema }) as ArgumentMetadata;

void t.test('a value that fits is passed on as parsed; all wrong fields are reported at once', async (t) => {
  const schema = given(z.strictObject({ rooms: z.int().default(1), name: z.string() }));
  t.same(pipe.transform({ name: 'a' }, schema), { rooms: 1, name: 'a' });
  const refused = { code: 'VALIDATION_FAILED', details: { errors: [{ pointer: '/rooms' }, { pointer: '/name' }] } };
  t.throws(() => pipe.transform({ rooms: 'x' }, schema), refused);
});

void t.test('a schema that throws is a fault of its request, and no rejection that nobody awaits', async (t) => {
  const schema = z.strictObject({ name: z.string() }).overwrite(() => {
    throw new TypeError('broken');
  });
  const unhandled: unknown[] = [];
  const note = (error: unknown): unknown => unhandled.push(error);
  process.on('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  await t.rejects(async () => pipe.transform({ name: 'a' }, given(schema)), { message: 'broken' });
  await new Promise((resolve) => setImmediate(resolve));
  t.same(unhandled, []);
});
