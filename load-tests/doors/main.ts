import { webhooksOf } from '../../test/blackbox/groups/webhooks.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { percentiles } from '../client/latencies.ts';
import { figuresText, middle } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { runParts } from '../parts.ts';
import { at, bookings, steady } from '../reservations/bookings.ts';
import { withCpu } from '../reservations/with-cpu.ts';
import { benchImport } from './import.ts';
import { Taker } from './taker.ts';

const PROPERTIES = 20;
const CHANNELS = 10;
const WEBHOOKS = 4;
/** Paid bookings a second: of a chain on its best day, and what leaves two cores little to spare. */
const RATES = [25, 50, 100];
const WARM_UP = 100;
const ROUNDS = 3;
/** Bookings of each property whose way to its channels is timed: fewer than a channel takes at once. */
const TIMED = 3;
const TOPICS = ['reservation.created', 'availability.updated', 'rate.updated'];
const IDLE_WITHIN_MS = 180_000;
const MAPPINGS = [{ roomType: 'DLX', ratePlan: 'BAR', externalRoom: 'D1', externalRate: 'B1' }];

type Party = { service: Service; properties: BlackboxProperty[] };

async function open(env: Record<string, string>): Promise<Party> {
  const service = await Service.start({ ...NO_LIMITS, DEMO: 'empty', ...env });
  const properties: BlackboxProperty[] = [];
  for (let n = 0; n < PROPERTIES; n++)
    properties.push(await BlackboxProperty.open(service, { rooms: { DLX: 20_000 }, policies: { taxPercent: 6 } }));
  return { service, properties };
}

const p95Of = async ({ service, properties }: Party, perSecond: number): Promise<[p95: number, cpu: string]> => {
  const load = { ...at(service, service.dev.reservationUrl), ...bookings(properties) };
  const [{ ms }, cpu] = await withCpu(service, () => steady(load, perSecond));
  return [ms.p95, cpu];
};

/** Each booking's p95 with channels and a webhook, as a ratio to that of a service without. */
async function besideRows(without: Party, beside: Party, perSecond: number) {
  const p95: { alone: number[]; beside: number[] } = { alone: [], beside: [] };
  const cpu = { alone: '', beside: '' };
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, party] of Object.entries({ alone: without, beside }) as ['alone' | 'beside', Party][]) {
      const [ms, ofRound] = await p95Of(party, perSecond);
      p95[name].push(ms);
      cpu[name] = ofRound;
      await pause(2_500);
    }
  const ratio = (middle(p95.beside) / middle(p95.alone)).toFixed(2);
  return [
    {
      what: `paid booking, ${perSecond} a second, p95 with channels and a webhook (1.1 times promised)`,
      value: `${ratio} times: ${p95.beside.join(', ')} ms beside ${p95.alone.join(', ')} ms`,
    },
    { what: '  CPU of a booking in the last round, all that follows it included', value: cpu.beside },
    { what: '  without', value: cpu.alone },
  ];
}

async function connect({ service, properties }: Party, taker: Taker): Promise<void> {
  for (const { propertyId } of properties)
    for (let n = 0; n < CHANNELS; n++) {
      const url = `${taker.base}/channel/c${n}`;
      const body = {
        propertyId,
        channelCode: `C${n}`,
        name: `C${n}`,
        adapter: 'generic-json',
        url,
        mappings: MAPPINGS,
      };
      must(await service.call('POST', `${service.dev.reservationUrl}/api/v1/channels`, { body }), 201);
    }
}

/** Waits until no message has come for some seconds. */
async function idle(taker: Taker): Promise<void> {
  let [before, quiet] = [-1, 0];
  await until('the channels have everything', IDLE_WITHIN_MS, async () => {
    quiet = taker.arrivals.length === before ? quiet + 1 : 0;
    before = taker.arrivals.length;
    await pause(1_000);
    return quiet >= 8 || undefined;
  });
}

