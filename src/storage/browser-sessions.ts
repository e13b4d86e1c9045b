import type { BrowserSessionStore, SessionPlace } from '../ports/browser-session-store.ts';
import type { Database } from './database.ts';

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

/** Sessions of browsers in the table `browser_sessions`, within the tenant. */
export function databaseBrowserSessions(database: Database): BrowserSessionStore {
  const ask = async <Row>({ tenantId }: SessionPlace, sql: string, values: unknown[]): Promise<Row[]> =>
    (await database.inTenant(tenantId, (em) => em.execute(sql, values))) as unknown as Row[];
  return {
    async keep(place, { sealed, endsAt }) {
      await database.inTenant(place.tenantId, async (em) => {
        await em.execute(OVER, [place.tenantId]);
        await em.execute(KEEP, [place.tenantId, place.id, sealed, endsAt]);
      });
    },
    async find(place) {
      const values = [place.tenantId, place.id];
      const rows = await database.readTenant(place.tenantId, (em) => em.execute(FIND, values));
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
