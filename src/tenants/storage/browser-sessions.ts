import { bulkhead, BulkheadRejectedError } from 'cockatiel';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { BrowserSessionStore, SessionPlace } from '../ports.ts';

const OVER = 'delete from browser_sessions where tenant_id = ? and ends_at <= now()';
const KEEP = `
  insert into browser_sessions (tenant_id, id, sealed, ends_at, token_marks, token_ends_at, began_at, used_at)
  values (?, ?, ?, to_timestamp(? / 1000.0), array[?], to_timestamp(? / 1000.0), now(), now())`;
const FIND = 'select sealed from browser_sessions where tenant_id = ? and id = ? and ends_at > now()';
const CLAIM = `
  update browser_sessions set renewing_until = now() + ? * interval '1 millisecond'
  where tenant_id = ? and id = ? and ends_at > now() and (renewing_until is null or renewing_until <= now())
  returning id`;
/** A session without a mark is of a node of the release before. */
const MARKS = `token_marks = case when token_marks[1] = ? then token_marks else (array[?] || token_marks)[1:2] end,
  token_ends_at = to_timestamp(? / 1000.0)`;
const RENEW = `
  update browser_sessions set sealed = ?, ends_at = to_timestamp(? / 1000.0), renewing_until = null, ${MARKS}
  where tenant_id = ? and id = ?`;
const USED = `
  update browser_sessions set used_at = now(), person = ?, browser = ?, ${MARKS} where tenant_id = ? and id = ?`;
const OF_PERSON = `
  select tenant_id as "tenantId", id, nullif(browser, '') as browser, ${ms('began_at')}::float8 as "beganAt",
    ${ms('used_at')}::float8 as "usedAt"
  from browser_sessions where person = ? and ends_at > now()
  order by used_at desc nulls last, tenant_id, id limit ?`;
/** Removes sessions, and leaves the marks of their tokens for as long as these would be valid. */
const ending = (which: string): string => `
  with ended as (
    delete from browser_sessions where ${which}
    returning tenant_id, id, sealed, person, token_marks, token_ends_at
  ), noted as (
    insert into ended_tokens (person, mark, ends_at)
    select distinct person, unnest(token_marks), token_ends_at from ended
    where person is not null and token_ends_at > now()
    on conflict do nothing
  )
  select tenant_id as "tenantId", id, sealed from ended`;
const END_ONE = ending('person = ? and id = ?');
const END_OTHERS = ending('person = ? and id <> ?');
const PERSON_OF = 'select person from browser_sessions where tenant_id = ? and id = ?';
const END_UNKNOWN = 'delete from browser_sessions where tenant_id = ? and id = ? returning sealed';
const TOKENS_OVER = 'delete from ended_tokens where ends_at <= now()';

/** Concurrent session queries: a third of the pool, so that bookings always find a connection. */
const MAX_CONCURRENT = 2;
/** Queued queries; 100 take a second at most. Later ones get a retryable error. */
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 2;

/**
 * Browser sessions in the table `browser_sessions`, within the tenant or those of a person. Queries share the pool with bookings, with a
 * limit of their own.
 * Every method @throws DomainError NOT_EXECUTED when too many wait already
 */
export function databaseBrowserSessions(
  database: Pick<Database, 'inTenantForReads' | 'readTenant' | 'ofPerson'>,
): BrowserSessionStore {
  const turns = bulkhead(MAX_CONCURRENT, MAX_WAITING);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await turns.execute(work);
    } catch (thrown) {
      if (!(thrown instanceof BulkheadRejectedError)) throw thrown;
      const detail = 'Too many ask about their session at the moment.';
      throw new DomainError('NOT_EXECUTED', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
  };
  const ask = <Row>({ tenantId }: SessionPlace, sql: string, values: unknown[]): Promise<Row[]> =>
    inTurn(
      async () => (await database.inTenantForReads(tenantId, (em) => em.execute(sql, values))) as unknown as Row[],
    );
  const ofPerson = <Row>(person: string, ...statements: (readonly [string, unknown[]])[]): Promise<Row[]> =>
    inTurn(() =>
      database.ofPerson(person, async (em) => {
        let rows: unknown = [];
        for (const [sql, values] of statements) rows = await em.execute(sql, values);
        return rows as Row[];
      }),
    );
  return {
    async store(place, { sealed, endsAt, token }) {
      await inTurn(() =>
        database.inTenantForReads(place.tenantId, async (em) => {
          await em.execute(OVER, [place.tenantId]);
          await em.execute(KEEP, [place.tenantId, place.id, sealed, endsAt, token.mark, token.endsAt]);
        }),
      );
    },
    async find(place) {
      const values = [place.tenantId, place.id];
      const rows = await inTurn(() => database.readTenant(place.tenantId, (em) => em.execute(FIND, values)));
      return (rows as unknown as { sealed: string }[])[0]?.sealed;
    },
    async claim(place, forMs) {
      return (await ask(place, CLAIM, [forMs, place.tenantId, place.id])).length > 0;
    },
    async renew(place, { sealed, endsAt, token }) {
      const marks = [token.mark, token.mark, token.endsAt];
      await ask(place, RENEW, [sealed, endsAt, ...marks, place.tenantId, place.id]);
    },
    async end(place) {
      const [row] = await ask<{ person: string | null }>(place, PERSON_OF, [place.tenantId, place.id]);
      if (typeof row?.person === 'string') {
        const ended = await this.endOfPerson(row.person, { id: place.id });
        return ended[0]?.sealed;
      }
      return (await ask<{ sealed: string }>(place, END_UNKNOWN, [place.tenantId, place.id]))[0]?.sealed;
    },
    async used(place, { person, browser, token }) {
      const marks = [token.mark, token.mark, token.endsAt];
      await ask(place, USED, [person, browser, ...marks, place.tenantId, place.id]);
    },
    ofPerson: (person, limit) => ofPerson(person, [OF_PERSON, [person, limit]]),
    endOfPerson: (person, which) =>
      ofPerson(
        person,
        [TOKENS_OVER, []],
        'id' in which ? [END_ONE, [person, which.id]] : [END_OTHERS, [person, which.butFor ?? '']],
      ),
  };
}
