import t, { type Test } from 'tap';

import { advanceClock, BlackboxProperty, must, propertyBody } from './property.ts';
import type { Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { sharedService } from './shared-pages.ts';
import { until } from './waiting.ts';

const PLAN = 'HOTEL';

type World = { service: Service; hotel: BlackboxProperty };
/** A booking on the page: the address of its offer, its own, and what was sent and set by it. */
type Booked = { offer: string; form: Record<string, string>; url: string; cookie: string };

/** Who sees what under the addresses of the booking page (docs/guide/booking-page.md#cookie). */
void t.test('the addresses of a booking', async (t) => {
  const service = await sharedService(t);
  const world = { service, hotel: await openHotel(service) };
  await t.test('an offer opens its booking only in the browser that has booked it', (t) => ofOffer(t, world));
  await t.test('more guests than a room sleeps take two rooms', (t) => tooMany(t, world));
  await t.test('a tenant that is suspended sells nothing, and one that is over takes no card and says nothing', (t) =>
    ofTenant(t, world),
  );
  await t.test('my stay offers only what can be done, and says nothing of what is over', (t) => stepsLeft(t, world));
  await t.test('a stay is not cancelled while a payment is under way', (t) => whilePaying(t, world));
  // Moves the clock, so the last one.
  await t.test('a confirmation ends with the links of the stay', (t) => ends(t, world));
});

async function openHotel(service: Service): Promise<BlackboxProperty> {
  const hotel = await BlackboxProperty.open(service);
  const body = propertyBody(hotel.propertyId, {});
  const metadata = { ...(body.metadata as object), bookingPage: { enabled: true } };
  must(await service.tenants('PUT', `/properties/${hotel.propertyId}`, { body: { ...body, metadata } }), 200);
  const plan = { propertyId: hotel.propertyId, code: PLAN, name: 'Pay there', guarantee: 'NONE', status: 'ACTIVE' };
  must(await service.rates('POST', '/plans', { body: plan }), 201);
  return hotel;
}

type Got = { status: number; location: string | null; text: string; cookie: string };

type Sent = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

async function open(url: string, init: Sent = {}): Promise<Got> {
  const headers = { 'accept-language': 'en', ...init.headers };
  const answer = await fetch(url, { redirect: 'manual', ...init, headers });
  const [cookie = ''] = answer.headers.getSetCookie();
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text(), cookie };
}

const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Got> =>
  open(url, { method: 'POST', body: new URLSearchParams(form), headers });

const searchOf = ({ service, hotel }: World, from: number, more = 'adults1=2'): string =>
  `${service.dev.liveUrl}/book/demo/${hotel.propertyId}?checkin=${hotel.day(from)}&checkout=${hotel.day(from + 2)}&${more}`;

/** The fields that a form has filled in. */
const fieldsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  ) as Record<string, string>;

const guest = { firstName: 'Alice', lastName: 'Ames', email: 'alice@example.com' };

/** Books a room as a browser does. */
async function book(world: World, from: number, plan = PLAN, email = guest.email): Promise<Booked> {
  const search = searchOf(world, from);
  const offers = [...(await open(search)).text.matchAll(/name="choice1"\s+value="([^"]+)"/g)].map(
    ([, value]) => value!,
  );
  const choice = offers.find((value) => value.includes(`|${plan}|`))!;
  const offer = `${search.replace('?', '/guest?')}&choice1=${encodeURIComponent(choice)}`;
  const form = { ...fieldsIn((await open(offer)).text), ...guest, email };
  const { status, location, cookie } = await post(search.replace(/\?.*/, '/book'), form);
  if (status !== 303 || !location) throw new Error(`${status} instead of 303`);
  return { offer, form, url: new URL(location, search).href, cookie };
}

/** The link of the stay that its confirmation has. */
async function stayOf({ url }: Booked): Promise<string> {
  const [, path] = /href="(\/stay\/[^"]+)"/.exec((await open(url)).text)!;
  return new URL(path!, url).href;
}

async function reservationOf(hotel: BlackboxProperty, { url }: Booked): Promise<Reservation> {
  const number = /Confirmation number: ([0-9A-Z]{10})/.exec((await open(url)).text)![1]!;
  const [found] = await hotel.reservations(`&confirmationNumber=${number}`);
  return found!;
}

