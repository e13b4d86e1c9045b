import { Client } from 'pg';
import type { Test } from 'tap';

import { embeddedDatabaseUrl } from '../database-url.ts';
import { place, placed } from '../hold.ts';
import { advanceClock, type BlackboxProperty, must } from '../property.ts';
import { RunbookPage } from '../runbook-page.ts';
import type { Service } from '../service.ts';
import type { Audit } from '../shapes.ts';
import { withDatabase } from '../tenants.ts';

const MORE_THAN_A_HOLD_S = 16 * 60;
const NIGHT = 60;

/** Has the database refuse to change one hold, as it would a row that is not as it must be. */
const REFUSES = (holdId: string): string => `
  create function refuse_hold() returns trigger language plpgsql as
    $$ begin raise exception 'a row that is refused' using errcode = 'check_violation'; end $$;
  create trigger refuse_hold before update or delete on holds
    for each row when (old.id = '${holdId}') execute function refuse_hold()`;
const REPAIRS = 'drop trigger refuse_hold on holds; drop function refuse_hold()';

/** Pages about rows that no command writes, and about rooms that a user holds. */
export async function runbookRows(group: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const change = (sql: string): Promise<void> =>
    withDatabase(service, async (client) => void (await client.query(sql)));

  await group.test('RoomsHeldUnpaid: a user holds as many rooms as it may', async (t) => {
    const page = new RunbookPage(t, service, 'RoomsHeldUnpaid');
    const holds = [await placed(property, {}), await placed(property, {})];
    t.equal((await place(property)).status, 429, 'the next one is refused');
    t.ok((await page.figure('holds_refused')) > 0);
    const { text } = await page.request('GET /api/v1/admin/audit-trail?entity=hold');
    t.match(text, new RegExp(holds[0]!.holdId), 'the trail has who it is');
    const statement =
      "select coalesce(doc ->> 'subject', doc -> 'terms' ->> 'subject') as subject, kind, count(*), " +
      'sum(rooms * (check_out - check_in)) from holds group by 1, 2 order by 4 desc';
    t.match(await page.sql(statement), /"kind":"EXPLICIT","count":"2"/, 'and so has the database');
    for (const { holdId } of holds)
      t.match(await page.request('DELETE /api/v1/reservations/holds/{id}', { '{id}': holdId }, { role: 'STAFF' }), {
        status: /^20[04]$/,
      });
    const hold = await placed(property);
    t.ok(hold.holdId, 'the remedy ended the fault');
    must(await service.reservations('DELETE', `/holds/${hold.holdId}`), 200);
  });

  await group.test('InvariantViolated: somebody has changed a stored night', async (t) => {
    const page = new RunbookPage(t, service, 'InvariantViolated');
    const { propertyId } = property;
    const audited = () => page.request<Audit>('GET /api/v1/admin/audit/{propertyId}', { '{propertyId}': propertyId });
    await property.booked({ from: NIGHT, nights: 1 });
    const set = (value: string): Promise<void> =>
      change(
        `update availability.room_availability set booked_rooms = ${value}
         where property_id = '${propertyId}' and date = '${property.day(NIGHT)}'`,
      );
    await set('booked_rooms + 1');
    page.command('violations[]');
    t.ok(must(await audited(), 200).json.violations.length > 0, 'the audit finds it');
    t.ok((await page.figureIs('actor_invariant_violations_total', (count) => count > 0)) > 0);
    page.command('stopSell');
    const body = { propertyId, startDate: property.day(NIGHT), endDate: property.day(NIGHT + 1), stopSell: true };
    must(await page.request('PUT /api/v1/rates/restrictions', {}, { body, role: 'MANAGER' }), 200);
    t.equal((await property.book({ from: NIGHT, nights: 1 })).status, 422, 'the night is not sold any more');
    await page.shell('npm run audit:verify');
    await page.shell('npm run backup');
    await set('booked_rooms - 1');
    t.same(must(await audited(), 200).json.violations, [], 'the repair ended the fault');
  });

  await group.test('PoisonCommand: a hold that the database does not let expire', async (t) => {
    const page = new RunbookPage(t, service, 'PoisonCommand');
    const health = 'curl -s $RESERVATION/actuator/health/actors';
    const { holdId } = await placed(property);
    const mark = page.mark();
    await change(REFUSES(holdId));
    must(await advanceClock(service, MORE_THAN_A_HOLD_S), 200);
    t.equal(await page.figureIs('actor_commands_failing', (count) => count > 0), 1);
    page.command('failing[]');
    await page.shows(new RegExp(`"failing":\\[[^\\]]*${property.propertyId}`), () => page.shell(health));
    page.command('command rejected');
    await page.says(/command rejected/, mark);
    t.equal((await property.bookUntilDecided({ from: 45 })).status, 201, 'the property goes on selling');
    await change(REPAIRS);
    t.equal(await page.figureIs('actor_commands_failing', (count) => count === 0), 0, 'the repair ended the fault');
  });
}

