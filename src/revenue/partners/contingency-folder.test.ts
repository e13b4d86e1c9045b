import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

import { SealedText } from '../../kernel/operations/sealed-text.ts';
import { dayOf } from '../../kernel/rules/dates.ts';
import { sealPack, openPack } from '../operations/seal-contingency.ts';
import { type ContingencyPack, contingencyText } from '../rules/contingency.ts';
import type { ReportedStay } from '../rules/day-reports.ts';
import { ContingencyFiles } from './contingency-folder.ts';

const keys = (...ids: number[]): SealedText =>
  new SealedText(ids.map((n) => ({ id: `desk${n}`, secret: new Uint8Array(32).fill(n) })));
const QUARTER_MS = 900_000;
const NOW = Date.parse('2026-11-24T12:00:00.250Z');
const today = dayOf('2026-11-24');

const stay = (changed: Partial<ReportedStay>): ReportedStay => ({
  reservationId: 'r',
  confirmationNumber: 'K7M2AAAA11',
  guestName: 'Ada Lovelace',
  status: 'CHECKED_IN',
  roomType: 'DLX',
  roomNumber: '101',
  checkIn: today,
  checkOut: today + 2,
  adults: 2,
  children: 0,
  specialRequests: [],
  total: 20_000,
  paid: 10_000,
  balance: 10_000,
  penalty: 0,
  reason: null,
  cancelledAt: null,
  walkedTo: null,
  compensation: null,
  currency: 'EUR',
  ...changed,
});

const pack = (at = NOW, propertyId = 'inn'): ContingencyPack => ({
  format: 1,
  tenantId: 'acme',
  propertyId,
  name: 'The Inn',
  timezone: 'UTC',
  currency: 'EUR',
  createdAt: at,
  days: [
    {
      date: today,
      lists: [
        {
          report: 'in-house',
          stays: 3,
          items: [
            stay({}),
            stay({ roomNumber: null, guestName: 'Al', children: 1, balance: -50, specialRequests: ['quiet\nhigh'] }),
          ],
        },
        { report: 'balances', stays: 0, items: [] },
      ],
    },
  ],
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'innkeeper-packs-'));
  t.teardown(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

t.test('a pack is stored encrypted, for its owner only, and opens with its key alone', async (t) => {
  const dir = join(folder(), 'packs');
  await new ContingencyFiles(dir).store(pack(), NOW, sealPack(keys(1), pack()));
  t.same(readdirSync(dir), ['acme_inn_2026-11-24T12-00-00Z.pack']);
  const file = join(dir, readdirSync(dir)[0]!);
  const text = readFileSync(file, 'utf8');
  t.notMatch(text, /Ada Lovelace|The Inn|K7M2AAAA11/);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.strictSame(openPack(keys(1), text), pack());
  t.strictSame(openPack(keys(2, 1), text), pack(), 'an older key still opens it');
  t.throws(() => openPack(keys(2), text));
  t.throws(() => openPack(keys(1), `${text.slice(0, 80)}${text[80] === 'A' ? 'B' : 'A'}${text.slice(81)}`));
});

t.test('the last eight of a property stay, and what was cut off leaves nothing', async (t) => {
  const dir = folder();
  const packs = new ContingencyFiles(dir);
  await packs.store(pack(NOW, 'inn-two'), NOW, 'sealed');
  writeFileSync(join(dir, 'acme_inn.unfinished'), 'half');
  writeFileSync(join(dir, 'notes.txt'), 'of somebody else');
  for (let n = 0; n < 11; n++) await packs.store(pack(), NOW + n * QUARTER_MS, 'sealed');
  const names = readdirSync(dir).toSorted();
  const own = names.filter((name) => name.startsWith('acme_inn_'));
  t.equal(own.length, 8);
  t.equal(own.at(-1), 'acme_inn_2026-11-24T14-30-00Z.pack');
  t.ok(names.includes('acme_inn-two_2026-11-24T12-00-00Z.pack'), 'each property has its own');
  t.notOk(names.some((name) => name.endsWith('.unfinished')));
  t.same(Object.fromEntries(await packs.newest()), {
    'acme:inn': Date.parse('2026-11-24T14:30:00Z'),
    'acme:inn-two': Date.parse('2026-11-24T12:00:00Z'),
  });
  await packs.sweep(NOW + 100 * QUARTER_MS);
  t.same(
    readdirSync(dir).filter((name) => name.startsWith('acme_inn-two')),
    [],
    'that of a property that is gone goes after a day',
  );
  t.ok(readdirSync(dir).includes('notes.txt'), 'files of others are left alone');
});

t.test('a folder that cannot be written fails the write alone', async (t) => {
  const file = join(folder(), 'packs');
  writeFileSync(file, 'a file, and no folder');
  const packs = new ContingencyFiles(file);
  await t.rejects(packs.store(pack(), NOW, 'sealed'), { code: 'EEXIST' });
  await packs.sweep(NOW);
  t.equal(readFileSync(file, 'utf8'), 'a file, and no folder');
});

t.test('a pack prints as text, a stay a line', async (t) => {
  t.equal(
    contingencyText(pack()),
    [
      'The Inn (acme/inn)',
      'as of 2026-11-24T12:00:00.250Z, days of UTC, amounts in EUR',
      '',
      'IN HOUSE 2026-11-24: 3',
      '101  DLX  Ada Lovelace  2026-11-24 to 2026-11-26  2    CHECKED_IN  K7M2AAAA11  100.00',
      '-    DLX  Al            2026-11-24 to 2026-11-26  2+1  CHECKED_IN  K7M2AAAA11  -0.50   quiet high',
      'and 1 more',
      '',
      'OPEN BALANCES 2026-11-24: 0',
      '',
    ].join('\n'),
  );
});

t.test('a balance in another currency says which, and a pack of an earlier build says none', async (t) => {
  const { currency: _, ...before } = stay({});
  const lists = [
    { report: 'in-house' as const, stays: 2, items: [stay({ currency: 'USD' }), before as ReportedStay] },
  ];
  const text = contingencyText({ ...pack(), days: [{ date: today, lists }] });
  t.match(text, /K7M2AAAA11 {2}100\.00 USD\n.*K7M2AAAA11 {2}100\.00\n/);
});
