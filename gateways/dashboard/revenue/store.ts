import { batch, computed, type Signal, signal } from '@preact/signals';

import { cellKey, type ReplicaOutcome, type Replica } from '../../../packages/client/src/live/replica.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { CompetitorItem, KpiItem } from '../../../src/live/contracts/live.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import { access, noServiceReason } from '../access/messages.ts';
import { mayManage } from '../access/roles.ts';
import { type PropertySummary, roomTypeNames } from '../api.ts';
import type { Mode } from '../grid/cell-face.ts';
import { addDays, shownBusinessDate, daysFrom, startOfBusinessDate } from '../grid/days.ts';
import { TimeTravel } from '../history/time-travel.ts';
import type { ConnectionState, LiveProblem } from '../live/connection.ts';
import type { ShownStanding } from '../messages.ts';
import { LAG_SHOWN_MS, PropertyWorkspace } from '../properties/property-workspace.ts';
import { type ShownCell, ShownProperty } from '../properties/shown-property.ts';
import { doneText, editor as editorWords } from './editor-messages.ts';
import { LastChange } from './last-change.ts';
import type { NightCount } from './night-counts.ts';
import { RateEditor } from './rate-editor.ts';
import { showRevenueAddress, writeRevenueAddress } from './revenue-address.ts';
import { Revenue } from './revenue.ts';

const TICK_MS = 2_000;
/** Retention of the journal (docs/concepts/storage.md#retention). */
const JOURNAL_DAYS = 400;
const DAY_MS = 86_400_000;
/** The first journal entry follows the creation of a property within this time. */
const FIRST_ENTRY_MS = 1_000;
const SETTLE_MS = 400;
/** Live data is updated every second; this age is too old. */
const LIVE_BUDGET_MS = 15_000;
const OLD: ReadonlySet<string> = new Set(['offline', 'reconnecting', 'signed-out']);

