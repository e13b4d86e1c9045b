import type { EntityManager } from '@mikro-orm/postgresql';

import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId, TenantId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { StoredMetadata } from '../../platform/database/entities/properties.ts';
import { presentMembers } from '../../platform/database/row-values.ts';
import { DEFAULT_POLICIES } from '../../properties/rules/property.ts';
import type { CompetitorRate, MarketNight } from '../../rates/rules/competitor-rate.ts';
import type { CompetitorRates, DueBy, DueProperty, SourceOverview, UsualRate } from '../ports.ts';
import * as sql from './competitor-sql.ts';

/** A year of a large property in one statement would take a second. */
const NIGHTS_AT_ONCE = 31;

type DueRow = {
  propertyId: PropertyId;
  metadata: StoredMetadata;
  roomTypes: string[];
  dynamic: boolean;
  sources: string[];
};

/** Competitor rates in PostgreSQL, within their tenant. */
export function databaseCompetitorRates(database: Database): CompetitorRates {
  const ask = <Row>(tenantId: TenantId, text: string, values: unknown[]): Promise<Row[]> =>
    database.readTenant(tenantId, async (em) => (await em.execute(text, values)) as unknown as Row[]);
  const write = (tenantId: TenantId, work: (em: EntityManager) => Promise<unknown>): Promise<unknown> =>
    database.inTenant(tenantId, work);
  return {
    async due(tenantId, sources, by, after = '') {
      const rows = await ask<DueRow>(tenantId, sql.DUE_PROPERTIES, [JSON.stringify(sources), ...times(by), after]);
      return rows.map((row) => propertyOf(tenantId, row));
    },
    async countDue(tenantId, sources, by) {
      const rows = await ask<{ n: number }>(tenantId, sql.COUNT_DUE, [JSON.stringify(sources), ...times(by)]);
      return rows[0]!.n;
    },
    async replace({ tenantId, propertyId }, { source, at, nextSync }, { start, end, rates, leftOut }) {
      const byMonth = Map.groupBy(rates, ({ day }) => Math.floor((day - start) / NIGHTS_AT_ONCE));
      await write(tenantId, async (em) => {
        for (let from = start, month = 0; from <= end; from += NIGHTS_AT_ONCE, month++) {
          const given = JSON.stringify((byMonth.get(month) ?? []).map(compact));
          const last = Math.min(from + NIGHTS_AT_ONCE - 1, end);
          await em.execute(sql.REPLACE, [given, propertyId, source, from, last, propertyId, source]);
        }
        const values = [propertyId, source, at, at, nextSync, rates.length, JSON.stringify(leftOut)];
        await em.execute(sql.SUCCEEDED, values);
      });
    },
    async fail({ tenantId, propertyId }, { source, at, nextSync }, error) {
      await write(tenantId, (em) => em.execute(sql.FAILED, [propertyId, source, at, nextSync, error]));
    },
    async add({ tenantId, propertyId }, source, rates) {
      const given = JSON.stringify(rates.map(compact));
      await write(tenantId, (em) => em.execute(sql.ADD_SOURCE, [given, propertyId, source]));
    },
    async forget({ tenantId, propertyId }, today, sources) {
      const known = JSON.stringify(sources);
      await write(tenantId, async (em) => {
        await em.execute(sql.FORGET_RATES, [propertyId, today, known]);
        await em.execute(sql.FORGET_SOURCES, [propertyId, known]);
      });
    },
    async forgetDeleted(tenantId) {
      await write(tenantId, (em) => em.execute(sql.FORGET_DELETED));
    },
    async overview(tenantId, sources) {
      const rows = await ask<SourceRow>(tenantId, sql.OVERVIEW, [JSON.stringify(sources)]);
      return rows.map(presentMembers);
    },
    market: ({ tenantId, propertyId }: Address, start: Day, end: Day) =>
      ask<MarketNight>(tenantId, sql.MARKET, [propertyId, start, end, propertyId]),
    rates: ({ tenantId, propertyId }, { roomType, start, end, currency }) =>
      ask(tenantId, sql.RATES, [propertyId, roomType, start, end, currency]),
    usualRates: ({ tenantId, propertyId }: Address, today: Day) =>
      ask<UsualRate>(tenantId, sql.USUAL_RATES, [propertyId, today]),
  };
}

const times = ({ now, since }: DueBy): (number | null)[] => [now, since ?? null];

function propertyOf(tenantId: TenantId, { propertyId, metadata, ...due }: DueRow): DueProperty {
  const { currency, timezone, policies } = metadata;
  const { nightAuditHour } = { ...DEFAULT_POLICIES, ...policies };
  return { to: { tenantId, propertyId }, currency, clock: { timezone, nightAuditHour }, ...due };
}

/** One-letter members: a year of nights has some thousand rows. */
function compact({ competitorId: c, roomType: r, day: d, rate: p, currency: u, observedAt: o }: CompetitorRate) {
  return { c, r, d, p, u, o };
}

/** Null for absent members. */
type SourceRow = { [K in keyof SourceOverview]-?: SourceOverview[K] | null };
