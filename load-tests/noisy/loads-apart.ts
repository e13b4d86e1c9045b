import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Load, LoadReport } from '../client/pump.ts';
import { STRIP_TYPES } from '../runtime-command.ts';

const PROGRAM = fileURLToPath(new URL('loads-process.ts', import.meta.url));

/** Loads of one tenant, by name, and sockets that ask for one snapshot after the other. */
export type TenantLoads = {
  loads: Record<string, Load>;
  sockets?: SnapshotSockets;
  /** The client takes only the time of the processor that nobody else wants: it is not the client that is measured. */
  isLast?: boolean;
};

/** Live sockets that subscribe a property, and request its whole state again and again. */
export type SnapshotSockets = {
  liveUrl: string;
  token: string;
  tenantId: string;
  propertyIds: readonly string[];
  count: number;
  seconds: number;
};

export type TenantReport = { loads: Record<string, LoadReport>; frames: Record<string, number> };

/**
 * Runs all loads of a tenant in one process of their own.
 * @throws Error when it fails
 */
export function loadsApart(tenant: TenantLoads): Promise<TenantReport> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', STRIP_TYPES, PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`the load client ended with ${code}`));
    });
    child.stdin.end(JSON.stringify(tenant));
  });
}
