import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { percentiles } from '../client/latencies.ts';
import { cpuMs } from '../first/cpu-time.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import type { Goal } from './goals.ts';
import { Swarm } from './swarm.ts';

export const SOCKETS = 1_000;
export const CHANGES_A_SECOND = 20;
const SECONDS = 20;
const WARM_SECONDS = 3;
const DAYS = 90;
const MAX_MS = 100;

export const PROTOCOLS = ['ws', 'socket.io'] as const;

/**
 * Time from commit to frame of every socket on one property, while its prices change; each protocol with a service of
 * its own.
 */
export async function benchFrames(): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const protocol of PROTOCOLS) {
    const service = await Service.start(NO_LIMITS);
    try {
      const property = await BlackboxProperty.open(service);
      using swarm = await watchers(service, property, protocol, SOCKETS);
      await change(property, WARM_SECONDS);
      await swarm.ask({ ask: 'report' });
      const { pid } = service.dev;
      const cpu = cpuMs(pid);
      const changes = await change(property, SECONDS);
      const used = (cpuMs(pid) - cpu) / SECONDS / 10;
      await pause(1_000);
      const { latencies, live, deltas, snapshots, gaps, lowest, highest } = await swarm.ask({ ask: 'report' });
      const { p50, p95, p99, max } = percentiles(latencies);
      figuresText([
        {
          what: `${protocol}: commit -> frame, ${SOCKETS} sockets, ${CHANGES_A_SECOND} changes/s`,
          value: `p50 ${p50} ms, p95 ${p95}, p99 ${p99}, max ${max}`,
        },
        {
          what: `${protocol}: frames`,
          value: `${deltas} of ${changes.length} changes, ${live} live at ${lowest} to ${highest}, ${snapshots} snapshots, ${gaps} gaps`,
        },
        { what: `${protocol}: CPU of the service, of a core`, value: `${Math.round(used)} %` },
      ]);
      const what = `${protocol}: commit -> frame p99, ${SOCKETS} sockets, ${CHANGES_A_SECOND} changes/s`;
      goals.push({ what, value: deltas === 0 ? NaN : p99, unit: 'ms', atMost: MAX_MS });
    } finally {
      await service.remove();
    }
  }
  return goals;
}

/** Sockets that follow a property, as MANAGER. */
export function watchers(
  service: Service,
  property: BlackboxProperty,
  protocol: (typeof PROTOCOLS)[number],
  sockets: number,
  metersOnly = true,
): Promise<Swarm> {
  return Swarm.open({
    metersOnly,
    liveUrl: service.dev.liveUrl,
    token: service.token('demo', 'MANAGER'),
    tenantId: 'demo',
    plain: protocol === 'ws' ? sockets : 0,
    socketIo: protocol === 'ws' ? 0 : sockets,
    wanted: {
      propertyId: property.propertyId,
      topics: ['grid', 'feed', 'kpi', 'rooms'],
      window: { start: property.day(0), days: DAYS },
    },
  });
}

/** A change, the time of its request, and its number in the sequence of the property. */
export type Changed = { roomType: string; date: string; rate: number; askedAt: number; seq: number };

/** One commit a change: the price of one night. On schedule, whether the one before is answered or not. */
export async function change(property: BlackboxProperty, seconds: number): Promise<Changed[]> {
  const began = performance.now();
  const changes: Promise<Changed>[] = [];
  for (let n = 0; n < seconds * CHANGES_A_SECOND; n++) {
    await pause(Math.max(0, began + (1_000 * n) / CHANGES_A_SECOND - performance.now()));
    changes.push(changeOne(property, n % DAYS, 100 + (n % 97)));
  }
  return Promise.all(changes);
}

async function changeOne(property: BlackboxProperty, night: number, rate: number): Promise<Changed> {
  const askedAt = Date.now();
  const { headers } = must(await property.price('DLX', night, 1, rate), 200);
  return { roomType: 'DLX', date: property.day(night), rate, askedAt, seq: Number(headers['x-property-seq']) };
}
