import type { EntityManager } from '@mikro-orm/postgresql';

import { named } from '../../guests/storage/guest-names.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { WorkQueue } from '../../platform/database/work-queue.ts';
import type { ArchivedJournal, Checkpoint, Checkpoints, JournalArchive, JournalPosition } from '../ports.ts';
import type { CellPlace, JournalRow } from '../rules/journal-fold.ts';
import type { GridSnapshot } from '../rules/past-grid.ts';

/** Connections of the cold pool that read the past at once, and queued requests. */
const READERS = 3;
const MAX_WAITING = 64;

/** Approximate characters of facts in a page: some ms of work each. */
const PAGE_CHARACTERS = 512 * 1024;
const FIRST_PAGE_ROWS = 128;
const MAX_PAGE_ROWS = 1_024;

const here = `tenant_id = current_setting('innkeeper.tenant') and property_id = ?`;
const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

const ACTOR = `
  select a.seq, a.generation, exists (
    select from journal j where j.tenant_id = a.tenant_id and j.property_id = a.property_id and j.seq = 1) as whole
  from property_actor a where ${here}`;
const CHECKPOINT = `select seq, ${ms('at')} as at, grid from journal_checkpoints where ${here}`;
const NEXT_CHECKPOINT = `select seq from journal_checkpoints where ${here} and seq > ? order by seq limit 1`;
const NEWEST_CHECKPOINT = `select coalesce(max(seq), 0) as seq from journal_checkpoints where ${here}`;
const POSITION = `
  select seq, ${ms('at')} as at from journal where ${here} and seq > ? and seq <= ? and at <= ?
  order by seq desc limit 1`;

const ROWS = `
  select seq, ${ms('at')} as at, type, subject, entity, facts::text as facts
  from journal where ${here} and seq > ? and seq <= ?`;

/** Rows that name the cell (facts are stored as they were written), and those that change which cells exist. */
const ABOUT = `and (strpos(facts::text, ?) > 0 or type in
  ('CREATE_PROPERTY', 'UPDATE_PROPERTY', 'FOLLOW_TENANT', 'DELETE_PROPERTY', 'RESTORE_PROPERTY',
   'PUT_ROOM_TYPE', 'REMOVE_ROOM_TYPE', 'RESTORE_ROOM_TYPE', 'TICK'))`;

/** Rows searched for bookings: a property with only rate changes for so long shows none. */
const MAX_LOOKED_AT = 8_192;
const BOOKINGS = `
  select seq, ${ms('at')} as at, type, subject, request_id as "requestId", entity, facts, hash
  from journal where ${here} and seq > ? and seq <= ? and strpos(facts::text, '"bookings":[[') > 0
  order by seq desc limit ?`;

/** Rows that may change the business date, in one page: there is about one a day. */
const MAX_DATES = 16;
const DATES = `
  select seq, ${ms('at')} as at, type, subject, entity, facts::text as facts
  from journal where ${here} and seq > ?
    and type in ('CREATE_PROPERTY', 'UPDATE_PROPERTY', 'FOLLOW_TENANT', 'RESTORE_PROPERTY', 'TICK')
  order by seq limit ${MAX_DATES}`;

type Actor = { seq: number; generation: number; whole: boolean };

/** Journal rows and checkpoints in PostgreSQL. */
export class StoredJournal implements JournalArchive, Checkpoints {
  readonly #database: Database;
  readonly #turns = new WorkQueue(READERS, MAX_WAITING);

  constructor(database: Database) {
    this.#database = database;
  }

  read<T>({ tenantId, propertyId }: Address, work: (journal: ArchivedJournal) => Promise<T>): Promise<T> {
    return this.#turns.take(() =>
      this.#database.readTenant(tenantId, async (em) => {
        const [actor] = await ask<Actor>(em, ACTOR, [propertyId]);
        if (!actor) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
        return work(new Snapshot(em, propertyId, actor));
      }),
    );
  }

  newest({ tenantId, propertyId }: Address): Promise<number> {
    return this.#database.readTenant(
      tenantId,
      async (em) => (await ask<{ seq: number }>(em, NEWEST_CHECKPOINT, [propertyId]))[0]!.seq,
    );
  }

  async write({ tenantId, propertyId }: Address, seq: number, grid: GridSnapshot): Promise<boolean> {
    const sql = 'select write_checkpoint_v1(?, ?, ?, ?) as written';
    const values = [tenantId, propertyId, seq, JSON.stringify(grid)];
    const rows = await this.#database.inTenant(tenantId, (em) => ask<{ written: boolean }>(em, sql, values));
    return rows[0]!.written;
  }
}

class Snapshot implements ArchivedJournal {
  readonly seq: number;
  readonly generation: number;
  readonly whole: boolean;
  readonly #em: EntityManager;
  readonly #propertyId: PropertyId;

  constructor(em: EntityManager, propertyId: PropertyId, { seq, generation, whole }: Actor) {
    this.#em = em;
    this.#propertyId = propertyId;
    this.seq = seq;
    this.generation = generation;
    this.whole = whole;
  }

  async checkpointAt(at: Instant): Promise<Checkpoint | undefined> {
    const sql = `${CHECKPOINT} and at <= ? order by seq desc limit 1`;
    return (await this.#ask<Checkpoint>(sql, new Date(at)))[0];
  }

  async checkpointBefore(seq: number): Promise<Checkpoint | undefined> {
    return (await this.#ask<Checkpoint>(`${CHECKPOINT} and seq < ? order by seq desc limit 1`, seq))[0];
  }

  async positionAt(at: Instant, from: JournalPosition | undefined): Promise<JournalPosition | undefined> {
    const after = from?.seq ?? 0;
    // The next checkpoint is after the instant, and so is every row after it.
    const [next] = await this.#ask<{ seq: number }>(NEXT_CHECKPOINT, after);
    const [found] = await this.#ask<JournalPosition>(POSITION, after, next?.seq ?? this.seq, new Date(at));
    return found ?? from;
  }

  async *rows(after: number, to: number, about?: CellPlace): AsyncIterable<JournalRow[]> {
    const sql = `${ROWS} ${about ? ABOUT : ''} order by seq limit ?`;
    // Beginning of the cell's fact as `JSON.stringify` has written it.
    const named = about ? [`${JSON.stringify([about.roomType, about.day]).slice(0, -1)},`] : [];
    for (let [last, limit] = [after, FIRST_PAGE_ROWS]; ;) {
      const page = await this.#ask<JournalRow>(sql, last, to, ...named, limit);
      if (page.length > 0) yield page;
      if (page.length < limit) return;
      last = page.at(-1)!.seq;
      const characters = page.reduce((sum, { facts }) => sum + facts.length, 1);
      limit = Math.ceil(Math.min(MAX_PAGE_ROWS, 2 * limit, (page.length * PAGE_CHARACTERS) / characters));
    }
  }

  async *dates(after: number): AsyncIterable<JournalRow> {
    for (let last = after; ;) {
      const page = await this.#ask<JournalRow>(DATES, last);
      yield* page;
      if (page.length < MAX_DATES) return;
      last = page.at(-1)!.seq;
    }
  }

  async bookings(to: number, most: number): Promise<JournalEntry[]> {
    const rows = await this.#ask<JournalEntry>(BOOKINGS, to - MAX_LOOKED_AT, to, most);
    return named(this.#em, rows.toReversed());
  }

  #ask<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
    return ask<Row>(this.#em, sql, [this.#propertyId, ...values]);
  }
}

async function ask<Row>(em: EntityManager, sql: string, values: unknown[]): Promise<Row[]> {
  return (await em.execute(sql, values)) as unknown as Row[];
}
