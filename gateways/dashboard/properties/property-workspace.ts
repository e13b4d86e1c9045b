import { effect, signal, untracked } from '@preact/signals';

import { overWebSocket } from '../../../packages/client/src/live/live-transports.ts';
import type { ReplicaOutcome, Replica } from '../../../packages/client/src/live/replica.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { sessionUser, type SignedIn } from '../access/identity.ts';
import { access, isCut } from '../access/messages.ts';
import { signedInRole } from '../access/roles.ts';
import { followAddress, parameter, writeParameters } from '../address.ts';
import { fetchProperties, type PropertySummary, type SignedAccess } from '../api.ts';
import { openLive } from '../early/early.ts';
import { shownBusinessDate, shownZone } from '../grid/days.ts';
import {
  type LiveConnectionListener,
  type ConnectionState,
  DashboardConnection,
  type LiveProblem,
} from '../live/connection.ts';
import { network, returns } from '../live/network.ts';
import { PROPERTY_KEY } from './property-key.ts';

const DAY_ROLL_CHECK_MS = 30_000;
/** Shortest interval between updates of the shown lag: flickering digits cannot be read. */
export const LAG_SHOWN_MS = 1_000;

/** Base of front desk and revenue: one property of a tenant, followed live, as signals for components. */
export abstract class PropertyWorkspace implements LiveConnectionListener {
  readonly connection = signal<ConnectionState>({ kind: 'connecting' });
  /** When the shown data was last known to be current; `undefined` before the first data. */
  readonly dataFrom = signal<number | undefined>(undefined);
  readonly role = signal('');
  readonly properties = signal<readonly PropertySummary[]>([]);
  readonly property = signal<PropertySummary | undefined>(undefined);
  /** The server's time, updated twice a minute. */
  readonly clock = signal(Date.now());
  readonly today = signal('');
  /** First shown day. */
  readonly start = signal('');
  readonly names = signal<ReadonlyMap<string, string>>(new Map());
  /** Announced once to screen readers. */
  readonly announcement = signal('');
  /** A notice that the user can act on. */
  readonly notice = signal<string | undefined>(undefined);
  protected readonly config: PageConfig;
  protected client!: DashboardConnection;
  #user: SignedIn;
  #clock: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;
  #lagShownAt = 0;
  #stopFollowing: (() => void) | undefined;
  #stopZone: (() => void) | undefined;
  #stopWatching: (() => void) | undefined;

  constructor(config: PageConfig, user: SignedIn) {
    this.config = config;
    this.#user = user;
  }

  get user(): SignedIn {
    return this.#user;
  }

