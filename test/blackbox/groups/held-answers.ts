import type { Test } from 'tap';

import type { Answer } from '../http.ts';
import { advanceClock, must, BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';
import type { Quote } from '../shapes.ts';

/** How long a client may use the tokens of an answer that it holds before they are made anew. */
const HELD_SECONDS = 300;

/** Each of a few jobs changes a new property once. */
const MAX_TRIES = 10;

/** Answers that a client holds and requests again (docs/reference/api.md#held-answers). */
export async function heldAnswers(group: Test, service: Service): Promise<void> {
  const read = <T>(url: string, held?: string, role: 'VIEWER' | 'ADMIN' = 'VIEWER'): Promise<Answer<T>> =>
    service.call<T>('GET', url, { role, headers: held === undefined ? {} : { 'if-none-match': held } });
  const ratesUrl = (path: string): string => `${service.dev.rateUrl}/api/v1/rates${path}`;
  const quoteUrl = (property: BlackboxProperty, from = 30, more = ''): string =>
    ratesUrl(
      `/current?propertyId=${property.propertyId}&checkIn=${property.day(from)}&checkOut=${property.day(from + 2)}${more}`,
    );
  const isHeld = (t: Test, answer: Answer<unknown>, etag: string): void => {
    t.equal(answer.status, 304);
    t.equal(answer.text, '');
    t.match(answer.headers, { etag, 'cache-control': 'private, no-cache', vary: /Authorization, X-Tenant-ID/ });
    t.equal(answer.headers['content-type'], undefined);
    t.equal(answer.headers['content-length'], undefined);
  };

  /** A new answer is 304 when it is requested again, unless a job of the service has changed the property meanwhile. */
  const holds = async (
    t: Test,
    url: string,
    { sent = (etag) => etag, role = 'VIEWER' }: { sent?: (etag: string) => string; role?: 'VIEWER' | 'ADMIN' } = {},
  ): Promise<Answer<Quote>> => {
    for (let tries = 1; ; tries += 1) {
      const first = await read<Quote>(url);
      const etag = first.headers.etag ?? '';
      const again = await read(url, sent(etag), role);
      const isChanged = again.headers['x-property-seq'] !== first.headers['x-property-seq'];
      if (isChanged && tries < MAX_TRIES) continue;
      isHeld(t, again, etag);
      return first;
    }
  };

  await group.test('a quote that is asked for again is 304 until its property changes', async (t) => {
    const property = await BlackboxProperty.open(service);
    const url = quoteUrl(property, 30, '&adults=2&roomType=DLX');
    await holds(t, url, { sent: (tag) => `"other", ${tag.slice(2)}, W/"more"` });
    await holds(t, url, { role: 'ADMIN' });
    const first = await holds(t, url);
    const etag = first.headers.etag ?? '';
    t.match(etag, /^W\/"[^"]+"$/, 'weak: tokens of another copy differ');
    t.match(first.headers, { 'cache-control': 'private, no-cache', vary: /Authorization, X-Tenant-ID/ });
    for (const held of ['*', '"other"', etag.slice(0, -3), `${etag.slice(0, -1)}zzz"`, 'nonsense'])
      t.equal((await read(url, held)).status, 200, held);
    const other = await read(quoteUrl(property, 31, '&adults=2&roomType=DLX'), etag);
    t.equal(other.status, 200, 'the tag is of another stay');
    t.equal((await read(quoteUrl(property, 30, '&adults=1&roomType=DLX'), etag)).status, 200);

    const { quoteToken } = first.json.rates[0]!;
    t.equal((await property.book({ stay: { quoteToken } })).status, 201, 'the token of the held answer is good');
    const booked = await read<Quote>(url, etag);
    t.equal(booked.status, 200, 'a token that is used is not held on to');
    t.not(booked.json.rates[0]?.quoteToken, quoteToken);
    t.equal(booked.json.rates[0]?.dailyRates[0]?.availability, 2);

    const { etag: next } = (await holds(t, url)).headers;
    must(await property.price('STD', 100, 1, 77), 200);
    t.equal((await read(url, next)).status, 200, 'another room type has another price');
  });

  await group.test('calendars are 304 until the property changes, with equal bytes for equal tags', async (t) => {
    const property = await BlackboxProperty.open(service);
    const days = `startDate=${property.day(0)}&endDate=${property.day(60)}`;
    const nights = `start_date=${property.day(0)}&end_date=${property.day(60)}`;
    const availability = `${service.dev.reservationUrl}/api/v1/tenants/demo/availability?property_id=${property.propertyId}`;
    const urls = [
      ratesUrl(`/calendar?propertyId=${property.propertyId}&${days}`),
      ratesUrl(`/base?propertyId=${property.propertyId}&${days}`),
      `${availability}&${nights}`,
    ];
    for (const url of urls) {
      await holds(t, url, { sent: (tag) => `W/${tag}` });
      const one = await holds(t, url);
      const etag = one.headers.etag ?? '';
      t.match(etag, /^"[^"]+"$/, 'strong');
      for (let time = 0; time < 2; time += 1) {
        const again = await read(url);
        if (again.headers.etag === etag) t.equal(again.text, one.text);
      }
      t.match(one.headers, { 'cache-control': 'private, no-cache', 'content-type': /^application\/json/ });
      t.equal((await read(`${url}&room_type=STD&roomType=STD`, etag)).status, 200, 'the tag is of another query');
      must(await property.bookUntilDecided({ from: 20 }), 201);
      const later = await read<{ seq: number }>(url, etag);
      t.equal(later.status, 200);
      t.ok(later.json.seq > (one.json as unknown as { seq: number }).seq);
    }
    const past = await read(`${availability}&${nights}&asOf=${new Date().toISOString()}`);
    if (past.status === 200) t.notOk(past.headers.etag, 'what was has no tag');
    t.equal(past.headers['cache-control'], 'no-store');
  });

  await group.test('errors and other answers are not held', async (t) => {
    const property = await BlackboxProperty.open(service);
    const wrong = [
      quoteUrl(property, -3),
      quoteUrl(property, 30, '&roomType=NONE'),
      ratesUrl('/calendar?propertyId=nobody'),
    ];
    for (const url of [...wrong, ratesUrl(`/plans?propertyId=${property.propertyId}`)]) {
      const { headers } = await read(url, '"any"');
      t.equal(headers.etag, undefined, url);
      t.equal(headers['cache-control'], 'no-store');
    }
  });
}

/** The clock goes forward: apart from the others. */
export async function heldTokens(group: Test, service: Service): Promise<void> {
  await group.test('an answer is not held on to while its tokens come to their end', async (t) => {
    const property = await BlackboxProperty.open(service);
    const ask = (held?: string): Promise<Answer<Quote>> =>
      service.rates(
        'GET',
        `/current?propertyId=${property.propertyId}&checkIn=${property.day(30)}&checkOut=${property.day(32)}&adults=2&roomType=DLX`,
        held === undefined ? {} : { headers: { 'if-none-match': held } },
      );
    const seqOf = ({ headers }: Answer<unknown>): unknown => headers['x-property-seq'];
    let [first, held] = [await ask(), await ask()];
    let etag = '';
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      first = await ask();
      etag = first.headers.etag ?? '';
      await advanceClock(service, HELD_SECONDS - 30);
      held = await ask(etag);
      if (seqOf(held) === seqOf(first)) break;
    }
    t.equal(held.status, 304);
    t.equal(held.headers.etag, etag, 'the age of its tokens is not forgotten');
    await advanceClock(service, 60);
    const again = await ask(etag);
    t.equal(again.status, 200);
    t.not(again.json.rates[0]?.quoteToken, first.json.rates[0]?.quoteToken);
    await advanceClock(service, 600);
    const { quoteToken } = again.json.rates[0]!;
    t.equal((await property.book({ stay: { quoteToken } })).status, 201);
  });
}
