import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';

import { zipFile } from '../../../src/imports/rules/zip-file.ts';
import { auditIsClean } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Role, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';

type Sums = { charges: number; payments: number; balance: number };
export type ShownImport = {
  importId: string;
  status: string;
  lines: number;
  done: number;
  counts: { created: number; unchanged: number; changed: number; refused: number };
  reconciliation: { reservations: number; read: Sums; stored: Sums; differences: object[] } | null;
  failure: string | null;
};
type Line = { file: string; line: number; kind: string; externalId: string; outcome: string; reason: string | null };
type Sent = { dryRun?: boolean; mapping?: object; type?: string; role?: Role; tenant?: string };

export const FIELDS = {
  externalId: 'no',
  status: 'state',
  checkIn: 'from',
  checkOut: 'to',
  roomType: 'type',
  lastName: 'name',
  email: 'mail',
  totalAmount: 'total',
  paidAmount: { column: 'paid', default: '0' },
};
export const MAPPING = { files: [{ kind: 'reservations', fields: FIELDS }] };
const HEADER = 'no,state,from,to,type,name,mail,total,paid';

/** Imports of one property by requests, as ADMIN unless said otherwise. */
export class ImportDesk {
  readonly service: Service;
  readonly propertyId: string;

  constructor(service: Service, propertyId: string) {
    this.service = service;
    this.propertyId = propertyId;
  }

  get #url(): string {
    return `${this.service.dev.reservationUrl}/api/v1/imports`;
  }

  async send(
    file: string | Uint8Array,
    sent: Sent = {},
  ): Promise<{ status: number; json: ShownImport; headers: object }> {
    const { dryRun, mapping = MAPPING, type = 'text/csv', role = 'ADMIN', tenant = 'demo' } = sent;
    const query = new URLSearchParams({ propertyId: this.propertyId, mapping: JSON.stringify(mapping) });
    if (dryRun) query.set('dryRun', 'true');
    const response = await fetch(`${this.#url}?${query.toString()}`, {
      method: 'POST',
      body: typeof file === 'string' ? file : Buffer.from(file),
      headers: {
        authorization: `Bearer ${this.service.token(tenant, role)}`,
        'x-tenant-id': tenant,
        'content-type': type,
      },
    });
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, json: (await response.json()) as ShownImport, headers };
  }

  /** Sends a file that is run later. */
  async upload(
    file: string | Uint8Array,
    name: string,
    type = 'text/csv',
  ): Promise<{ status: number; json: ShownImport }> {
    const query = new URLSearchParams({ propertyId: this.propertyId, name });
    const response = await fetch(`${this.#url}/uploads?${query.toString()}`, {
      method: 'POST',
      body: typeof file === 'string' ? file : Buffer.from(file),
      headers: {
        authorization: `Bearer ${this.service.token('demo', 'ADMIN')}`,
        'x-tenant-id': 'demo',
        'content-type': type,
      },
    });
    return { status: response.status, json: (await response.json()) as ShownImport };
  }

  /** The id of an import whose file is stored. */
  async uploaded(file: string, name: string): Promise<string> {
    const { status, json } = await this.upload(file, name);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
    return json.importId;
  }

  ask<T>(method: string, path: string, body?: object) {
    return this.service.call<T>(method, `${this.#url}${path}`, { role: 'ADMIN', ...(body && { body }) });
  }

  /** Sends a file and waits for its end. */
  async run(file: string | Uint8Array, sent: Sent = {}): Promise<ShownImport> {
    const { status, json } = await this.send(file, sent);
    if (status !== 202) throw new Error(`${status} ${JSON.stringify(json)}`);
    return this.ended(json.importId);
  }

  ended(importId: string, withinMs = 30_000): Promise<ShownImport> {
    return until('the end of the import', withinMs, async () => {
      const found = must(await this.service.call<ShownImport>('GET', `${this.#url}/${importId}`), 200).json;
      return found.status === 'RUNNING' ? undefined : found;
    });
  }

  async lines({ importId }: ShownImport, query = ''): Promise<Line[]> {
    const path = `${this.#url}/${importId}/report?limit=500${query}`;
    return must(await this.service.call<Page<Line>>('GET', path), 200).json.items;
  }
}

const european = (day: string): string => day.split('-').toReversed().join('/');

