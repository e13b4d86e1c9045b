import type { Database } from '../../platform/database/database.ts';
import { WAITLIST_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { ListedWaiting, WaitlistReader } from '../ports.ts';
import type { WaitlistDocument, WaitlistEntry } from '../rules/waitlist.ts';
import { PropertyPages } from './property-pages.ts';

type Row = Omit<WaitlistEntry, keyof WaitlistDocument> &
  Pick<ListedWaiting, 'propertyId' | 'position'> & { details: WaitlistDocument };

const POSITION = `case when w.status = 'WAITING' then (
    select count(*)::int from waitlist o
    where o.tenant_id = w.tenant_id and o.property_id = w.property_id and o.status = 'WAITING'
      and o.number <= w.number) end`;

/** Columns that name a member of the entry; its days are those of the stay. */
const COLUMNS = selectOf(WAITLIST_TABLE, ['roomType', 'checkIn', 'checkOut']);
const ROWS = `select ${COLUMNS}, property_id as "propertyId", ${POSITION} as position from waitlist w where tenant_id = ?`;

/** Requests on waitlists as the database has them, within one tenant. */
export function databaseWaitlist(database: Database): WaitlistReader {
  const pages = new PropertyPages<Row, ListedWaiting>(database, {
    rows: ROWS,
    status: { column: 'status', type: 'waitlist_status', open: `status in ('WAITING', 'OFFERED')` },
    read: ({ details, ...row }) => ({ ...row, ...details }),
    id: ({ waitlistId }) => waitlistId,
  });
  return {
    get: (tenantId, id) => pages.get(tenantId, id),
    list: (to, status, limit, after) => pages.list(to, status, limit, after),
    ofAddresses: (tenantId, addresses) => pages.ofAddresses(tenantId, addresses),
  };
}
