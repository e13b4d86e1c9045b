import type { EntityManager } from '@mikro-orm/postgresql';

import {
  ABOUT_SEVERAL,
  type AuditFilter,
  type AuditPosition,
  type AuditRow,
  commandsAbout,
} from '../../kernel/rules/audit.ts';
import type { Facts } from '../../kernel/rules/journal.ts';
import { type Instant, formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { WorkQueue } from '../../platform/database/work-queue.ts';
import type { AuditTrailReader } from '../ports.ts';

/** Connections of the cold pool that read trails at once, and queued requests. */
const READERS = 2;
const MAX_WAITING = 32;

/** First time range, growth factor of the next ones, and the last bounded range. */
const FIRST_STRETCH_MS = 60_000;
const LONGER = 4;
const LAST_STRETCH_MS = 400 * 86_400_000;
/** A page ends after this time even when it is not full. */
const MAX_MS = 3_000;

/** Facts of at least this size are read row by row, and trimmed before the next. */
const LARGE_CHARACTERS = 16_384;
/** Members of one list of facts: a change of base rates has thousands of nights. */
const MAX_MEMBERS = 100;

const TENANT = `tenant_id = current_setting('innkeeper.tenant')`;
const COMMON = `${ms('at')}::float8 as at, seq, subject, request_id as "requestId", hash`;
const stretchOf = (table: string, source: string, columns: string, more: string): string => `
  select ${source} as source, ${COMMON}, ${columns} from ${table} as x
  where ${TENANT} and at >= ? and at <= ? and (at, ${source} collate "C", seq) < (?, ?, ?) ${more}
  order by x.at desc, ${source} collate "C" desc, seq desc limit ?`;

const PROPERTY = `type as action, null as kind, entity as "entityId",
  case when octet_length(facts::text) <= ${LARGE_CHARACTERS} then facts end as facts, null::json as before, null::json as after`;
const ADMINISTRATION = `action, entity as kind, entity_id as "entityId", null::json as facts, before, after`;

const FACTS = `select facts from journal where ${TENANT} and property_id = ? and seq = ? and at = ?`;

type Found = AuditPosition & {
  action: string;
  kind: string | null;
  facts: Facts | null;
  before: unknown;
  after: unknown;
} & Record<'subject' | 'requestId' | 'entityId' | 'hash', string>;

/**
 * The trail in PostgreSQL. Journals are ordered by property and number, not by time; rows that are close in time are
 * close on disk, so the trail is read backwards in ranges of time, each longer than the one before, until a page is
 * full.
 */
export function databaseAuditTrail(database: Database): AuditTrailReader {
  const turns = new WorkQueue(READERS, MAX_WAITING);
  return (tenantId, filter, limit, now, after) =>
    turns.take(() =>
      database.readTenant(tenantId, async (em) => {
        const newest = Math.min(filter.to ?? Infinity, after?.at ?? now);
        const page = await found(em, filter, limit, newest, after);
        const rows: AuditRow[] = [];
        for (const one of page.rows) rows.push(await rowOf(em, one));
        return { rows, next: page.next };
      }),
    );
}

async function found(
  em: EntityManager,
  filter: AuditFilter,
  limit: number,
  newest: Instant,
  after: AuditPosition | undefined,
): Promise<{ rows: Found[]; next?: AuditPosition }> {
  const oldest = filter.from ?? 0;
  const began = performance.now();
  const rows: Found[] = [];
  let to = newest;
  let length = FIRST_STRETCH_MS;
  let behind = after ?? { at: newest + 1, source: '', seq: 0 };
  for (;;) {
    const from = length > LAST_STRETCH_MS ? oldest : Math.max(oldest, to - length);
    const wanted = limit - rows.length;
    // One row more than requested shows whether there is a next page.
    const more = await stretch(em, filter, { from, to, behind }, wanted + 1);
    rows.push(...more.slice(0, wanted));
    if (more.length > wanted) return { rows, next: positionOf(rows.at(-1)!) };
    if (from <= oldest) return { rows };
    [to, length, behind] = [from - 1, length * LONGER, { at: from, source: '', seq: 0 }];
    if (performance.now() - began > MAX_MS) return { rows, next: behind };
  }
}

const positionOf = ({ at, source, seq }: Found): AuditPosition => ({ at, source, seq });

type Stretch = { from: Instant; to: Instant; behind: AuditPosition };

async function stretch(
  em: EntityManager,
  { entity, subject, propertyId, action }: AuditFilter,
  { from, to, behind }: Stretch,
  most: number,
): Promise<Found[]> {
  const when = [formatInstant(from), formatInstant(to), formatInstant(behind.at), behind.source, behind.seq];
  const who = subject === undefined ? [] : [subject];
  const bySubject = subject === undefined ? '' : 'and subject = ?';
  const done = action === undefined ? [] : [action];
  const where = propertyId === undefined ? [] : [propertyId];
  const isHere = propertyId === undefined ? '' : 'and property_id = ?';
  // A thing of a property has an id below that of the property.
  const isAboutHere = propertyId === undefined ? '' : `and (entity_id = ? or starts_with(entity_id, ? || '/'))`;
  const types = entity === undefined ? [] : commandsAbout(entity);
  // Of a row about several reservations one is the entity, and the others are named in the facts.
  const named = entity !== undefined && isUuid(entity) ? [...ABOUT_SEVERAL, `%"${entity}"%`] : [];
  const isAbout = [
    'entity = ?',
    ...(types.length > 0 ? [`type in (${marksFor(types)})`] : []),
    ...(named.length > 0 ? [`type in (${marksFor(ABOUT_SEVERAL)}) and facts::text like ?`] : []),
  ];
  const ofProperty = entity === undefined ? '' : `and (${isAbout.join(' or ')})`;
  const ofTenant = entity === undefined ? '' : 'and (entity_id = ? or lower(entity) = lower(?))';
  const which = entity === undefined ? [] : [entity];
  const sql = `
    select * from (
    (${stretchOf('journal', 'property_id', PROPERTY, `${bySubject} ${action === undefined ? '' : 'and type = ?'} ${isHere} ${ofProperty}`)})
    union all
    (${stretchOf('administration_journal', `''::varchar`, ADMINISTRATION, `${bySubject} ${action === undefined ? '' : 'and action = ?'} ${isAboutHere} ${ofTenant}`)})
    ) as u order by at desc, source collate "C" desc, seq desc limit ?`;
  return em.execute<Found[]>(sql, [
    ...when,
    ...who,
    ...done,
    ...where,
    ...which,
    ...types,
    ...named,
    most,
    ...when,
    ...who,
    ...done,
    ...where,
    ...where,
    ...which,
    ...which,
    most,
    most,
  ]);
}

const marksFor = (values: readonly unknown[]): string => values.map(() => '?').join();

async function rowOf(em: EntityManager, { kind, facts, before, after, action, ...found }: Found): Promise<AuditRow> {
  const { at, source, seq, subject, requestId, entityId, hash } = found;
  const row = { at, source, seq, subject, requestId, entityId, hash };
  if (kind !== null) return { ...row, action, entity: kind, before, after };
  const whole =
    facts ?? (await em.execute<{ facts: Facts }[]>(FACTS, [source, seq, formatInstant(at)]))[0]?.facts ?? {};
  return { ...row, action, facts: trimmed(whole) } as AuditRow;
}

/** Truncates long lists and counts the missing members under `more`. */
function trimmed(facts: Facts): Facts & { more?: Record<string, number> } {
  const more: Record<string, number> = {};
  const cut = <T>(name: string, list: T[]): T[] => {
    if (list.length > MAX_MEMBERS) more[name] = list.length - MAX_MEMBERS;
    return list.slice(0, MAX_MEMBERS);
  };
  const next: Facts & { more?: Record<string, number> } = { ...facts };
  if (facts.cells) next.cells = cut('cells', facts.cells);
  if (facts.bookings) next.bookings = cut('bookings', facts.bookings);
  if (facts.holds) next.holds = cut('holds', facts.holds);
  if (facts.setup)
    next.setup = cut('setup', facts.setup).map((one) => ({
      ...one,
      ...(one.before !== undefined && { before: Array.isArray(one.before) ? cut('before', one.before) : one.before }),
      after: Array.isArray(one.after) ? cut(one.kind, one.after) : one.after,
    }));
  if (facts.rates) next.rates = { ...facts.rates, nights: cut('rates', facts.rates.nights) };
  if (facts.foreign) next.foreign = { ...facts.foreign, nights: cut('rates', facts.foreign.nights) };
  if (Object.keys(more).length > 0) next.more = more;
  return next;
}