/** State of the revenue workspace as signals: components show them, the live connection changes them. */
export class RevenueStore extends PropertyWorkspace {
  readonly shown = new ShownProperty();
  readonly roomTypes = this.shown.roomTypes;
  readonly currency = this.shown.currency;
  readonly feed = this.shown.feed;
  /** Key of the cell in the line below the table. */
  readonly inspected = signal<string | undefined>(undefined);
  /** Key of the cell in the night panel. */
  readonly selected = signal<string | undefined>(undefined);
  /** Display mode of the cells. */
  readonly mode = signal<Mode>('occupancy');
  readonly revenue: Revenue;
  readonly travel: TimeTravel;
  readonly editor: RateEditor;
  /** What was changed last in a panel beside the grid. */
  readonly changes = new LastChange(editorWords.failed);
  /** Number of held-back changes while paused; `undefined` otherwise. */
  readonly held = signal<number | undefined>(undefined);
  /** The server's time, updated every few seconds, for ages. */
  readonly tick = signal(Date.now());
  /** Start of the shown business day. */
  readonly dayBegan = computed(() => {
    const { timezone, nightAuditHour = 0 } = this.property.value ?? {};
    return this.today.value === '' ? 0 : startOfBusinessDate(this.today.value, timezone, nightAuditHour);
  });
  readonly nights = signal<NightCount>(90);
  readonly days = computed(() => (this.start.value === '' ? [] : daysFrom(this.start.value, this.nights.value)));
  readonly isPast = computed(() => this.travel.isPast.value);
  /** Status of the page: a pause and the past take precedence over a good connection. */
  readonly standing = computed((): ShownStanding => {
    const state = this.connection.value;
    if (state.kind !== 'live' && state.kind !== 'catching-up' && state.kind !== 'past') return state;
    const asOf = this.travel.shown.value ?? this.travel.wanted.value;
    if (asOf !== undefined) return { kind: 'past', asOf };
    return this.held.value === undefined || state.kind !== 'live' ? state : { kind: 'paused', held: this.held.value };
  });
  /** Time of the live data, unless it is current. */
  readonly oldSince = computed(() => (this.#isFresh.value ? undefined : this.dataFrom.value));
  /** Whether the live data is not current, and whether it is too old. */
  readonly isOld = computed(
    () => !this.isPast.value && this.held.value === undefined && OLD.has(this.connection.value.kind),
  );
  readonly isAged = computed(() => {
    const since = this.oldSince.value;
    return !this.isPast.value && since !== undefined && this.tick.value - since > LIVE_BUDGET_MS;
  });
  readonly #isFresh = computed(() => this.held.value === undefined && this.connection.value.kind === 'live');
  readonly #ticking: ReturnType<typeof setInterval>;
  /** Data held back by a pause. */
  #cached: Replica | undefined;
  #shownSeq = 0;
  /** Until the calendar is there, nothing else takes the line. */
  #awaitsCalendar = true;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #lagShownAt = 0;
  #lagDue: ReturnType<typeof setTimeout> | undefined;

  constructor(config: PageConfig, user: SignedIn) {
    super(config, user);
    this.editor = new RateEditor(this);
    this.revenue = new Revenue({ config, user }, () => this.serverNow());
    this.travel = new TimeTravel({
      seek: (asOf) => this.client.seek(asOf),
      live: () => this.#backToLive(),
      now: () => this.serverNow(),
      began: () => this.#journalBegan(),
      isCalm: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
    });
    this.#ticking = setInterval(() => (this.tick.value = this.serverNow()), TICK_MS);
    this.open();
  }

  cell(key: string): Signal<ShownCell> {
    return this.shown.cell(key);
  }

  night(date: string): Signal<KpiItem | undefined> {
    return this.shown.night(date);
  }

  /** Competitors' rates of a cell. */
  market(key: string): Signal<CompetitorItem | undefined> {
    return this.shown.market(key);
  }

  /** Whether the user may see revenue. */
  get seesAmounts(): boolean {
    return mayManage(this.role.value);
  }

  /** Whether space for revenue is reserved: also while the role is unknown. */
  get expectsAmounts(): boolean {
    return this.role.value === '' || this.seesAmounts;
  }

  choose(propertyId: PropertyId): void {
    const property = this.chosen(propertyId);
    if (!property) return;
    this.#awaitsCalendar = true;
    batch(() => {
      this.#presentAgain();
      this.property.value = property;
      this.roomTypes.value = [];
      // Amounts of the previous property must not be shown in another currency.
      this.currency.value = '';
      this.names.value = new Map();
      this.feed.value = [];
      this.today.value = this.#businessDate(property);
      this.show(this.today.value);
    });
    void this.#loadNames(property);
  }

  /** Key of the cell that is in the night panel unless somebody has chosen one. */
  get firstCell(): string | undefined {
    const first = this.roomTypes.value[0];
    return first === undefined ? undefined : cellKey({ date: this.start.value, roomType: first });
  }

  protected override showAddressed(): void {
    showRevenueAddress(this);
  }

  protected override writeAddress(): () => void {
    return writeRevenueAddress(this);
  }

  /** Shows the nights from a date on. */
  show(start: string, nights: NightCount = this.nights.peek()): void {
    const property = this.property.value;
    if (!property) return;
    batch(() => {
      this.nights.value = nights;
      this.#release();
      this.start.value = start;
      this.inspected.value = undefined;
      this.selected.value = undefined;
      this.editor.reach.value = undefined;
      this.shown.forget();
    });
    const topics = ['grid' as const, 'feed' as const, 'kpi' as const, 'competitors' as const];
    this.client.watch({ propertyId: property.propertyId, topics, window: { start, days: this.nights.value } });
    this.travel.askAgain();
    this.#lookAtRevenue();
  }

  /** Holds changes back until {@link resume}. Past data does not change. */
  pause(): void {
    if (this.held.value === undefined && !this.isPast.value) this.held.value = 0;
  }

  /** Shows what was held back. */
  resume(): void {
    batch(() => {
      const cached = this.#cached;
      this.#release();
      if (cached) this.#show(cached, { kind: 'replaced' });
    });
    this.dataFrom.value = this.serverNow();
  }

  /** Moves the window by whole screens, never to before today. */
  page(by: number): void {
    const start = addDays(this.start.value, by * this.nights.value);
    this.show(start < this.today.value ? this.today.value : start);
  }

  /** Takes the last change back, wherever it was made. */
  async undoLast(): Promise<void> {
    if (noServiceReason(this.connection.peek()) !== undefined) return;
    if (!(await this.changes.undo(doneText.undone))) await this.editor.undo();
  }

  override close(): void {
    super.close();
    this.revenue.close();
    this.travel.stop();
    clearInterval(this.#ticking);
    clearTimeout(this.#settling);
    clearTimeout(this.#lagDue);
  }

  override stateChanged(state: ConnectionState): void {
    clearTimeout(this.#lagDue);
    const before = this.connection.value;
    if (state.kind === 'live') {
      const now = Date.now();
      const server = this.serverNow();
      if (Math.abs(server - this.tick.value) > TICK_MS) this.tick.value = server;
      if (this.held.value === undefined) this.dataFrom.value = server;
      const early = before.kind === 'live' && before.lagMs !== undefined ? this.#lagShownAt + LAG_SHOWN_MS - now : 0;
      if (early > 0) {
        this.#lagDue = setTimeout(() => this.stateChanged(state), early);
        return;
      }
      this.#lagShownAt = now;
    }
    if (state.kind === 'signed-out') this.notice.value = undefined;
    this.connection.value = state;
  }

  protected override cameBack(): void {
    this.revenue.refresh();
  }

  override ready(role: string): void {
    const isNew = role !== this.role.value;
    super.ready(role);
    if (isNew) this.#lookAtRevenue();
  }

  override problem({ code, detail, retryable, frame, retryAfterSeconds }: LiveProblem): void {
    const again = retryable ? (retryAfterSeconds ?? 1) : undefined;
    const isOver = frame === 'seek' ? this.travel.refused(detail, again) : again === undefined;
    if (code === 'UNAUTHENTICATED') this.notice.value = access.expired;
    else if (isOver) this.notice.value = detail;
  }

  dataChanged(replica: Replica, outcome: ReplicaOutcome): void {
    // Frames of the previous instant may arrive until the answer for the new one.
    const isOfPast = this.connection.peek().kind === 'past';
    if (isOfPast !== this.isPast.peek()) return;
    if (this.held.peek() !== undefined) this.#keep(replica);
    else batch(() => this.#show(replica, outcome));
  }

  #show(replica: Replica, outcome: ReplicaOutcome): void {
    if (outcome.kind === 'applied') this.shown.apply(outcome.patches);
    else this.#replace(replica);
    if (outcome.kind === 'applied' && outcome.cause.endsWith('_CALENDAR_EVENT')) void this.revenue.refreshEvents();
    this.#shownSeq = replica.position?.seq ?? 0;
    if (this.isPast.peek()) {
      this.travel.arrived();
      this.followDay();
      this.#lookSoon();
    }
    this.#showFeed(replica);
  }

  /** Held-back changes are counted in commits of the property, whatever the number of frames. */
  #keep(replica: Replica): void {
    this.#cached = replica;
    this.held.value = Math.max(1, (replica.position?.seq ?? 0) - this.#shownSeq);
  }

  #showFeed(replica: Replica): void {
    if (replica.feed === this.feed.value) return;
    this.feed.value = replica.feed;
    if (!this.isPast.peek()) this.revenue.bookingsMoved();
  }

  #replace(replica: Replica): void {
    this.shown.replace(replica);
    // A link may name a room type that the property does not have.
    const types = this.roomTypes.peek();
    const chosen = this.selected.peek();
    if (types.length > 0 && !types.some((type) => type === chosen?.slice(11))) this.selected.value = this.firstCell;
    this.#showFeed(replica);
    this.followDay();
    if (!this.#awaitsCalendar) return;
    this.#awaitsCalendar = false;
    this.#lookAtRevenue();
  }

  #release(): void {
    this.held.value = undefined;
    this.#cached = undefined;
  }

  /** Shows another property in the present. */
  #presentAgain(): void {
    if (!this.isPast.peek()) return;
    this.travel.forget();
    this.client.live();
  }

  #backToLive(): void {
    this.client.live();
    this.followDay();
    this.#lookAtRevenue();
  }

  /** Earliest instant of this property: the journal is retained for 400 days. */
  #journalBegan(): number {
    const created = (this.property.peek()?.createdAt ?? 0) + FIRST_ENTRY_MS;
    return Math.min(this.serverNow(), Math.max(created, this.serverNow() - JOURNAL_DAYS * DAY_MS));
  }

  /** Loads data beside the live data once the slider rests. */
  #lookSoon(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#lookAtRevenue(), SETTLE_MS);
  }

  #lookAtRevenue(): void {
    const property = this.property.value;
    const today = this.today.value;
    const start = this.start.value;
    if (!property || start === '' || this.role.value === '' || this.#awaitsCalendar) return;
    const asOf = this.travel.wanted.peek();
    this.revenue.look({
      property,
      today,
      start,
      nights: this.nights.value,
      seesAmounts: this.seesAmounts,
      ...(asOf !== undefined && { asOf }),
    });
  }

  async #loadNames(property: PropertySummary): Promise<void> {
    const names = await roomTypeNames(this.config, this.user, property.propertyId);
    if (this.property.value === property) this.names.value = names;
  }

  /** At the roll of the business date a grid that showed today moves to the new one. */
  protected followDay(): void {
    const property = this.property.value;
    if (!property) return;
    const today = this.#businessDate(property);
    if (today === this.today.value) return;
    const followed = this.start.value === this.today.value;
    this.today.value = today;
    if (this.isPast.peek()) return;
    if (followed || this.start.value < today) this.show(today);
  }

  #businessDate({ timezone, nightAuditHour }: PropertySummary): string {
    return shownBusinessDate(this.travel.shown.peek() ?? this.serverNow(), timezone, nightAuditHour);
  }
}
