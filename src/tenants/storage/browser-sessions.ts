import { bulkhead, BulkheadRejectedError } from 'cockatiel';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Database } from '../../platform/database/database.ts';
import type { BrowserSessionStore, SessionPlace } from '../ports.ts';

const OVER = 'delete from browser_sessions where tenant_id = ? and ends_at <= now()';
const KEEP = `
  insert into browser_sessions (tenant_id, id, sealed, ends_at) values (?, ?, ?, to_timestamp(? / 1000.0))`;
const FIND = 'select sealed from browser_sessions where tenant_id = ? and id = ? and ends_at > now()';
const CLAIM = `
  update browser_sessions set renewing_until = now() + ? * interval '1 millisecond'
  where tenant_id = ? and id = ? and ends_at > now() and (renewing_until is null or renewing_until <= now())
  returning id`;
const RENEW = `
  update browser_sessions set sealed = ?, ends_at = to_timestamp(? / 1000.0), renewing_until = null
  where tenant_id = ? and id = ?`;
const END = 'delete from browser_sessions where tenant_id = ? and id = ? returning sealed';

/** Concurrent session queries: a third of the pool, so that bookings always find a connection. */
const MAX_CONCURRENT = 2;
/** Queued queries; 100 take a second at most. Later ones get a retryable error. */
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 2;

/**
 * Browser sessions in the table `browser_sessions`, within the tenant. Queries share the pool with bookings, with a
 * limit of their own.
 * Every method @throws DomainError NOT_EXECUTED when too many wait already
 */
export function databaseBrowserSessions(database: Pick<Database, 'inTenant' | 'readTenant'>): BrowserSessionStore {
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
    inTurn(async () => (await database.inTenant(tenantId, (em) => em.execute(sql, values))) as unknown as Row[]);
  return {
    async store(place, { sealed, endsAt }) {
      await inTurn(() =>
        database.inTenant(place.tenantId, async (em) => {
          await em.execute(OVER, [place.tenantId]);
          await em.execute(KEEP, [place.tenantId, place.id, sealed, endsAt]);
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
    async renew(place, { sealed, endsAt }) {
      await ask(place, RENEW, [sealed, endsAt, place.tenantId, place.id]);
    },
    async end(place) {
      return (await ask<{ sealed: string }>(place, END, [place.tenantId, place.id]))[0]?.sealed;
    },
  };
}
