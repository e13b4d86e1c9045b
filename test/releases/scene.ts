import { placed } from '../blackbox/hold.ts';
import { advanceClock, BlackboxProperty, must, serviceClock, type Wish } from '../blackbox/property.ts';
import type { CallOptions, Service } from '../blackbox/service.ts';
import { until } from '../blackbox/waiting.ts';

type Json = Record<string, unknown>;
const DAY_SECONDS = 86_400;

/** What a recorded database is about: its properties, stays by what is special about them, moments to look back to. */
export type Scene = { propertyIds: string[]; stays: Record<string, string>; holdId: string; moments: string[] };

/** Lets two properties live for three days, with everything in them that a release stores. */
export async function play(service: Service): Promise<Scene> {
  const city = await openCity(service);
  const inn = await BlackboxProperty.open(service, {
    rooms: { STD: 5 },
    price: 80,
    policies: { paymentRequired: false, freeCancellationHours: 24, nightAuditHour: 4 },
    timezone: 'America/New_York',
  });
  const world = new World(service, city);
  const moments = [await world.moment()];
  await world.firstDay(inn);
  moments.push(await world.moment());
  must(await advanceClock(service, DAY_SECONDS), 200);
  await world.secondDay();
  moments.push(await world.moment());
  must(await advanceClock(service, DAY_SECONDS), 200);
  await world.lastDay(inn);
  await world.settled();
  const holdId = await world.waiting();
  return { propertyIds: [city.propertyId, inn.propertyId], stays: world.stays, holdId, moments };
}

async function openCity(service: Service): Promise<BlackboxProperty> {
  const city = await BlackboxProperty.open(service, {
    rooms: { DLX: 8, STD: 6 },
    policies: {
      taxPercent: 10,
      feePerNight: 3,
      earlyDepartureNights: 1,
      overbookingLimit: 1,
      cancellationPolicies: [{ name: 'TWO_WEEKS', freeCancellationHours: 336, penaltyPercent: 50 }],
    },
  });
  const at = `/properties/${city.propertyId}`;
  for (const [roomNumber, roomType] of ['101', '102', '103', '104', '201'].map((n) => [n, n < '200' ? 'DLX' : 'STD']))
    must(await service.tenants('POST', `${at}/rooms`, { body: { roomNumber, roomType, floor: 1 } }), 201);
  must(await service.tenants('PUT', `${at}/rooms/104/status`, { body: { status: 'OUT_OF_ORDER' } }), 200);
  const minibar = { name: 'Minibar', price: 12.5, taxPercent: 20 };
  must(await service.tenants('PUT', `${at}/services/MINIBAR`, { body: minibar }), 200);
  const mapping = { roomType: 'DLX', channelName: 'Example Travel', channelCode: 'EXT', externalRoomId: '17' };
  must(await service.tenants('POST', `${at}/channel-mappings`, { body: mapping }), 201);
  const closed = { propertyId: city.propertyId, startDate: city.day(50), endDate: city.day(52), roomType: 'STD' };
  must(await service.rates('PUT', '/restrictions', { body: { ...closed, stopSell: true } }), 200);
  for (const plan of [
    { code: 'WEEKS', name: 'Two weeks', strategy: 'FIXED', cancellationPolicy: 'TWO_WEEKS' },
    { code: 'CORP', name: 'Companies', strategy: 'FIXED', parentCode: 'BAR', adjustmentPercent: -12 },
  ])
    must(await service.rates('POST', '/plans', { body: { propertyId: city.propertyId, ...plan } }), 201);
  return city;
}

const isRefund = (payment: object): boolean => 'type' in payment && payment.type === 'REFUND';

/** The days of the city hotel. */
class World {
  readonly stays: Record<string, string> = {};
  readonly #service: Service;
  readonly #city: BlackboxProperty;

  constructor(service: Service, city: BlackboxProperty) {
    this.#service = service;
    this.#city = city;
  }

