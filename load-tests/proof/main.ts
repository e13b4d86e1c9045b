import { Command, Option } from 'commander';

import { recordProof } from '../../src/testing/proofs/record-proof.ts';
import { countOption } from '../options.ts';
import { proveAbuse } from './abuse.ts';
import { proveDoors } from './doors.ts';
import { proveEvents } from './events.ts';
import { type FailOverOptions, proveFailOver } from './fail-over.ts';
import { type ProofResult, proveKills } from './kills.ts';
import { proveLastRooms } from './last-rooms.ts';
import { proveLive } from './live.ts';
import { type OutageOptions, proveOutages } from './outages.ts';
import { provePage } from './page.ts';
import { proveSecrets } from './secrets.ts';
import { proveStorage, type StorageOptions } from './storage.ts';

/** `--record` appends the totals of the run to docs/measurements/proof-totals.json. */
const RECORD = ['--record', 'append the totals to docs/measurements/proof-totals.json', false] as const;

/** @returns the exit code */
function noted(proof: string, { held, counts }: ProofResult, record: boolean): number {
  if (record) recordProof({ proof, held, counts });
  return held ? 0 : 1;
}

const program = new Command('prove').description(
  'Proofs with real processes, over HTTP and against a real PostgreSQL.',
);

program
  .command('kills')
  .description('kill -9 of the service and of backends in the middle of commits; no acknowledged booking is missing')
  .option('--kills <count>', 'how many', countOption, 200)
  .option(...RECORD)
  .action(async ({ kills, record }: { kills: number; record: boolean }) => {
    process.exitCode = noted('prove kills', await proveKills(kills), record);
  });

program
  .command('last-rooms')
  .description(
    'concurrent attempts on the last rooms, for 1 to 5 of them each; exactly what there is is sold, no booking in part',
  )
  .option('--attempts <count>', 'how many', countOption, 1_000_000)
  .option(...RECORD)
  .action(async ({ attempts, record }: { attempts: number; record: boolean }) => {
    process.exitCode = noted('prove last-rooms', await proveLastRooms(attempts), record);
  });

program
  .command('events')
  .description(
    'kill -9 of service and broker among bookings, then a restore; every committed change is published, in order',
  )
  .option('--bookings <count>', 'how many', countOption, 20_000)
  .option(...RECORD)
  .action(async ({ bookings, record }: { bookings: number; record: boolean }) => {
    process.exitCode = noted('prove events', await proveEvents(bookings), record);
  });

program
  .command('doors')
  .description(
    'kill -9 of the service, of the receiver of a webhook and of a channel among bookings; every event arrives, in order, and the channel has what the property has',
  )
  .option('--bookings <count>', 'how many', countOption, 10_000)
  .action(async ({ bookings }: { bookings: number }) => {
    process.exitCode = (await proveDoors(bookings)) ? 0 : 1;
  });

program
  .command('live')
  .description('kill -9 and SIGTERM of the service under clients of both transports; each ends with a fresh snapshot')
  .option('--clients <count>', 'how many', countOption, 1_000)
  .option('--restarts <count>', 'how many', countOption, 20)
  .action(async ({ clients, restarts }: { clients: number; restarts: number }) => {
    process.exitCode = (await proveLive(clients, restarts)) ? 0 : 1;
  });

program
  .command('page')
  .description('the page in Chromium beside a replay, with a kill -9 in the middle; in the end it equals a fresh one')
  .option('--minutes <count>', 'how long', countOption, 5)
  .action(async ({ minutes }: { minutes: number }) => {
    process.exitCode = (await provePage(minutes)) ? 0 : 1;
  });

program
  .command('outages')
  .description('after each outage of database, Redis, broker, node: until the first booking, round and event')
  .addOption(new Option('--runtime <name>', 'of the nodes').choices(['deno', 'node']).default('deno'))
  .option('--nodes <count>', 'how many', countOption, 3)
  .action(async (options: OutageOptions) => {
    process.exitCode = (await proveOutages(options)) ? 0 : 1;
  });

program
  .command('fail-over')
  .description(
    'the primary of two real PostgreSQL servers is killed, frozen, cut off or left alone among bookings, its standby promoted; nothing acknowledged is lost, nothing written to the earlier primary',
  )
  .option('--rounds <count>', 'how many', countOption, 12)
  .option('--nodes <count>', 'of the service', countOption, 1)
  .addOption(
    new Option('--replication <kind>', 'of the pair').choices(['synchronous', 'asynchronous']).default('synchronous'),
  )
  .option(...RECORD)
  .action(async ({ record, ...options }: FailOverOptions & { record: boolean }) => {
    // Totals are of what is promised; an asynchronous standby loses something.
    const counts = record && options.replication === 'synchronous';
    process.exitCode = noted('prove fail-over', await proveFailOver(options), counts);
  });

program
  .command('storage')
  .description(
    'a data folder of 200 MB that gets full, an fsync that fails or takes 2 s, a log that is cut, backups onto disks that fill, among bookings; as root',
  )
  .option('--rounds <count>', 'of each fault', countOption, 2)
  .option('--fault <text>', 'only those whose name contains it', '')
  .option(...RECORD)
  .action(async ({ record, ...options }: StorageOptions & { record: boolean }) => {
    // Totals are of all faults.
    process.exitCode = noted('prove storage', await proveStorage(options), record && options.fault === '');
  });

program
  .command('secrets')
  .description(
    'the secret of a webhook, the keys of the service and the password of the database are replaced among bookings; none is lost or refused',
  )
  .option(...RECORD)
  .action(async ({ record }: { record: boolean }) => {
    process.exitCode = noted('prove secrets', await proveSecrets(), record);
  });

program
  .command('abuse')
  .description(
    'floods from one machine; bookings take at most twice as long, health stays UP; and rooms held without being paid',
  )
  .action(async () => {
    process.exitCode = (await proveAbuse()) ? 0 : 1;
  });

await program.parseAsync();
