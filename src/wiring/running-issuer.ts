import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What `dev.json` and `cluster.json` have in common, as far as it says who issues tokens and whether that runs. */
const running = z.object({
  issuer: z.string(),
  operatorToken: z.string(),
  pid: z.int().optional(),
  nodes: z.array(z.object({ pid: z.int() })).optional(),
});

/**
 * The issuer of the service or the cluster that runs on a data directory; `undefined` where none does. A file of one that
 * was killed says nothing: the next start may have other ports.
 * @throws Error when it runs with an issuer of its own, whose tokens nobody here can sign
 */
export function runningIssuer(dataDir: string): string | undefined {
  for (const name of ['dev.json', 'cluster.json']) {
    const found = running.safeParse(contentOf(join(dataDir, name))).data;
    const pids = found ? [found.pid ?? [], (found.nodes ?? []).map(({ pid }) => pid)].flat() : [];
    if (!found || !pids.some(isAlive)) continue;
    if (found.operatorToken === '') throw new Error(`the service takes tokens of ${found.issuer}: get them there`);
    return found.issuer;
  }
  return undefined;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user: it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
