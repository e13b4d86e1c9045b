import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startPostgres } from '../../src/platform/launch/database/postgres.mjs';
import { query } from '../../src/testing/launch/throw-away.ts';
import type { Service } from '../blackbox/service.ts';
import type { Reading } from './reading.ts';
import type { Scene } from './scene.ts';

/** What a release answered, and where its clock stood when it was read. */
export type Expected = { commit: string; now: string; scene: Scene; reading: Reading };

/** The first release (docs/guide/testing.md#data-of-releases). */
export const FIRST_RELEASE = { name: '0.1.0', commit: 'ec9d4e20' };

export const folderOf = (release: string): string => join(import.meta.dirname, release);
export const databaseOf = (release: string): string => join(folderOf(release), 'backup.tar.br');
const expectedOf = (release: string): string => join(folderOf(release), 'expected.ndjson');

/** One line about the recording, and one for each answer. */
export function readExpected(release: string): Expected {
  const [about, ...answers] = readFileSync(expectedOf(release), 'utf8').trimEnd().split('\n');
  const parse = (line: string): never => JSON.parse(line) as never;
  return { ...(parse(about!) as Omit<Expected, 'reading'>), reading: Object.fromEntries(answers.map(parse)) };
}

export function writeExpected(release: string, { reading, ...about }: Expected): void {
  const lines = [about, ...Object.entries(reading)].map((line) => JSON.stringify(line));
  writeFileSync(expectedOf(release), `${lines.join('\n')}\n`);
}

/**
 * Puts the clock of a database that nobody runs on to a moment, so that nothing fell due since it was recorded.
 * @throws Error for a moment that is over: a clock is never behind the real time
 */
export async function setClock(service: Service, now: string): Promise<void> {
  const ahead = Date.parse(now) - Date.now();
  if (ahead < 0) throw new Error(`${now} is over: record the release again (test/releases/README.md)`);
  const database = await startPostgres({ dataDir: service.dataDir });
  try {
    await query(database.url, `update system.clock set offset_ms = ${ahead}`);
  } finally {
    await database.stop();
  }
}