const HELD_KEY = 'runbook-held';
const REFUSED_KEY = 'runbook-refused';
const INSERT = `
  insert into idempotency (tenant_id, property_id, subject, key, fingerprint, answer, created_at, state, expires_at)
  select tenant_id, property_id, 'runbook', $2, 'none', '{}', now() - interval '29 hours', 'DONE', now() - interval '5 hours'
  from properties where tenant_id = $1 limit 1`;

/**
 * Idempotency records that are hours past their time: a transaction stands open on that of one tenant, and the database
 * refuses to remove that of another.
 */
export class ExpiredKeys implements AsyncDisposable {
  readonly #session: Client;

  private constructor(session: Client) {
    this.#session = session;
  }

  static async keep(service: Service): Promise<ExpiredKeys> {
    const session = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
    session.on('error', () => undefined);
    await session.connect();
    await session.query(INSERT, ['demo', HELD_KEY]);
    await session.query(INSERT, ['rival', REFUSED_KEY]);
    await session.query(`
      create function refuse_key() returns trigger language plpgsql as
        $$ begin raise exception 'a key that stays' using errcode = 'check_violation'; end $$;
      create trigger refuse_key before delete on idempotency
        for each row when (old.key = '${REFUSED_KEY}') execute function refuse_key()`);
    await session.query('begin');
    await session.query('select 1 from idempotency where key = $1 for update', [HELD_KEY]);
    return new ExpiredKeys(session);
  }

  /** What the pages say to do. */
  async mend(): Promise<void> {
    await this.#session.query('commit');
    await this.#session.query('drop trigger refuse_key on idempotency; drop function refuse_key()');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.end();
  }
}

/** Pages about regular work that fails for one tenant, a while after {@link ExpiredKeys}. */
export async function runbookKeys(group: Test, service: Service, keys: ExpiredKeys): Promise<void> {
  const rounds = 'curl -s $RESERVATION/actuator/health/rounds';

  await group.test('KeysNotForgotten, RoundItemsFail: keys of two tenants cannot be removed', async (t) => {
    const page = new RunbookPage(t, service, 'KeysNotForgotten');
    const items = new RunbookPage(t, service, 'RoundItemsFail');
    page.command('expired-keys');
    page.command('idempotency');
    items.command('failing');
    await items.shows(/"failing":.*a key that stays/s, () => items.shell(rounds));
    t.match(await page.shell(rounds), /"failing":.*expired-keys/s);
    t.ok((await items.figure('jobs_round_failures')) > 0);
    t.ok((await page.figureIs('idempotency_expired_age', (seconds) => seconds > 7_200)) > 7_200);
    await keys.mend();
    t.ok((await page.figureIs('idempotency_expired_age', (seconds) => seconds < 7_200)) < 7_200);
    page.command('idempotency_forgotten');
    await items.shows(/^(?!.*"failing":.*expired-keys)/s, () => items.shell(rounds));
  });
}
