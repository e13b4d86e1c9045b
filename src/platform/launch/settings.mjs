import * as fs from 'node:fs';

/**
 * Settings of the embedded PostgreSQL: one developer's machine, a small and hot database. They are given on the
 * command line at each start, so a change here holds for databases that exist already. fsync, full_page_writes and
 * synchronous_commit are not here: they stay on, a confirmed booking survives a power cut on a laptop too.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  // A socket's path may not exceed 107 bytes, and we run in any folder.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  // Every booking rewrites the same few rows: dead versions are swept before they slow reads down. Looking for them each
  // second cost an idle machine as much as the service itself.
  autovacuum_naptime: '5s',
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  checkpoint_completion_target: '0.9',
  // Two cores are shared with the service: no extra processes for reads that come from memory anyway.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Statements and details of refused rows can hold a guest's name: they stay out of the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_line_prefix: '%m [%p] %u@%d ',
  // Standard error is a file of ours already.
  logging_collector: 'off',
};

const megabyte = 2 ** 20;
/** What PostgreSQL needs at least: two files of 16 MB. */
const leastLogMegabytes = 32;
/** Part of a disk that the log may take until a checkpoint makes room, beside the tables. */
const logPart = 8;

/**
 * Bounds of the log of a database on a small disk: with those above it would fill the disk before its first checkpoint.
 * @param {number} diskBytes size of the disk
 */
export function logBounds(diskBytes) {
  const most = Math.max(leastLogMegabytes, Math.floor(diskBytes / megabyte / logPart));
  const atMost = (setting) => `${Math.min(most, megabytesOf(setting))}MB`;
  return { min_wal_size: atMost(settings.min_wal_size), max_wal_size: atMost(settings.max_wal_size) };
}

/** @param {string} setting such as 80MB */
const megabytesOf = (setting) => Number.parseInt(setting, 10) * (setting.endsWith('GB') ? 1024 : 1);

/** @param {string} cluster */
function diskBytesOf(cluster) {
  try {
    const { blocks, bsize } = fs.statfsSync(cluster);
    return blocks * bsize;
  } catch {
    return Infinity;
  }
}

/**
 * @param {string} cluster real path of the data directory
 * @param {number} port
 * @returns {string[]} arguments of postgres
 */
export function postgresArguments(cluster, port) {
  const all = Object.entries({ ...settings, ...logBounds(diskBytesOf(cluster)), port: String(port) });
  return ['-D', cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
