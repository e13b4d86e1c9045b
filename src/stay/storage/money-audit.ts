import { dayOf, formatDay, parseDay } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ReservationRow } from '../../platform/database/entities/reservations.ts';
import { minorOf } from '../../platform/database/row-values.ts';
import type { AuditedReservation, MoneyAuditReader } from '../ports.ts';
import { withPayments } from './reservation-list.ts';
import { withIssued } from './reservation-reader.ts';

/** In the order of an index, so that each page is found at once. */
const PAGE = `
  select * from reservations r
  where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null and r.check_in >= ?::date
    and (r.check_in, r.id) > (?::date, ?::uuid)
  order by r.check_in, r.id limit ?`;

const BEFORE_ALL = { checkIn: parseDay('0001-01-01')!, id: '00000000-0000-0000-0000-000000000000' };

/** Sequences of numbers without a gap have as many numbers as their last one says. */
const NUMBERS = `
  select kind, year, count(*)::int as documents, max(serial)::int - count(serial)::int as missing
  from invoice_documents where tenant_id = ? and property_id = ? group by kind, year`;

type Numbers = { kind: string; year: number | null; documents: number; missing: number | null };

/** Reads the reservations of a property for an audit of their money. */
export function databaseMoneyAudit(database: Database): MoneyAuditReader {
  return {
    async numbers({ tenantId, propertyId }) {
      const rows = await database.readTenant(tenantId, (em) =>
        em.execute<Numbers[]>(NUMBERS, [tenantId, propertyId]),
      );
      const gaps = rows.flatMap(({ kind, year, missing }) =>
        year !== null && missing !== null && missing !== 0 ? { kind, year, missing } : [],
      );
      return { documents: rows.reduce((sum, { documents }) => sum + documents, 0), gaps };
    },
    async page(to, limit, after = BEFORE_ALL) {
      return database.readTenant(to.tenantId, async (em) => {
        const day = formatDay(after.checkIn);
        const values = [to.tenantId, to.propertyId, day, day, after.id, limit];
        const rows = (await em.execute(PAGE, values)) as unknown as ReservationRow[];
        const last = rows.at(-1);
        const next = rows.length < limit || !last ? undefined : { checkIn: dayOf(last.check_in), id: last.id };
        const unreadable = new Map<ReservationId, unknown>();
        const read = await withIssued(em, await withPayments(em, to.tenantId, rows, unreadable));
        const byId = new Map(read.map((reservation) => [reservation.id, reservation]));
        const items = rows.map((row): AuditedReservation => {
          const reservation = byId.get(row.id);
          return {
            ...storedOf(row),
            read: reservation ? { reservation } : { unreadable: textOf(unreadable.get(row.id)) },
          };
        });
        return { items, ...(next && { next }) };
      });
    },
  };
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function storedOf({
  id,
  total_amount: total,
  balance_due: balance,
}: ReservationRow): Omit<AuditedReservation, 'read'> {
  return { id, stored: { total: minorOf(total), balance: minorOf(balance) } };
}
