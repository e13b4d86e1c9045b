import { arrival, openWs } from '../../test/blackbox/live-client.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { middle, figuresText } from '../first/figures.ts';

const NIGHTS = 731;
const ROUNDS = 15;

/** A price list of two years: time until it is committed and answered, and until a dashboard of a year has it. */
export async function benchPriceList(): Promise<void> {
  const service = await Service.start();
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 }, pricedNights: NIGHTS });
    const live = await openWs(service.dev.liveUrl);
    live.send({ t: 'auth', token: service.token('demo', 'MANAGER'), tenantId: 'demo' });
    const window = { start: property.day(0), days: 366 };
    live.send({ t: 'subscribe', propertyId: property.propertyId, topics: ['grid'], window });
    await arrival(live, 'the snapshot', ({ t }) => t === 'snapshot');
    const times: { answered: number[]; pushed: number[] } = { answered: [], pushed: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const before = live.frames.length;
      const began = performance.now();
      const pushed = new Promise<number>((resolve) => {
        const look = setInterval(() => {
          if (!live.frames.slice(before).some(({ t }) => t === 'delta')) return;
          clearInterval(look);
          resolve(performance.now() - began);
        }, 1);
      });
      must(await property.price('DLX', 0, NIGHTS, 100 + round), 200);
      times.answered.push(performance.now() - began);
      times.pushed.push(await pushed);
    }
    live.close();
    const text = (all: number[]): string =>
      `${Math.round(middle(all))} ms, at most ${Math.round(Math.max(...all))} ms`;
    figuresText([
      { what: `PUT /rates/base of ${NIGHTS} nights, committed (250 ms promised)`, value: text(times.answered) },
      { what: 'the same, until a dashboard of 366 nights has it', value: text(times.pushed) },
    ]);
  } finally {
    await service.remove();
  }
}
