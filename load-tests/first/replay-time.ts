import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Service } from '../../test/blackbox/service.ts';
import { RESORT_FILE } from '../replay/resort-file.ts';
import type { Summary } from '../replay/summary.ts';
import { STRIP_TYPES } from '../runtime-command.ts';
import { figuresText } from './figures.ts';

const PROGRAM = fileURLToPath(new URL('../replay.ts', import.meta.url));
const LONGEST_MS = 900_000;

/** All real bookings on a fresh installation with its ordinary limits (under 3 minutes is promised). */
export async function benchReplay(): Promise<void> {
  const file = RESORT_FILE;
  if (!existsSync(file)) {
    figuresText([{ what: 'replay', value: 'not measured: BOOKINGS names no file' }]);
    return;
  }
  const service = await Service.start();
  try {
    const dev = join(service.dataDir, 'dev.json');
    const args = [
      '--import',
      STRIP_TYPES,
      PROGRAM,
      '--file',
      file,
      '--property',
      'replayed',
      '--url-file',
      dev,
      '--json',
    ];
    const options = { timeout: LONGEST_MS, maxBuffer: 10_000_000 };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    const { accepted, seconds, requestsPerSecond, milliseconds, audit }: Summary = JSON.parse(stdout);
    figuresText([
      {
        what: 'replay of the real bookings (180 s promised)',
        value: `${seconds} s, ${requestsPerSecond} requests/s`,
      },
      { what: 'of them accepted', value: String(accepted) },
      { what: 'create', value: `p50 ${milliseconds.create.p50} ms, p95 ${milliseconds.create.p95} ms` },
      { what: 'differences of the audit', value: String(audit.differences.count) },
    ]);
  } finally {
    await service.remove();
  }
}
