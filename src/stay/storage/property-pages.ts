import { type Page, pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/database/row-values.ts';

/** `select ... from <table> where tenant_id = ?`, and what its status is compared with. */
type Listing<Row, Item> = {
  rows: string;
  /** `open`: condition for those that are not over. */
  status: { column: string; type: string; open: string };
  read: (row: Row) => Item;
  id: (item: Item) => string;
  /** The usual order of lists; otherwise that in which they were made. */
  newestFirst?: boolean;
};

/** Reads records of a property that have a status, within one tenant. */
export class PropertyPages<Row extends object, Item extends { createdAt: Instant }> {
  readonly #database: Database;
  readonly #listing: Listing<Row, Item>;

  constructor(database: Database, listing: Listing<Row, Item>) {
    this.#database = database;
    this.#listing = listing;
  }

  async get(tenantId: TenantId, id: string): Promise<Item | undefined> {
    return isUuid(id) ? (await this.#read(tenantId, `and id = ?`, [id]))[0] : undefined;
  }

  async list(
    { tenantId, propertyId }: Address,
    status: string | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<Item>> {
    const { newestFirst = false, status: of } = this.#listing;
    const { column, type } = of;
    const some = [
      ...(status === undefined ? [] : [[`${column} = ?::${type}`, status] as const]),
      ...(after
        ? [
            [
              `(created_at, id) ${newestFirst ? '<' : '>'} (?::timestamptz, ?::uuid)`,
              formatInstant(after.createdAt),
              after.id,
            ],
          ]
        : []),
    ];
    const conditions = ['property_id = ?', ...some.map(([sql]) => sql)].join(' and ');
    const values = [propertyId, ...some.flatMap(([, ...of]) => of), limit + 1];
    const read = await this.#read(
      tenantId,
      `and ${conditions} order by ${newestFirst ? 'created_at desc, id desc' : 'created_at, id'} limit ?`,
      values,
    );
    return pageOfRead(read, limit, this.#listing.id);
  }

  /** Those that are not over, of guests with one of these e-mail addresses, in any case of letters. */
  async ofAddresses(tenantId: TenantId, addresses: readonly string[]): Promise<Item[]> {
    const { open } = this.#listing.status;
    const isTheirs = `lower(details #>> '{guest,email}') in (select lower(value) from json_array_elements_text(?::json))`;
    return this.#read(tenantId, `and ${open} and ${isTheirs}`, [JSON.stringify(addresses)]);
  }

  async #read(tenantId: TenantId, more: string, values: unknown[]): Promise<Item[]> {
    const { rows, read } = this.#listing;
    const found = await this.#database.readTenant(tenantId, (em) =>
      em.execute(`${rows} ${more}`, [tenantId, ...values]),
    );
    return (found as unknown as Row[]).map(read);
  }
}
