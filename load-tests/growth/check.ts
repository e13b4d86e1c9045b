import type { NodeCosts } from './cluster.ts';
import { forwardedShare } from './model.ts';

/** A figure of some nodes: as calculated from one node and three, and as measured. */
export type Checked = { what: string; unit: 'us' | 'bookings a second'; calculated: number; measured: number };

/** Nodes that the calculation starts from. */
const [FEW, MANY] = [1, 3];

/**
 * What a forwarded booking and a forwarded quote cost beyond one at the owner, in microseconds; `undefined` without one
 * node and three.
 */
export function hopOf(costs: readonly NodeCosts[]): { service: number; postgres: number; quote: number } | undefined {
  const [one, many] = [FEW, MANY].map((nodes) => costs.find((all) => all.nodes === nodes));
  if (one === undefined || many === undefined) return undefined;
  const each = (read: (costs: NodeCosts) => number): number =>
    Math.max(0, read(many) - read(one)) / forwardedShare(MANY);
  return {
    service: each(({ booking }) => booking.service),
    postgres: each(({ booking }) => booking.postgres),
    quote: each(({ quote }) => quote.service),
  };
}

/**
 * Costs and rate of two nodes, calculated from those of one and of three by the share of requests that are forwarded,
 * beside what was measured. Empty where one of the three is missing.
 */
export function checkedNodes(costs: readonly NodeCosts[]): Checked[] {
  const [one, many] = [FEW, MANY].map((nodes) => costs.find((all) => all.nodes === nodes));
  const two = costs.find(({ nodes }) => nodes === 2);
  if (one === undefined || many === undefined || two === undefined) return [];
  const between = (read: (costs: NodeCosts) => number): number =>
    read(one) + ((read(many) - read(one)) * forwardedShare(2)) / forwardedShare(MANY);
  const all = ({ closed: { service, postgres, redis, client } }: NodeCosts): number =>
    service + postgres + redis + client;
  const cores = (one.closed.cores + many.closed.cores) / 2;
  const figure = (what: string, read: (costs: NodeCosts) => number): Checked => ({
    what,
    unit: 'us',
    calculated: between(read),
    measured: read(two),
  });
  return [
    figure('CPU of a booking, both nodes', ({ booking }) => booking.service),
    figure('CPU of a quote, both nodes', ({ quote }) => quote.service),
    figure('CPU of a booking, PostgreSQL', ({ booking }) => booking.postgres),
    figure('CPU of a booking, Redis', ({ booking }) => booking.redis),
    figure('CPU of a booking at full speed, all together', all),
    {
      what: 'bookings at full speed on this machine',
      unit: 'bookings a second',
      calculated: (1e6 * cores) / between(all),
      measured: two.closed.perSecond,
    },
  ];
}
