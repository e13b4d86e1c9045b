import type { FastifyInstance } from 'fastify';

import { nodeOf, SHARDS } from '../../kernel/rules/placement.ts';
import type { ClusterAnswer, NodeAnswer } from '../../platform/coordination/contracts/cluster-report.ts';

/** The operator's token here. */
export const OPERATOR = 'the-operator';

/** Answer of `GET /ops/cluster`; tests change it while a page polls. */
export type ScriptedCluster = {
  answer: ClusterAnswer;
  /** Status instead of the answer, such as 503. */
  status: number;
  asked: number;
};

/** Three nodes with their shards, one of which took over from a fourth. */
export function serveCluster(fastify: FastifyInstance): ScriptedCluster {
  const ids = ['alder-0001', 'birch-0002', 'cedar-0003'];
  const reports = ids.map((nodeId, index) => scriptedNode(nodeId, ids, index));
  const cluster = { answer: { at: new Date().toISOString(), reports, missing: [] }, status: 200, asked: 0 };
  fastify.get('/ops/cluster', (request, reply) => {
    cluster.asked += 1;
    const token = request.headers.authorization?.slice('Bearer '.length);
    const status = token === OPERATOR ? cluster.status : token === 'demo:OWNER' ? 403 : 401;
    return reply.code(status).send(status === 200 ? cluster.answer : { code: 'REFUSED', detail: 'Not now.' });
  });
  return cluster;
}

/** The shards that a node has among others. */
export function shardsOf(nodeId: string, nodeIds: readonly string[]): number[] {
  return Array.from({ length: SHARDS }, (_, shard) => shard).filter((shard) => nodeOf(shard, nodeIds) === nodeId);
}

function scriptedNode(nodeId: string, nodeIds: readonly string[], index: number): NodeAnswer {
  const at = new Date(Date.now() - 90_000).toISOString();
  return {
    nodeId,
    address: `10.0.0.${index + 1}:7000`,
    role: 'all',
    build: '0.1.0',
    runtime: 'Deno 2.9.6',
    startedAt: at,
    uptimeSeconds: 90 + index,
    status: 'UP',
    components: { db: 'UP', kafka: 'UP', redis: 'UP', paymentService: index === 1 ? 'DOWN' : 'UP', sms: 'UNKNOWN' },
    breakers: index === 0 ? {} : { paymentService: index === 1 ? 'HALF_OPEN' : 'CLOSED', mail: 'CLOSED' },
    lease: { held: true, ageSeconds: 0.4 },
    view: { version: 12, members: nodeIds.length },
    shards: shardsOf(nodeId, nodeIds),
    actors: { awake: 120 + index, queuedCommands: index, queuedBatches: 0 },
    live: { connections: 40, properties: 12 },
    relay: { lag: index * 3, oldestAgeSeconds: index, sent: 1_000, stopped: 0 },
    jobs: { 'yield-optimization': 1, 'daily-check': 0 },
    ...(index < 2 && { rounds: [{ name: 'daily-check', ageSeconds: 12, everyMs: 60_000, late: false }] }),
    links: { calls: 1_234, failures: 1 },
    memory: { rssBytes: 210 * 1_048_576, heapUsedBytes: 90 * 1_048_576 },
    eventLoopDelayMs: 7.4,
    takeOvers: index === 0 ? [{ nodeId: 'dogwood-0004', at, why: 'its lease ran out' }] : [],
  };
}
