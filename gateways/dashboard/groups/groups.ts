import { batch, computed, signal } from '@preact/signals';

import type { Replica, ReplicaOutcome } from '../../../packages/client/src/live/replica.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { currentPath, followAddress, goToPage, parameter, writeParameters } from '../address.ts';
import { ApiError, roomTypeNames } from '../api.ts';
import type { ShownStanding } from '../messages.ts';
import { PROPERTY_KEY } from '../properties/property-key.ts';
import { PropertyWorkspace } from '../properties/property-workspace.ts';
import { groupsOf, type GroupView, readGroup } from './api.ts';
import { groupError } from './messages.ts';

/** Path of the list; a group has its id behind it. */
export const GROUPS_PATH = '/groups';
/** Changes that follow each other are read once. */
const SETTLE_MS = 400;
const FEED_DAYS = 366;

const PANELS = ['new', 'edit', 'rooming-list', 'release'] as const;
/** What is open beside the list or the group. */
export type GroupPanelName = (typeof PANELS)[number];

/** State of the groups as signals: read again whenever the live feed names a change of the property. */
export class GroupsStore extends PropertyWorkspace {
  readonly standing = computed((): ShownStanding => this.connection.value);
  readonly list = signal<readonly GroupView[] | undefined>(undefined);
  readonly group = signal<GroupView | undefined>(undefined);
  readonly groupId = signal<string | undefined>(undefined);
  readonly panel = signal<GroupPanelName | undefined>(undefined);
  /** Said of the last action. */
  readonly done = signal<string | undefined>(undefined);
  readonly #stop: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reads = 0;

  constructor(config: PageConfig, user: SignedIn) {
    super(config, user);
    const named = parameter('property');
    if (named !== undefined) sessionStorage.setItem(PROPERTY_KEY, named);
    this.#readAddress();
    this.#stop = followAddress(() => {
      const before = this.groupId.peek();
      this.#readAddress();
      if (this.groupId.peek() !== before) void this.load();
    });
    this.open();
  }

  /** Whether the role may block rooms and release them. */
  get mayBlock(): boolean {
    return this.mayAct && this.role.value !== 'STAFF';
  }

  choose(propertyId: PropertyId): void {
    const isOther = this.property.peek() !== undefined && this.property.peek()?.propertyId !== propertyId;
    const property = this.chosen(propertyId, false);
    if (!property) return;
    batch(() => {
      this.property.value = property;
      this.list.value = undefined;
      this.notice.value = undefined;
      this.names.value = new Map();
      if (isOther) this.panel.value = undefined;
    });
    // A group belongs to one property.
    if (isOther && this.groupId.peek() !== undefined) goToPage(`${GROUPS_PATH}?property=${propertyId}`);
    else writeParameters({ property: propertyId }, isOther ? 'push' : 'replace');
    this.followDay();
    this.client.watch({ propertyId, topics: ['feed'], window: { start: this.today.peek(), days: FEED_DAYS } });
    void this.load();
    void this.#nameTypes(propertyId);
  }

  /** Opens a group, or the list. */
  show(id: string | undefined): void {
    const query = `?property=${this.property.peek()?.propertyId ?? ''}`;
    goToPage(id === undefined ? GROUPS_PATH + query : `${GROUPS_PATH}/${id}${query}`);
  }

  openPanel(panel: GroupPanelName | undefined): void {
    if (panel !== undefined) this.done.value = undefined;
    this.panel.value = panel;
    writeParameters({ view: panel }, 'push');
  }

  /** Reads the list and the open group. */
  async load(): Promise<void> {
    const property = this.property.peek();
    if (!property) return;
    this.#reads += 1;
    const read = this.#reads;
    const id = this.groupId.peek();
    try {
      const [list, group] = await Promise.all([
        groupsOf(this.access, property.propertyId),
        id === undefined ? undefined : readGroup(this.access, id),
      ]);
      if (read !== this.#reads) return;
      batch(() => {
        this.list.value = list;
        this.group.value = group;
      });
    } catch (error) {
      if (read === this.#reads) this.#failed(error);
    }
  }

  /**
   * The group as it is, where somebody has changed it since; it is shown then. A change replaces the whole group:
   * nobody overwrites what a colleague has just done to it. @throws ApiError
   */
  async changedSince(group: GroupView): Promise<GroupView | undefined> {
    const now = await readGroup(this.access, group.groupId);
    if (JSON.stringify(now) === JSON.stringify(group)) return undefined;
    this.put(now);
    return now;
  }

  /** Shows a group as an action has left it. */
  put(group: GroupView): void {
    if (this.groupId.peek() === group.groupId) this.group.value = group;
    void this.load();
  }

  say(text: string): void {
    this.done.value = text;
    this.announcement.value = text;
  }

  override close(): void {
    super.close();
    clearTimeout(this.#timer);
    this.#stop();
  }

  dataChanged(_replica: Replica, outcome: ReplicaOutcome): void {
    this.followDay();
    if (outcome.kind === 'applied' && outcome.patches.length === 0 && !outcome.cause.includes('GROUP')) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), SETTLE_MS);
  }

  protected override cameBack(): void {
    void this.load();
    const property = this.property.peek();
    if (property && this.names.peek().size === 0) void this.#nameTypes(property.propertyId);
  }

  protected followDay(): void {
    const property = this.property.peek();
    if (!property) return;
    this.today.value = this.businessDateOf(property);
  }

  async #nameTypes(propertyId: PropertyId): Promise<void> {
    const names = await roomTypeNames(this.config, this.user, propertyId);
    if (this.property.peek()?.propertyId === propertyId) this.names.value = names;
  }

  #readAddress(): void {
    const id = /^\/groups\/([^/]+)$/.exec(currentPath())?.[1];
    batch(() => {
      if (id !== this.groupId.peek()) this.group.value = undefined;
      this.groupId.value = id;
      this.panel.value = PANELS.find((one) => one === parameter('view'));
    });
  }

  #failed(error: unknown): void {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') this.notice.value = access.expired;
    else this.notice.value = groupError(error);
  }
}
