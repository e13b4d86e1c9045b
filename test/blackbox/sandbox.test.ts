import t from 'tap';

import {
  browserFor,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { addsUp } from './audit.ts';
import { outbox } from './outbox.ts';
import { BlackboxProperty, must } from './property.ts';
import { sharedService } from './shared-pages.ts';
import { until } from './waiting.ts';

t.setTimeout(PAGE_FILE_MS);

type Sandbox = { state: string; percent: number; sandboxId?: string };
type Properties = { items: { propertyId: string; name: string }[] };

const MADE_MS = 240_000;

/** A year of invented guests, on the real services (docs/concepts/sandbox.md#what-is-in-it). */
void t.test('a property is tried with invented guests', pageTestOptions, async (t) => {
  const service = await sharedService(t);
  const property = await BlackboxProperty.open(service, { rooms: { DBL: 4 }, policies: { taxPercent: 6 } });
  const { propertyId } = property;
  for (const roomNumber of ['1', '2', '3', '4'])
    must(
      await service.tenants('POST', `/properties/${propertyId}/rooms`, {
        body: { roomNumber, roomType: 'DBL', floor: 1 },
      }),
      201,
    );
  const path = `/properties/${propertyId}/sandbox`;
  const read = async () => must(await service.tenants<Sandbox>('GET', path), 200).json;
  const comes = (state: string) =>
    until(`the sandbox is ${state}`, MADE_MS, async () => {
      const here = await read();
      if (here.state === 'STOPPED') throw new Error('the sandbox has stopped');
      return here.state === state ? here : undefined;
    });
  const listed = async () => must(await service.tenants<Properties>('GET', '/properties?limit=200'), 200).json.items;
  const about = (query: Record<string, string>) => new URLSearchParams(query).toString();

  await t.test('by requests: it is made once, has figures, sends nothing, and is thrown away', async (t) => {
    t.match(await read(), { state: 'NONE', percent: 0 });
    t.equal((await service.tenants('GET', '/properties/nowhere/sandbox')).status, 404);
    const twice = await Promise.all([1, 2].map(() => service.tenants<Sandbox>('POST', path, { body: {} })));
    const [first, second] = twice.map((answer) => must(answer, 202).json.sandboxId);
    t.equal(first, second, 'pressed twice it is made once');
    const { sandboxId = '' } = await comes('READY');
    t.equal((await listed()).find((one) => one.propertyId === sandboxId)?.name.endsWith('(invented guests)'), true);
    const period = { propertyId: sandboxId, from: property.day(-60), to: property.day(-1) };
    const mix = must(
      await service.call<{ total: { roomNights: number; revenue: number } }>(
        'GET',
        `${service.dev.reservationUrl}/api/v1/analytics/sales-mix?${about(period)}`,
        { role: 'MANAGER' },
      ),
      200,
    ).json.total;
    t.ok(mix.roomNights > 60 && mix.revenue > 60 * 80, JSON.stringify(mix));
    await addsUp(t, await BlackboxProperty.known(service, sandboxId), 0, 60);
    const wish = { ...property.wish({ roomType: 'DBL', from: 100, card: 'tok_declined' }), propertyId: sandboxId };
    const booked = await service.call('POST', `${service.dev.reservationUrl}/api/v1/reservations`, { body: wish });
    t.equal(booked.status, 201, `no provider is asked: ${booked.text.slice(0, 200)}`);
    const stays = await service.call<{ items: { reservationId: string; guestInfo: { email: string } }[] }>(
      'GET',
      `${service.dev.reservationUrl}/api/v1/reservations?${about({ propertyId: sandboxId, status: 'CONFIRMED', limit: '5' })}`,
    );
    const [stay] = must(stays, 200).json.items;
    must(await service.reservations('DELETE', `/${stay!.reservationId}`, { body: { reason: 'GUEST_REQUEST' } }), 200);
    must(await service.tenants('DELETE', path), 202);
    await comes('NONE');
    t.notOk(
      (await listed()).some((one) => one.propertyId === sandboxId),
      'it is not listed any more',
    );
    t.equal((await service.tenants('GET', `/properties/${sandboxId}`)).status, 404);
    t.same(
      (await outbox(service)).items.filter(({ to }) => JSON.stringify(to).includes(stay!.guestInfo.email)),
      [],
      'an invented guest has no mail, also after a cancel',
    );
    t.equal((await service.tenants('POST', '/properties', { body: { propertyId: 'x--sandbox-1' } })).status, 400);
  });

  await t.test('by two buttons', async (t) => {
    const browser = await browserFor(t);
    const { page, complaints } = await openPage(browser, `${service.dev.liveUrl}/admin?property=${propertyId}`);
    page.setDefaultTimeout(60_000);
    await signInWithToken(page, service.token('demo', 'OWNER'));
    await page.getByRole('button', { name: 'Try it with a year of invented guests' }).click();
    await page.getByText('The copy with invented guests is there.').waitFor({ timeout: MADE_MS });
    await page.getByRole('link', { name: 'Revenue with invented guests' }).click();
    await page.getByRole('option', { name: /\(invented guests\)/, selected: true }).waitFor({ state: 'attached' });
    t.match(page.url(), '--sandbox-');
    await page.goBack();
    await page.getByRole('link', { name: 'Front desk with invented guests' }).click();
    await page.getByRole('button', { name: 'New reservation' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Throw them away' }).click();
    await page.getByRole('button', { name: 'Try it with a year of invented guests' }).waitFor({ timeout: MADE_MS });
    t.match(await read(), { state: 'NONE' });
    t.strictSame(complaints, [], 'no errors, and nothing that the policy forbids');
  });

  await t.test('it goes with its property', async (t) => {
    const { sandboxId } = must(await service.tenants<Sandbox>('POST', path, { body: {} }), 202).json;
    must(await service.tenants('DELETE', `/properties/${propertyId}`), 200);
    t.match(await comes('NONE'), { state: 'NONE' });
    t.equal((await service.tenants('GET', `/properties/${sandboxId}`)).status, 404);
  });
});
