import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The common part of `dev.json` and `cluster.json`: the issuer, and its process. */
const running = z.object({
  issuer: z.string(),
  operatorToken: z.string(),
  pid: z.int().optional(),
  nodes: z.array(z.object({ pid: z.int() })).optional(),
});

/**
 * The issuer of the service or cluster that runs on a data directory; `undefined` where none runs. The file of a
 * killed one is ignored: the next start may have other ports.
 * @throws Error when it runs with an external issuer, whose tokens cannot be signed here
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
    // The process belongs to another user, so it exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
