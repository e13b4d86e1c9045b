import type { EntityManager } from '@mikro-orm/postgresql';

import { type Page, pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GuestId, TenantId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { daySql, DEPARTURE_SQL, ms, presentSql, ofTenant } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { appendAdministration } from '../../tenants/storage/administration-journal.ts';
import type {
  Changed,
  GuestBook,
  GuestFilter,
  Profile,
  ProfileChange,
  StatusEntry,
  StaysInShort,
  GuestDisclosure,
  JoinProfiles,
  DisclosedGuest,
} from '../ports.ts';
import { foldKey } from '../rules/guest-keys.ts';
import { NIGHTS_SLEPT, NIGHTS_STAYED, nightsOfSurvivor, survivorOf } from './loyalty-sql.ts';

/** Nights per guest read, or of all at once where a filter by nights matches few guests. */
const ONE_BY_ONE = `left join lateral (${nightsOfSurvivor('g.id')}) n on true`;
const ALL_AT_ONCE = `left join (${NIGHTS_STAYED} group by 1) n on n.guest_id = g.id`;

const PROFILE = `
  select ${presentSql(`json_build_object('guestId', g.id, 'firstName', g.first_name, 'lastName', g.last_name,
    'email', g.email, 'phone', g.phone, 'language', g.language, 'preferences', g.preferences, 'nights', coalesce(n.nights, 0),
    'consent', g.consent, 'version', g.version, 'merged', (
      select json_agg(json_build_object('guestId', m.id, 'firstName', m.first_name, 'lastName', m.last_name,
        'email', m.email, 'phone', m.phone, 'language', m.language, 'preferences', m.preferences, 'consent', m.consent,
        'mergedAt', ${ms('m.merged_at')}) order by m.merged_at, m.id)
      from guests m where ${ofTenant('m')} and m.merged_into = g.id),
    'createdAt', ${ms('g.created_at')}, 'updatedAt', ${ms('g.updated_at')})`)} as one
  from guests g`;
const ALIVE = `where ${ofTenant('g')} and g.deleted_at is null and g.merged_into is null`;

/** Found by the index of e-mail addresses: profiles that have one, and the surviving ones of those that were merged. */
const OF_EMAIL = `g.id in (select ${survivorOf('m')} from guests m where ${ofTenant('m')} and m.email_key = ?)`;

/** Ids of a guest, those of merged profiles included. */
const IDS = `guest_ids_v1(current_setting('innkeeper.tenant'), ?::uuid)`;

/** One array instead of rows from it: a cast within the comparison keeps row security from using the index. */
const NIGHTS = `
  select g.id as guest_id, n.nights
  from guests g cross join lateral (${nightsOfSurvivor(survivorOf('g'))}) n
  where ${ofTenant('g')} and g.id = any (?::uuid[])`;

const STAYS = `
  select coalesce(json_object_agg(status, n), '{}') as "byStatus",
    coalesce(sum(nights) filter (where status = 'CHECKED_OUT'), 0)::int as nights,
    min(first) filter (where status in ('CHECKED_IN', 'CHECKED_OUT')) as "firstArrival",
    max(last) filter (where status = 'CHECKED_OUT') as "lastDeparture"
  from (
    select status, count(*)::int as n, sum(${NIGHTS_SLEPT}) as nights, min(${daySql('check_in')}) as first,
      max(${daySql(DEPARTURE_SQL)}) as last
    from reservations r where ${ofTenant('r')} and r.guest_id = any (${IDS}) and r.deleted_at is null group by 1) as x`;

const OF_GUEST = `
  join reservations r on r.tenant_id = x.tenant_id and r.id = x.reservation_id
  where ${ofTenant('x')} and ${ofTenant('r')} and r.guest_id = any (${IDS})`;
const STATUSES = `
  select x.reservation_id as "reservationId", x.old_status as "oldStatus", x.new_status as "newStatus",
    ${ms('x.changed_at')}::float8 as at, x.changed_by as by, x.reason, x.notes
  from reservation_status_history x ${OF_GUEST} order by x.changed_at, x.id`;
const DISCLOSED = `
  select x.reservation_id as "reservationId", x.kind, x.channel, x.state, ${ms('x.at')}::float8 as at,
    ${ms('x.sent_at')}::float8 as "sentAt"
  from notifications x ${OF_GUEST} order by x.at, x.kind, x.channel`;

const CHANGE = 'select change_guest_v1(?, ?::uuid, ?::jsonb) as changed';
const LOCK = 'select lock_guests_v1(?, ?::uuid[]) as survivors';
const MERGE = 'select merge_guests_v1(?, ?::uuid, ?::uuid, ?::jsonb)';

const notFound = (): DomainError => new DomainError('GUEST_NOT_FOUND', 'The tenant has no such guest.');

/** Profiles from the tables, within one tenant. Ids grow with time, so the primary key gives the order of a list. */
export class StoredGuestBook implements GuestBook {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(
    tenantId: TenantId,
    filter: GuestFilter,
    since: Day,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<Profile>> {
    const { sql, values } = narrowed(filter);
    const joined = filter.nights ? ALL_AT_ONCE : ONE_BY_ONE;
    const behind = after ? 'and g.id < ?::uuid' : '';
    const rows = await this.#read<{ one: Profile }>(
      tenantId,
      `${PROFILE} ${joined} ${ALIVE} ${sql} ${behind} order by g.id desc limit ?`,
      [formatDay(since), ...values, ...(after ? [after.id] : []), limit + 1],
    );
    const profiles = rows.map(({ one }) => one);
    return pageOfRead(profiles, limit, ({ guestId }) => guestId);
  }

  async get(tenantId: TenantId, id: GuestId, since: Day): Promise<Profile | undefined> {
    if (!isUuid(id)) return undefined;
    const sql = `${PROFILE} ${ONE_BY_ONE} ${ALIVE} and g.id = (${IDS})[1]`;
    return (await this.#read<{ one: Profile }>(tenantId, sql, [formatDay(since), id]))[0]?.one;
  }

  async nightsOf(tenantId: TenantId, guestIds: readonly string[], since: Day): Promise<Map<string, number>> {
    const ids = [...new Set(guestIds)].filter(isUuid);
    if (ids.length === 0) return new Map();
    const values = [formatDay(since), `{${ids.join()}}`];
    const rows = await this.#read<{ guest_id: string; nights: number }>(tenantId, NIGHTS, values);
    return new Map(rows.map((row) => [row.guest_id, row.nights]));
  }

  async stays(tenantId: TenantId, id: GuestId): Promise<StaysInShort> {
    const [row] = await this.#read<{
      byStatus: Partial<Record<ReservationStatus, number>>;
      nights: number;
      firstArrival: Day | null;
      lastDeparture: Day | null;
    }>(tenantId, STAYS, [id]);
    const { byStatus, nights, firstArrival, lastDeparture } = row!;
    return { byStatus, nights, firstArrival: firstArrival ?? undefined, lastDeparture: lastDeparture ?? undefined };
  }

  async change<T>(
    by: By,
    id: GuestId,
    change: ProfileChange,
    disclose: (changed: Changed) => GuestDisclosure<T>,
    { key, ifVersion }: { key?: RequestKey; ifVersion?: number } = {},
  ): Promise<Done<T> | 'TAKEN'> {
    const { email, lastName } = change;
    const keys = { emailKey: email && foldKey(email), lastNameKey: lastName && foldKey(lastName) };
    const values = [by.tenantId, id, JSON.stringify({ ...change, ...keys, ifVersion })];
    const changing = async (em: EntityManager): Promise<T> => {
      const rows = await em.execute<{ changed: Changed | { stale: true } | null }[]>(CHANGE, values);
      const changed = rows[0]!.changed;
      if (!changed) throw notFound();
      if ('stale' in changed)
        throw new DomainError('STALE_VERSION', 'Somebody has changed the profile since you read it.');
      const { result, entry } = disclose(changed);
      await appendAdministration(em, by, entry);
      return result;
    };
    try {
      return await this.#database.inTenant(by.tenantId, (em) => onceUnderKey(em, by, key, () => changing(em)));
    } catch (error) {
      if ((error as { code?: string }).code === '23505') return 'TAKEN';
      throw error;
    }
  }

  async merge(
    by: By,
    { survivor, from, since }: { survivor: GuestId; from: GuestId; since: Day },
    join: JoinProfiles,
    key?: RequestKey,
  ): Promise<Done<{ guestId: GuestId }>> {
    const { tenantId } = by;
    if (![survivor, from].every(isUuid)) throw notFound();
    return this.#database.inTenant(tenantId, (em) =>
      onceUnderKey(em, by, key, async () => {
        const [locked] = await em.execute<{ survivors: string[] }[]>(LOCK, [tenantId, `{${survivor},${from}}`]);
        const [into, other] = locked!.survivors as [GuestId, GuestId];
        if (into === other) return { guestId: into };
        const [surviving, ended] = [await profileIn(em, survivor, since), await profileIn(em, from, since)];
        if (!surviving || !ended) throw notFound();
        if (into !== survivor || other !== from) throw mergedAlready([into, other]);
        const { taken, entries } = join(surviving, ended);
        await em.execute(MERGE, [tenantId, survivor, from, JSON.stringify(taken)]);
        for (const entry of entries) await appendAdministration(em, by, entry);
        return { guestId: survivor };
      }),
    );
  }

  async records(
    tenantId: TenantId,
    id: GuestId,
  ): Promise<{ statuses: StatusEntry[]; notifications: DisclosedGuest[] }> {
    const statuses = await this.#read<StatusEntry>(tenantId, STATUSES, [id]);
    return { statuses, notifications: await this.#read<DisclosedGuest>(tenantId, DISCLOSED, [id]) };
  }

  async #read<Row>(tenantId: TenantId, sql: string, values: unknown[]): Promise<Row[]> {
    const [rows] = await this.#database.readAtOnce(tenantId, [sql, ...values]);
    return rows as Row[];
  }
}

