import { Client } from 'pg';

import { Slab } from '../../actors/property/slab.ts';
import { businessDate } from '../../src/kernel/rules/property-time.ts';
import { startDatabase } from '../../src/testing/database.ts';
import { baseRates } from '../../src/testing/property-world.ts';
import { figuresText } from '../first/figures.ts';
import { Actors, type Party, rowLocks } from './contenders.ts';
import { drive, type Driven, pace } from './drive.ts';
import { stallsDuring } from './stalls.ts';

const CALLERS = 64;
const SECONDS = 6;
const CONNECTIONS = 10;
const SPREAD_NIGHTS = 360;
const MANY_PROPERTIES = 1_000;

const today = businessDate(Date.now(), { timezone: 'Europe/Berlin', nightAuditHour: 3 });

/** Figures of the actor in this process, under this runtime, on a real PostgreSQL; asserts nothing. */
async function bench(): Promise<void> {
  await using database = await startDatabase();
  await using actors = await Actors.open(database.url);
  const ours = await actors.property('ours', today, ['A', 'B']);
  const theirs = await actors.property('theirs', today, ['A', 'B']);
  await using locks = await rowLocks(database.url, theirs, CONNECTIONS);
  await using usual = await rowLocks(database.url, theirs, CONNECTIONS, 'first');
  const parties = { ours: actors.party(ours), theirs: locks };
  for (const party of [parties.ours, parties.theirs]) await hot(party);
  await beside('all want the same 3 nights (10 times promised)', parties, hot);
  await beside('the same, row locks as usually written', { ours: parties.ours, theirs: usual }, hot);
  await beside('stays spread over 360 nights (3 times promised)', parties, spread);
  await withSlowCommits(database.url, async () => {
    await beside('the same 3 nights, commits 2 ms slower', parties, hot);
    await beside('spread, commits 2 ms slower', parties, spread);
  });
  await steady(parties.ours);
  await stalls(actors, parties.ours);
  await manyProperties(actors);
  await cold(database.url);
  await reads(actors);
}

let loads = 0;

/** Nights that no earlier load has booked: a property is sold out after 60,000. */
function freshNights(): { roomType: string; checkIn: number } {
  loads += 1;
  return { roomType: 'A', checkIn: today + 3 * loads };
}

const hot = (party: Party): Promise<Driven> => {
  const stay = freshNights();
  return drive(CALLERS, SECONDS, () => party.book(stay));
};

const spread = (party: Party): Promise<Driven> =>
  drive(CALLERS, SECONDS, (n) => party.book({ roomType: 'B', checkIn: today + 1 + ((n * 37) % SPREAD_NIGHTS) }));

type Contenders = { ours: Party; theirs: Party };

async function beside(
  what: string,
  { ours, theirs }: Contenders,
  load: (party: Party) => Promise<Driven>,
): Promise<void> {
  const actor = await load(ours);
  const rows = await load(theirs);
  const ratio = (actor.perSecond / rows.perSecond).toFixed(1);
  const both = `${ratio} times: ${actor.perSecond}/s p99 ${actor.p99} ms beside ${rows.perSecond}/s p99 ${rows.p99} ms`;
  figuresText([{ what, value: both }]);
}

/** Every commit waits 2 ms before its flush, for both contenders. */
async function withSlowCommits(databaseUrl: string, run: () => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  const set = async (delay: number, siblings: number): Promise<void> => {
    await admin.query(`alter system set commit_delay = ${delay}`);
    await admin.query(`alter system set commit_siblings = ${siblings}`);
    await admin.query('select pg_reload_conf()');
  };
  await set(2_000, 0);
  try {
    await run();
  } finally {
    await set(0, 5);
    await admin.end();
  }
}

/** At four fifths of the capacity, so that queueing is not measured. */
async function steady(party: Party): Promise<void> {
  const most = await hot(party);
  const rate = Math.round(most.perSecond * 0.8);
  const stay = freshNights();
  const { p50, p99 } = await pace(rate, SECONDS, () => party.book(stay));
  figuresText([
    { what: 'at 80 % of that (p99 under 50 ms promised)', value: `${rate}/s: p50 ${p50} ms, p99 ${p99} ms` },
  ]);
}

/** Blocking of the event loop during large work (20 ms promised). */
async function stalls(actors: Actors, party: Party): Promise<void> {
  const types = Array.from({ length: 10 }, (_, n) => `T${n}`);
  const to = await actors.property('stalls', today, types);
  const text = ({ longest, p99 }: { longest: number; p99: number }): string => `${longest} ms at most, p99 ${p99} ms`;
  const stay = freshNights();
  const booking = await stallsDuring(() => drive(CALLERS, SECONDS, () => party.book(stay)));
  const pricing = await stallsDuring(async () => {
    for (const type of types) await actors.send(to, baseRates(type, 9_900, today, today + 729));
  });
  const view = await actors.host.view(to);
  const reading = await stallsDuring(async () => {
    view.grid(today, today + 730);
    await new Promise((later) => setTimeout(later, 50));
  });
  figuresText([
    { what: `the loop stands still: ${CALLERS} callers (20 ms promised)`, value: text(booking) },
    { what: 'the same: 10 price lists of 730 nights, one by one', value: text(pricing) },
    { what: 'the same: a first grid of 10 types x 731 nights', value: text(reading) },
  ]);
}

/** Many properties with little load each: batches that one lane writes together. */
async function manyProperties(actors: Actors): Promise<void> {
  const parties: Party[] = [];
  for (let n = 0; n < MANY_PROPERTIES; n++)
    parties.push(actors.party(await actors.property(`many-${n}`, today, ['A'])));
  const most = await drive(256, SECONDS, (n) =>
    parties[n % MANY_PROPERTIES]!.book({ roomType: 'A', checkIn: today + 30 }),
  );
  figuresText([
    {
      what: `${MANY_PROPERTIES} properties, 256 callers`,
      value: `${most.perSecond} paid bookings/s, p99 ${most.p99} ms`,
    },
  ]);
}

/** First booking of a passive property. */
async function cold(databaseUrl: string): Promise<void> {
  await using actors = await Actors.open(databaseUrl);
  const firstOf = async (propertyId: string): Promise<string> => {
    const began = performance.now();
    await actors.party({ tenantId: 'bench', propertyId }).book({ roomType: 'A', checkIn: today + 40 });
    return `${(performance.now() - began).toFixed(0)} ms`;
  };
  figuresText([
    { what: 'first booking of a cold property, connections included', value: await firstOf('many-7') },
    { what: 'first booking of a cold property (150 ms promised)', value: await firstOf('many-8') },
  ]);
}

/** Reads without the actor, and the size of a large property. */
async function reads(actors: Actors): Promise<void> {
  const types = Array.from({ length: 10 }, (_, n) => `T${n}`);
  const view = await actors.host.view(await actors.property('big', today, types));
  let count = 0;
  const until = performance.now() + 3_000;
  for (; performance.now() < until; count++) view.grid(today + (count % 600), today + (count % 600) + 29);
  const bytes = types.length * Slab.empty('STD', today, 731, 5).byteLength;
  figuresText([
    { what: 'grids of 30 nights x 10 types (100,000/s promised)', value: `${Math.round(count / 3)}/s` },
    { what: '10 types x 731 nights (240 KB promised)', value: `${Math.round(bytes / 1024)} KB` },
  ]);
}

await bench();
process.exit();