  /** Access to the services for what is not of one property. */
  get access(): SignedAccess {
    return { config: this.config, user: this.#user };
  }

  /** The server's time: a browser's clock may be wrong. */
  serverNow(): number {
    return this.client.lag.serverNow();
  }

  abstract choose(propertyId: PropertyId): void;
  abstract dataChanged(replica: Replica, outcome: ReplicaOutcome): void;
  /** Called when the business date may have rolled. */
  protected abstract followDay(): void;
  /** The connection is back: reads again what is not pushed. */
  protected cameBack(): void {}

  /** Whether the role may act; a VIEWER only reads. */
  get mayAct(): boolean {
    return this.role.value !== '' && this.role.value !== 'VIEWER';
  }

  stateChanged(state: ConnectionState): void {
    if (state.kind === 'live') {
      const now = Date.now();
      this.dataFrom.value = now;
      if (this.connection.peek().kind === 'live' && now - this.#lagShownAt < LAG_SHOWN_MS) return;
      this.#lagShownAt = now;
    }
    this.connection.value = state;
  }

  problem({ code, detail, retryable }: LiveProblem): void {
    if (code === 'UNAUTHENTICATED') this.notice.value = access.expired;
    else if (!retryable) this.notice.value = detail;
  }

  /** Business date of a property by the server's time. */
  protected businessDateOf({ timezone, nightAuditHour }: PropertySummary): string {
    return shownBusinessDate(this.serverNow(), timezone, nightAuditHour);
  }

  ready(role: string): void {
    this.role.value = role;
    signedInRole.value = role;
    this.notice.value = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.client.close();
    this.#stopFollowing?.();
    this.#stopZone?.();
    shownZone.value = undefined;
    this.#stopWatching?.();
    clearInterval(this.#clock);
    removeEventListener('online', this.#onOnline);
    removeEventListener('offline', this.#onOffline);
    document.removeEventListener('visibilitychange', this.#onVisible);
  }

  /** Shows what the parameters of the address name, within the shown property. */
  protected showAddressed(): void {}
  /** Keeps the parameters of the address as the view changes. @returns stops it */
  protected writeAddress(): () => void {
    return () => undefined;
  }

  /** Connects and lists the properties; the last call of a constructor. */
  protected open(): void {
    this.client = new DashboardConnection({
      connect: overWebSocket(openLive),
      token: this.#user.token,
      tenantId: this.#user.tenantId,
      listener: this,
      isOnline: () => navigator.onLine,
      freshToken: () => this.#freshToken(),
    });
    addEventListener('online', this.#onOnline);
    addEventListener('offline', this.#onOffline);
    document.addEventListener('visibilitychange', this.#onVisible);
    this.#stopZone = effect(() => void (shownZone.value = this.property.value?.timezone));
    this.#clock = setInterval(() => this.#followTime(), DAY_ROLL_CHECK_MS);
    this.#stopWatching = this.#watchReturns();
    void this.#list();
  }

  /** Selects a property, which is also the first to be shown in this tab later. */
  protected chosen(propertyId: PropertyId, writesAddress = true): PropertySummary | undefined {
    const property = this.properties.value.find((one) => one.propertyId === propertyId);
    if (!property) return undefined;
    sessionStorage.setItem(PROPERTY_KEY, propertyId);
    if (writesAddress)
      writeParameters({ property: propertyId }, this.property.peek() === undefined ? 'replace' : 'push');
    return property;
  }

  async #list(): Promise<void> {
    try {
      const properties = await fetchProperties(this.config, this.#user);
      this.notice.value = undefined;
      this.properties.value = properties;
      const named = parameter('property');
      const last = named ?? sessionStorage.getItem(PROPERTY_KEY);
      const first = properties.find(({ propertyId }) => propertyId === last) ?? properties[0];
      if (!first) this.notice.value = access.noProperties;
      else if (this.property.peek() !== undefined) return;
      else if (!this.#isClosed) this.#begin(first.propertyId, named);
    } catch (error) {
      this.notice.value = error instanceof Error ? error.message : access.notListed;
    }
  }

  /** Shows the first property, with what the address names, and keeps both the same from then on. */
  #begin(propertyId: PropertyId, named: string | undefined): void {
    this.choose(propertyId);
    if (named !== undefined && named !== propertyId) this.notice.value = access.noSuchProperty(named);
    this.showAddressed();
    const stopWriting = this.writeAddress();
    const stopReading = followAddress(() => {
      const wanted = parameter('property');
      if (wanted !== undefined && wanted !== this.property.peek()?.propertyId) this.choose(wanted);
      this.showAddressed();
    });
    this.#stopFollowing = () => (stopWriting(), stopReading());
  }

  async #freshToken(): Promise<string | undefined> {
    const user = await sessionUser();
    if (user) this.#user = user;
    return user?.token;
  }

  #followTime(): void {
    this.clock.value = this.serverNow();
    this.followDay();
  }

  /** Notices that the connection is back after a gap. */
  #watchReturns(): () => void {
    let wasCut = false;
    return effect(() => {
      const state = this.connection.value;
      // Reads can fail without a network before the live connection was ever there.
      if (isCut(state) || isCut(network.value)) wasCut = true;
      if (state.kind !== 'live' || !wasCut) return;
      wasCut = false;
      untracked(() => {
        returns.value += 1;
        this.cameBack();
      });
    });
  }

  readonly #onOnline = (): void => {
    this.client.retryNow();
    // Without properties nothing is followed, and no connection says that it is back.
    if (this.property.peek() === undefined) void this.#list();
  };
  readonly #onOffline = (): void => this.client.networkLost();
  /** A tab that slept may show another day, and timers of its connection may have slept too. */
  readonly #onVisible = (): void => {
    if (document.visibilityState !== 'visible') return;
    this.#followTime();
    this.client.retryNow();
  };
}