async function ofOffer(t: Test, world: World): Promise<void> {
  const { offer, form, url, cookie } = await book(world, 20);
  t.match(cookie, /^innkeeper-booking=\S+; Path=\/book\/demo\/[^;/]+; Max-Age=3600; HttpOnly; SameSite=Lax$/);
  t.match((await open(url)).text, /Your booking is confirmed[^]*alice@example\.com/);
  const other = await book(world, 24);
  const foreign = [undefined, 'innkeeper-booking=forged', other.cookie.split(';')[0]];
  for (const one of foreign)
    for (const address of [offer, offer.replace('adults1=2', 'adults1=1')]) {
      const shown = await open(address, one === undefined ? {} : { headers: { cookie: one } });
      t.match(shown, { status: 409, location: null, text: /This offer has been booked/ });
      t.notMatch(shown.text, /alice|Confirmation number|\/booking\/|\/stay\//);
    }
  const [own] = cookie.split(';');
  t.match(await open(offer, { headers: { cookie: `a=b; ${own}` } }), {
    status: 303,
    location: new URL(url).pathname,
  });
  const send = url.replace(/\/booking\/.*/, '/book');
  t.match(await post(send, form), { status: 303, location: new URL(url).pathname }, 'a double click books once');
  const again = { ...form, form: 'another' };
  t.match(await post(send, again), { status: 409, location: null, cookie: '' }, 'another form is no repeat');
  t.match(await post(send, again, { cookie: own! }), { status: 303, location: new URL(url).pathname });
}

async function tooMany(t: Test, world: World): Promise<void> {
  const { text } = await open(searchOf(world, 20, 'adults1=2&adults2=5'));
  t.match(text, /No room here is large enough for 5 adults\. Please take more rooms/);
  t.notMatch(text, /Nothing is free|Cheapest days|full/, 'other days have no larger rooms');
  const children = 'adults1=2&ages1=' + encodeURIComponent('1, 2, 3');
  t.match((await open(searchOf(world, 20, children))).text, /large enough for 2 adults, 3 children\./);
  t.match((await open(searchOf(world, 20, 'adults1=3'))).text, /€200\.00/);
}

async function ofTenant(t: Test, { service, hotel }: World): Promise<void> {
  const waiting = await book({ service, hotel }, 30, 'BAR');
  const confirmed = await book({ service, hotel }, 33);
  t.match((await open(waiting.url)).text, /We keep this room for you/);
  const setStatus = (status: string) =>
    service.call('PUT', `${service.dev.reservationUrl}/ops/tenants/demo/status`, {
      authorization: `Bearer ${service.dev.operatorToken}`,
      tenantHeader: null,
      body: { status },
    });
  const stay = await stayOf(confirmed);
  t.match((await open(stay)).text, /Change dates[^]*Add extras/);
  must(await setStatus('SUSPENDED'), 200);
  await until('nothing is sold', 30_000, async () => !(await open(stay)).text.includes('Change dates') || undefined);
  t.match((await open(stay)).text, /^(?![^]*Add extras)[^]*Cancel/, 'an extra is a sale, too');
  t.equal((await open(`${stay}/extras`)).status, 409);
  must(await setStatus('INACTIVE'), 200);
  await until('the pages are gone', 30_000, async () => (await open(waiting.url)).status === 404 || undefined);
  for (const url of [waiting.url, confirmed.url, `${confirmed.url}/stay.ics`])
    t.match(await open(url), { status: 404, text: /^(?![^]*alice)/ }, url);
  t.equal((await post(`${waiting.url}/pay`, { cardToken: 'tok_visa' })).status, 404);
  must(await setStatus('ACTIVE'), 200);
  t.match((await open(waiting.url)).text, /We keep this room for you/, 'nothing was charged');
  t.match(await post(`${waiting.url}/pay`, { cardToken: 'tok_visa' }), { status: 303 });
}

async function ends(t: Test, world: World): Promise<void> {
  const { service, hotel } = world;
  const isOver = async (url: string): Promise<void> => {
    for (const address of [url, `${url}/stay.ics`])
      t.match(await open(address), { status: 404, text: /This link cannot be used/ });
  };
  const revoked = await book(world, 40);
  const { reservationId } = await reservationOf(hotel, revoked);
  must(await service.reservations('DELETE', `/${reservationId}/stay-page/links`), 200);
  await isOver(revoked.url);
  const erased = await book(world, 44, PLAN, 'bob@example.com');
  const stay = await reservationOf(hotel, erased);
  must(await service.reservations('DELETE', `/${stay.reservationId}`, { body: {} }), 200);
  const path = `${service.dev.reservationUrl}/api/v1/guests/${stay.guestInfo.guestId}`;
  must(await service.call('DELETE', path, { role: 'ADMIN' }), 200);
  await isOver(erased.url);
  const late = await book(world, 1);
  must(await advanceClock(service, 30 * 86_400), 200);
  t.equal((await open(late.url)).status, 200, 'for the invoice');
  must(await advanceClock(service, 5 * 86_400), 200);
  await isOver(late.url);
}

async function stepsLeft(t: Test, { service, hotel }: World): Promise<void> {
  const rooms = `/properties/${hotel.propertyId}/rooms`;
  must(await service.tenants('POST', rooms, { body: { roomNumber: '101', roomType: 'STD', floor: 1 } }), 201);
  const booked = await book({ service, hotel }, 0);
  const stay = await stayOf(booked);
  const { reservationId } = await reservationOf(hotel, booked);
  const late = /It is too close to your arrival to change the dates here/;
  t.match((await open(stay)).text, late);
  t.notMatch((await open(stay)).text, /Change dates/, 'it could only refuse');
  t.match(await open(`${stay}/dates`), { status: 409, text: late });
  const form = fieldsIn((await open(`${stay}/check-in`)).text);
  const signed = { arrivalTime: '18:30', signedName: 'Alice Ames', consent: '1' };
  t.match(await post(`${stay}/check-in`, { ...form, ...signed }), { status: 303 });
  t.match((await open(stay)).text, /Expected arrival: 18:30/);
  const desk = (path: string, body: object) => service.reservations('POST', `/${reservationId}${path}`, { body });
  must(await desk('/checkin', { identificationVerified: true }), 200);
  t.notMatch((await open(stay)).text, /Expected arrival|too close/, 'the guest is there');
  const other = await book({ service, hotel }, 60);
  const ended = await stayOf(other);
  t.match((await open(ended)).text, /What you can do here[^]*Change dates/);
  const { reservationId: id } = await reservationOf(hotel, other);
  must(await service.reservations('DELETE', `/${id}`, { body: {} }), 200);
  t.match((await open(ended)).text, /^(?![^]*What you can do here)[^]*This booking is cancelled/);
  const paid = await book({ service, hotel }, 64, 'NRF');
  t.match(await post(`${paid.url}/pay`, { cardToken: 'tok_visa' }), { status: 303 });
  const more = `/dates?checkin=${hotel.day(64)}&checkout=${hotel.day(67)}`;
  t.match(
    (await open(`${await stayOf(paid)}${more}`)).text,
    /more\. Nothing is charged now/,
    'a night more is possible',
  );
}

async function whilePaying(t: Test, world: World): Promise<void> {
  const stay = await stayOf(await book(world, 70));
  t.match((await open(`${stay}/cancel`)).text, /Cancelling is free[^]*Cancel the stay/);
  const form = fieldsIn((await open(stay)).text);
  const paying = post(`${stay}/pay`, { ...form, cardToken: 'tok_slow' });
  const shown = await until('the payment is under way', 10_000, async () => {
    const page = await open(`${stay}/cancel`);
    return page.status === 409 ? page : undefined;
  });
  t.match(shown.text, /A payment is under way/);
  t.notMatch(shown.text, /Cancelling is free|Cancel the stay/, 'nothing is offered that would be refused');
  t.match(await paying, { status: 303 });
  t.match((await open(`${stay}/cancel`)).text, /€200\.00 goes back the way you paid[^]*Cancel the stay/);
}
