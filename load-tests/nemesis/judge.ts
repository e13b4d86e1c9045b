import { spawn } from 'node:child_process';

import { nodeCommand } from '../../src/platform/launch/runtimes.mjs';
import type { HttpClient } from '../client/http.ts';
import { callUntilDecided } from '../client/retry.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { SmallProperty } from '../cluster/properties.ts';
import { bookedIn, check } from './checker.ts';
import type { DashboardReport, Dashboards } from './dashboards.ts';
import { evidenceOf } from './evidence.ts';
import type { History } from './history.ts';
import { type Outage, outagesOf, type Share, shareOf, type Struck } from './outages.ts';

export type Findings = {
  share: Share;
  outages: Outage[];
  /** Broken promises (ARCHITECTURE.md#what-we-promise). */
  violations: string[];
  /** Acknowledgements without their effect. */
  lost: string[];
  oversold: number;
  journalRows: number;
  /** Findings of the service's own audits. */
  audits: string[];
  chain: string;
  dashboards: DashboardReport;
  strange: string[];
  /** Failures of the run itself, such as a node that did not come back. */
  failures: string[];
};

export type Case = {
  world: ClusterWorld;
  properties: readonly SmallProperty[];
  history: History;
  dashboards: Dashboards;
  struck: readonly Struck[];
  failures: string[];
  admin: HttpClient;
};

/** Checks everything after the run. */
export async function judge(of: Case): Promise<Findings> {
  const { world, properties, history, dashboards, struck, failures, admin } = of;
  const { operations, strange } = history;
  const audits = await auditAll(world, properties, admin);
  const outcomes: ReturnType<typeof check>[] = [];
  const booked = new Map<string, string[]>();
  const byProperty = Map.groupBy(operations, ({ property }) => property);
  for (const property of properties) {
    const evidence = await evidenceOf(world, property.propertyId);
    booked.set(property.propertyId, bookedIn(evidence.journal));
    outcomes.push(check(property, byProperty.get(property.propertyId) ?? [], evidence));
  }
  return {
    share: shareOf(operations, struck),
    outages: outagesOf(struck, operations),
    audits,
    strange,
    failures,
    violations: outcomes.flatMap((one) => one.violations),
    lost: outcomes.flatMap((one) => one.lost),
    oversold: outcomes.reduce((sum, one) => sum + one.oversold, 0),
    journalRows: outcomes.reduce((sum, one) => sum + one.journalRows, 0),
    dashboards: await dashboards.compare(booked),
    chain: await verifyChain(world),
  };
}

/** `/admin/audit/{propertyId}`, read from the nodes, round-robin. */
async function auditAll(
  world: ClusterWorld,
  properties: readonly SmallProperty[],
  admin: HttpClient,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [n, { propertyId }] of properties.entries()) {
    const node = world.nodes[n % world.nodes.length]!;
    const url = `${node.url('RESERVATION')}/api/v1/admin/audit/${propertyId}`;
    // A GET ignores the key; it only marks the call as safe to repeat.
    const call = { method: 'GET', url, headers: { 'idempotency-key': propertyId } };
    const { status, text } = await callUntilDecided(admin, call, () => undefined);
    const { violations = [], oversold = [] } = status === 200 ? (JSON.parse(text) as Record<string, unknown[]>) : {};
    if (status !== 200) wrong.push(`${propertyId}: ${status} ${text.slice(0, 300)}`);
    for (const one of [...violations, ...oversold]) wrong.push(`${propertyId}: ${JSON.stringify(one)}`);
  }
  return wrong;
}

/** `npm run audit:verify`. @returns an empty text when every chain is valid, else its output */
async function verifyChain(world: ClusterWorld): Promise<string> {
  const [program, ...args] = nodeCommand('src/commands/verify-audit.ts');
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: world.folder, DATABASE_URL: world.database.url };
  const child = spawn(program!, args, {
    env: { ...env, SECRET_KEYS: world.secretKeys },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return code === 0 ? '' : said.trim().slice(-500);
}
