import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { isNightly } from '../loop/nightly.ts';
import { Launched } from './launched.ts';
import { BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

/** Two starts. */
tap.setTimeout(300_000);

const KEYS = `desk1:${Buffer.alloc(32, 7).toString('base64')}`;
const packs = mkdtempSync(join(tmpdir(), 'innkeeper-packs-'));
chmodSync(packs, 0o755);
tap.teardown(() => rmSync(packs, { recursive: true, force: true }));

/** The command as somebody at a desk types it: on a machine where nothing runs. */
async function print(file: string, env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const tool = new Launched(env, 'contingency', ['--', file]);
  const code = await tool.exited;
  return { code, output: tool.output };
}

/** Lists for the day when everything is down (docs/guide/backup.md#contingency-pack). */
void test('lists of guests are on disk, encrypted, and print when nothing runs', async (t) => {
  const service = await Service.start({ CONTINGENCY_DIR: packs, CONTINGENCY_KEYS: KEYS });
  t.teardown(() => service.remove());
  const property = await BlackboxProperty.open(service, { policies: { paymentRequired: false } });
  const { propertyId } = property;
  const rooms = `/properties/${propertyId}/rooms`;
  must(await service.tenants('POST', rooms, { body: { roomNumber: '417', roomType: 'DLX', floor: 4 } }), 201);
  const book = (lastName: string, from: number, card: string | null = 'tok_visa') =>
    property.booked({ from, nights: 1, card, guest: { firstName: 'Grete', lastName } });
  const staying = await book('Hermann', 0);
  const body = { identificationVerified: true, keyCards: 1 };
  must(await service.reservations('POST', `/${staying.reservationId}/checkin`, { body }), 200);
  await book('Owing', 0, null);
  await book('Tomorrow', 1);
  must(await book('Nextweek', 7).then(({ reservationId }) => property.read(reservationId)), 200);

  const ofProperty = (): string[] => readdirSync(packs).filter((name) => name.startsWith(`demo_${propertyId}_`));
  if (isNightly()) await until('a pack of a new property within a minute', 90_000, () => ofProperty()[0]);
  await service.terminate();
  const before = new Set(ofProperty());
  await service.up();
  const ours = await until('a pack is written at the start', 60_000, () =>
    ofProperty().find((name) => !before.has(name)),
  );
  await service.killHard();
  const file = join(packs, ours);
  t.notMatch(readFileSync(file, 'utf8'), /Hermann|Grete/);
  const { code, output } = await print(file, { CONTINGENCY_KEYS: KEYS });
  t.equal(code, 0, output);
  const [head, ...lists] = output.split('\n\n');
  t.match(head, `(demo/${propertyId})`);
  const today = property.day(0);
  const tomorrow = property.day(1);
  const list = (title: string): string => lists.find((one) => one.startsWith(title)) ?? '';
  t.match(list(`ARRIVALS ${today}`), /: 2\n/);
  t.match(list(`IN HOUSE ${today}`), /: 1\n417 {2}DLX {2}Grete Hermann {2}.*CHECKED_IN/);
  t.match(list(`OPEN BALANCES ${today}`), /: 1\n.*Grete Owing.*100\.00/);
  t.match(list(`ARRIVALS ${tomorrow}`), /: 1\n.*Grete Tomorrow/);
  t.match(list(`DEPARTURES ${tomorrow}`), /: 2\n/);
  t.notMatch(output, /Nextweek/);
});

void test('another key, no key and another file say so in a line', async (t) => {
  const file = join(packs, readdirSync(packs)[0]!);
  const other = `desk1:${Buffer.alloc(32, 8).toString('base64')}`;
  t.match(await print(file, { CONTINGENCY_KEYS: other }), {
    code: 1,
    output: /^innkeeper: it is no contingency pack under these CONTINGENCY_KEYS, or was changed/,
  });
  t.match(await print(file, {}), { code: 1, output: /^innkeeper: set CONTINGENCY_KEYS/ });
  t.match(await print(join(packs, 'none'), { CONTINGENCY_KEYS: KEYS }), { code: 1, output: /ENOENT/ });
});

void test('a folder without keys is refused at the start', async (t) => {
  const service = await Service.prepare({ CONTINGENCY_DIR: packs });
  t.teardown(() => service.remove());
  const launched = service.launch();
  t.equal(await launched.exited, 1);
  t.match(launched.output, /CONTINGENCY_DIR: give CONTINGENCY_KEYS too/);
});
