import type { Test } from 'tap';

import type { Answer } from '../http.ts';
import { advanceClock, must, BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';
import type { Quote } from '../shapes.ts';

/** How long a client may use the tokens of an answer that it holds before they are made anew. */
const HELD_SECONDS = 300;

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

  await group.test('a quote that is asked for again is 304 until its property changes', async (t) => {
    const property = await BlackboxProperty.open(service);
    const url = quoteUrl(property, 30, '&adults=2&roomType=DLX');
    const first = await read<Quote>(url);
    const etag = first.headers.etag ?? '';
    t.match(etag, /^W\/"[^"]+"$/, 'weak: tokens of another copy differ');
    t.match(first.headers, { 'cache-control': 'private, no-cache', vary: /Authorization, X-Tenant-ID/ });
    isHeld(t, await read(url, etag), etag);
    isHeld(t, await read(url, `"other", ${etag.slice(2)}, W/"more"`), etag);
    isHeld(t, await read(url, etag, 'ADMIN'), etag);
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

    const next = booked.headers.etag ?? '';
    isHeld(t, await read(url, next), next);
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
      const [one, two, three] = [await read(url), await read(url), await read(url)];
      const etag = one.headers.etag ?? '';
      t.match(etag, /^"[^"]+"$/, 'strong');
      t.match([two.headers.etag, three.headers.etag], [etag, etag]);
      t.match([two.text, three.text], [one.text, one.text], 'encoded once');
      t.match(one.headers, { 'cache-control': 'private, no-cache', 'content-type': /^application\/json/ });
      isHeld(t, await read(url, etag), etag);
      isHeld(t, await read(url, `W/${etag}`), etag);
      t.equal((await read(`${url}&room_type=STD&roomType=STD`, etag)).status, 200, 'the tag is of another query');
      must(await property.bookUntilDecided({ from: 20 }), 201);
      const later = await read<{ seq: number }>(url, etag);
      t.equal(later.status, 200);
      t.ok(later.json.seq > (one.json as { seq: number }).seq);
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
    const first = await ask();
    const etag = first.headers.etag ?? '';
    await advanceClock(service, HELD_SECONDS - 30);
    const held = await ask(etag);
    t.equal(held.status, 304);
    t.equal(held.headers.etag, etag, 'the age of its tokens is not forgotten');
    await advanceClock(service, 60);
    const again = await ask(etag);
    t.equal(again.status, 200);
    t.equal(again.headers['x-property-seq'], first.headers['x-property-seq'], 'the property has not changed');
    t.not(again.json.rates[0]?.quoteToken, first.json.rates[0]?.quoteToken);
    await advanceClock(service, 600);
    const { quoteToken } = again.json.rates[0]!;
    t.equal((await property.book({ stay: { quoteToken } })).status, 201);
  });
}
