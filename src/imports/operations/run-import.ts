import { letOthersRun } from '../../kernel/operations/let-others-run.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import { DomainError, orError } from '../../kernel/rules/domain-error.ts';
import type { ImportRun } from '../ports.ts';
import { lineFault, mustHave, reportedText, shortText } from '../rules/line-values.ts';
import type { ImportKind, LineFields } from '../rules/mapping.ts';
import {
  type GuestLine,
  guestLine,
  type LineContext,
  type PaymentLine,
  paymentLine,
  type ReservationLine,
  reservationLine,
} from '../rules/reservation-line.ts';
import { sentBytes } from './begin-import.ts';
import { ImportEnded, ImportProgress, type LinePlace } from './import-progress.ts';
import { importBatch, type Importing, type PlacedLine } from './import-reservations.ts';
import { importPlans, importRooms } from './import-set-up.ts';
import { type OpenedFile, openFiles } from './open-files.ts';

/** Reservations of one commit: bookings beside an import wait for at most two of them. */
const BATCH = 100;
/** Outcomes that are stored together, where no commit is made for them. */
const STORED_AT_ONCE = 1_000;
/** Lines that are read before the event loop goes on. */
const READ_AT_ONCE = 500;

/** Characters of an id in a report: as many as the longest that is taken has. */
const MAX_REPORTED = 100;

/** A line with its number in the whole import. */
type NumberedLine = { place: LinePlace; fields?: LineFields; context: LineContext };

type Guests = Map<string, { place: LinePlace; guest: GuestLine | DomainError }>;
type Payments = Map<string, { place: LinePlace; payment: PaymentLine }[]>;

/**
 * Runs an import from where it stands: lines that have an outcome are passed over, so that it may be interrupted
 * anywhere (docs/reference/import.md#requests).
 * @throws ImportEnded when another node has taken it, or `signal` says so
 */
export async function runImport(services: Services, run: ImportRun, signal: AbortSignal): Promise<void> {
  const bytes = await sentBytes(services, run);
  const { files } = await openFiles(bytes, run.mapping, services.importMaxBytes);
  const progress = new ImportProgress(services.imports, run, await services.imports.reported(run));
  const importing = { services, run, progress };
  const view = await services.properties.view(run.to);
  const reading = new Reading(files, services.clock.now(), { run, view, progress, signal });
  const setUp = { ...importing, view };
  const rooms = await importRooms(setUp, await withFields(reading.of('rooms')));
  const plans = await importPlans(setUp, await withFields(reading.of('plans')), reading.format);
  const guests = await readGuests(reading, progress);
  const payments = await readPayments(reading, progress);
  const wouldBe = { roomTypes: new Set(run.dryRun ? rooms : []), plans: new Set(run.dryRun ? plans : []) };
  await importAll({ ...importing, view: await services.properties.view(run.to), wouldBe }, reading, guests, payments);
  await refuseUnused(progress, guests, payments);
  await services.imports.finish(run, 'COMPLETED');
}

type ReadBy = { run: ImportRun; view: PropertyView; progress: ImportProgress; signal: AbortSignal };

/** Goes through the files of an import; each line has the same number in every run. */
class Reading {
  readonly #files: readonly OpenedFile[];
  readonly #by: ReadBy;
  readonly format: Omit<LineContext, 'sources'>;
  #n = 0;

  constructor(files: readonly OpenedFile[], now: number, by: ReadBy) {
    const { mapping } = by.run;
    const { metadata } = by.view.setup.property;
    const { timezone, currency, checkInTime, checkOutTime } = metadata;
    const { dateFormat, decimalSeparator, shiftDays } = mapping;
    this.#files = files;
    this.#by = by;
    const values = { dateFormat, decimalSeparator, shiftDays, timezone, currency };
    this.format = { ...values, checkInTime, checkOutTime, today: by.view.businessDate, now };
  }

