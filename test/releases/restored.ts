import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Launched } from '../blackbox/launched.ts';
import { Service } from '../blackbox/service.ts';
import { unpack } from './packed.ts';
import { databaseOf, type Expected, readExpected, setClock } from './release-data.ts';

/**
 * A service, not started yet, on a fresh data directory into which the product's own command has restored what a
 * release has left, at the moment of the recording.
 *
 * @throws Error when the restore fails
 */
export async function restored(
  release: string,
  env: Record<string, string> = {},
): Promise<{ service: Service; expected: Expected }> {
  const expected = readExpected(release);
  const service = await Service.prepare(env);
  const backup = mkdtempSync(join(tmpdir(), 'innkeeper-backup-'));
  try {
    chmodSync(backup, 0o755);
    unpack(databaseOf(release), backup);
    const { code, output } = await runOn(service, 'restore', ['--', '--from', backup]);
    if (code !== 0) throw new Error(output);
    await setClock(service, expected.now);
    return { service, expected };
  } catch (error) {
    await service.remove();
    throw error;
  } finally {
    rmSync(backup, { recursive: true, force: true });
  }
}

/** Runs an npm script on the data of a service: what it said, and how it ended. */
export async function runOn(
  service: Service,
  script: string,
  args: string[] = [],
): Promise<{ code: unknown; output: string }> {
  const env = { ...service.env, DATA_DIR: service.dataDir };
  const tool = new Launched(env, script, args, service.launchOptions);
  const code = await tool.exited;
  return { code, output: tool.output };
}