/** Milliseconds from the commit of a booking until each channel of its property has the night. */
async function delays({ properties }: Party, taker: Taker): Promise<number[]> {
  const booked: { propertyId: string; night: string; at: number }[] = [];
  for (let n = 0; n < TIMED; n++)
    for (const property of properties) {
      const { createdAt } = await property.booked({ from: 5 + 2 * n, nights: 1 });
      booked.push({ propertyId: property.propertyId, night: property.day(5 + 2 * n), at: Date.parse(createdAt) });
    }
  await pause(5_000);
  return booked.flatMap(({ propertyId, night, at: committed }) =>
    taker.arrivals
      .filter((one) => one.propertyId === propertyId && one.from <= night && one.to >= night && one.at >= committed)
      .map((one) => one.at - committed)
      .toSorted((one, other) => one - other)
      .slice(0, CHANNELS),
  );
}

async function benchChannels(): Promise<void> {
  await using taker = await Taker.open();
  const without = await open({});
  const beside = await open({ CHANNEL_ALLOW_PRIVATE: '1', WEBHOOK_ALLOW_PRIVATE: '1' });
  try {
    await connect(beside, taker);
    await idle(taker);
    await pause(45_000);
    const timed = await delays(beside, taker);
    const { p50, p99, count } = percentiles(timed);
    const body = { url: `${taker.base}/hook`, events: TOPICS };
    must(await webhooksOf(beside.service)('POST', '', { body }), 201);
    for (const party of [without, beside]) await p95Of(party, WARM_UP);
    const besides = [];
    for (const perSecond of RATES) besides.push(...(await besideRows(without, beside, perSecond)));
    figuresText([
      {
        what: `commit to ${CHANNELS} channels of ${PROPERTIES} properties (p99 2 s promised)`,
        value: `p50 ${p50}, p99 ${p99} ms, ${count} of ${TIMED * PROPERTIES * CHANNELS} messages`,
      },
      ...besides,
    ]);
  } finally {
    await Promise.all([without, beside].map(({ service }) => service.remove()));
  }
}

async function benchWebhooks(): Promise<void> {
  await using taker = await Taker.open();
  const party = await open({ WEBHOOK_ALLOW_PRIVATE: '1' });
  const { service } = party;
  try {
    const call = webhooksOf(service);
    const settings = (n: number) => ({ url: `${taker.base}/hook/${n}`, events: TOPICS });
    const ids: string[] = [];
    for (let n = 0; n < WEBHOOKS; n++)
      ids.push(must(await call('POST', '', { body: settings(n) }), 201).json.webhookId);
    const set = (status: string) =>
      Promise.all(
        ids.map(async (id, n) => must(await call('PUT', `/${id}`, { body: { ...settings(n), status } }), 200)),
      );
    await set('PAUSED');
    await p95Of(party, WARM_UP);
    const before = taker.hooks;
    const began = performance.now();
    await set('ACTIVE');
    await until('nothing is behind', IDLE_WITHIN_MS, async () => {
      const all = await Promise.all(ids.map(async (id) => must(await call('GET', `/${id}`), 200).json.behind));
      return all.every((behind) => behind === 0) || undefined;
    });
    const seconds = (performance.now() - began) / 1_000;
    await pause(300);
    const sent = taker.hooks - before;
    figuresText([
      {
        what: `webhooks of a node, ${WEBHOOKS} of ${PROPERTIES} properties (2,000 a second promised)`,
        value: `${Math.round(sent / seconds)} a second: ${sent} messages in ${seconds.toFixed(1)} s`,
      },
    ]);
  } finally {
    await service.remove();
  }
}

/** `npm run bench:doors`. */
await runParts(
  'bench:doors',
  'Figures of channels and webhooks: how soon a channel has a change, messages a second, and bookings beside them.',
  { channels: benchChannels, webhooks: benchWebhooks, import: benchImport },
);
