import { batch, computed, type Signal, signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import { draftFor, type DraftOf, dropDraft, saveDraft } from '../../access/draft.ts';
import { access as accessMessages } from '../../access/messages.ts';
import { ApiError } from '../../api.ts';
import { addDays } from '../../grid/days.ts';
import { type BillableCompany, billableCompanies } from '../../properties/companies.ts';
import { firstCardToken } from '../folio/card-fields.tsx';
import { NO_SLIP, slipOf, type SentSlip } from '../folio/terminal-fields.tsx';
import type { FrontDesk } from '../front-desk.ts';
import type { RoomFit } from '../moving.ts';
import { type Attempt, book, fetchOffers, sellablePlans, wait } from './api.ts';
import { askedOf, emptyForm, filled } from './blank.ts';
import { bookingBodyOf, waitBody } from './bodies.ts';
import { finishBooking } from './finish.ts';
import { bookingMessages as words, priceMoved, rejectionText } from './messages.ts';
import { offerOf, partyKey, paysFor, roomsOfForm, sumOfAmounts, tooMany, withOffers } from './offers.ts';
import type { BookingForm, StayOffer, Offers, Plan, Prefill, Rejection, RoomForm } from './shapes.ts';

/** Typing is not followed key by key. */
const TYPING_MS = 200;
/** A quote holds its prices for 15 minutes: older ones are looked up again before they are booked. */
const QUOTE_AGE_MS = 13 * 60_000;

/** The form for a new reservation or a walk-in: it looks prices up while somebody types, and books once. */
export class NewReservation {
  readonly form: Signal<BookingForm>;
  readonly offers = signal<ReadonlyMap<string, Offers>>(new Map());
  readonly loading = signal(true);
  readonly companies = signal<readonly BillableCompany[]>([]);
  readonly busy = signal(false);
  readonly rejection = signal<Rejection | undefined>(undefined);
  /** What was done without a reservation, such as a place on the waitlist. */
  readonly done = signal<string | undefined>(undefined);
  /** Card data are in the memory of the page only. */
  readonly cardToken: Signal<string>;
  readonly slip = signal(NO_SLIP);
  readonly identified = signal(false);
  /** Whether the form was restored. */
  readonly isDraft = signal(false);
  readonly desk: FrontDesk;
  readonly propertyId: PropertyId;
  /** The offer of each room; empty until each has one. */
  readonly chosen = computed<readonly StayOffer[]>(() => {
    const offers = roomsOfForm(this.form.value).map((room) => offerOf(room, this.offers.value));
    return offers.every((offer) => offer !== undefined) ? offers : [];
  });
  /** Rooms of the chosen type that are free on all nights, of a walk-in those that are ready; the service decides. */
  readonly fits = computed(() => {
    const form = this.form.value;
    return roomsThatFit(this.desk, form, form.rooms[0]!.roomType);
  });
  /** The room that is given at once; empty where it is not free, or of another type. */
  readonly roomNumber = computed(() => {
    const { roomNumber, rooms } = this.form.value;
    if (rooms.length > 1) return '';
    const fit = this.fits.value.find(({ room }) => room.roomNumber === roomNumber);
    // Somebody who stands at the desk learns the room before anything is booked.
    const first = this.isWalkIn ? this.fits.value[0] : undefined;
    return (fit ?? first)?.room.roomNumber ?? '';
  });
  /** How the guest pays: as chosen, as far as the offers take it. */
  readonly pays = computed(() => {
    const { pays, kind } = this.form.value;
    const taken = paysFor(this.chosen.value, kind);
    return taken.find((one) => one === pays) ?? taken[0]!;
  });
  readonly total = computed(() => sumOfAmounts(this.chosen.value.map(({ total }) => total)));
  readonly #prefill: Prefill;
  #plans: Promise<Plan[]> | undefined;
  #question = 0;
  #quotedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt: Attempt | undefined;
  #waiting: Pick<Attempt, 'body' | 'key'> | undefined;

  constructor(desk: FrontDesk, propertyId: PropertyId, prefill: Prefill) {
    this.desk = desk;
    this.propertyId = propertyId;
    this.#prefill = prefill;
    const draft = draftFor(this.#draftOf(prefill.kind)) as BookingForm | undefined;
    this.isDraft.value = draft !== undefined && prefill.checkIn === undefined;
    this.form = signal(filled(draft ?? emptyForm(desk, prefill), prefill, desk.today.peek()));
    this.cardToken = signal(firstCardToken(desk.access.config.development));
    void this.#quote();
  }

  get isWalkIn(): boolean {
    return this.form.peek().kind === 'walk-in';
  }

  /** Whether a rate plan of the choice is invoiced to a company. */
  get needsCompany(): boolean {
    return this.chosen.value.some(({ guarantee }) => guarantee === 'COMPANY');
  }

  /** Why no price can be looked up for the dates. */
  get datesProblem(): string | undefined {
    const { checkIn, checkOut } = this.form.value;
    return checkOut < checkIn ? words.departsBefore : undefined;
  }

  /** Whether no room is ready for a guest who stands at the desk. */
  get hasNoRoom(): boolean {
    return this.isWalkIn && this.form.value.rooms[0]!.roomType !== '' && this.fits.value.length === 0;
  }

  /** Whether the booking can be sent. */
  get isReady(): boolean {
    if (this.datesProblem !== undefined || this.loading.value || this.busy.value || this.chosen.value.length === 0)
      return false;
    return !tooMany(this.chosen.value) && !this.hasNoRoom && !(this.usesTerminal && !this.sentSlip);
  }

  get usesTerminal(): boolean {
    return this.pays.value === 'TERMINAL' && !this.needsCompany;
  }

  /** The slip of the terminal that is recorded with the booking. */
  get sentSlip(): SentSlip | undefined {
    return this.usesTerminal ? slipOf(this.slip.value) : undefined;
  }

  change(changes: Partial<BookingForm>): void {
    const before = askedOf(this.form.peek());
    batch(() => {
      this.form.value = { ...this.form.peek(), ...changes };
      this.rejection.value = undefined;
      this.done.value = undefined;
    });
    saveDraft(this.#draftOf(this.form.peek().kind), this.form.peek());
    if (askedOf(this.form.peek()) !== before) this.#ask();
  }

  /** Changes a room; while the rooms do not differ, the first one stands for all. */
  changeRoom(index: number, changes: Partial<RoomForm>): void {
    const { rooms, roomNumber } = this.form.peek();
    const next = rooms.map((room, n) => (n === index ? { ...room, ...changes } : room));
    const room = this.desk.screen.peek().rooms.get(roomNumber);
    // A room number of another type would be refused.
    const isOther = index === 0 && room !== undefined && next[0]!.roomType !== room.roomType;
    this.change({ rooms: withOffers(next, this.offers.peek()), ...(isOther && { roomNumber: '' }) });
  }

  setRooms(count: number): void {
    const { rooms } = this.form.peek();
    const last = rooms.at(-1)!;
    const next = Array.from({ length: count }, (_, n) => rooms[n] ?? last);
    this.change({ rooms: next, ...(count > 1 ? { roomNumber: '' } : { differ: false }) });
  }

  setChildren(index: number, count: number): void {
    const ages = this.form.peek().rooms[index]!.childAges;
    this.changeRoom(index, { childAges: Array.from({ length: count }, (_, n) => ages[n] ?? null) });
  }

  setArrival(checkIn: string): void {
    const { checkIn: before, checkOut } = this.form.peek();
    if (checkIn === '') return;
    const nights = Math.max(1, (Date.parse(checkOut) - Date.parse(before)) / 86_400_000);
    this.change({ checkIn, checkOut: addDays(checkIn, nights) });
  }

  startOver(): void {
    const { kind } = this.form.peek();
    dropDraft(kind);
    batch(() => {
      this.form.value = emptyForm(this.desk, { kind });
      this.isDraft.value = false;
      this.identified.value = false;
      this.rejection.value = undefined;
    });
    void this.#quote();
  }

  /** Takes one of the stays that the service offers instead. */
  take({ roomType, checkIn, checkOut }: Rejection['alternatives'][number]): void {
    const rooms = this.form.peek().rooms.map((room) => ({ ...room, roomType }));
    this.change({ rooms, checkIn, checkOut, roomNumber: '' });
  }

  /** Books what the form says. A second press while it is sent does nothing; a repeat of a lost answer has its key. */
  async book(): Promise<void> {
    if (!this.isReady || this.busy.peek()) return;
    this.busy.value = true;
    this.rejection.value = undefined;
    try {
      if (!this.#attempt && (await this.#hasMoved())) return;
      const attempt = this.#attemptOf();
      const made = await book(this.desk.access, attempt);
      this.#attempt = undefined;
      const form = this.#sent();
      const slip = this.sentSlip;
      // Somebody may have closed the form meanwhile, and typed into another one.
      const isOpen = (): boolean => this.desk.booking.opened.peek() === this.#prefill;
      if (isOpen()) dropDraft(form.kind);
      await finishBooking(this.desk, form, made, { isInvoiced: this.needsCompany, slip, isOpen });
    } catch (error) {
      await this.#refuse(error);
    } finally {
      this.busy.value = false;
    }
  }

  /** Puts the guest on the waitlist of a type that is sold out. */
  async waitFor(roomType: string): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    try {
      const form = this.form.peek();
      const body = waitBody(this.propertyId, form, roomType);
      // Two presses are one place: the key is another one only for another request.
      this.#waiting = sameOr(this.#waiting, { body, key: randomKey() });
      const position = await wait(this.desk.access, body, this.#waiting.key);
      const said = words.waits(`${form.firstName} ${form.lastName}`, position);
      this.done.value = said;
      this.desk.say(said);
      dropDraft(form.kind);
    } catch (error) {
      await this.#refuse(error);
    } finally {
      this.busy.value = false;
    }
  }

  /** Looks prices up once the typing pauses; those that are shown are for something else. */
  #ask(): void {
    clearTimeout(this.#timer);
    this.#question += 1;
    this.loading.value = true;
    this.#timer = setTimeout(() => void this.#quote(), TYPING_MS);
  }

  async #quote(): Promise<void> {
    const question = ++this.#question;
    this.loading.value = true;
    const form = this.form.peek();
    const { access } = this.desk;
    if (this.datesProblem !== undefined) {
      batch(() => {
        this.offers.value = new Map();
        this.loading.value = false;
      });
      return;
    }
    try {
      this.#plans ??= sellablePlans(access, this.propertyId);
      const plans = await this.#plans;
      if (plans.some(({ guarantee }) => guarantee === 'COMPANY') && this.companies.peek().length === 0)
        this.companies.value = await billableCompanies(access).catch(() => []);
      const found = await fetchOffers(access, this.propertyId, form, plans);
      if (question !== this.#question) return;
      this.#quotedAt = Date.now();
      this.#show(found);
    } catch (error) {
      if (question !== this.#question) return;
      this.#plans = undefined;
      this.#show(new Map());
      this.rejection.value = refused(error);
    } finally {
      if (question === this.#question) this.loading.value = false;
    }
  }

  #show(offers: ReadonlyMap<string, Offers>): void {
    batch(() => {
      this.offers.value = offers;
      const form = this.form.peek();
      this.form.value = { ...form, rooms: withOffers(this.#withReadyType(form, offers), offers) };
    });
  }

  /** A walk-in gets the cheapest type that has a ready room, unless a type was chosen. */
  #withReadyType(form: BookingForm, offers: ReadonlyMap<string, Offers>): readonly RoomForm[] {
    const [room] = form.rooms;
    if (form.kind !== 'walk-in' || room === undefined || room.roomType !== '') return form.rooms;
    const sold = offers.get(partyKey(room))?.offers ?? [];
    const ready = sold.find(({ roomType }) => roomsThatFit(this.desk, form, roomType).length > 0);
    return ready ? [{ ...room, roomType: ready.roomType }] : form.rooms;
  }

  /** Looks old prices up again. @returns whether the price is another one, which is said */
  async #hasMoved(): Promise<boolean> {
    if (Date.now() - this.#quotedAt < QUOTE_AGE_MS) return false;
    const before = this.total.peek();
    await this.#quote();
    return this.#sayMoved(before, '');
  }

  #sayMoved(before: number, first: string): boolean {
    const [offer] = this.chosen.peek();
    const now = this.total.peek();
    if (offer && now === before) return false;
    const moved = offer ? priceMoved(before, now, offer.currency) : words.noOffers;
    this.rejection.value = {
      text: `${first} ${moved}`.trim(),
      alternatives: this.rejection.peek()?.alternatives ?? [],
    };
    return true;
  }

  /** The form as it is sent. */
  #sent(): BookingForm {
    return { ...this.form.peek(), roomNumber: this.roomNumber.peek(), pays: this.pays.peek() };
  }

  #attemptOf(): Attempt {
    const { path, body } = bookingBodyOf(this.propertyId, this.#sent(), this.chosen.peek(), this.cardToken.peek());
    this.#attempt = sameOr(this.#attempt, { path, body, key: randomKey() });
    return this.#attempt;
  }

  /** Says why nothing was booked, and looks prices and rooms up as they are now. */
  async #refuse(error: unknown): Promise<void> {
    this.rejection.value = refused(error);
    this.desk.say(this.rejection.value.text);
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED')
      this.desk.notice.value = accessMessages.expired;
    // It may be booked: the same request is sent again with its key.
    if (!(error instanceof ApiError) || error.isRetryable) return;
    this.#attempt = undefined;
    this.#waiting = undefined;
    const before = this.total.peek();
    const first = this.rejection.peek()!;
    await this.#quote();
    this.rejection.value ??= first;
    // The new price says all that a price that has changed has to say.
    const said = error instanceof ApiError && error.code === 'PRICE_CHANGED' ? '' : first.text;
    if (this.chosen.peek().length > 0) this.#sayMoved(before, said);
  }

  #draftOf(name: BookingForm['kind']): DraftOf {
    return { name, user: this.desk.user, propertyId: this.propertyId };
  }
}

function roomsThatFit(desk: FrontDesk, { kind, checkIn, checkOut }: BookingForm, roomType: string): RoomFit[] {
  const fits = desk.moving.fits({ reservationId: '', checkIn, checkOut, roomType });
  return fits.filter((fit) => fit.isFree && fit.isOwnType && (kind !== 'walk-in' || fit.isReady));
}

function refused(error: unknown): Rejection {
  const problem = error instanceof ApiError ? error.problem : undefined;
  const field = problem?.errors?.[0]?.pointer?.split('/').at(-1);
  return { text: rejectionText(error), field, alternatives: problem?.alternatives ?? [] };
}

/** The earlier request where this one is the same, so that it has the same key. */
function sameOr<T extends Pick<Attempt, 'body'>>(earlier: T | undefined, now: T): T {
  return earlier && JSON.stringify(earlier.body) === JSON.stringify(now.body) ? earlier : now;
}
