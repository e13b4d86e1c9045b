import type { guestListAnswer } from '../../../src/guests/contracts/guest-answers.ts';
import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { roomAnswer, roomTypeListAnswer } from '../../../src/properties/contracts/property-answers.ts';
import type { housekeepingListAnswer } from '../../../src/rooms/contracts/housekeeping.ts';
import type { maintenanceStoredAnswer } from '../../../src/rooms/contracts/maintenances.ts';
import type { assignedAllAnswer } from '../../../src/rooms/contracts/room-assignments.ts';
import type * as answers from '../../../src/stay/contracts/stay-answers.ts';
import type { assignedRoomAnswer } from '../../../src/stay/contracts/stay-documents.ts';
import type { walkAnswer } from '../../../src/stay/contracts/walk.ts';
import type { SignedIn } from '../access/identity.ts';
import { ask, type LoadResult, propertyPath, readPages, type Sent, type Service } from '../api.ts';
import type { SentSlip } from './folio/terminal-fields.tsx';
import type {
  MaintenancePlan,
  MaintenanceView,
  ReservationRead,
  ReservationView,
  RoomStatusName,
  RoomTypeView,
  TaskStep,
  TaskView,
} from './shapes.ts';

/** Results of a change or its dry run, as the service answers them. */
export type CheckedIn = WireOf<typeof answers.checkInAnswer>;
export type CheckOutAnswer = WireOf<typeof answers.checkOutAnswer>;
export type Cancelled = WireOf<typeof answers.cancellationAnswer>;
export type Walked = WireOf<typeof walkAnswer>;
export type Roomed = WireOf<typeof assignedRoomAnswer>;
export type Modified = WireOf<typeof answers.modificationAnswer>;

/** Rooms that all arrivals have got, or would get. */
export type AssignedAll = WireOf<typeof assignedAllAnswer>;

type RoomView = WireOf<typeof roomAnswer>;
type GuestView = WireOf<typeof guestListAnswer>['items'][number];
type PlannedMaintenance = WireOf<typeof maintenanceStoredAnswer>;

type Change = { id: string; etag: string; dryRun: boolean };

/** Pages of a list that are read at most: no chart shows more stays. */
const MAX_PAGES = 20;

const TRIES = 3;

/** Calls of the front desk about one property. Every method throws ApiError. */
export class FrontDeskApi {
  readonly #config: PageConfig;
  readonly #user: () => SignedIn;
  readonly #propertyId: string;

  constructor(config: PageConfig, user: () => SignedIn, propertyId: PropertyId) {
    this.#config = config;
    this.#user = user;
    this.#propertyId = propertyId;
  }

  /** All reservations of a query. */
  list(query: Record<string, string>): Promise<ReservationView[]> {
    return this.#all<ReservationView>('/api/v1/reservations', { propertyId: this.#propertyId, ...query });
  }

  /** Maintenances of rooms that are not over. */
  maintenances(): Promise<MaintenanceView[]> {
    return this.#all<MaintenanceView>(`${this.#property()}/maintenances`, {});
  }

  async get(id: string): Promise<ReservationRead> {
    const { body, etag } = await this.#ask(`/api/v1/reservations/${id}`);
    const reservation = body as WireOf<typeof answers.reservationAnswer>;
    const { bookingId } = reservation;
    const all = bookingId ? await this.list({ bookingId }) : [];
    return { reservation, etag, others: all.filter(({ reservationId }) => reservationId !== id) };
  }

