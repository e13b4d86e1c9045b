import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

import { zipFile } from '../../src/imports/rules/zip-file.ts';
import type { ReservationStatus } from '../../src/stay/rules/reservation.ts';
import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { FIELDS, ImportDesk, type ShownImport } from '../../test/blackbox/groups/imports.ts';
import { postgresPid } from '../../test/blackbox/launched.ts';
import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { cpuMs, cpuMsOfFamily } from '../first/cpu-time.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { at, bookings, steady } from '../reservations/bookings.ts';

/** Reservations of the file; `IMPORT_LINES` for fewer. */
const LINES = Number(process.env['IMPORT_LINES'] ?? 100_000);
const ROOMS = 500;
const PER_SECOND = 25;
const ENDED_WITHIN_MS = 1_800_000;
const STATES =
  'select status, count(*) as stays from reservations where property_id = $1 group by status order by status';
const HEADER = 'no,state,from,to,type,name,mail,total,paid,room,retained';
const MAPPING = {
  files: [
    { kind: 'rooms', file: 'rooms.csv', fields: { roomNumber: 'number', roomType: 'type' } },
    {
      kind: 'reservations',
      file: 'stays.csv',
      fields: { ...FIELDS, roomNumber: 'room', retainedAmount: 'retained' },
    },
  ],
};

type Line = { state: ReservationStatus; from: number; room?: number; paid?: boolean };

/** A hotel's life: most guests have left, some have not come, some stay now, the others are to come. */
function lineOf(n: number): Line {
  const past = -700 + (n % 690);
  if (n < ROOMS / 2) return { state: 'CHECKED_IN', from: -1, room: n, paid: n % 2 === 0 };
  if (n % 50 === 0) return { state: 'NO_SHOW', from: past };
  if (n % 50 === 1) return { state: 'PENDING', from: 1 + (n % 350) };
  if (n % 5 === 2) return { state: 'CANCELLED', from: past };
  if (n % 5 === 3) return { state: 'CONFIRMED', from: 1 + (n % 350), paid: n % 3 === 0 };
  return { state: 'CHECKED_OUT', from: past, paid: true };
}

function archive(property: BlackboxProperty): Uint8Array {
  const rooms = Array.from({ length: ROOMS }, (_, n) => `${n + 1},OLD`);
  const stays = Array.from({ length: LINES }, (_, n) => {
    const { state, from, room, paid } = lineOf(n);
    const total = `${100 + (n % 90)}.${10 + (n % 90)}`;
    const days = `${property.day(from)},${property.day(from + 2)}`;
    const retained = state === 'CANCELLED' || state === 'NO_SHOW' ? '50.05' : '';
    const email = n % 3 === 0 ? `old${n}@example.com` : '';
    return `I${n},${state},${days},OLD,Guest ${n},${email},${total},${paid ? total : ''},${room === undefined ? '' : room + 1},${retained}`;
  });
  const bytes = (lines: string[]): Uint8Array => Buffer.from(lines.join('\n'));
  return zipFile([
    { name: 'rooms.csv', bytes: bytes(['number,type', ...rooms]) },
    { name: 'stays.csv', bytes: bytes([HEADER, ...stays]) },
  ]);
}

/** Reservations in all states are imported while another property of the node sells. */
export async function benchImport(): Promise<void> {
  const service = await Service.start({ ...NO_LIMITS, DEMO: 'empty' });
  try {
    const selling = await BlackboxProperty.open(service, { rooms: { DLX: 20_000 } });
    const property = await BlackboxProperty.open(service, { rooms: {} });
    const desk = new ImportDesk(service, property.propertyId);
    const load = { ...at(service, service.dev.reservationUrl), ...bookings([selling]) };
    const p95 = async (): Promise<number> => (await steady(load, PER_SECOND)).ms.p95;
    const before = [await p95()];
    const file = archive(property);
    const began = performance.now();
    const cpuBefore = cpuSeconds(service);
    const ending = imported(desk, file).then((shown) => ({ shown, ms: performance.now() - began }));
    const beside: number[] = [];
    for (let isOver = false; !isOver;) {
      beside.push(await p95());
      isOver = await Promise.race([ending.then(() => true), pause(1, false)]);
    }
    const { shown, ms } = await ending;
    const cpu = cpuSeconds(service).map((seconds, n) => (seconds - cpuBefore[n]!).toFixed(0));
    figuresText([
      {
        what: `${LINES} reservations beside ${PER_SECOND} bookings a second (5 minutes promised)`,
        value: `${(ms / 1_000).toFixed(0)} s, ${shown.status}: ${JSON.stringify(shown.counts)}`,
      },
      { what: '  CPU until then, bookings included', value: `service ${cpu[0]}, PostgreSQL ${cpu[1]} s` },
      { what: '  states', value: await states(service, property) },
      { what: '  read and stored', value: JSON.stringify(shown.reconciliation) },
      { what: '  p95 of a booking before, beside', value: `${before.join(', ')}; ${beside.join(', ')} ms` },
    ]);
    const again = await imported(desk, file);
    figuresText([{ what: '  the same file again', value: JSON.stringify(again.counts) }]);
  } finally {
    await service.remove();
  }
}

async function imported(desk: ImportDesk, file: Uint8Array): Promise<ShownImport> {
  const { status, json } = await desk.send(file, { mapping: MAPPING, type: 'application/zip' });
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(json)}`);
  return desk.ended(json.importId, ENDED_WITHIN_MS);
}

const cpuSeconds = ({ dataDir, dev }: Service): number[] =>
  [cpuMs(dev.pid), cpuMsOfFamily(postgresPid(dataDir) ?? 0)].map((ms) => ms / 1_000);

/** How many reservations the property has in each state. */
async function states(service: Service, { propertyId }: BlackboxProperty): Promise<string> {
  const database = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await database.connect();
  try {
    const { rows } = await database.query<{ status: string; stays: string }>(STATES, [propertyId]);
    return rows.map(({ status, stays }) => `${status} ${stays}`).join(', ');
  } finally {
    await database.end();
  }
}
