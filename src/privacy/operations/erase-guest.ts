import { namesOf, unnaming } from '../../guests/rules/erasure.ts';
import type { Guest } from '../../guests/rules/guest.ts';
import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { type ClientKey, ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { By } from '../../kernel/rules/administration.ts';
import type { CommandOf } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GuestId, TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';

/** Reservations of one round, and guests whose erasure one round continues. */
const PAGE = 100;

type Erasing = Pick<
  Services,
  | 'guestErasure'
  | 'guests'
  | 'guestNotes'
  | 'sealed'
  | 'properties'
  | 'waitlist'
  | 'inquiries'
  | 'deskNotes'
  | 'stayMails'
  | 'stayPages'
  | 'imports'
  | 'outbox'
  | 'log'
>;

/**
 * Erases a guest (docs/concepts/guests-and-erasure.md#erasure): accounting data stays without personal data. First the
 * profile and its key, so that no new booking uses it and ciphertext is unreadable; then each property removes personal
 * data from its reservations by commands of its own, which the audit chain shows; then data that no property has in
 * memory. Profiles that were merged into this one go with it. An interrupted erasure continues by itself, or when it is requested again.
 * @throws DomainError GUEST_NOT_FOUND; GUEST_IN_USE while a stay is not over or a booking is being paid
 */
export async function eraseGuest(
  services: Erasing,
  by: By,
  id: GuestId,
  key?: ClientKey,
): Promise<{ erasedAt: Instant; replayed: boolean }> {
  const { at: erasedAt, ids, replayed } = await beginErasure(services, by, id, key);
  for (const one of ids) await finishErasure(services, by, one);
  services.log.info({ guestId: id, subject: by.subject }, 'guest erased');
  return { erasedAt, replayed };
}

/** Continues interrupted erasures of a tenant. */
export async function finishErasures(
  services: Erasing,
  tenantId: TenantId,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  const by = { tenantId, subject: 'system', requestId: ownRequestId() };
  for (const id of await services.guestErasure.unfinished(tenantId, PAGE + each.resting))
    await each.one(`${tenantId} guest ${id}`, () => finishErasure(services, by, id));
}

/** A profile that is merged into this one while its names are collected lets the beginning start again. */
const MAX_TRIES = 3;

async function beginErasure(
  services: Erasing,
  by: By,
  id: GuestId,
  key: ClientKey | undefined,
): Promise<{ at: Instant; ids: readonly GuestId[]; replayed: boolean }> {
  for (let tries = 1; ; tries++) {
    const ids = await services.guestErasure.idsOf(by.tenantId, id);
    const names = await namesOfAll(services, by.tenantId, ids);
    const sealed = ids.map((one) => ({ id: one, names: services.sealed.seal(JSON.stringify(names), one) }));
    const begun = await services.guestErasure.begin(by, sealed, key);
    if (begun !== 'MERGED') return { at: begun.result.at, ids, replayed: begun.replayed };
    if (tries >= MAX_TRIES)
      throw new DomainError('GUEST_MERGED', 'Other profiles are merged into this one just now.');
  }
}

/**
 * All names and addresses that the guest ever had here, in merged profiles too: the key of former ones is destroyed
 * first, so they are collected before and stored, under the keys of the service, until the end.
 */
async function namesOfAll(
  { guestErasure, guests }: Erasing,
  tenantId: TenantId,
  ids: readonly GuestId[],
): Promise<string[]> {
  const names = new Set<string>();
  for (const guestId of ids) {
    const found = await guestErasure.names(tenantId, guestId);
    const opened = await guests.open(
      tenantId,
      found.sealed.map((name) => ({ guestId, name })),
    );
    const former = [...opened.values()].flatMap((text) => namesOf({ guest: JSON.parse(text) as Guest }));
    for (const name of [...found.names, ...former]) names.add(name);
  }
  return [...names];
}

async function finishErasure(services: Erasing, by: By, id: GuestId): Promise<void> {
  const { guestErasure } = services;
  const { tenantId } = by;
  const encryptedNames = await guestErasure.namesToClear(tenantId, id);
  const names =
    encryptedNames === undefined ? [] : (JSON.parse(services.sealed.open(encryptedNames, id)) as string[]);
  const seen = new Set<string>();
  for (;;) {
    const page = await guestErasure.remaining(tenantId, id, PAGE);
    if (page.length === 0) break;
    if (page.some((one) => seen.has(one.id))) throw new Error('a reservation still names an erased guest');
    for (const one of page) seen.add(one.id);
    // While its reservation still has the names to look for in texts.
    await guestErasure.clearHistory(tenantId, id, page, names);
    const own = page.filter(({ guest }) => guest.guestId === id);
    await services.deskNotes.removeOfStays(
      tenantId,
      own.map((one) => one.id),
    );
    await services.stayPages.removeOfStays(
      tenantId,
      own.map((one) => one.id),
    );
    await services.imports.forgetStays(
      tenantId,
      own.map((one) => one.id),
    );
    await services.stayMails.removeOf(
      tenantId,
      page.map((one) => one.id),
      names.filter((name) => name.includes('@')),
    );
    for (const stays of Map.groupBy(page, ({ propertyId }) => propertyId).values())
      await Promise.all(stays.map((stay) => eraseStay(services, by, id, stay, names)));
    services.outbox.forget(
      tenantId,
      own.map((one) => one.id),
    );
  }
  await services.guestNotes.forget(tenantId, id);
  await services.deskNotes.replaceTexts(tenantId, names, unnaming(names));
  await endRequests(services, by, names);
  await guestErasure.clearAnswers(tenantId, id, names);
  await guestErasure.end(tenantId, id);
  guestErasure.vacuumSoon();
}

/** Takes the guest off waitlists and closes inquiries: what is over has no guest. */
async function endRequests(services: Erasing, by: By, names: readonly string[]): Promise<void> {
  const { tenantId } = by;
  const addresses = names.filter((name) => name.includes('@'));
  if (addresses.length === 0) return;
  const waiting = await services.waitlist.ofAddresses(tenantId, addresses);
  for (const { propertyId, waitlistId } of waiting)
    await endRequest(services, by, propertyId, { type: 'LEAVE_WAITLIST', waitlistId });
  for (const { propertyId, inquiryId } of await services.inquiries.ofAddresses(tenantId, addresses))
    await endRequest(services, by, propertyId, { type: 'CLOSE_INQUIRY', inquiryId });
  services.outbox.forget(
    tenantId,
    waiting.map(({ waitlistId }) => waitlistId),
  );
}

async function endRequest(
  services: Erasing,
  by: By,
  propertyId: PropertyId,
  command: CommandOf<'LEAVE_WAITLIST' | 'CLOSE_INQUIRY'>,
): Promise<void> {
  try {
    await sendAlways(services, by, { tenantId: by.tenantId, propertyId }, command);
  } catch (error) {
    const isOver = error instanceof DomainError && ['WAITLIST_NOT_FOUND', 'INQUIRY_NOT_FOUND'].includes(error.code);
    if (!isOver) throw error;
  }
}

async function eraseStay(
  services: Erasing,
  by: By,
  guestId: GuestId,
  reservation: Reservation,
  names: string[],
): Promise<void> {
  const { tenantId } = by;
  const to = { tenantId, propertyId: reservation.propertyId };
  try {
    await sendAlways(services, by, to, { type: 'ERASE_GUEST', reservationId: reservation.id, guestId, names });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'PROPERTY_NOT_FOUND') throw error;
    await services.guestErasure.clearOrphan(tenantId, guestId, reservation, names);
  }
}
