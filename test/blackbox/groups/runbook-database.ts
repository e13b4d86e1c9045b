import { Client } from 'pg';
import type { Test } from 'tap';

import { signalServer } from '../../../src/testing/fail-over/server-processes.ts';
import { findProgram } from '../../services/debian.ts';
import { embeddedDatabaseUrl } from '../database-url.ts';
import { postgresPid } from '../launched.ts';
import { BlackboxProperty } from '../property.ts';
import { RunbookPage } from '../runbook-page.ts';
import type { Service } from '../service.ts';
import { pause, until } from '../waiting.ts';

/** Calls of the commit function that begin this far apart are not merged. */
const BETWEEN_CALLS_MS = 300;
/** What BookingsSlow calls slow, of which the way to the commit takes a little. */
const SLOW_MS = 2_000;
const MOST_OF_IT_MS = 1_000;
const MADE_WITHIN_MS = 60_000;

const hasPsql = findProgram('psql') !== undefined;

type Requests = { availableTags: { tag: string; values: string[] }[] };

/** Pages about a database that does not answer, or whose tables somebody holds. */
export async function runbookDatabase(group: Test, service: Service, property: BlackboxProperty): Promise<void> {
  /** A session that locks a table until it is ended. @returns a function that ends it */
  async function locked(t: Test, statement: string): Promise<() => Promise<void>> {
    const session = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
    session.on('error', () => undefined);
    await session.connect();
    t.teardown(() => session.end());
    await session.query('begin');
    await session.query(statement);
    return () => session.end();
  }

  const neighbours = [await BlackboxProperty.open(service), await BlackboxProperty.open(service)];
  const sellsAgain = async (t: Test): Promise<void> =>
    void t.equal((await property.bookUntilDecided({ from: 40 })).status, 201, 'the remedy ended the fault');

  await group.test('BookingsSlow: somebody holds the journal for a moment', async (t) => {
    const page = new RunbookPage(t, service, 'BookingsSlow');
    // On a busy machine it may be held for longer than a commit is waited for.
    const { headers } = await until('a booking is slow, and is made', MADE_WITHIN_MS, async () => {
      const held = performance.now();
      const end = await locked(t, 'lock table journal in access exclusive mode');
      const waits = property.book({ from: 31 });
      await page.shows(/lock table journal/, () =>
        page.sql("select * from pg_stat_activity where state <> 'idle' order by xact_start"),
      );
      await pause(Math.max(0, SLOW_MS - (performance.now() - held)));
      await end();
      const answer = await waits;
      return answer.status === 201 ? answer : undefined;
    });
    page.command('Server-Timing');
    page.command('actor');
    const actorMs = Number(/actor;dur=([\d.]+)/.exec(String(headers['server-timing']))?.[1]);
    t.ok(actorMs > MOST_OF_IT_MS, `${actorMs} ms of it were the commit`);
    await page.sql('analyze');
    await sellsAgain(t);
  });

  await group.test('CommitsUnanswered: a session holds the journal', async (t) => {
    const page = new RunbookPage(t, service, 'CommitsUnanswered');
    await locked(t, 'lock table journal in access exclusive mode');
    const held = property.bookUntilDecided({ from: 30 });
    // One call without an answer may be a lost connection: properties of other calls make it an alert.
    const others: Promise<unknown>[] = [];
    for (const one of neighbours) {
      await pause(BETWEEN_CALLS_MS);
      others.push(one.bookUntilDecided({ from: 30 }));
    }
    await page.shows(/"unanswered":[1-9]/, () => page.shell('curl -s $RESERVATION/actuator/health/commits'));
    t.equal(await page.figureIs('health_commits', (value) => value === 0), 0);
    const waits = `select pid, wait_event, state, xact_start, left(query, 80) from pg_stat_activity where wait_event_type = 'Lock' or state = 'idle in transaction'`;
    t.match(await page.sql(waits), /idle in transaction.*lock table journal|lock table journal.*idle in transaction/);
    await page.endBlocker();
    t.equal((await held).status, 201, 'the booking that waited is made');
    await Promise.all(others);
    await sellsAgain(t);
    t.equal(await page.figureIs('health_commits', (value) => value === 1), 1);
  });

  let beforeOutage = '';
  await group.test('DatabaseDown, HealthDown: PostgreSQL answers nobody', async (t) => {
    const page = new RunbookPage(t, service, 'DatabaseDown');
    const health = new RunbookPage(t, service, 'HealthDown');
    const now = 'psql "$DATABASE_URL" -c "select now()"';
    const postmaster = postgresPid(service.dataDir)!;
    beforeOutage = page.mark();
    signalServer(postmaster, 'SIGSTOP');
    try {
      if (hasPsql) await t.rejects(page.shell(now), 'nothing is answered');
      t.not((await property.book({ from: 50 })).status, 201, 'and nothing is sold');
      await health.shows(/"db":\{"status":"DOWN"/, () => health.shell('curl -s $RESERVATION/actuator/health'));
      t.equal(await health.figureIs('health_status', (value) => value === 0), 0);
      t.equal(await page.figureIs('health_db', (value) => value === 0), 0);
    } finally {
      signalServer(postmaster, 'SIGCONT');
    }
    if (hasPsql) t.match(await page.shell(now), /1 row/, 'the remedy: it is back');
    else t.pass(now, { skip: 'NOT RUN: needs psql' });
    t.match(await page.sql('select count(*), usename from pg_stat_activity group by 2'), /"usename":"postgres"/);
    await sellsAgain(t);
    t.equal(await health.figureIs('health_status', (value) => value === 1), 1);
  });

  await group.test(
    'ErrorBudgetBurnsFast, ErrorBudgetBurnsSlowly: requests were refused while it was away',
    async (t) => {
      const fast = new RunbookPage(t, service, 'ErrorBudgetBurnsFast');
      const slowly = new RunbookPage(t, service, 'ErrorBudgetBurnsSlowly');
      const asked = 'curl -s "$RESERVATION/actuator/metrics/http.server.requests?tag=outcome:SERVER_ERROR"';
      const { availableTags } = JSON.parse(await fast.shell(asked)) as Requests;
      const named = (tag: string): string[] => availableTags.find((one) => one.tag === tag)?.values ?? [];
      t.match(named('status'), ['503']);
      t.ok(named('uri').includes('/api/v1/reservations'), 'the tags name the route');
      t.match(await slowly.shell(asked), /"name":"http\.server\.requests"/);
      slowly.command('"status":5');
      for (const name of ['requestId', 'code', 'status']) fast.command(name);
      const log = await slowly.says(/"status":503/, beforeOutage);
      const line = log.split('\n').find((one) => one.includes('"status":503')) ?? '';
      t.match(line, /"requestId":"[^"]+"/, 'a failed request is a line of the log');
      t.match(line, /"code":"STORE_UNAVAILABLE"/);
      fast.command('STORE_UNAVAILABLE');
      const { propertyId } = property;
      const audit = await slowly.request<{ violations: object[] }>('GET /api/v1/admin/audit/{propertyId}', {
        '{propertyId}': propertyId,
      });
      t.match(audit, { status: 200, json: { violations: [] } }, 'the property alone is no reason');
    },
  );

  await group.test('LeaseLost: a session holds the table of leases', async (t) => {
    const page = new RunbookPage(t, service, 'LeaseLost');
    const mark = page.mark();
    await locked(t, 'lock table system.cluster_node in exclusive mode');
    const waits = `select pid, query, state from pg_stat_activity where wait_event_type = 'Lock'`;
    await page.shows(/cluster_node/, () => page.sql(waits));
    page.command('lease lost');
    t.equal(await page.figureIs('lease_held', (value) => value === 0), 0);
    await page.says(/lease lost/, mark);
    t.match(await page.sql('select node_id, lease_until, now() from system.cluster_node'), /lease_until/);
    await page.endBlocker();
    await sellsAgain(t);
    t.equal(await page.figureIs('lease_held', (value) => value === 1), 1);
  });

  await group.test('RoundLate: a session holds the table of imports', async (t) => {
    const page = new RunbookPage(t, service, 'RoundLate');
    const rounds = 'curl -s $RESERVATION/actuator/health/rounds';
    const end = await locked(t, 'lock table imports in access exclusive mode');
    page.command('imports');
    await page.shows(/"late":[^\]]*imports/, () => page.shell(rounds));
    await end();
    await page.shows(/^(?!.*"late":[^\]]*imports)/, () => page.shell(rounds));
    await sellsAgain(t);
  });
}
