import type { ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { TenantBatches } from '../../platform/database/batch-loader.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { StayPages } from '../ports.ts';
import type { OnlineCheckIn, StayPage } from '../rules/online-check-in.ts';

/** Pages read in one query. */
const MAX_AT_ONCE = 64;

const PAGES = `
  select reservation_id as "reservationId", ${ms('links_from')} as "linksFrom", arrival_time as "arrivalTime",
    signed_name as "signedName", ${ms('signed_at')} as "signedAt"
  from stay_pages
  where tenant_id = current_setting('innkeeper.tenant') and reservation_id = any (?::uuid[])`;
const REVOKE = `
  insert into stay_pages (tenant_id, reservation_id, property_id, links_from)
  values (current_setting('innkeeper.tenant'), ?::uuid, ?, ?::timestamptz)
  on conflict (tenant_id, reservation_id) do update set links_from = excluded.links_from`;
const CHECK_IN = `
  insert into stay_pages (tenant_id, reservation_id, property_id, arrival_time, signed_name, signed_at)
  values (current_setting('innkeeper.tenant'), ?::uuid, ?, ?, ?, ?::timestamptz)
  on conflict (tenant_id, reservation_id) do update set
    arrival_time = excluded.arrival_time, signed_name = excluded.signed_name, signed_at = excluded.signed_at`;
const REMOVE = `
  delete from stay_pages
  where tenant_id = current_setting('innkeeper.tenant') and reservation_id = any (?::uuid[])`;

type Row = {
  reservationId: ReservationId;
  linksFrom: number | null;
  arrivalTime: string | null;
  signedName: string | null;
  signedAt: number | null;
};

/** Pages of stays for their guests in PostgreSQL. */
export function databaseStayPages(database: Database): StayPages {
  const read = async (tenantId: TenantId, ids: readonly ReservationId[]): Promise<Row[]> =>
    (await database.readAtOnce(tenantId, [PAGES, arrayOf(ids)]))[0] as Row[];
  const pages = new TenantBatches<ReservationId, StayPage | undefined>(MAX_AT_ONCE, async (tenantId, ids) => {
    const found = new Map((await read(tenantId, ids)).map((row) => [row.reservationId, pageOf(row)]));
    return ids.map((id) => found.get(id));
  });
  return {
    get: async (tenantId, id) => (isUuid(id) ? pages.ask(tenantId, id) : undefined),
    checkIns: async (tenantId, ids) => (await read(tenantId, ids)).flatMap((row) => pageOf(row).checkIn ?? []),
    async revokeLinks(tenantId, { reservationId, propertyId }, at) {
      await database.inTenant(tenantId, (em) => em.execute(REVOKE, [reservationId, propertyId, formatInstant(at)]));
    },
    async checkIn(tenantId, { reservationId, propertyId }, { arrivalTime, signedName, signedAt }) {
      const values = [reservationId, propertyId, arrivalTime, signedName, formatInstant(signedAt)];
      await database.inTenant(tenantId, (em) => em.execute(CHECK_IN, values));
    },
    async removeOfStays(tenantId, ids) {
      await database.inTenant(tenantId, (em) => em.execute(REMOVE, [arrayOf(ids)]));
    },
  };
}

const arrayOf = (ids: readonly ReservationId[]): string => `{${ids.join(',')}}`;

function pageOf({ reservationId, linksFrom, arrivalTime, signedName, signedAt }: Row): StayPage {
  const checkIn: OnlineCheckIn | undefined =
    arrivalTime === null || signedName === null || signedAt === null
      ? undefined
      : { reservationId, arrivalTime, signedName, signedAt };
  return { ...(linksFrom !== null && { linksFrom }), ...(checkIn && { checkIn }) };
}
