import { type Dirent, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import type { LogPlace } from '../../src/testing/launch/cut-log.ts';

const PAGE_BYTES = 8192;
const SEGMENT_BYTES = 16 * 2 ** 20;
/** Files of tables, indexes and their maps, by the manual of PostgreSQL ("Database File Layout"). */
const OF_TABLE = /^\d+(_vm)?(\.\d+)?$/;

/**
 * Pages of tables and indexes of a stopped PostgreSQL that were written by a change behind a place of its log. Once the
 * log ends there the recovery cannot know them, and what they hold fits nothing else: PostgreSQL is not safe from that.
 */
export function newerPages(dataDir: string, place: LogPlace): number {
  const cluster = realpathSync(join(dataDir, 'postgres'));
  const end = positionOf(place);
  let count = 0;
  for (const folder of ['base', 'global'])
    for (const file of readdirSync(join(cluster, folder), { recursive: true, withFileTypes: true }))
      if (file.isFile() && OF_TABLE.test(file.name)) count += newerOf(file, end);
  return count;
}

function newerOf({ parentPath, name }: Dirent, end: bigint): number {
  const bytes = readFileSync(join(parentPath, name));
  let count = 0;
  for (let at = 0; at + PAGE_BYTES <= bytes.length; at += PAGE_BYTES) {
    // Each half is in the order of bytes of the machine, which is little-endian wherever this runs.
    const changed = (BigInt(bytes.readUInt32LE(at)) << 32n) | BigInt(bytes.readUInt32LE(at + 4));
    if (changed > end) count += 1;
  }
  return count;
}

/** The name of a file of the log is its timeline, and its number in two halves. */
function positionOf({ file, offset }: LogPlace): bigint {
  const [high, low] = [file.slice(8, 16), file.slice(16)].map((half) => Number.parseInt(half, 16)) as [
    number,
    number,
  ];
  return (BigInt(high) << 32n) | BigInt(low * SEGMENT_BYTES + offset);
}
