import type { EntityManager } from '@mikro-orm/postgresql';

import type { ReservationId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { StayPages } from '../ports.ts';
import type { OnlineCheckIn, StayPage } from '../rules/online-check-in.ts';

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
  const rows = (em: EntityManager, ids: readonly ReservationId[]): Promise<Row[]> =>
    em.execute(PAGES, [arrayOf(ids)]);
  return {
    async get(tenantId, id) {
      const [[row] = []] = await database.readAtOnce(tenantId, [PAGES, arrayOf([id])]);
      return row === undefined ? undefined : pageOf(row as Row);
    },
    async checkIns(tenantId, ids) {
      const found = await database.readTenant(tenantId, (em) => rows(em, ids));
      return found.flatMap((row) => pageOf(row).checkIn ?? []);
    },
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
