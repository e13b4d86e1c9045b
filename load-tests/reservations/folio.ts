import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { type Figure, figuresText, middle } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';

const POSTINGS = 200;
const READS = 200;
const WRITES = 50;
const PROMISED_MS = 5;

/** Guests in house with none and with many postings, and one that gets postings from none on. */
type Guests = { none: string; many: string; new: string };

/** Reads and postings of a folio with many postings beside one that has none. */
export async function benchFolio(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    figuresText(await folioFigures(await BlackboxProperty.open(service, { rooms: { DLX: 50 } })));
  } finally {
    await service.remove();
  }
}

async function folioFigures(property: BlackboxProperty): Promise<Figure[]> {
  const { service } = property;
  const [none, many, few] = [
    await inHouse(property, '1'),
    await inHouse(property, '2'),
    await inHouse(property, '3'),
  ];
  const guests: Guests = { none, many, new: few };
  for (let n = 0; n < POSTINGS; n += 1) must(await post(service, guests.many), 201);
  const figures: Figure[] = [];
  for (const [what, path] of [
    ['folio', '/folio'],
    ['reservation', ''],
  ] as const) {
    const read = async (of: 'none' | 'many') => must(await service.reservations('GET', `/${guests[of]}${path}`), 200);
    const value = shownPair(
      await inTurns(
        READS,
        () => read('none'),
        () => read('many'),
      ),
    );
    figures.push({ what: `${what} of 0 and of ${POSTINGS} postings (${PROMISED_MS} ms promised)`, value });
  }
  const posted = await inTurns(
    WRITES,
    () => post(service, guests.new),
    () => post(service, guests.many),
  );
  figures.push({ what: `a posting from 0 on, and from ${POSTINGS} on`, value: shownPair(posted) });
  return figures;
}

async function inHouse(property: BlackboxProperty, roomNumber: string): Promise<string> {
  const { service, propertyId } = property;
  const room = { roomNumber, roomType: 'DLX', floor: 1 };
  must(await service.tenants('POST', `/properties/${propertyId}/rooms`, { body: room }), 201);
  const { reservationId } = await property.booked({ from: 0, nights: 1, card: 'tok_visa' });
  const body = { identificationVerified: true, keyCards: 1 };
  must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
  return reservationId;
}

function post(service: Service, reservationId: string) {
  const body = { description: 'Minibar', unitAmount: 3.5 };
  return service.reservations('POST', `/${reservationId}/folio/postings`, { body });
}

/** Times of two requests, one after the other, so that both have the same machine. */
async function inTurns(
  count: number,
  ...requests: readonly [() => Promise<unknown>, () => Promise<unknown>]
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < count; n += 1)
    for (const [index, request] of requests.entries()) {
      const began = performance.now();
      await request();
      times[index]!.push(performance.now() - began);
    }
  return times;
}

function shownPair([few, many]: readonly [number[], number[]]): string {
  const [one, other] = [middle(few), middle(many)];
  return `median ${one.toFixed(1)} and ${other.toFixed(1)} ms, ${(other / one).toFixed(2)} times`;
}
