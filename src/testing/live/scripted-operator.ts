import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { AlertAnswer } from '../../platform/coordination/contracts/alerts.ts';
import {
  FIGURE_SERIES,
  FIGURE_WINDOWS,
  type FigureWindow,
} from '../../platform/coordination/contracts/figure-series.ts';
import type { RetainedRequestAnswer } from '../../platform/coordination/contracts/retained-requests.ts';
import type { ActorAnswer } from '../../property-store/contracts/actor-answers.ts';
import { OPERATOR } from './scripted-cluster.ts';

/** What operators read and change besides the nodes; tests change it while a page polls. */
export type ScriptedOperator = {
  alerts: AlertAnswer[];
  requests: RetainedRequestAnswer[];
  tenants: { tenantId: string; name: string; status: string; createdAt: string }[];
  levels: Record<string, { configuredLevel: string | null; effectiveLevel: string }>;
};

const missing: never[] = [];

/** Answers of a quiet installation with two tenants, one alert, and a slow booking. */
export function serveOperator(fastify: FastifyInstance): ScriptedOperator {
  const operator = scripted();
  const guarded =
    (answer: (request: FastifyRequest) => unknown) =>
    (request: FastifyRequest, reply: FastifyReply): unknown =>
      request.headers.authorization === `Bearer ${OPERATOR}`
        ? answer(request)
        : reply.code(401).send({ detail: 'No.' });
  fastify.get(
    '/ops/metrics/series',
    guarded(({ query }) => seriesOf((query as { window: FigureWindow }).window)),
  );
  fastify.get(
    '/ops/alerts',
    guarded(() => ({ at: new Date().toISOString(), alerts: operator.alerts, missing })),
  );
  fastify.get(
    '/ops/alerts/:name',
    guarded(({ params }) => {
      const { name } = params as { name: string };
      return { name, text: `# ${name}\n\nEvents wait.\n\n## Do\n\n- See \`kafka\` of [health](x.md).\n` };
    }),
  );
  fastify.get(
    '/ops/requests',
    guarded(({ query }) => {
      const { route = '', tenantId } = query as { route?: string; tenantId?: string };
      const items = operator.requests.filter((one) => one.route.toLowerCase().includes(route.toLowerCase()));
      return { items: items.filter((one) => tenantId === undefined || one.tenantId === tenantId), missing };
    }),
  );
  fastify.get(
    '/ops/tenants',
    guarded(({ query }) => {
      const { q = '', limit = '50' } = query as { q?: string; limit?: string };
      const found = operator.tenants.filter(({ tenantId, name }) => `${tenantId} ${name}`.toLowerCase().includes(q));
      const items = found.slice(0, Number(limit));
      return { items, nextCursor: items.length < found.length ? 'more' : null };
    }),
  );
  fastify.post(
    '/ops/tenants',
    guarded(({ body }) => {
      const { tenantId, name } = body as { tenantId: string; name: string };
      operator.tenants.push({ tenantId, name, status: 'ACTIVE', createdAt: new Date().toISOString() });
      return {};
    }),
  );
  fastify.put(
    '/ops/tenants/:tenantId/status',
    guarded(({ params, body }) => {
      const { tenantId } = params as { tenantId: string };
      return Object.assign(
        operator.tenants.find((one) => one.tenantId === tenantId)!,
        body,
      );
    }),
  );
  const { resident: _resident, tail: _tail, missing: _missing, ...owned } = actor();
  fastify.get(
    '/ops/tenants/:tenantId/properties',
    guarded(() => ({ items: [owned] })),
  );
  fastify.get(
    '/ops/tenants/:tenantId/limits',
    guarded(() => ({
      items: [
        { name: 'TENANT_REQUESTS_PER_SECOND', limit: 2_000, setBy: 'INSTALLATION', used: 37 },
        { name: 'TENANT_SOCKETS', limit: null, setBy: 'INSTALLATION', used: null },
        { name: 'PROPERTY_PHOTOS', limit: 30, setBy: 'SERVICE', used: null },
      ],
    })),
  );
  fastify.get('/ops/tenants/:tenantId/properties/:propertyId/actor', guarded(actor));
  fastify.get(
    '/ops/tenants/:tenantId/properties/:propertyId/audit',
    guarded(() => ({ violations: [], oversold: [], cellsChecked: 2_193, seq: 41, money: { violationCount: 0 } })),
  );
  fastify.get(
    '/actuator/loggers',
    guarded(() => ({ levels: ['OFF', 'INFO', 'DEBUG'], loggers: operator.levels })),
  );
  fastify.post(
    '/actuator/loggers/:name',
    guarded(({ params, body }) => {
      Object.assign(operator.levels[(params as { name: string }).name]!, body);
      return {};
    }),
  );
  return operator;
}

