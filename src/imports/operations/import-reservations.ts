import { setTimeout as pause } from 'node:timers/promises';

import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ImportedOutcome } from '../../stay/rules/imported-stay.ts';
import type { FoundReservation, ImportRecord, ImportRun } from '../ports.ts';
import type { ImportProgress, LinePlace } from './import-progress.ts';
import { byRun, type KnownCodes } from './import-set-up.ts';
import { figuresOfLine, fingerprintOf, importedId, importedStays, type WholeLine } from './imported-stays.ts';

/** A reservation with the places of all lines that say something of it. */
export type PlacedLine = { place: LinePlace; others: LinePlace[]; line: WholeLine };

export type Importing = {
  services: Services;
  run: ImportRun;
  progress: ImportProgress;
  view: PropertyView;
  /** Codes that a dry run would have made. */
  wouldBe: KnownCodes;
};

/** Attempts of a commit that could not be written, and the pause before the next one. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;

type Wanted = PlacedLine & { fingerprint: string; known?: ImportRecord };

/**
 * Stores a batch of reservations: each that is not known is created, each whose line says something else is changed. A
 * reservation that is there without a record was stored by this import before it was interrupted.
 */
export async function importBatch(of: Importing, batch: readonly PlacedLine[]): Promise<void> {
  const { services, run, progress } = of;
  const known = new Map(
    (
      await services.imports.known(
        run,
        batch.map(({ line }) => line.externalId),
      )
    ).map((one) => [one.externalId, one]),
  );
  const found = await services.imports.found(
    run,
    batch.map(({ line: { externalId, channel } }) => ({ id: importedId(run.to, externalId), externalId, channel })),
  );
  const [creates, changes]: [Wanted[], Wanted[]] = [[], []];
  for (const one of batch) {
    const fingerprint = fingerprintOf(one.line);
    const record = known.get(one.line.externalId);
    const wanted = { ...one, fingerprint, ...(record && { known: record }) };
    if (record?.fingerprint === fingerprint) done(of, wanted, 'UNCHANGED');
    else if (record) changes.push(wanted);
    else if (isOfErased(found, run, wanted)) refuse(of, unnamedPlace(wanted), ERASED);
    else if (isThere(found, run, wanted)) done(of, wanted, 'CREATED');
    else if (isTaken(found, run, wanted)) refuse(of, wanted, TAKEN);
    else if (isOfDryRun(of, wanted)) done(of, wanted, 'CREATED');
    else creates.push(wanted);
  }
  await storeAll(of, creates, 'CREATED');
  await storeAll(of, changes, 'CHANGED');
  await progress.store();
}

const TAKEN = new DomainError(
  'ALREADY_EXISTS',
  'A reservation of the channel has this id, and was not imported into this property: give the import a channel of its own.',
);

const isThere = (found: readonly FoundReservation[], { to }: ImportRun, { line }: Wanted): boolean =>
  found.some(({ id }) => id === importedId(to, line.externalId));

const ERASED = new DomainError('INVALID_STATE', 'Its guest was erased here.');

const isOfErased = (found: readonly FoundReservation[], { to }: ImportRun, { line }: Wanted): boolean =>
  found.some(({ id, isErased }) => isErased && id === importedId(to, line.externalId));

/** What another system calls the stay is not stored again. */
function unnamedPlace({ place: { externalId: _externalId, ...place }, ...line }: Wanted): PlacedLine {
  return { ...line, place };
}

const isTaken = (found: readonly FoundReservation[], { to }: ImportRun, { line }: Wanted): boolean =>
  found.some(
    ({ id, externalId, channel }) =>
      id !== importedId(to, line.externalId) && externalId === line.externalId && channel === line.channel,
  );

/** Whether a dry run would have made its type or plan: then nothing can be decided. */
const isOfDryRun = ({ wouldBe, run }: Importing, { line: { roomType, rateCode } }: Wanted): boolean =>
  run.dryRun && (wouldBe.roomTypes.has(roomType) || wouldBe.plans.has(rateCode));

function done(
  { run, progress }: Importing,
  { place, others, line, fingerprint, known }: Wanted,
  how: Done,
  version = (known?.version ?? 0) + 1,
): void {
  const recordId = importedId(run.to, line.externalId);
  progress.note(place, how, { ...(!run.dryRun && { recordId }), ...figuresOfLine(line) });
  for (const other of others) progress.note(other, how, { ...(!run.dryRun && { recordId }) });
  if (how !== 'UNCHANGED') progress.remember({ externalId: line.externalId, recordId, fingerprint, version });
}

type Done = 'CREATED' | 'CHANGED' | 'UNCHANGED';

function refuse({ progress }: Importing, { place, others }: PlacedLine, error: Refused): void {
  progress.refuse(place, error);
  for (const other of others) progress.refuse(other, error);
}

type Refused = Pick<DomainError, 'code' | 'message'>;

/** Stores lines in one commit; where the database takes none of it, in smaller ones, so that one bad line is alone. */
async function storeAll(of: Importing, lines: readonly Wanted[], how: 'CREATED' | 'CHANGED'): Promise<void> {
  if (lines.length === 0) return;
  const answer = await storeTogether(of, lines);
  if (answer instanceof DomainError) {
    if (lines.length === 1) return refuse(of, lines[0]!, answer);
    const half = Math.ceil(lines.length / 2);
    await storeAll(of, lines.slice(0, half), how);
    await storeAll(of, lines.slice(half), how);
    return undefined;
  }
  const outcomes = new Map(answer.map((one) => [one.reservationId, one]));
  for (const line of lines) {
    const { refused: why, version } = outcomes.get(importedId(of.run.to, line.line.externalId)) ?? {};
    if (why) refuse(of, line, { code: why.code, message: why.detail } as Refused);
    // One that is there already when it is created may have been changed here since.
    else done(of, line, how, how === 'CHANGED' ? version : undefined);
  }
  return undefined;
}

async function storeTogether(of: Importing, lines: readonly Wanted[]): Promise<ImportedOutcome[] | DomainError> {
  const { services, run, view } = of;
  const { mapping, importId, dryRun, to } = run;
  for (let attempt = 1; ; attempt++) {
    try {
      const wanted = lines.map(({ line, known }) => ({ line, ...(known && { ifVersion: known.version }) }));
      const making = { to, view, now: services.clock.now(), isFree: mapping.terms === 'FREE', attempt };
      const stays = await importedStays(services, wanted, making);
      const command = {
        type: 'IMPORT_RESERVATIONS' as const,
        importId,
        stays,
        overbook: mapping.overbooking,
        dryRun,
      };
      return (await sendAlways(services, byRun(run), to, command)).result.outcomes;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const isPassing = error.kind === 'unavailable' || error.details.extra?.reason !== undefined;
      if (!isPassing) return error;
      if (attempt === ATTEMPTS) {
        if (error.details.extra?.reason !== undefined) return error;
        throw error;
      }
      await pause(PAUSE_MS * attempt);
    }
  }
}
