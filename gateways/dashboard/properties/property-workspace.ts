import { signal } from '@preact/signals';

import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { ReplicaOutcome, Replica } from '../../../src/live/contracts/replica.ts';
import { sessionUser, type SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { fetchProperties, type PropertySummary, type SignedAccess } from '../api.ts';
import {
  type LiveConnectionListener,
  type ConnectionState,
  DashboardConnection,
  type LiveProblem,
} from '../live/connection.ts';
import { liveUrl } from '../live/live-url.ts';

/** Storage key of the property that a tab showed last. */
export const PROPERTY_KEY = 'innkeeper.property';
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

  abstract choose(propertyId: PropertyId): void;
  abstract stateChanged(state: ConnectionState): void;
  abstract dataChanged(replica: Replica, outcome: ReplicaOutcome): void;
  abstract problem(problem: LiveProblem): void;
  /** Called when the business date may have rolled. */
  protected abstract followDay(): void;

  ready(role: string): void {
    this.role.value = role;
    this.notice.value = undefined;
  }

  close(): void {
    this.client.close();
    clearInterval(this.#clock);
    removeEventListener('online', this.#onOnline);
    removeEventListener('offline', this.#onOffline);
  }

  /** Connects and lists the properties; the last call of a constructor. */
  protected open(): void {
    this.client = new DashboardConnection({
      url: liveUrl(),
      token: this.#user.token,
      tenantId: this.#user.tenantId,
      listener: this,
      isOnline: () => navigator.onLine,
      freshToken: () => this.#freshToken(),
    });
    addEventListener('online', this.#onOnline);
    addEventListener('offline', this.#onOffline);
    this.#clock = setInterval(() => this.followDay(), DAY_ROLL_CHECK_MS);
    void this.#list();
  }

  /** Selects a property, which is also the first to be shown in this tab later. */
  protected chosen(propertyId: PropertyId): PropertySummary | undefined {
    const property = this.properties.value.find((one) => one.propertyId === propertyId);
    if (property) sessionStorage.setItem(PROPERTY_KEY, propertyId);
    return property;
  }

  async #list(): Promise<void> {
    try {
      const properties = await fetchProperties(this.config, this.#user);
      this.properties.value = properties;
      const last = sessionStorage.getItem(PROPERTY_KEY);
      const first = properties.find(({ propertyId }) => propertyId === last) ?? properties[0];
      if (first) this.choose(first.propertyId);
      else this.notice.value = access.noProperties;
    } catch (error) {
      this.notice.value = error instanceof Error ? error.message : access.notListed;
    }
  }

  async #freshToken(): Promise<string | undefined> {
    const user = await sessionUser();
    if (user) this.#user = user;
    return user?.token;
  }

  readonly #onOnline = (): void => this.client.retryNow();
  readonly #onOffline = (): void => this.client.networkLost();
}