function scripted(): ScriptedOperator {
  const at = new Date().toISOString();
  const tenant = (tenantId: string, name: string) => ({ tenantId, name, status: 'ACTIVE', createdAt: at });
  return {
    alerts: [
      {
        name: 'RelayBehind',
        severity: 'ticket',
        summary: 'Events wait for more than a minute.',
        state: 'QUIET',
        nodes: [],
      },
    ],
    requests: [
      request('r1', 'POST /api/v1/reservations', 'demo', 412),
      request('r2', 'GET /api/v1/rates/calendar', 'rival', 38),
    ],
    tenants: [tenant('demo', 'Demo Hotels'), tenant('rival', 'Rival Hotels')],
    levels: {
      ROOT: { configuredLevel: 'INFO', effectiveLevel: 'INFO' },
      relay: { configuredLevel: null, effectiveLevel: 'INFO' },
    },
  };
}

function request(id: string, route: string, tenantId: string, ms: number): RetainedRequestAnswer {
  const facts = { 'innkeeper.property': 'harbor-hotel', 'innkeeper.command': 'START_BOOKING' };
  return {
    id,
    nodeId: 'alder-0001',
    at: new Date().toISOString(),
    ms,
    failed: false,
    route,
    status: 200,
    requestId: `request-${id}`,
    tenantId,
    spans: [
      { id: 'a', name: route, startMs: 0, ms, facts: {} },
      { id: 'b', parent: 'a', name: 'reservation.create', startMs: 2, ms: ms - 4, facts: {} },
      { id: 'c', parent: 'b', name: 'lane commit', startMs: 5, ms: ms / 2, facts },
    ],
  };
}

function actor(): ActorAnswer {
  const at = new Date().toISOString();
  return {
    propertyId: 'harbor-hotel',
    name: 'Harbor Hotel',
    removed: false,
    ownerNode: 'alder-0001',
    epoch: 7,
    seq: 41,
    generation: 1,
    committedAt: at,
    resident: [
      {
        nodeId: 'alder-0001',
        epoch: 7,
        seq: 41,
        generation: 1,
        queued: 3,
        oldestWaitMs: 12.5,
        ring: 41,
        followers: 2,
        lastUsed: at,
        batches: [{ at, commands: 4, waitMs: 1, decideMs: 0.5, commitMs: 3.25 }],
      },
    ],
    tail: [{ seq: 41, at, command: 'CONFIRM_BOOKING', events: ['CONFIRMED'] }],
    missing: [],
  };
}

function seriesOf(window: FigureWindow) {
  const { seconds, step } = FIGURE_WINDOWS[window];
  const count = seconds / step;
  const series = Object.entries(FIGURE_SERIES).map(([name, { unit, alert, threshold }]) => ({
    name,
    unit,
    ...(alert !== undefined && { alert, threshold }),
    // Of the day, nothing is stored yet.
    values: Array.from({ length: count }, (_, at) => (window === 'day' ? null : 4 + (at % 5))),
  }));
  const from = new Date(Date.now() - seconds * 1_000).toISOString();
  return { from, stepSeconds: step, nodes: ['alder-0001', 'birch-0002'], series, missing };
}