  async roomTypes(): Promise<RoomTypeView[]> {
    return ((await this.#ask(`${this.#property()}/room-types`)).body as WireOf<typeof roomTypeListAnswer>).items;
  }

  /** Rooms with their floors. */
  rooms(): Promise<RoomView[]> {
    return this.#all<RoomView>(`${this.#property()}/rooms`, {});
  }

  /** Guests by parts of their names, the newest first; at most so many. */
  async guests(q: string, limit: number): Promise<GuestView[]> {
    const query = new URLSearchParams({ q, limit: String(limit) }).toString();
    return ((await this.#ask(`/api/v1/guests?${query}`)).body as WireOf<typeof guestListAnswer>).items;
  }

  /** Stays of a guest in this property, the newest first; at most so many. */
  async staysOf(guestId: string, limit: number): Promise<ReservationView[]> {
    const query = { propertyId: this.#propertyId, guestId, limit: String(limit) };
    const path = `/api/v1/reservations?${new URLSearchParams(query).toString()}`;
    return ((await this.#ask(path)).body as { items: ReservationView[] }).items;
  }

  /** A call of a part of the desk that is loaded when it is opened. */
  call(path: string, sent?: Sent, service: Service = 'reservation'): Promise<LoadResult> {
    return ask({ config: this.#config, user: this.#user() }, service, path, sent, TRIES);
  }

  async setRoomStatus(roomNumber: string, status: RoomStatusName): Promise<void> {
    const path = `${this.#property()}/rooms/${encodeURIComponent(roomNumber)}/status`;
    await this.#ask(path, { method: 'PUT', body: { status } });
  }

  /** The open task of a room; one to inspect where nothing is to do. */
  async roomTask(roomNumber: string): Promise<TaskView | undefined> {
    const path = `${this.#property()}/housekeeping-tasks?roomNumber=${encodeURIComponent(roomNumber)}`;
    for (const more of ['', '&status=COMPLETED']) {
      const { items } = (await this.#ask(path + more)).body as WireOf<typeof housekeepingListAnswer>;
      // Over: another guest has been in the room since.
      const task = items.find(({ priority }) => priority !== null);
      if (task) return task;
    }
    return undefined;
  }

  /** Tasks that somebody has to do, and those of rooms that can be inspected. */
  async tasks(): Promise<TaskView[]> {
    const path = `${this.#property()}/housekeeping-tasks`;
    const [open, done] = await Promise.all([
      this.#all<TaskView>(path, {}),
      // The newest: a room that was cleaned longer ago has another task, or can be set.
      this.#ask(`${path}?status=COMPLETED&limit=200`),
    ]);
    const { items } = done.body as WireOf<typeof housekeepingListAnswer>;
    const known = new Set(open.map(({ roomNumber }) => roomNumber));
    // Over: another guest has been in the room since.
    return [...open, ...items.filter(({ priority, roomNumber }) => priority !== null && !known.has(roomNumber))];
  }

  async stepTask(taskId: string, step: TaskStep): Promise<TaskView> {
    const inspects = step === 'pass' || step === 'fail';
    const path = `${this.#property()}/housekeeping-tasks/${taskId}/${inspects ? 'inspect' : step}`;
    const body = inspects ? { passed: step === 'pass' } : {};
    return (await this.#ask(path, { method: 'POST', body })).body as TaskView;
  }

  async giveTask(taskId: string, attendant: string | null): Promise<void> {
    const path = `${this.#property()}/housekeeping-tasks/${taskId}`;
    await this.#ask(path, { method: 'PUT', body: { attendant } });
  }

  /** Rooms for all arrivals without one until a day; with `dryRun` only who would get which. */
  async assignAll(until: string, dryRun: boolean): Promise<AssignedAll> {
    const path = `${this.#property()}/room-assignments${dryRun ? '?dryRun=true' : ''}`;
    return (await this.#ask(path, { method: 'POST', body: { until } })).body as AssignedAll;
  }

  /** Plans or replaces a maintenance; the answer lists nights that fall short by it. */
  async planMaintenance(body: MaintenancePlan, maintenanceId?: string): Promise<PlannedMaintenance> {
    const path = `${this.#property()}/maintenances`;
    const { body: made } = await (maintenanceId === undefined
      ? this.#ask(path, { method: 'POST', body })
      : this.#ask(`${path}/${maintenanceId}`, { method: 'PUT', body }));
    return made as PlannedMaintenance;
  }

  async endMaintenance(id: string): Promise<void> {
    await this.#ask(`${this.#property()}/maintenances/${id}`, { method: 'DELETE', body: {} });
  }

  async checkIn(change: Change, keyCards: number): Promise<CheckedIn> {
    return this.#change<CheckedIn>('POST', change, '/checkin', { identificationVerified: true, keyCards });
  }

  async checkOut(change: Change): Promise<CheckOutAnswer> {
    return this.#change<CheckOutAnswer>('POST', change, '/checkout', {});
  }

  async cancel(change: Change, reason: string): Promise<Cancelled> {
    return this.#change<Cancelled>('DELETE', change, '', { reason });
  }

  async walk(change: Change, body: { to: string; compensation: number; reason: string }): Promise<Walked> {
    return this.#change<Walked>('POST', change, '/walk', body);
  }

  async room(change: Change, roomNumber: string): Promise<Roomed> {
    return this.#change<Roomed>('PUT', change, '/room', { roomNumber });
  }

  async modify(change: Change, stayDetails: object): Promise<Modified> {
    const body = { modifications: { stayDetails }, modifiedBy: 'front desk', reason: 'Changed at the front desk' };
    return this.#change<Modified>('PUT', change, '', body);
  }

  /** Records a cash payment at the desk. */
  async pay({ id, etag }: Omit<Change, 'dryRun'>, amount: WireAmount, terminal?: SentSlip): Promise<void> {
    const body = terminal ? { method: 'TERMINAL', amount, terminal } : { method: 'CASH', amount };
    await this.#ask(`/api/v1/reservations/${id}/payments`, { method: 'POST', body, ifMatch: etag });
  }

  async #change<T>(method: Sent['method'], { id, etag, dryRun }: Change, what: string, body: object): Promise<T> {
    const path = `/api/v1/reservations/${id}${what}${dryRun ? '?dryRun=true' : ''}`;
    return (await this.#ask(path, { method, body, ifMatch: etag })).body as T;
  }

  #all<T>(path: string, query: Record<string, string>): Promise<T[]> {
    return readPages(MAX_PAGES, async (page) => {
      const { body } = await this.#ask(`${path}?${new URLSearchParams({ ...query, ...page }).toString()}`);
      return body as { items: T[]; nextCursor: string | null };
    });
  }

  #property(): string {
    return propertyPath(this.#user(), this.#propertyId);
  }

  #ask(path: string, sent?: Sent): ReturnType<typeof ask> {
    return this.call(path, sent);
  }
}