  async moment(): Promise<string> {
    return (await serviceClock(this.#service)).now;
  }

  async firstDay(inn: BlackboxProperty): Promise<void> {
    await this.#offers();
    for (const [name, rateCode] of Object.entries({ flexible: 'FLEX', nonRefundable: 'NRF', ownPolicy: 'WEEKS' }))
      await this.#book(name, { from: 30, nights: 3, stay: { rateCode } });
    await this.#book('standard', { from: 40, nights: 2 });
    await this.#book('corporate', { from: 41, nights: 1, stay: { rateCode: 'CORP' } });
    await this.#book('erased', { from: 45, guest: { firstName: 'Noor', lastName: 'Forgotten' } });
    for (const name of ['staying', 'departing', 'early']) await this.#book(name, { from: 0, nights: 4 });
    await this.#change('departing', { stayDetails: { nights: 2 } });
    for (const name of ['staying', 'departing', 'early'])
      await this.#post(name, 'checkin', { identificationVerified: true, keyCards: 2 });
    await this.#book('missed', { from: 0, nights: 2, roomType: 'STD' });
    await this.#book('reminded', { from: 1, nights: 1, roomType: 'STD', guest: { phone: '+351 21 000 0000' } });
    await this.#cancels();
    const unpaid = await inn.booked({ from: 2, nights: 2, roomType: 'STD', card: null });
    this.stays['unpaid'] = unpaid.reservationId;
    await this.#book('agency', { from: 60, nights: 2, more: { source: { channel: 'OTA' } } });
  }

  async secondDay(): Promise<void> {
    await this.#post('early', 'checkout', { finalCharges: [{ code: 'MINIBAR' }] });
    await this.#change('standard', { stayDetails: { checkIn: this.#city.day(42), nights: 3 } });
    await this.#post('reminded', 'no-show', {});
    await this.#post('staying', 'refunds', { amount: 20, reason: 'noise', goodwill: true }, { role: 'MANAGER' });
    await this.#book('forced', { from: 1, nights: 1, roomType: 'STD' });
    await this.#post('forced', 'checkin', { identificationVerified: true, keyCards: 1 });
    const { rateUrl } = this.#service.dev;
    must(await this.#service.call('POST', `${rateUrl}/api/v1/admin/competitor-sync/refresh`), 202);
    const optimizationPeriod = { startDate: this.#city.day(10), endDate: this.#city.day(20) };
    const objectives = { primary: 'MAXIMIZE_REVENUE' };
    const body = { propertyId: this.#city.propertyId, optimizationPeriod, objectives };
    must(await this.#service.rates('POST', '/yield-optimization', { body }), 200);
  }

  async lastDay(inn: BlackboxProperty): Promise<void> {
    const bill = [{ description: 'Spa', amount: 45 }, { code: 'MINIBAR' }];
    await this.#post('departing', 'checkout', { finalCharges: bill });
    const forced = `${this.#service.dev.reservationUrl}/api/v1/admin/reservations/${this.stays['forced']}/force-checkout`;
    must(
      await this.#service.call('POST', forced, { body: { finalCharges: [{ description: 'Bar', amount: 9 }] } }),
      200,
    );
    await this.#post('flexible', 'refunds', { amount: 10, reason: 'paid twice' }, { role: 'MANAGER' });
    await this.#erase();
    const arriving = await inn.booked({ from: 2, nights: 1, roomType: 'STD' });
    this.stays['arriving'] = arriving.reservationId;
  }

  /** What runs out within minutes. @returns the id of a hold that is open */
  async waiting(): Promise<string> {
    await this.#book('pending', { from: 35, card: null });
    return (await placed(this.#city, { rooms: 2 })).holdId;
  }

  /** Refunds of cards are made by a regular round; what was paid in cash stays open. */
  async settled(): Promise<void> {
    await until('refunds are made', 180_000, async () => {
      const stays = await this.#city.reservations();
      const refunds = stays.flatMap(({ financial }) => financial.paymentDetails ?? []).filter(isRefund);
      return refunds.every(({ status, method }) => status === 'COMPLETED' || method === 'CASH') || undefined;
    });
  }

  async #offers(): Promise<void> {
    const city = this.#city;
    const validity = { startDate: city.day(0), endDate: city.day(60) };
    const promotion = {
      propertyId: city.propertyId,
      promotionName: 'Early bird',
      promoCode: 'BIRD',
      discount: { type: 'PERCENTAGE', value: 15 },
      conditions: { minimumStay: 2 },
      validity,
      inventory: { totalRooms: 50 },
    };
    must(await this.#service.rates('POST', '/promotional', { body: promotion }), 201);
    await this.#book('promoted', { from: 31, nights: 2, stay: { promoCode: 'BIRD' } });
    const blocks = [55, 56].map((n) => ({ roomType: 'DLX', date: city.day(n), rooms: 3, rate: 88 }));
    const party = { propertyId: city.propertyId, name: 'A wedding', blocks, cutoffDate: city.day(50) };
    const group = await this.#service.reservations<{ groupId: string }>('POST', '/groups', {
      body: party,
      role: 'MANAGER',
    });
    await this.#book('cousin', { from: 55, nights: 2, more: { groupId: must(group, 201).json.groupId } });
  }

  async #cancels(): Promise<void> {
    for (const name of ['cancelledFree', 'cancelledCredit']) await this.#book(name, { from: 33 });
    await this.#book('cancelledLate', { from: 1, nights: 2 });
    await this.#book('waived', { from: 1, nights: 2 });
    await this.#book('cash', { from: 34, card: null });
    await this.#post('cash', 'payments', { method: 'CASH' });
    for (const name of ['cancelledFree', 'cancelledLate', 'waived', 'cash']) await this.#cancel(name, {});
    await this.#cancel('cancelledCredit', { refundRequested: false });
    await this.#post('waived', 'waive-penalty', { amount: 50, reason: 'ill' }, { role: 'MANAGER' });
  }

  async #erase(): Promise<void> {
    const { guestInfo } = (await this.#city.read(this.stays['erased']!)).json;
    await this.#cancel('erased', {});
    const url = `${this.#service.dev.reservationUrl}/api/v1/guests/${guestInfo.guestId}`;
    must(await this.#service.call('DELETE', url), 200);
  }

  async #book(name: string, wish: Wish): Promise<void> {
    this.stays[name] = (await this.#city.booked(wish)).reservationId;
  }

  async #change(name: string, modifications: Json): Promise<void> {
    const body = { modifications, modifiedBy: 'desk', reason: 'by phone' };
    must(await this.#service.reservations('PUT', `/${this.stays[name]}`, { body }), 200);
  }

  async #cancel(name: string, body: Json): Promise<void> {
    must(await this.#service.reservations('DELETE', `/${this.stays[name]}`, { body }), 200);
  }

  async #post(name: string, action: string, body: Json, options: CallOptions = {}): Promise<void> {
    const answer = await this.#service.reservations('POST', `/${this.stays[name]}/${action}`, { body, ...options });
    must(answer, answer.status === 201 ? 201 : 200);
  }
}
