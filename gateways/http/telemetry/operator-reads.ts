import { readFile } from 'node:fs/promises';

import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import {
  combined,
  FIGURE_SERIES,
  FIGURE_WINDOWS,
  type FigurePoint,
  type SeriesQuery,
} from '../../../src/platform/coordination/contracts/figure-series.ts';
import type { RequestsQuery } from '../../../src/platform/coordination/contracts/retained-requests.ts';
import type { MissingNode, NodeLooks, RetainedRequest } from '../../../src/platform/coordination/ports.ts';
import { ALERT_RULES } from './alert-rules.ts';
import type { AlertWatch, NodeAlerts } from './alert-watch.ts';
import type { StoredFigures } from './node-figures.ts';

/** Requests of one answer. */
const MAX_REQUESTS = 200;

const RUNBOOK = new URL('../../../ops/runbook/', import.meta.url);

type Parts = {
  looks: NodeLooks;
  rows: Pick<StoredFigures, 'since'>;
  watch(): Pick<AlertWatch, 'overAll'> | undefined;
  now(): Instant;
};

/** What operators read about all nodes, from any of them. */
export class OperatorReads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Figures over time: of the hour from the memory of the nodes, of the day from the database. */
  async series({ window, nodeId }: SeriesQuery) {
    const now = this.#parts.now();
    const { points, missing } = window === 'hour' ? await this.#ofHour() : await this.#ofDay(now, nodeId);
    const chosen = [...points].filter(([of]) => nodeId === undefined || of === nodeId);
    const { from, values } = combined(
      chosen.map(([, own]) => own),
      window,
      now,
    );
    const series = Object.entries(FIGURE_SERIES).map(([name, { unit, alert, threshold }]) => ({
      name,
      unit,
      ...(alert !== undefined && { alert, threshold }),
      values: values[name]!,
    }));
    return {
      from,
      stepSeconds: FIGURE_WINDOWS[window].step,
      nodes: chosen.map(([of]) => of).toSorted(),
      series,
      missing,
    };
  }

  /** Slow and failed requests of the last hour, slowest first. */
  async requests({ route, tenantId, nodeId }: RequestsQuery) {
    const { answers, missing } = await this.#parts.looks.all<RetainedRequest[]>('requests');
    const part = route?.toLowerCase();
    const items = answers
      .flatMap(({ nodeId: of, answer }) => answer.map((request) => retainedRequest(of, request)))
      .filter((request) => nodeId === undefined || request.nodeId === nodeId)
      .filter((request) => tenantId === undefined || request.tenantId === tenantId)
      .filter((request) => part === undefined || request.route.toLowerCase().includes(part))
      .toSorted((a, b) => b.ms - a.ms);
    return { items: items.slice(0, MAX_REQUESTS), missing };
  }

  /** Every alert by the figures of the nodes: those that fire first, then those that are pending. */
  async alerts() {
    const { answers, missing } = await this.#parts.looks.all<NodeAlerts>('alerts');
    const now = this.#parts.now();
    const since = (held: readonly { heldMs: number }[]): Instant =>
      now - Math.max(...held.map(({ heldMs }) => heldMs));
    const seen = answers.map(({ answer }) => answer);
    const overAll = this.#parts.watch()?.overAll(seen, missing.length) ?? {};
    const alerts = ALERT_RULES.map(({ name, severity, summary, limits }) => {
      const nodes = seen.filter(({ holding }) => name in holding);
      const held = [...nodes.map(({ holding }) => holding[name]!), ...(overAll[name] ? [overAll[name]] : [])];
      const isFiring = held.some(({ state }) => state === 'FIRING');
      return {
        name,
        severity,
        summary,
        state: isFiring ? ('FIRING' as const) : held.length > 0 ? ('PENDING' as const) : ('QUIET' as const),
        ...(held.length > 0 && { since: since(held) }),
        nodes: nodes.map(({ nodeId }) => nodeId),
        ...(limits !== undefined && { limits }),
      };
    });
    const order = ['FIRING', 'PENDING', 'QUIET'];
    return { at: now, alerts: alerts.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state)), missing };
  }

  /** The page of an alert; `undefined` when there is no such alert. */
  async runbook(name: string): Promise<{ name: string; text: string } | undefined> {
    if (!ALERT_RULES.some((rule) => rule.name === name)) return undefined;
    return { name, text: await readFile(new URL(`${name}.md`, RUNBOOK), 'utf8') };
  }

  async #ofHour(): Promise<Points> {
    const { answers, missing } = await this.#parts.looks.all<readonly FigurePoint[]>('figures');
    return { points: new Map(answers.map(({ nodeId, answer }) => [nodeId, answer])), missing };
  }

  async #ofDay(now: Instant, nodeId: string | undefined): Promise<Points> {
    const points = await this.#parts.rows.since(now - FIGURE_WINDOWS.day.seconds * 1_000, nodeId);
    return { points, missing: [] };
  }
}

type Points = { points: ReadonlyMap<string, readonly FigurePoint[]>; missing: MissingNode[] };

/** What a request says of itself is in the facts of its first span. */
function retainedRequest(nodeId: string, { spans, ...rest }: RetainedRequest) {
  const facts = spans[0]?.facts ?? {};
  const { 'http.response.status_code': status, 'innkeeper.request': requestId, 'innkeeper.tenant': tenantId } = facts;
  return {
    ...rest,
    nodeId,
    route: spans[0]?.name ?? '',
    ...(typeof status === 'number' && { status }),
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof tenantId === 'string' && { tenantId }),
    spans: spans.map((span) => ({ ...span, facts: { ...span.facts } })),
  };
}
