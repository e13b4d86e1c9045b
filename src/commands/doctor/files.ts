import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { diskSpace } from '../../../gateways/http/telemetry/health-board.ts';
import type { Environment } from '../../platform/config/environment.ts';
import { type Examined, type Examinee, fault, type Trouble, warning } from './check.ts';

/** Alert DiskSpaceLow warns at the same part (ops/runbook/DiskSpaceLow.md). */
const LOW_PART = 0.1;
/** Rights of others on a file. */
const OTHERS = 0o077;
const BYTES_PER_GB = 1e9;

/** Folders that the service writes to. */
const foldersOf = ({ DATA_DIR, CONTINGENCY_DIR }: Environment): [name: string, folder: string][] => [
  ['DATA_DIR', resolve(DATA_DIR)],
  ...(CONTINGENCY_DIR === undefined ? [] : [['CONTINGENCY_DIR', resolve(CONTINGENCY_DIR)] as [string, string]]),
];

/** The folder itself, or the nearest one above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Check `disk`: room on the disks of the folders that the service writes to. */
export async function examineDisk({ values }: Examinee): Promise<Examined> {
  const seen: string[] = [];
  const troubles: Trouble[] = [];
  for (const [name, folder] of foldersOf(values)) {
    const { status, details } = await diskSpace(existing(folder)).check();
    const { free, total } = details as { free: number; total: number };
    const text = `${(free / BYTES_PER_GB).toFixed(1)} of ${(total / BYTES_PER_GB).toFixed(1)} GB free for ${name}`;
    seen.push(text);
    if (status !== 'UP') troubles.push(fault(text, 'make room: the service is DOWN with so little'));
    else if (free < total * LOW_PART) troubles.push(warning(text, 'make room: ops/runbook/DiskSpaceLow.md'));
  }
  return { fine: seen.join(', '), troubles };
}

/** Check `permissions`: the folders can be written to, and others cannot read keys. */
export async function examinePermissions({ values }: Examinee): Promise<Examined> {
  const folders = foldersOf(values);
  const troubles = folders.flatMap(([name, folder]) => writeTrouble(name, folder) ?? []);
  const keys = [join(resolve(values.DATA_DIR), 'secrets.json'), values.CLUSTER_TLS_KEY];
  for (const file of keys) {
    if (file === undefined || !existsSync(file) || (statSync(file).mode & OTHERS) === 0) continue;
    troubles.push(warning(`other users may read ${file}`, `chmod 600 ${file}`));
  }
  return { fine: `${folders.map(([name]) => name).join(' and ')} can be written to`, troubles };
}

/** Writes and removes an empty folder: rights alone do not show a disk that is mounted read-only. */
function writeTrouble(name: string, folder: string): Trouble | undefined {
  try {
    const probe = mkdtempSync(join(existing(folder), '.innkeeper-doctor-'));
    rmSync(probe, { recursive: true });
    return undefined;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const next = `let the user of the service write there, or set ${name} to another folder`;
    return fault(`${name}: ${folder} cannot be written to (${code})`, next);
  }
}
