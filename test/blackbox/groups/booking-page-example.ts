import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Test } from 'tap';

import { freePorts } from '../../../src/testing/launch/free-ports.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/booking-page/booking-page.ts');

/** The values of the hidden fields of each form of a page. */
const formsOf = (page: string): Record<string, string>[] =>
  page
    .split('<form')
    .slice(1)
    .map((form) =>
      Object.fromEntries(
        [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, ...field]) => field),
      ),
    );

/** The example of a hotel's own booking page, as its guests use it. */
export async function bookingPageExample(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  const plan = { propertyId, code: 'THERE', name: 'Pay there', guarantee: 'NONE', status: 'ACTIVE' };
  must(await service.rates('POST', '/plans', { body: plan }), 201);
  const [port] = await freePorts(1);
  const { rateUrl: RATE_URL, reservationUrl: RESERVATION_URL } = service.dev;
  const of = {
    TOKEN: service.token('demo', 'STAFF'),
    PROPERTY: propertyId,
    RATE_CODES: 'BAR,THERE',
    RATE_URL,
    RESERVATION_URL,
  };
  const env = { PATH: process.env.PATH, ...of, PORT: String(port) };
  const child = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  group.teardown(() => child.kill());
  const output = { lines: '' };
  child.stdout.on('data', (chunk) => (output.lines += String(chunk)));
  await until('the page is up', 60_000, () => output.lines.includes('sells at') || undefined);
  const site = `http://127.0.0.1:${port}`;
  const offers = async (from: number, query = ''): Promise<string> =>
    (
      await fetch(`${site}/offers?checkIn=${property.day(from)}&checkOut=${property.day(from + 2)}&adults=2${query}`)
    ).text();
  const book = async (form: Record<string, string>) => {
    const guest = { firstName: 'Ada', lastName: '<b>Byron</b>', email: 'ada@example.com' };
    const answer = await fetch(`${site}/book`, { method: 'POST', body: new URLSearchParams({ ...form, ...guest }) });
    return { status: answer.status, page: await answer.text() };
  };
  const formOf = async (from: number, rateCode: string, roomType = 'DLX') => {
    const page = await offers(from);
    const part = page.split('<form').find((one) => one.includes(`${roomType} ${rateCode}:`)) ?? '';
    return { form: formsOf(`<form${part}`)[0]!, price: /: ([\d.]+) EUR/.exec(part)?.[1] };
  };

  await group.test('a guest searches, sees prices, and books once however often the form is sent', async (t) => {
    t.match(await (await fetch(site)).text(), /<button>Show rooms<\/button>/);
    const { form, price } = await formOf(30, 'THERE');
    const [first, again] = [await book(form), await book(form)];
    t.match(first, { status: 200, page: /<h1>Booked<\/h1>/ });
    t.match(first.page, `${price} EUR`, 'at the price that was shown');
    t.equal(again.page, first.page);
    const all = await property.reservations();
    t.match(all, [{ status: 'CONFIRMED', source: { channel: 'WEBSITE' } }]);
    t.equal(Number(price), all[0]!.financial.totalAmount);
  });

  await group.test('a rate that is paid in advance holds the room', async (t) => {
    const { form } = await formOf(40, 'BAR', 'STD');
    const { page } = await book(form);
    t.match(page, /<h1>Your room is held<\/h1>/);
    t.match(page, /(mailed you a link|call us) to pay, until \d{4}-/);
  });

  await group.test('what the service refuses is said, and nothing runs in what a guest types', async (t) => {
    const { form } = await formOf(50, 'THERE');
    t.match(await book({ ...form, quoteToken: `${form.quoteToken}x` }), { status: 422, page: /That did not work/ });
    t.match(await offers(50, 'x'), /adults must be a number/);
    const odd = await fetch(`${site}/?checkIn=${encodeURIComponent('"><script>')}`);
    t.notMatch(await odd.text(), '<script>');
    t.equal((await fetch(`${site}/offers?checkIn=soon&checkOut=later`)).status, 400);
    t.equal((await fetch(`${site}/elsewhere`)).status, 404);
  });
}
