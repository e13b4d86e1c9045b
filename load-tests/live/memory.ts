import { readFileSync } from 'node:fs';

import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { change, PROTOCOLS, watchers } from './frames.ts';
import type { Goal } from './goals.ts';

const SOCKETS = 2_000;
const FEW = 20;
const MAX_MB = 60;
/** Observation time of the process's memory; the minimum counts. */
const LOOK_SECONDS = 8;

/** Makes each garbage collection a full one, in either runtime, so that only reachable memory remains. */
const NO_GARBAGE = {
  DENO_V8_FLAGS: '--gc-global',
  NODE_OPTIONS: `--import=data:text/javascript,import{setFlagsFromString}from'node:v8';setFlagsFromString('--gc-global')`,
};

/** Memory that 2,000 sockets of a property add to a service that has had only a few. */
export async function benchMemory(): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const protocol of PROTOCOLS) {
    const service = await Service.start({ ...NO_LIMITS, ...NO_GARBAGE });
    try {
      const property = await BlackboxProperty.open(service);
      // Loaded code stays in memory, and does not belong to a socket.
      const few = await watchers(service, property, protocol, FEW);
      await change(property, 2);
      few[Symbol.dispose]();
      const without = await leastMemory(service, property);
      using swarm = await watchers(service, property, protocol, SOCKETS);
      const withThem = await leastMemory(service, property);
      const { live } = await swarm.ask({ ask: 'report' });
      if (live !== SOCKETS) throw new Error(`${live} of ${SOCKETS} sockets are live`);
      const more = withThem - without;
      figuresText([
        { what: `${protocol}: memory with ${SOCKETS} sockets, and before`, value: `${withThem} MB, ${without} MB` },
      ]);
      if (protocol === 'ws') goals.push(goal(more));
      figuresText([{ what: `${protocol}: a socket`, value: `${Math.round((more * 1024) / SOCKETS)} KB` }]);
    } finally {
      await service.remove();
    }
  }
  return goals;
}

const goal = (value: number): Goal => ({
  what: `ws: memory of ${SOCKETS} sockets more than of none`,
  value,
  unit: 'MB' as const,
  atMost: MAX_MB,
});

/** Memory of the process without files, in MB, under a small load, because garbage is only collected then. */
async function leastMemory(service: Service, property: BlackboxProperty): Promise<number> {
  const { pid } = service.dev;
  let least = Infinity;
  for (let n = 0; n < LOOK_SECONDS; n++) {
    for (let quotes = 0; quotes < 50; quotes++) await property.quote();
    await pause(500);
    const kb = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    least = Math.min(least, Math.round(Number(kb) / 1024));
  }
  return least;
}