/** Imports (docs/reference/import.md#import). */
export async function imports(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { STD: 4, DLX: 3 } });
  const desk = new ImportDesk(service, property.propertyId);
  const day = (n: number): string => property.day(n);
  const states = [
    HEADER,
    `A1,CONFIRMED,${day(3)},${day(5)},STD,Ada,ada@example.com,200.00,50.00`,
    `A2,PENDING,${day(3)},${day(4)},DLX,Ben,,90.10,`,
    `A3,CHECKED_OUT,${day(-9)},${day(-6)},STD,Cleo,cleo@example.com,333.33,333.33`,
    `A4,CANCELLED,${day(-9)},${day(-6)},STD,Dora,,120.00,`,
    `A5,NO_SHOW,${day(-9)},${day(-8)},STD,Ed,,80.00,`,
  ].join('\n');
  const stored = async (externalId: string): Promise<Record<string, unknown>> => {
    const { items } = must(
      await service.reservations<Page<Record<string, unknown>>>('GET', `?externalId=${externalId}`, {
        role: 'ADMIN',
      }),
      200,
    ).json;
    return items[0]!;
  };

  await group.test('reservations of every state are stored, reconciled to the cent, and once', async (t) => {
    const tried = await desk.run(states, { dryRun: true });
    t.match(tried, { status: 'COMPLETED', counts: { created: 5, refused: 0 }, reconciliation: null });
    t.equal(await stored('A1'), undefined, 'a dry run stores nothing');
    const first = await desk.run(states);
    const sums = { charges: 623.43, payments: 383.33, balance: 240.1 };
    t.match(first, { status: 'COMPLETED', lines: 5, done: 5, counts: { created: 5 }, failure: null });
    t.same(first.reconciliation, { reservations: 5, read: sums, stored: sums, differences: [] });
    t.match(await stored('A1'), {
      status: 'CONFIRMED',
      financial: { totalAmount: 200, paidAmount: 50, balanceDue: 150 },
    });
    t.match(await stored('A4'), { status: 'CANCELLED', financial: { totalAmount: 0, originalTotal: 120 } });
    const report = `${service.dev.reservationUrl}/api/v1/reports/cancellations?propertyId=${desk.propertyId}`;
    const { json: today } = must(await service.call<{ totals: { stays: number } }>('GET', report), 200);
    t.equal(today.totals.stays, 0, 'nobody has cancelled today');
    const again = await desk.run(states);
    t.match(again, { counts: { created: 0, unchanged: 5, changed: 0, refused: 0 } });
    t.same(again.reconciliation, first.reconciliation);
    const moved = await desk.run(states.replace('200.00,50.00', '210.00,50.00'));
    t.match(moved, { counts: { unchanged: 4, changed: 1 } });
    t.match(await stored('A1'), { financial: { totalAmount: 210, balanceDue: 160 } });
  });

  await group.test('rooms are taken, the hotel is never oversold, and audits agree', async (t) => {
    const rows = Array.from({ length: 6 }, (_, n) => `S${n},CONFIRMED,${day(20)},${day(22)},DLX,Guest ${n},,100,`);
    const sold = await desk.run([HEADER, ...rows].join('\n'));
    t.match(sold.counts, { created: 3, refused: 3 });
    const refused = await desk.lines(sold, '&outcome=REFUSED');
    t.same(
      refused.map(({ reason }) => reason),
      Array(3).fill(`DLX is sold out on ${day(20)}.`),
    );
    await auditIsClean(t, property);
    const over = await desk.run([HEADER, rows[5]].join('\n'), { mapping: { ...MAPPING, overbooking: true } });
    t.match(over.counts, { created: 1 });
  });

  await group.test('wrong lines are named, and the others are stored', async (t) => {
    const file = [
      `\uFEFF${HEADER}`,
      `W1,CONFIRMED,${day(30)},${day(31)},STD,Ok,,10.00,`,
      `W2,CONFIRMED,${day(30)},"open`,
      `W3,CONFIRMED,${day(30)}`,
      `W1,CONFIRMED,${day(30)},${day(31)},STD,Twice,,10.00,`,
      `W4,CONFIRMED,${day(30)},${day(31)},STD,=1+1,,10.00,`,
      `=W5,GONE,${day(30)},${day(31)},STD,State,,10.00,`,
    ].join('\r\n');
    const done = await desk.run(file);
    t.match(done, { status: 'COMPLETED', lines: 6, done: 6, counts: { created: 2, refused: 4 } });
    const lines = await desk.lines(done, '&outcome=REFUSED');
    t.same(
      lines.map(({ line }) => line),
      [3, 4, 5, 7],
    );
    t.match(await stored('W4'), { guestInfo: { lastName: '=1+1' } });
    const path = `${service.dev.reservationUrl}/api/v1/imports/${done.importId}/report?format=csv`;
    const csv = await service.call<string>('GET', path);
    t.match(csv.text, /^file,line,kind,externalId,outcome,code,reason,recordId\r\n/);
    t.match(csv.text, /,'=W5,REFUSED,/, 'what a spreadsheet would evaluate is text');
  });

  await group.test('bytes that are no UTF-8 are named by line, and latin1 is read', async (t) => {
    const row = `L1,CONFIRMED,${day(31)},${day(32)},STD,J\u00FCrgen,,10.00,`;
    const file = Buffer.from(`${HEADER}\n${row}\n`, 'latin1');
    const wrong = await desk.run(file);
    t.match(await desk.lines(wrong), [{ line: 2, outcome: 'REFUSED', reason: /is not UTF-8/ }]);
    await desk.run(file, { mapping: { ...MAPPING, encoding: 'latin1' } });
    t.match(await stored('L1'), { guestInfo: { lastName: 'J\u00FCrgen' } });
  });

  await group.test('a character that cannot be stored holds up no other line', async (t) => {
    const line = (no: string, name: string): string =>
      JSON.stringify({ no, name, state: 'CONFIRMED', from: day(33), to: day(34), type: 'STD', total: '10.00' });
    const longId = `${'x'.repeat(99)}\u{1F600}`;
    const wrong = [line('C\uD8003', 'Id'), line('C4', 'Na\uD800me'), line(longId, 'Long')];
    const file = [line('C1', 'First'), line('C\0\n2', 'Nul\0'), ...wrong, line('C6', 'Last')].join('\n');
    const done = await desk.run(file, { type: 'application/x-ndjson' });
    t.match(done, { status: 'COMPLETED', counts: { created: 3, refused: 3 } });
    t.match(await desk.lines(done), [
      { externalId: 'C1', outcome: 'CREATED' },
      { externalId: 'C 2', outcome: 'CREATED' },
      { externalId: 'C\uFFFD3', outcome: 'REFUSED', reason: 'externalId has half a character' },
      { externalId: 'C4', outcome: 'REFUSED', reason: 'lastName has half a character' },
      { externalId: `${'x'.repeat(99)}\uFFFD`, outcome: 'REFUSED', reason: /more than 100 characters/ },
      { externalId: 'C6', outcome: 'CREATED' },
    ]);
    t.match(await stored('C%202'), { guestInfo: { lastName: 'Nul' } });
  });

  await group.test('a moment that no clock has holds up no other line', async (t) => {
    const { email: _, ...fields } = FIELDS;
    const bookedAt = { column: 'mail', format: 'YYYY-MM-DD HH:mm' };
    const file = ['24:00', '10:15'].map(
      (time, n) => `M${n},CONFIRMED,${day(35)},${day(36)},STD,Guest,${day(-3)} ${time},10.00,`,
    );
    const mapping = { files: [{ kind: 'reservations', fields: { ...fields, bookedAt } }] };
    const done = await desk.run([HEADER, ...file].join('\r'), { mapping });
    t.match(done, { status: 'COMPLETED', counts: { created: 1, refused: 1 } });
    t.match(await desk.lines(done), [{ outcome: 'REFUSED', reason: 'bookedAt has no time of a day' }, { line: 3 }]);
  });

  await group.test('an archive brings rooms, plans, guests and payments with its reservations', async (t) => {
    const files = {
      'rooms.csv': 'number,category\n901,SUITE\n902,SUITE\n',
      'plans.ndjson': '{"code":"OLD","title":"Old rate"}\n',
      'guests.csv': 'id;first;last;mail\nG1;Gus;Great;gus@example.com\nG2;No;Body;\n',
      'stays.csv': `no,state,from,to,type,plan,guest,total\nZ1,CHECKED_IN,${day(-1)},${day(2)},SUITE,OLD,G1,300.00\n`,
      'money.ndjson':
        '{"of":"Z1","sum":"200.00","how":"CREDIT_CARD"}\n{"of":"Z1","sum":"-20.00"}\n{"of":"Z9","sum":"1"}\n',
    };
    const stays = {
      externalId: 'no',
      status: 'state',
      checkIn: 'from',
      checkOut: 'to',
      roomType: 'type',
      rateCode: 'plan',
    };
    const mapping = {
      files: [
        {
          kind: 'reservations',
          file: 'stays.csv',
          fields: { ...stays, guest: 'guest', totalAmount: 'total', roomNumber: { value: '901' } },
        },
        { kind: 'rooms', file: 'rooms.csv', fields: { roomNumber: 'number', roomType: 'category' } },
        { kind: 'plans', file: 'plans.ndjson', fields: { code: 'code', name: 'title' } },
        {
          kind: 'guests',
          file: 'guests.csv',
          fields: { externalId: 'id', firstName: 'first', lastName: 'last', email: 'mail' },
        },
        {
          kind: 'payments',
          file: 'money.ndjson',
          fields: { reservation: 'of', amount: 'sum', method: { column: 'how', default: 'CASH' } },
        },
      ],
    };
    const entries = Object.entries({ ...files, 'mapping.json': JSON.stringify(mapping) });
    const zip = zipFile(entries.map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
    const done = await desk.run(zip, { type: 'application/zip', mapping });
    t.match(done, { status: 'COMPLETED', lines: 9, counts: { created: 7, refused: 2 } });
    const refused = await desk.lines(done, '&outcome=REFUSED');
    t.same(refused.map(({ kind }) => kind).toSorted(), ['guests', 'payments'], 'what no reservation names');
    const stay = await stored('Z1');
    t.match(stay, {
      status: 'CHECKED_IN',
      financial: { totalAmount: 300, paidAmount: 180 },
      guestInfo: { firstName: 'Gus' },
    });
    t.match(done.reconciliation, { read: { payments: 180 }, stored: { payments: 180 }, differences: [] });
    const mails = await service.call<object[]>('GET', `${service.dev.reservationUrl}/dev/outbox?to=gus@example.com`);
    t.notMatch(mails.text, 'Z1');
  });

  await group.test('a file is sent once: looked at, tried, and imported', async (t) => {
    const file = `Booking no;Status;Arrival;Departure;Room type;Guest name;Total
U1;confirmed;${european(day(40))};${european(day(41))};Type STD;Ada;80,50
U2;Sonderfall;${european(day(40))};${european(day(41))};Type STD;Ben;80,50`;
    const sent = await desk.upload(file, 'moved.csv');
    t.equal(sent.status, 201, JSON.stringify(sent.json));
    t.match(sent.json, { status: 'UPLOADED', files: ['moved.csv'], lines: 0, done: 0 });
    const { importId } = sent.json;
    type Sample = { mapping: { files: { fields: Record<string, object> }[] }; mappingFrom: string; files: object[] };
    const sample = must(await desk.ask<Sample>('GET', `/${importId}/sample`), 200).json;
    const map = { confirmed: 'CONFIRMED' };
    t.match(sample, {
      encoding: 'utf-8',
      mappingFrom: 'SUGGESTED',
      mapping: {
        dateFormat: 'DD/MM/YYYY',
        decimalSeparator: ',',
        files: [{ kind: 'reservations', file: 'moved.csv', fields: { status: { column: 'Status', map } } }],
      },
      files: [{ name: 'moved.csv', format: 'CSV', delimiter: ';', lines: 2, rows: [{ line: 2 }, { line: 3 }] }],
    });
    const { mapping } = sample;
    must(await desk.ask('POST', `/${importId}/runs`, { mapping, dryRun: true }), 202);
    const tried = await desk.ended(importId);
    t.match(tried, {
      dryRun: true,
      counts: { created: 1, refused: 1 },
      problems: [{ lines: 1, firstLine: 3, reason: /^status is none of/ }],
    });
    mapping.files[0]!.fields['status'] = { column: 'Status', map: { ...map, Sonderfall: 'CONFIRMED' } };
    must(await desk.ask('POST', `/${importId}/runs`, { mapping }), 202);
    t.match(await desk.ended(importId), { dryRun: false, counts: { created: 2, refused: 0 }, mapping });
    t.match(await stored('U2'), { status: 'CONFIRMED', financial: { totalAmount: 80.5 } });
    isProblem(t, await desk.ask('POST', `/${importId}/runs`, { mapping }), 409, { code: 'INVALID_STATE' });
    isProblem(t, await desk.ask('GET', `/${importId}/sample`), 409, { code: 'INVALID_STATE' });

    const next = await desk.uploaded(file, 'again.csv');
    const again = must(await desk.ask<Sample>('GET', `/${next}/sample`), 200).json;
    t.match(again, { mappingFrom: 'EARLIER', mapping: { files: [{ ...mapping.files[0], file: 'again.csv' }] } });
    for (let sheet = 0; sheet < 5; sheet += 1) await desk.uploaded(file, `sheet-${sheet}.csv`);
    isProblem(t, await desk.ask('GET', `/${next}/sample`), 409, { code: 'INVALID_STATE' });
    const missing = await desk.uploaded('a,b\n1,2\n', 'x.csv');
    isProblem(t, await desk.ask('POST', `/${missing}/runs`, { mapping }), 400, { code: 'VALIDATION_FAILED' });
    const without = zipFile([{ name: 'mapping.json', bytes: Buffer.from(JSON.stringify(mapping)) }]);
    const many = zipFile(Array.from({ length: 21 }, (_, n) => ({ name: `${n}.csv`, bytes: Buffer.from('a,b') })));
    const long = zipFile([{ name: `${'x'.repeat(201)}.csv`, bytes: Buffer.from('a,b') }]);
    for (const bytes of [without, many, long])
      t.match(await desk.upload(bytes, 'x.zip', 'application/zip'), {
        status: 400,
        json: { code: 'BODY_UNREADABLE' },
      });
    const workbook = zipFile([{ name: '[Content_Types].xml', bytes: Buffer.from('<Types/>') }]);
    const refused = await desk.upload(workbook, 'book.xlsx', 'application/zip');
    t.match(refused, { status: 400, json: { code: 'BODY_UNREADABLE', detail: /workbook/ } });
  });

  await group.test('an archive is mapped file by file, or as it says itself', async (t) => {
    const files = {
      'rooms.csv': 'Zimmernummer;Zimmertyp\n950;LOFT\n',
      'gaeste.csv': 'Gastnummer;Vorname;Nachname\nG7;Gerd;Gast\n',
      'stays.csv': `Buchungsnummer;Status;Anreise;Abreise;Zimmertyp;Gastnummer;Gesamtpreis\nN1;bestätigt;${day(50)};${day(51)};LOFT;G7;99,00\n`,
      'payments.ndjson': '{"booking":"N1","amount":"9,00","method":"bar"}\n',
    };
    const packed = (more: Record<string, string> = {}) =>
      zipFile(Object.entries({ ...files, ...more }).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
    const send = async (bytes: Uint8Array): Promise<string> =>
      (await desk.upload(bytes, 'hotel.zip', 'application/zip')).json.importId;
    type Sample = { mapping: { files: { kind: string; file: string; fields: object }[] }; mappingFrom: string };
    const importId = await send(packed());
    const { mapping } = must(await desk.ask<Sample>('GET', `/${importId}/sample`), 200).json;
    t.same(
      mapping.files.map(({ kind, file }) => `${file} ${kind}`),
      ['rooms.csv rooms', 'gaeste.csv guests', 'stays.csv reservations', 'payments.ndjson payments'],
    );
    must(await desk.ask('POST', `/${importId}/runs`, { mapping }), 202);
    const done = await desk.ended(importId);
    t.match(done, { status: 'COMPLETED', counts: { created: 4, refused: 0 }, problems: [] });
    t.match(await stored('N1'), { guestInfo: { firstName: 'Gerd' }, financial: { totalAmount: 99, paidAmount: 9 } });
    const own = JSON.stringify({ ...mapping, overbooking: true });
    const again = must(
      await desk.ask<Sample>('GET', `/${await send(packed({ 'mapping.json': own }))}/sample`),
      200,
    ).json;
    t.match(again, { mappingFrom: 'ARCHIVE', mapping: { overbooking: true } });
  });

  await group.test('an erased guest leaves reports too, and does not come back with the same file', async (t) => {
    const file = `${HEADER}\nERASMUS-1,CHECKED_OUT,${day(-9)},${day(-8)},STD,Erasmus,,80.00,80.00`;
    const tried = await desk.run(file, { dryRun: true });
    const first = await desk.run(file);
    const { reservationId, guestInfo } = (await stored('ERASMUS-1')) as {
      reservationId: string;
      guestInfo: { guestId: string };
    };
    const guests = `${service.dev.reservationUrl}/api/v1/guests/${guestInfo.guestId}`;
    must(await service.call('DELETE', guests, { role: 'ADMIN' }), 200);
    t.match(await desk.lines(tried), [{ line: 2, externalId: null, outcome: 'CREATED' }]);
    t.match(await desk.lines(first), [{ line: 2, externalId: null, outcome: 'CREATED' }]);
    const again = await desk.run(file);
    const [line] = await desk.lines(again);
    t.match(line, { outcome: 'REFUSED', externalId: null, reason: 'Its guest was erased here.' });
    const { json } = must(await service.reservations<object>('GET', `/${reservationId}`, { role: 'ADMIN' }), 200);
    t.notMatch(JSON.stringify(json), /erasmus/i);
  });

  await group.test('hotels of one tenant may number alike, with a channel for each', async (t) => {
    const file = `${HEADER}\nALIKE-1,CONFIRMED,${day(20)},${day(22)},STD,Ada,,200.00,`;
    t.match(await desk.run(file), { counts: { created: 1 } });
    const { propertyId } = await BlackboxProperty.open(service);
    const second = new ImportDesk(service, propertyId);
    const [line] = await second.lines(await second.run(file));
    t.match(line, { outcome: 'REFUSED', reason: /give the import a channel of its own/ });
    const files = [{ kind: 'reservations', fields: { ...FIELDS, channel: { value: 'SECOND' } } }];
    t.match(await second.run(file, { mapping: { files } }), { counts: { created: 1, refused: 0 } });
  });

  await group.test('what cannot be an import is refused at once', async (t) => {
    const problem = (
      answer: { status: number; json: object; headers: object },
      status: number,
      code: string,
    ): void => {
      t.equal(answer.status, status, JSON.stringify(answer.json));
      t.match(answer.json, { code });
    };
    problem(await desk.send('x,y\n1,2\n'), 400, 'VALIDATION_FAILED');
    problem(await desk.send(states, { mapping: { files: [] } }), 400, 'VALIDATION_FAILED');
    problem(
      await desk.send(Buffer.from([0x50, 0x4b, 3, 4, 1, 2]), { type: 'application/zip' }),
      400,
      'BODY_UNREADABLE',
    );
    problem(
      await desk.send(gzipSync(Buffer.alloc(70 * 1024 * 1024)), { type: 'application/gzip' }),
      400,
      'BODY_UNREADABLE',
    );
    problem(await desk.send(','.repeat(2_000_000)), 400, 'BODY_UNREADABLE');
    const doubled = { ...MAPPING, dateFormat: 'YYYY YYYY-MM-DD' };
    problem(await desk.send(states, { mapping: doubled }), 400, 'VALIDATION_FAILED');
    for (const type of ['application/pdf', 'application/json'])
      problem(await desk.send('{}', { type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    problem(await desk.send(states, { role: 'MANAGER' }), 403, 'ROLE_TOO_LOW');
    problem(await new ImportDesk(service, 'nowhere').send(states), 404, 'PROPERTY_NOT_FOUND');
    const url = `${service.dev.reservationUrl}/api/v1/imports`;
    isProblem(t, await service.call('GET', `${url}/none`), 404, { code: 'IMPORT_NOT_FOUND' });
    isProblem(t, await service.call('GET', `${url}?propertyId=nowhere`), 404, { code: 'PROPERTY_NOT_FOUND' });
    const list = must(await service.call<Page<ShownImport>>('GET', `${url}?propertyId=${desk.propertyId}`), 200).json;
    const rival = { tenant: 'rival' };
    isProblem(t, await service.call('GET', `${url}/${list.items[0]!.importId}`, rival), 404, {
      code: 'IMPORT_NOT_FOUND',
    });
    isProblem(t, await service.call('GET', `${url}?propertyId=${desk.propertyId}`, rival), 404, {
      code: 'PROPERTY_NOT_FOUND',
    });
  });
}
