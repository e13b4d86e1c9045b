import { quoteText } from '../../gateways/rest/rates/render/quote.ts';
import type { Services } from '../../src/kernel/operations/services.ts';
import { SignedText } from '../../src/kernel/operations/signed-text.ts';
import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import { currentQuery } from '../../src/rates/contracts/rates.ts';
import { QuoteCounter } from '../../src/rates/operations/quote-counter.ts';
import { quoteRates } from '../../src/rates/operations/quote-rates.ts';
import { Scene } from '../../src/testing/actors/scene.ts';
import { CALLER } from '../../src/testing/front-desk.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  PROPERTY_ID,
  id,
  plan,
  restrict,
  roomType,
} from '../../src/testing/property-world.ts';
import { figuresText } from '../first/figures.ts';
import { calendarAnswerFigures } from './answers.ts';
import { benchOptimizer } from './optimizer.ts';

const TYPES = 10;
const HORIZON = 400;
const STAY = 14;
const WARM_UPS = 3_000;
const QUOTES = 20_000;
const CALENDARS = 300;
/** Bookings in between: each makes a new view, without cached answers. */
const QUOTES_A_BOOKING = 20;

/** Ten types with a DYNAMIC plan, one derived from BAR, and restrictions on every seventh night. */
function bigProperty(): Scene {
  const scene = Scene.property({ policies: { horizonNights: HORIZON, paymentRequired: false } });
  for (let n = 2; n < TYPES; n++)
    scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType(`T${n}`, 5_000), mode: 'create' });
  const types = [...scene.state.roomTypes.keys()];
  for (const [n, type] of types.entries()) {
    scene.accept(baseRates(type, 9_000 + 1_500 * n, DAY, DAY + HORIZON - 1));
    for (let day = DAY; day < DAY + HORIZON; day += 7)
      scene.accept(restrict({ minStayArrival: 2 }, { roomType: type, start: day, end: day }));
    const nights = Array.from({ length: HORIZON - 1 }, (_, at) => ({
      day: DAY + at,
      demand: at % 9,
      market: 11_000,
    }));
    scene.accept({ type: 'SET_SIGNALS', roomType: type, nights });
  }
  const dynamic = plan({ id: id(901), code: 'DYN', strategy: 'DYNAMIC' });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: dynamic, mode: 'create' });
  const web = plan({ id: id(902), code: 'WEB', parentCode: 'BAR', adjustmentPercent: -5 });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: web, mode: 'create' });
  return scene;
}

/** Everything between the request and its text: view, prices, restrictions, tokens. */
async function quotes(scene: Scene): Promise<void> {
  const services = {
    properties: { view: async () => scene.view },
    clock: { now: () => scene.now },
    quoteCounts: new QuoteCounter(),
    signed: new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]),
  } as unknown as Services;
  let { view } = scene;
  const today = Math.floor(Date.now() / 86_400_000);
  services.properties.view = async () => view;
  const random = new Random(1);
  const times: number[] = [];
  let bytes = 0;
  for (let n = -WARM_UPS; n < QUOTES; n++) {
    if (n % QUOTES_A_BOOKING === 0) {
      const checkIn = DAY + random.between(2, 340);
      scene.accept(
        bookCommand({ stay: { roomType: `T${random.between(2, TYPES - 1)}`, checkIn, checkOut: checkIn + 2 } }),
      );
      view = scene.view;
    }
    const from = random.between(2, 340);
    const asked = currentQuery.parse({
      propertyId: PROPERTY_ID.propertyId,
      checkIn: formatDay(today + from),
      checkOut: formatDay(today + from + STAY),
      adults: '2',
      rateCode: random.pick(['BAR', 'DYN', 'WEB']),
    });
    // The property lives on the day of the tests: a query for it would be of a day that is past.
    const query = { ...asked, checkIn: DAY + from, checkOut: DAY + from + STAY };
    const began = performance.now();
    bytes += quoteText(query, await quoteRates(services, CALLER, query)).length;
    if (n >= 0) times.push(performance.now() - began);
  }
  figuresText([
    { what: `quote of ${STAY} nights x ${TYPES} types, its text (p99 under 1 ms promised)`, value: report(times) },
    { what: 'bytes of such an answer', value: String(Math.round(bytes / (QUOTES + WARM_UPS))) },
  ]);
}

/** The first read after a restart computes every price, later ones those that have changed. */
function calendars(scene: Scene): void {
  const ask = { start: DAY + 1, end: DAY + 365, adults: 2, children: 0 };
  const timed = (of: { calendar: Scene['view']['calendar'] }): number => {
    const began = performance.now();
    of.calendar(ask);
    return performance.now() - began;
  };
  const cold = timed(bigProperty().view);
  const times = Array.from({ length: CALENDARS }, (_, n) => {
    scene.accept(bookCommand({ stay: { roomType: 'T2', checkIn: later(n), checkOut: later(n) + 2 } }));
    return timed(scene.view);
  });
  figuresText([
    { what: `calendar of 365 days, ${TYPES} types x 5 plans (5 ms promised)`, value: report(times) },
    { what: 'the same, the first after a restart', value: `${cold.toFixed(1)} ms` },
  ]);
}

/** Whether a calendar is worth a stream. */
function calendarAnswers({ view }: Scene): void {
  const query = { start: DAY, end: DAY + 364, adults: 2, children: 0 };
  const { bytes, computeMs, encodeMs, firstPartMs, partsMs } = calendarAnswerFigures(view, query);
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  figuresText([
    {
      what: 'calendar of 365 days as one text',
      value: `${ms(computeMs)} and ${ms(encodeMs)} to encode, ${bytes} bytes`,
    },
    { what: 'the same by months', value: `${ms(firstPartMs)} until the first, ${ms(partsMs)} in all` },
  ]);
}

const later = (n: number): Day => DAY + 5 + n;

function optimizer(): void {
  for (const { days, roomTypes, promisedMs, fullMs, fullGenerations, ms, generations } of benchOptimizer())
    figuresText([
      {
        what: `optimizer, ${days} days x ${roomTypes} types (${promisedMs / 1_000} s promised)`,
        value: `${ms} ms for ${generations} iterations until it settled, ${fullMs} ms for ${fullGenerations}`,
      },
    ]);
}

function report(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.ceil(sorted.length * share) - 1]!.toFixed(3);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`;
}

const scene = bigProperty();
await quotes(scene);
calendars(scene);
calendarAnswers(scene);
optimizer();
process.exit();
