import { Controller } from '@nestjs/common';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'tap';
import { z } from 'zod';

import { moneyField } from '../../src/kernel/contracts/answers.ts';
import { priceField } from '../../src/kernel/contracts/fields.ts';
import type { PropertyId, ReservationId } from '../../src/kernel/rules/ids.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { Answers } from '../http/answers.ts';
import { Body, Header, Param, Query } from '../http/parameters.ts';
import { TheRead, type Write } from './answer.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT }).filter((file) => !file.includes('.test.'));

/** Neither answers JSON of ours: health in the shape of Spring, pages, files, texts of metrics. */
const WITHOUT_SCHEMA = new Set(['loggers', 'health', 'metrics', 'guestPages']);

/** Decorators of Nest for what a request carries: they fit on a parameter of any type. */
const UNTYPED = /\b(?:Body|Query|Param|Headers|HostParam|RawBody|Session|createParamDecorator)\b/;
const OF_NEST = /import ([^;]*) from '@nestjs\/common';/g;
const TYPED = 'gateways/http/parameters.ts';

const createRoom = z.strictObject({ roomNumber: z.string(), price: priceField, floor: z.int().optional() });
type CreateRoom = z.infer<typeof createRoom>;
type Unchecked = ReturnType<typeof JSON.parse>;

void test('a parameter of another type than its decorator gives does not compile', async (t) => {
  @Controller()
  class Rooms {
    create(@Param('propertyId') _propertyId: PropertyId, @Body({ schema: createRoom }) { roomNumber }: CreateRoom) {
      return roomNumber;
    }

    // @ts-expect-error other members than the schema reads
    other(@Body({ schema: createRoom }) _body: { totallyElse: number }) {}

    // @ts-expect-error a member is missing, which would go unseen
    fewer(@Body({ schema: createRoom }) _body: Omit<CreateRoom, 'floor'>) {}

    // @ts-expect-error an amount would be a bare number
    bare(@Body({ schema: createRoom }) _body: { roomNumber: string; price: number; floor?: number }) {}

    // @ts-expect-error nothing would be checked
    loose(@Query({ schema: createRoom }) _query: Unchecked) {}

    // @ts-expect-error the next parameter has the type
    shifted(@Query({ schema: createRoom }) _query: string, _body: CreateRoom) {}

    // @ts-expect-error a reservation is no property
    named(@Param('propertyId') _propertyId: ReservationId) {}

    // @ts-expect-error a header can be missing
    header(@Header('if-match') _match: string) {}

    // @ts-expect-error a read has no key
    keyed(@TheRead() _write: Write) {}
  }
  t.equal(new Rooms().create('p', { roomNumber: '7', price: 1 }), '7');
});

void test('an answer of other members than its schema names does not compile', async (t) => {
  const [total, roomNumber]: [Minor, string] = [19_900, '7'];
  const answer = z.object({ total: moneyField, items: z.array(z.object({ roomNumber: z.string() })) });

  @Controller()
  class Rooms {
    @Answers(answer)
    list() {
      return { total, items: [{ roomNumber }] };
    }

    // @ts-expect-error an amount of no unit
    @Answers(answer)
    bare() {
      return { total: 25.5, items: [{ roomNumber }] };
    }

    // @ts-expect-error a member that no schema names would be left out unseen
    @Answers(answer)
    more() {
      return { total, items: [{ roomNumber }], fee: total };
    }

    // @ts-expect-error nor one within a list, of what is waited for
    @Answers(answer)
    async within() {
      return { total, items: [{ roomNumber, fee: total }] };
    }
  }
  t.same(new Rooms().list(), { total, items: [{ roomNumber }] });
});

void test('handlers take what a request carries from decorators with types', async (t) => {
  const users = filesOf('gateways/**/*.ts').filter((file) => read(file).includes("/parameters.ts';"));
  t.ok(users.length > 30, 'controllers are found');
  const untyped = filesOf('gateways/**/*.ts')
    .filter((file) => file !== TYPED && !file.startsWith('gateways/dashboard/'))
    .filter((file) =>
      [...read(file).matchAll(OF_NEST)].some(([, names = '']) => /\*/.test(names) || UNTYPED.test(names)),
    );
  t.same(untyped, []);
});

void test('a handler of the API says what it answers', async (t) => {
  for (const file of filesOf('gateways/rest/*/*.ts')) {
    const text = read(file);
    const name = file.replace(/.*\/|\.ts$/g, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (WITHOUT_SCHEMA.has(name)) continue;
    const pages = text.match(/^ +@ApiExcludeEndpoint\(/gm)?.length ?? 0;
    const handlers = (text.match(/^ +@(?:Get|Post|Put|Patch|Delete)\(/gm)?.length ?? 0) - pages;
    t.equal(text.match(/^ +@Answers\(/gm)?.length ?? 0, handlers, file);
    t.notMatch(text, /Promise<unknown>/, `${file}: nothing is answered that no schema names`);
  }
});
