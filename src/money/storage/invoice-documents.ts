import type { EntityManager } from '@mikro-orm/postgresql';

import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Database, Statement } from '../../platform/database/database.ts';
import { INVOICE_DOCUMENTS_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { InvoiceReader } from '../ports.ts';
import type { InvoiceDocument } from '../rules/invoice-document.ts';

const COLUMNS = `property_id as "propertyId", ${selectOf(INVOICE_DOCUMENTS_TABLE)}`;
const here = `tenant_id = current_setting('innkeeper.tenant')`;

/** In the order of issue; at the same moment a credit note comes after its invoice. */
const OF_RESERVATIONS = `
  select ${COLUMNS} from invoice_documents
  where ${here} and reservation_id = any (?::uuid[])
  order by issued_at, kind desc, year nulls first, serial`;

const BY_NUMBER = `select ${COLUMNS} from invoice_documents where ${here} and property_id = ? and number = ?`;

const IN_ORDER = `
  select ${COLUMNS} from invoice_documents
  where ${here} and property_id = ? and kind = ? and serial is not null
    and (year, serial) >= (?, ?) and year <= ? order by year, serial limit ?`;

/** A row of `invoice_documents`. */
export type DocumentRow = { [M in keyof InvoiceDocument]: InvoiceDocument[M] | null };

/** Statement that reads the rows of documents of reservations, oldest first. */
export const documentRows = (ids: readonly string[]): Statement => [OF_RESERVATIONS, `{${ids.join()}}`];

/** Reads documents of reservations, oldest first, for their property's actor. */
export async function readDocuments(em: EntityManager, ids: readonly string[]): Promise<InvoiceDocument[]> {
  if (ids.length === 0) return [];
  const [sql, ...values] = documentRows(ids);
  return (await em.execute<DocumentRow[]>(sql, values)).map(documentOf);
}

/** Reads issued documents from their table, within one tenant. */
export function databaseInvoices(database: Database): InvoiceReader {
  const read = async (tenantId: TenantId, statement: Statement): Promise<InvoiceDocument[]> => {
    const [rows] = await database.readAtOnce(tenantId, statement);
    return (rows as DocumentRow[]).map(documentOf);
  };
  return {
    async ofReservations(tenantId, ids) {
      return ids.length === 0 ? [] : read(tenantId, documentRows(ids));
    },
    async byNumber({ tenantId, propertyId }, number) {
      return (await read(tenantId, [BY_NUMBER, propertyId, number]))[0];
    },
    async list({ tenantId, propertyId }, { kind, year, serial }, until, limit) {
      return read(tenantId, [IN_ORDER, propertyId, kind, year, serial, until, limit]);
    },
  };
}

/** Converts a row of `invoice_documents`. */
export function documentOf({ year, serial, corrects, ...row }: DocumentRow): InvoiceDocument {
  const place = serial === null ? {} : { year, serial };
  const document = { ...row, issuedAt: Number(row.issuedAt), ...place, ...(corrects !== null && { corrects }) };
  return document as InvoiceDocument;
}
