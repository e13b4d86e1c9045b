import type { Test } from 'tap';

import type { Answer } from '../http.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';
import type { Problem, Quote } from '../shapes.ts';

type Item = { quote?: Quote; seq?: number; problem?: Problem };
type Stay = Record<string, unknown>;

/** Many stays in one request (docs/reference/many-quotes.md#many-quotes). */
export async function manyQuotes(group: Test, service: Service): Promise<void> {
  const ask = (stays: unknown, more: Record<string, unknown> = {}): Promise<Answer<{ items: Item[] }>> =>
    service.rates('POST', '/quotes', { role: 'VIEWER', body: { stays, ...more } });
  const single = (stay: Stay): Promise<Answer<Quote>> => {
    const query = new URLSearchParams(
      Object.entries(stay).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return service.rates('GET', `/current?${query.toString()}`, { role: 'VIEWER' });
  };
  const stayAt = (property: BlackboxProperty, from: number, nights: number, more: Stay = {}): Stay => ({
    propertyId: property.propertyId,
    checkIn: property.day(from),
    checkOut: property.day(from + nights),
    ...more,
  });

  await group.test('each stay costs what it costs alone, in the order of the request', async (t) => {
    const [one, other] = [await BlackboxProperty.open(service), await BlackboxProperty.open(service, { price: 250 })];
    const stays = [
      stayAt(one, 30, 2),
      stayAt(other, 10, 14, { adults: 2, childAges: [4, 9], rateCode: 'NRF' }),
      stayAt(one, 31, 1, { roomType: 'STD', adults: 1, rateCode: 'FLEX', rateType: 'DERIVED' }),
      stayAt(one, 30, 2),
    ];
    const { status, json, headers } = await ask(stays);
    t.equal(status, 200);
    t.equal(headers['cache-control'], 'no-store');
    t.equal(json.items.length, stays.length);
    for (const [index, stay] of stays.entries()) {
      const alone = await single(stay);
      t.equal(alone.status, 200);
      t.same(withoutTokens(json.items[index]?.quote), withoutTokens(alone.json), `stay ${index}`);
      // Jobs of the service may have changed the property meanwhile, such as its forecast.
      t.ok(json.items[index]!.seq! <= Number(alone.headers['x-property-seq']));
    }
    const tokens = json.items.flatMap(({ quote }) => quote?.rates.map(({ quoteToken }) => quoteToken) ?? []);
    t.equal(new Set(tokens).size, 7, 'each has tokens of its own');
  });

  await group.test('a token of a batch books at its price', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { json } = await ask([stayAt(property, 30, 2, { adults: 2, roomType: 'DLX' })]);
    const { quoteToken, totalRate } = json.items[0]!.quote!.rates[0]!;
    t.equal((await property.price('DLX', 0, 120, 500)).status, 200);
    const booked = await property.book({ stay: { quoteToken } });
    t.equal(booked.status, 201);
    t.equal(booked.json.financial.baseAmount, totalRate);
    isProblem(t, await property.book({ stay: { quoteToken } }), 422, { code: 'QUOTE_EXPIRED' });
  });

  await group.test(
    'a stay that cannot be quoted is a problem of its own; the others have their prices',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const good = stayAt(property, 30, 2);
      const wrong: [stay: unknown, code: string, pointer?: string][] = [
        [{ ...good, propertyId: 'nobody' }, 'PROPERTY_NOT_FOUND'],
        [{ ...good, propertyId: 'rival-inn' }, 'PROPERTY_NOT_FOUND'],
        [{ ...good, roomType: 'NONE' }, 'UNKNOWN_ROOM_TYPE'],
        [{ ...good, rateCode: 'NONE' }, 'UNKNOWN_RATE_CODE'],
        [stayAt(property, 5, -2), 'VALIDATION_FAILED', 'checkOut'],
        [stayAt(property, 729, 10), 'VALIDATION_FAILED', 'checkOut'],
        [{ ...good, adults: 'two' }, 'VALIDATION_FAILED', 'adults'],
        [{ ...good, explain: true }, 'VALIDATION_FAILED', 'explain'],
        [{ propertyId: property.propertyId }, 'VALIDATION_FAILED', 'checkIn'],
        [5, 'VALIDATION_FAILED', ''],
        [null, 'VALIDATION_FAILED', ''],
      ];
      const { status, json } = await ask(wrong.flatMap(([stay]) => [stay, good]));
      t.equal(status, 200);
      t.equal(json.items.length, 2 * wrong.length);
      for (const [index, [, code, pointer]] of wrong.entries()) {
        const [{ problem }, next] = [json.items[2 * index]!, json.items[2 * index + 1]!];
        t.match(problem, { code, type: /^\/problems\//, instance: '/api/v1/rates/quotes', retryable: false }, code);
        const path = pointer === '' ? `/stays/${2 * index}` : `/stays/${2 * index}/${pointer}`;
        if (pointer !== undefined)
          t.ok(
            problem?.errors?.some((error) => error.pointer === path),
            path,
          );
        t.equal(next.quote?.rates.length, 2, `the stay after ${code}`);
      }
    },
  );

  await group.test('no stay, more than 100, and what is no list of stays is refused as a whole', async (t) => {
    const property = await BlackboxProperty.open(service);
    const good = stayAt(property, 30, 1);
    const invalid = (answer: Answer<unknown>): void => isProblem(t, answer, 400, { code: 'VALIDATION_FAILED' });
    invalid(await ask([]));
    invalid(await ask(Array.from({ length: 101 }, () => good)));
    invalid(await ask(undefined));
    invalid(await ask(good));
    invalid(await ask([good], { explain: true }));
    isProblem(t, await service.rates('POST', '/quotes', { raw: '{"stays":[' }), 400, { code: 'BODY_UNREADABLE' });
    const most = await ask(Array.from({ length: 100 }, () => good));
    t.equal(most.json.items.filter(({ quote }) => quote).length, 100);
  });

  await group.test('the limits count each stay as a request', async (t) => {
    const property = await BlackboxProperty.open(service);
    const good = stayAt(property, 30, 1);
    const limitsOf = ({ headers }: Answer<unknown>): [limit: number, left: number] => [
      Number(headers['ratelimit-limit']),
      Number(headers['ratelimit-remaining']),
    ];
    const [limit, left] = limitsOf(await ask(Array.from({ length: 80 }, () => good)));
    t.ok(left <= limit - 80, `${left} of ${limit} are left`);
    const [, after] = limitsOf(await ask(Array.from({ length: 101 }, () => good)));
    t.ok(after <= limit - 100, 'also where they are refused');
  });
}

function withoutTokens(quote: Quote | undefined): unknown {
  return quote && { ...quote, rates: quote.rates.map(({ quoteToken, ...rate }) => [rate, quoteToken === undefined]) };
}
