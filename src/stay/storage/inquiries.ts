import type { InquiryId, PropertyId } from '../../kernel/rules/ids.ts';
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

const OF_ADDRESSES = `select property_id as "propertyId", id as "inquiryId" from inquiries
  where tenant_id = ? and status = 'OPEN'
    and lower(details #>> '{guest,email}') in (select lower(value) from json_array_elements_text(?::json))`;

/** Inquiries as the database has them, within one tenant. */
export function databaseInquiries(database: Database): InquiryReader {
  const pages = new PropertyPages<Row, ListedInquiry>(database, {
    rows: ROWS,
    status: { column: STATUS, type: 'inquiry_status' },
    read: ({ details, ...row }) => ({ ...row, ...details }),
    id: ({ inquiryId }) => inquiryId,
  });
  return {
    get: (tenantId, id) => pages.get(tenantId, id),
    list: (to, status, limit, after) => pages.list(to, status, limit, after),
    async ofAddresses(tenantId, addresses) {
      const found = await database.readTenant(tenantId, (em) =>
        em.execute(OF_ADDRESSES, [tenantId, JSON.stringify(addresses)]),
      );
      return found as unknown as { propertyId: PropertyId; inquiryId: InquiryId }[];
    },
  };
}
