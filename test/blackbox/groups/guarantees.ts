import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

type Plan = { id: string; guarantee: string | null; terms: object | null; cancellationPolicy: string };
type Booked = {
  status: string;
  guarantee: string;
  depositSchedule: { percent: number; amount: number; dueDate: string | null }[] | null;
  releaseHour: string | null;
  terms: { policyName: string; change: string };
  financial: { paidAmount: number; totalAmount: number; balanceDue: number; paymentDetails: unknown[] };
};

const NIGHT = { kind: 'NIGHTS', value: 1 };
const TERMS = { cancellation: { freeUntilHours: 8_760, penalty: NIGHT }, change: 'FEE', changeFee: 25 };

/** What makes a booking certain, and what it is subject to (docs/reference/rates.md#guarantee-and-terms). */
export async function guarantees(group: Test, service: Service): Promise<void> {
  const opened = async (plans: Record<string, object>) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 9 } });
    for (const [code, own] of Object.entries(plans)) must(await create(property, { code, ...own }), 201);
    return property;
  };
  const create = (property: BlackboxProperty, body: object) =>
    service.rates<Plan>('POST', '/plans', { body: { propertyId: property.propertyId, name: 'Test', ...body } });
  const read = async (id: string) => must(await service.reservations<Booked>('GET', `/${id}`), 200).json;
  const booked = async (property: BlackboxProperty, rateCode: string, more: object = {}) => {
    const { json } = must(await property.book({ from: 30, stay: { rateCode }, ...more }), 201);
    return { id: json.reservationId, ...(await read(json.reservationId)) };
  };

  await group.test('a plan says what a booking needs; the card is charged when it is owed', async (t) => {
    const property = await opened({
      DESK: { guarantee: 'NONE', releaseHour: '18:00' },
      HALF: {
        depositSchedule: [
          { percent: 25, due: { at: 'BOOKING' } },
          { percent: 50, due: { daysBefore: 7 } },
        ],
        guarantee: 'PREPAY',
      },
      SURE: { guarantee: 'CARD', terms: TERMS },
    });
    const desk = await booked(property, 'DESK', { card: null });
    t.match(desk, { status: 'CONFIRMED', guarantee: 'NONE', releaseHour: '18:00', financial: { paidAmount: 0 } });
    const half = await booked(property, 'HALF');
    const { totalAmount, paidAmount } = half.financial;
    t.equal(paidAmount, totalAmount / 4);
    t.match(half.depositSchedule, [
      { percent: 25, amount: totalAmount / 4, dueDate: null },
      { percent: 50, amount: totalAmount / 2, dueDate: property.day(23) },
    ]);
    const flex = await booked(property, 'FLEX');
    t.match(flex, { status: 'CONFIRMED', guarantee: 'CARD', financial: { paidAmount: 0, paymentDetails: [] } });
    t.match(await booked(property, 'FLEX', { card: null }), { status: 'PENDING', guarantee: 'CARD' });
    isProblem(t, await property.book({ from: 30, stay: { rateCode: 'FLEX' }, card: 'tok_declined' }), 422, {
      code: 'PAYMENT_DECLINED',
    });
    const sure = await booked(property, 'SURE');
    t.match(sure.terms, { policyName: 'SURE', change: 'FEE' });
    must(await service.reservations('DELETE', `/${sure.id}`), 200);
    let after = await read(sure.id);
    for (let tries = 0; after.financial.paidAmount === 0 && tries < 100; tries++) {
      await new Promise((done) => setTimeout(done, 50));
      after = await read(sure.id);
    }
    t.match(after.financial, { balanceDue: 0, totalAmount: after.financial.paidAmount }, 'its penalty is charged');
    t.ok(after.financial.paidAmount > 0);
    const source = { channel: 'OTA', collectedBy: 'CHANNEL' };
    t.match(await booked(property, 'BAR', { card: null, more: { source } }), {
      status: 'CONFIRMED',
      guarantee: 'CHANNEL',
    });
  });

  await group.test('what contradicts itself is refused, and stores nothing', async (t) => {
    const property = await opened({});
    const at = (percent: number, due: object = { at: 'BOOKING' }) => ({ percent, due });
    const wrong: [object, string][] = [
      [{ guarantee: 'PREPAY', depositSchedule: [at(60), at(50, { daysBefore: 3 })] }, '/depositSchedule'],
      [{ guarantee: 'PREPAY', depositSchedule: [at(10), at(10)] }, '/depositSchedule'],
      [{ guarantee: 'CARD', depositSchedule: [at(10)] }, '/depositSchedule'],
      [{ guarantee: 'PREPAY', releaseHour: '18:00' }, '/releaseHour'],
      [{ guarantee: 'NONE', releaseHour: '25:00' }, '/releaseHour'],
      [
        { terms: { cancellation: { freeUntilHours: null, penalty: { kind: 'NONE' } } } },
        '/terms/cancellation/penalty',
      ],
      [{ terms: { ...TERMS, noShow: { kind: 'NONE' } } }, '/terms/noShow'],
      [{ terms: { ...TERMS, changeFee: undefined } }, '/terms/changeFee'],
      [{ terms: TERMS, cancellationPolicy: 'STANDARD' }, '/terms'],
      [{ terms: { ...TERMS, earlyDeparture: { kind: 'PERCENT', value: 101 } } }, '/terms/earlyDeparture/value'],
    ];
    for (const [body, pointer] of wrong)
      isProblem(t, await create(property, { code: 'ODD', ...body }), 400, {
        code: 'VALIDATION_FAILED',
        pointers: [pointer],
      });
    const { json } = must(
      await service.rates<{ items: Plan[] }>('GET', `/plans?propertyId=${property.propertyId}`),
      200,
    );
    t.equal(json.items.length, 3);
  });

  await group.test('what a change of a plan does not say stays; a policy takes own terms away', async (t) => {
    const property = await opened({});
    const { json: plan } = must(await create(property, { code: 'OWN', guarantee: 'CARD', terms: TERMS }), 201);
    const put = async (body: object) =>
      must(await service.rates<Plan>('PUT', `/plans/${plan.id}`, { body: { name: 'Own', ...body } }), 200).json;
    t.match(await put({}), { guarantee: 'CARD', terms: TERMS });
    t.match(await put({ cancellationPolicy: 'FLEXIBLE' }), {
      guarantee: 'CARD',
      terms: { cancellation: { freeUntilHours: 24 } },
      inherits: ['terms'],
    });
    t.match(await put({ guarantee: 'NONE' }), { guarantee: 'NONE', cancellationPolicy: 'FLEXIBLE' });
  });
}