  /** Lines of a kind. Kinds are read in the order of their files; a line that cannot be read is refused here. */
  async *of(kind: ImportKind): AsyncGenerator<NumberedLine & { fields: LineFields }> {
    const { progress, signal } = this.#by;
    for (const { mapping, name: file, lines } of this.#files) {
      if (mapping.kind !== kind) continue;
      const context = { ...this.format, sources: mapping.fields };
      for (const one of lines()) {
        const place = { n: this.#n++, file, line: one.line, kind };
        if (place.n % READ_AT_ONCE === 0) await letOthersRun();
        if (signal.aborted) throw new ImportEnded();
        if ('fault' in one) progress.refuse(place, { code: 'BODY_UNREADABLE', message: `The line ${one.fault}.` });
        else yield { place, fields: one.fields, context };
        if (progress.waiting >= STORED_AT_ONCE) await progress.store();
      }
    }
  }
}

async function withFields(lines: AsyncIterable<NumberedLine & { fields: LineFields }>) {
  const all: (NumberedLine & { fields: LineFields })[] = [];
  for await (const one of lines) all.push(one);
  return all;
}

async function readGuests(reading: Reading, progress: ImportProgress): Promise<Guests> {
  const guests: Guests = new Map();
  for await (const { place, fields } of reading.of('guests')) {
    const id = orError(() => shortText('externalId', mustHave('externalId', fields['externalId']), 100)!);
    if (id instanceof DomainError) progress.refuse(place, id);
    else if (guests.has(id)) progress.refuse({ ...place, externalId: id }, TWICE);
    else {
      const guest = orError(() => guestLine(fields));
      if (guest instanceof DomainError) progress.refuse({ ...place, externalId: id }, guest);
      guests.set(id, { place: { ...place, externalId: id }, guest });
    }
  }
  return guests;
}

const TWICE = lineFault('externalId', 'stood in a line before');

async function readPayments(reading: Reading, progress: ImportProgress): Promise<Payments> {
  const payments: Payments = new Map();
  for await (const { place, fields, context } of reading.of('payments')) {
    const read = orError(() => {
      const reservation = shortText('reservation', mustHave('reservation', fields['reservation']), 100)!;
      return { reservation, payment: paymentLine(fields, context) };
    });
    if (read instanceof DomainError) {
      progress.refuse(place, read);
      continue;
    }
    const { reservation, payment } = read;
    const { externalId } = payment;
    const all = payments.get(reservation) ?? [];
    all.push({ place: { ...place, ...(externalId !== undefined && { externalId }) }, payment });
    payments.set(reservation, all);
  }
  return payments;
}

async function importAll(of: Importing, reading: Reading, guests: Guests, payments: Payments): Promise<void> {
  const { progress } = of;
  const seen = new Set<string>();
  let batch: PlacedLine[] = [];
  for await (const { place, fields, context } of reading.of('reservations')) {
    const read = orError(() => reservationLine(fields, context));
    const { externalId: said } = fields;
    const named = { ...place, ...(said !== undefined && { externalId: reportedText(said, MAX_REPORTED) }) };
    if (read instanceof DomainError) {
      progress.refuse(named, read);
      continue;
    }
    if (seen.has(read.externalId)) {
      progress.refuse(named, TWICE);
      continue;
    }
    seen.add(read.externalId);
    if (progress.has(place.n)) continue;
    const whole = orError(() => wholeLine(named, read, guests, payments));
    if (whole instanceof DomainError) progress.refuse(named, whole);
    else batch.push(whole);
    if (batch.length < BATCH) continue;
    const began = performance.now();
    await importBatch(of, batch);
    // Other tenants need the node too.
    await of.services.tenantShares.rest(of.run.to.tenantId, performance.now() - began, BATCH);
    batch = [];
  }
  if (batch.length > 0) await importBatch(of, batch);
  await progress.store();
}

/** A reservation with its guest and payments of other files. @throws DomainError for a guest that is not there */
function wholeLine(place: LinePlace, line: ReservationLine, guests: Guests, payments: Payments): PlacedLine {
  const { guestRef, externalId } = line;
  const more = payments.get(externalId) ?? [];
  const known = guestRef === undefined ? undefined : guests.get(guestRef);
  if (guestRef !== undefined && !known) throw lineFault('guest', 'is not in the file of guests');
  if (known?.guest instanceof DomainError) throw lineFault('guest', 'is refused in the file of guests');
  const others = [...more.map((one) => one.place), ...(known ? [known.place] : [])];
  const paid = [...line.payments, ...more.map(({ payment }) => payment)];
  return { place, others, line: { ...line, ...(known && { guest: known.guest }), payments: paid } };
}

/** Guests and payments that no reservation has named. */
async function refuseUnused(progress: ImportProgress, guests: Guests, payments: Payments): Promise<void> {
  const unused = [...guests.values(), ...[...payments.values()].flat()].map(({ place }) => place);
  for (const place of unused) {
    if (progress.has(place.n)) continue;
    progress.refuse(place, { code: 'VALIDATION_FAILED', message: 'No reservation of the import has it.' });
    if (progress.waiting >= STORED_AT_ONCE) await progress.store();
  }
  await progress.store();
}
