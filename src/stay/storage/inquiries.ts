import type { Database } from '../../platform/database/database.ts';
import { INQUIRIES_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { InquiryReader, ListedInquiry } from '../ports.ts';
import type { Inquiry, InquiryDocument } from '../rules/inquiry.ts';
import { PropertyPages } from './property-pages.ts';

type Row = Omit<Inquiry, keyof InquiryDocument> & Pick<ListedInquiry, 'propertyId'> & { details: InquiryDocument };

/** The roll ends what has expired; until then only its time says so. */
const STATUS = `case when status = 'OPEN' and expires_at <= app_now() then 'EXPIRED' else status end`;

/** Columns that name a member of the inquiry; its days are those of the stay. */
const COLUMNS = selectOf(INQUIRIES_TABLE, ['roomType', 'checkIn', 'checkOut', 'status']);
const ROWS = `select ${COLUMNS}, ${STATUS} as status, property_id as "propertyId" from inquiries where tenant_id = ?`;

/** Inquiries as the database has them, within one tenant. */
export function databaseInquiries(database: Database): InquiryReader {
  const pages = new PropertyPages<Row, ListedInquiry>(database, {
    rows: ROWS,
    status: { column: STATUS, type: 'inquiry_status', open: `status = 'OPEN'` },
    read: ({ details, ...row }) => ({ ...row, ...details }),
    id: ({ inquiryId }) => inquiryId,
    newestFirst: true,
  });
  return {
    get: (tenantId, id) => pages.get(tenantId, id),
    list: (to, status, limit, after) => pages.list(to, status, limit, after),
    ofAddresses: (tenantId, addresses) => pages.ofAddresses(tenantId, addresses),
  };
}
