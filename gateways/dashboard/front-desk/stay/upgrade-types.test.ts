import { signal } from '@preact/signals';
import t from 'tap';

import { betterTypes } from './upgrade-types.ts';

const PRICES: Record<string, number> = { STD: 100, DLX: 150, STE: 250 };
const names = new Map(Object.keys(PRICES).map((roomType) => [roomType, roomType]));

t.test('only types that cost more are an upgrade', async (t) => {
  const found = async (roomType: string, quoted: readonly string[]): Promise<[string[], string | undefined]> => {
    const rates = quoted.map((one) => ({ roomType: one, totalRate: PRICES[one]!, currency: 'EUR' }));
    const desk = {
      names: signal(names),
      today: signal('2026-03-10'),
      property: signal(undefined),
      api: { call: async () => ({ body: { rates } }) },
    };
    const stayDetails = { roomType, checkIn: '2026-03-09', checkOut: '2026-03-11', adults: 2 };
    const night = { roomRate: PRICES[roomType]!, taxes: 0 };
    const breakdown = [
      { ...night, date: '2026-03-09' },
      { ...night, date: '2026-03-10' },
    ];
    const stay = { stayDetails, financial: { breakdown } };
    const { all, next } = await betterTypes(
      desk as unknown as Parameters<typeof betterTypes>[0],
      stay as unknown as Parameters<typeof betterTypes>[1],
    );
    return [all.map((one) => one.roomType), next];
  };
  t.same(await found('STD', ['STE', 'DLX', 'STD']), [['DLX', 'STE'], 'DLX']);
  t.same(await found('STE', ['STE', 'DLX', 'STD']), [[], undefined], 'the dearest has none');
  t.same(await found('STE', ['DLX', 'STD']), [[], undefined], 'sold out: what it was booked for counts');
  t.same(await found('STD', []), [['DLX', 'STE'], undefined], 'without prices the service decides');
});