/** A profile that is not erased, under the lock of a merge; of a merged one that which survives. */
async function profileIn(em: EntityManager, id: GuestId, since: Day): Promise<Profile | undefined> {
  const sql = `${PROFILE} ${ONE_BY_ONE} ${ALIVE} and g.id = (${IDS})[1]`;
  return (await em.execute<{ one: Profile }[]>(sql, [formatDay(since), id]))[0]?.one;
}

function mergedAlready(into: readonly GuestId[]): DomainError {
  return new DomainError('GUEST_MERGED', `They were merged into other profiles: ${into.join(' and ')}.`);
}

/** A condition on a profile, or on one that was merged into it; `g` stands for both. */
function ofAny(sql: string, ...values: unknown[]): [sql: string, ...values: unknown[]] {
  const merged = sql.replaceAll('g.', 'm.');
  const either = `(${sql} or exists (select from guests m where ${ofTenant('m')} and m.merged_into = g.id and ${merged}))`;
  return [either, ...values, ...values];
}

/** Conditions in addition to {@link ALIVE}, with their values. */
function narrowed({ words = [], searchesEmail, email, phoneDigits, nights }: GuestFilter): {
  sql: string;
  values: unknown[];
} {
  const conditions: [sql: string, ...values: unknown[]][] = [];
  if (email !== undefined) conditions.push([OF_EMAIL, foldKey(email)]);
  if (phoneDigits !== undefined)
    conditions.push(ofAny(`strpos(regexp_replace(g.phone, '[^0-9]', '', 'g'), ?) > 0`, phoneDigits));
  const searched = ['g.first_name', 'g.last_name', ...(searchesEmail ? ['g.email'] : [])].join(', ');
  for (const word of words)
    conditions.push(ofAny(`strpos(lower(normalize(concat_ws(' ', ${searched}), NFKC)), ?) > 0`, foldKey(word)));
  if (nights) conditions.push(['coalesce(n.nights, 0) >= ?', nights.least]);
  if (nights?.below !== undefined) conditions.push(['coalesce(n.nights, 0) < ?', nights.below]);
  return {
    sql: conditions.map(([sql]) => `and ${sql}`).join(' '),
    values: conditions.flatMap(([, ...values]) => values),
  };
}
