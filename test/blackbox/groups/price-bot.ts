import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';

import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

const run = promisify(execFile);
const EXAMPLE = join(import.meta.dirname, '../../../examples/price-bot/price-bot.ts');

/** The example that accepts recommended rates (docs/reference/rates.md#optimization). */
export async function priceBot(group: Test, service: Service): Promise<void> {
  const play = async (property: BlackboxProperty, bounds: Record<string, string>): Promise<string[]> => {
    const { rateUrl: RATE_URL, reservationUrl: RESERVATION_URL } = service.dev;
    const of = { TOKEN: service.token('demo', 'MANAGER'), PROPERTY: property.propertyId, RATE_URL, RESERVATION_URL };
    const env = { PATH: process.env.PATH, ...of, FROM_DAY: '20', DAYS: '21', ...bounds };
    return (await run(process.execPath, [EXAMPLE], { env })).stdout.trim().split('\n');
  };
  const open = async (): Promise<BlackboxProperty> => {
    const property = await BlackboxProperty.open(service);
    for (let n = 0; n < 3; n++) must(await property.book({ from: 30 }), 201);
    return property;
  };

  await group.test('it accepts what is within its bounds, and no more', async (t) => {
    const property = await open();
    const [forecast, advice, accepted, ...changes] = await play(property, {
      LEAST_CONFIDENCE: '0',
      MAX_CHANGE_PERCENT: '20',
    });
    t.match(forecast, /^forecast: 6 room nights are booked, \d+ % are expected \(\w+\)$/);
    t.match(advice, /^advice: \d+ nights for \d+\.\d\d % more revenue$/);
    const [, count] = /^accepted: (\d+), left to people: \d+$/.exec(accepted ?? '') ?? [];
    t.ok(Number(count) > 0);
    t.equal(changes.length, Number(count));
    for (const line of changes) {
      const [, date = '', roomType, from, to] = /^(\S+) (\S+): ([\d.]+) -> ([\d.]+)$/.exec(line) ?? [];
      t.equal(Number(from), 100);
      t.ok(Number(to) >= 80 && Number(to) <= 120, line);
      const ahead = (Date.parse(date) - Date.parse(property.day(0))) / 86_400_000;
      t.equal((await property.quoted(ahead, 1, roomType)).averageRate, Number(to), 'it is the rate now');
    }
  });

  await group.test('outside of its bounds it leaves everything to people', async (t) => {
    const property = await open();
    const [, , accepted, ...changes] = await play(property, { LEAST_RATE: '5000', LEAST_CONFIDENCE: '0' });
    t.match(accepted, /^accepted: 0, left to people: [1-9]\d*$/);
    t.same(changes, []);
  });
}
