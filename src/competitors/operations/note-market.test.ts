import t from 'tap';

import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { MarketNight } from '../../rates/rules/competitor-rate.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { noteMarket } from './note-market.ts';

const night = (median: number): MarketNight => ({
  roomType: 'STD',
  day: 20_000,
  median,
  low: median,
  high: median,
  count: 1,
  observedAt: 0,
});

/** A market whose queries return the next of these, and the signals to its actor. */
function world(answers: number[]) {
  const signals: number[] = [];
  const competitors = { market: async () => [night(answers.length > 1 ? answers.shift()! : answers[0]!)] };
  const execute = async (_: unknown, { command }: { command: CommandOf<'NOTE_MARKET'> }) =>
    void signals.push(...command.nights.map(({ median }) => median));
  const services = { competitors, properties: { execute }, log: quiet } as never;
  const to = { tenantId: 'acme', propertyId: 'hotel' };
  return { signals, note: (work = async () => 'done') => noteMarket(services, to, { start: 0, end: 9 }, work) };
}

t.test('a change of the market is signalled once', async (t) => {
  const { signals, note } = world([100, 120]);
  t.equal(await note(), 'done');
  t.same(signals, [120]);
});

t.test('an unchanged market is not signalled', async (t) => {
  const { signals, note } = world([100]);
  await note();
  t.same(signals, []);
});

t.test(
  'a change by another writer during the signal is signalled after it, so the last signal is right',
  async (t) => {
    const { signals, note } = world([100, 120, 130]);
    await note();
    t.same(signals, [120, 130]);
  },
);

t.test('a market that never rests is left to those who move it', async (t) => {
  const { signals, note } = world([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await note();
  t.same(signals, [2, 3, 4, 5]);
});

t.test('a work that breaks off fails, and what it has moved is sent all the same', async (t) => {
  const { signals, note } = world([100, 120]);
  await t.rejects(
    note(() => Promise.reject(new Error('broken'))),
    /broken/,
  );
  t.same(signals, [120]);
});
