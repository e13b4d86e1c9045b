import type { EntityManager } from '@mikro-orm/postgresql';

import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { INVOICE_DOCUMENTS_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { InvoiceReader } from '../ports.ts';
import type { InvoiceDocument } from '../rules/invoice-document.ts';

const COLUMNS = `property_id as "propertyId", ${selectOf(INVOICE_DOCUMENTS_TABLE)}`;
const here = `tenant_id = current_setting('innkeeper.tenant')`;

/** In the order of issue; at the same moment a credit note comes after its invoice. */
const OF_RESERVATIONS = `
  select ${COLUMNS} from invoice_documents
  where ${here} and reservation_id in (select value::uuid from json_array_elements_text(?::json))
  order by issued_at, kind desc, year nulls first, serial`;

const BY_NUMBER = `select ${COLUMNS} from invoice_documents where ${here} and property_id = ? and number = ?`;

const IN_ORDER = `
  select ${COLUMNS} from invoice_documents
  where ${here} and property_id = ? and kind = ? and serial is not null
    and (year, serial) >= (?, ?) and year <= ? order by year, serial limit ?`;

type Row = { [M in keyof InvoiceDocument]: InvoiceDocument[M] | null };

/** Reads documents of reservations, oldest first, for their property's actor. */
export async function readDocuments(em: EntityManager, ids: readonly string[]): Promise<InvoiceDocument[]> {
  if (ids.length === 0) return [];
  return (await em.execute<Row[]>(OF_RESERVATIONS, [JSON.stringify(ids)])).map(documentOf);
}

/** Reads issued documents from their table, within one tenant. */
export function databaseInvoices(database: Database): InvoiceReader {
  const read = async (tenantId: TenantId, sql: string, values: unknown[]): Promise<InvoiceDocument[]> =>
    (await database.readTenant(tenantId, (em) => em.execute<Row[]>(sql, values))).map(documentOf);
  return {
    async ofReservations(tenantId, ids) {
      return database.readTenant(tenantId, (em) => readDocuments(em, ids));
    },
    async byNumber({ tenantId, propertyId }, number) {
      return (await read(tenantId, BY_NUMBER, [propertyId, number]))[0];
    },
    async list({ tenantId, propertyId }, { kind, year, serial }, until, limit) {
      return read(tenantId, IN_ORDER, [propertyId, kind, year, serial, until, limit]);
    },
  };
}

function documentOf({ year, serial, corrects, ...row }: Row): InvoiceDocument {
  const place = serial === null ? {} : { year, serial };
  const document = { ...row, issuedAt: Number(row.issuedAt), ...place, ...(corrects !== null && { corrects }) };
  return document as InvoiceDocument;
}
