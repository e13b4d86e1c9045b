import { computed, type Signal, signal } from '@preact/signals';

import { randomKey } from '../../../packages/client/src/retrying.ts';
import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { draftFor, type DraftOf, dropDraft, saveDraft } from '../access/draft.ts';
import { amountIn } from '../amounts.ts';
import { addDays } from '../grid/days.ts';
import { type BillableCompany, billableCompanies } from '../properties/companies.ts';
import { freeRooms, putGroup, type BlockableType, roomTypesOf } from './api.ts';
import { nightsOfBlock } from './edited-blocks.ts';
import type { GroupsStore } from './groups.ts';
import { type CancelChoice, groupError, type GuaranteeChoice, newGroup as words } from './messages.ts';

/** Days before the arrival on which a block is released, unless somebody says another date. */
const CUTOFF_DAYS = 14;
const TYPING_MS = 250;

/** Rooms a night and rate of a type as typed, and the nights that differ. */
type TypeBlock = { rooms: string; rate: string; nights: Readonly<Record<string, string>> };

type GroupForm = {
  name: string;
  checkIn: string;
  checkOut: string;
  /** Empty for the usual one. */
  cutoff: string;
  blocks: Readonly<Record<string, TypeBlock>>;
  guarantee: GuaranteeChoice;
  cancellation: CancelChoice;
  companyId: string;
  before: number;
  after: number;
  contact: { firstName: string; lastName: string; email: string };
};

const NO_BLOCK: TypeBlock = { rooms: '', rate: '', nights: {} };

type Block = { roomType: string; date: string; rooms: number; rate: WireAmount };

/** The form for a new group. What is typed stays until the group is there. */
export class NewGroup {
  readonly form: Signal<GroupForm>;
  readonly types = signal<readonly BlockableType[]>([]);
  readonly free = signal<ReadonlyMap<string, number>>(new Map());
  readonly companies = signal<readonly BillableCompany[]>([]);
  readonly busy = signal(false);
  readonly error = signal<string | undefined>(undefined);
  readonly groups: GroupsStore;
  readonly nights = computed(() => nightsOfBlock(this.form.value.checkIn, this.form.value.checkOut));
  readonly blocks = computed(() => blocksOf(this.form.value));
  readonly #propertyId: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last create and its key: after a lost answer the same one is sent again. */
  #sent: { body: string; key: string } | undefined;

  constructor(groups: GroupsStore, propertyId: string) {
    this.groups = groups;
    this.#propertyId = propertyId;
    this.form = signal((draftFor(this.#draftOf()) as GroupForm | undefined) ?? emptyForm(groups.today.peek()));
    void this.#load();
  }

  change(changes: Partial<GroupForm>): void {
    const { checkIn, checkOut } = this.form.peek();
    this.form.value = { ...this.form.peek(), ...changes };
    this.error.value = undefined;
    saveDraft(this.#draftOf(), this.form.peek());
    const now = this.form.peek();
    if (now.checkIn === checkIn && now.checkOut === checkOut) return;
    // Those of other dates say nothing.
    this.free.value = new Map();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readFree(), TYPING_MS);
  }

  changeBlock(roomType: string, changes: Partial<TypeBlock>): void {
    const { blocks } = this.form.peek();
    this.change({ blocks: { ...blocks, [roomType]: { ...(blocks[roomType] ?? NO_BLOCK), ...changes } } });
  }

  blockOf(roomType: string): TypeBlock {
    return this.form.value.blocks[roomType] ?? NO_BLOCK;
  }

  startOver(): void {
    dropDraft('group');
    this.form.value = emptyForm(this.groups.today.peek());
    this.error.value = undefined;
  }

  async create(): Promise<void> {
    if (this.busy.peek()) return;
    if (this.blocks.peek().length === 0) {
      this.error.value = words.empty;
      return;
    }
    this.busy.value = true;
    this.error.value = undefined;
    try {
      const body = groupBodyOf(this.#propertyId, this.form.peek(), this.blocks.peek(), this.groups.today.peek());
      const text = JSON.stringify(body);
      if (this.#sent?.body !== text) this.#sent = { body: text, key: randomKey() };
      const group = await putGroup(this.groups.access, body, this.#sent.key);
      dropDraft('group');
      this.groups.openPanel(undefined);
      this.groups.show(group.groupId);
      this.groups.put(group);
      this.groups.say(words.made(group.name));
    } catch (error) {
      this.error.value = groupError(error);
      this.groups.announcement.value = this.error.value;
    } finally {
      this.busy.value = false;
    }
  }

  async #load(): Promise<void> {
    const { access } = this.groups;
    try {
      this.types.value = await roomTypesOf(access, this.#propertyId);
      await this.#readFree();
      this.companies.value = await billableCompanies(access);
    } catch (error) {
      this.error.value = groupError(error);
    }
  }

  /** A hint beside the fields; the service decides. */
  async #readFree(): Promise<void> {
    const nights = this.nights.peek();
    const [first] = nights;
    const last = nights.at(-1);
    if (first === undefined || last === undefined) return;
    const free = await freeRooms(this.groups.access, this.#propertyId, { first, last }).catch(() => new Map());
    const now = this.nights.peek();
    if (now[0] === first && now.at(-1) === last) this.free.value = free;
  }

  #draftOf(): DraftOf {
    return { name: 'group', user: this.groups.user, propertyId: this.#propertyId };
  }
}

function emptyForm(today: string): GroupForm {
  const checkIn = addDays(today, 30);
  return {
    name: '',
    checkIn,
    checkOut: addDays(checkIn, 2),
    cutoff: '',
    blocks: {},
    guarantee: '',
    cancellation: '',
    companyId: '',
    before: 0,
    after: 0,
    contact: { firstName: '', lastName: '', email: '' },
  };
}

/** The cut-off that counts: as typed, or two weeks before the arrival, today at the earliest. */
export function cutoffOf({ cutoff, checkIn }: GroupForm, today: string): string {
  if (cutoff !== '') return cutoff;
  const usual = addDays(checkIn, -CUTOFF_DAYS);
  return usual < today ? today : usual;
}

/** The blocks of a form: each type and night for which rooms and a rate are said. */
export function blocksOf(form: GroupForm): Block[] {
  return nightsOfBlock(form.checkIn, form.checkOut).flatMap((date) =>
    Object.entries(form.blocks).flatMap(([roomType, { rooms, rate, nights }]) => {
      const count = Number(nights[date] ?? rooms);
      const price = amountIn(rate) ?? 0;
      return count >= 1 && price > 0 ? [{ roomType, date, rooms: count, rate: price }] : [];
    }),
  );
}

const FIRST_NIGHT = { kind: 'NIGHTS', value: 1 } as const;
const CANCELLATIONS = {
  WEEK: { freeUntilHours: 168, penalty: FIRST_NIGHT },
  DAYS: { freeUntilHours: 48, penalty: FIRST_NIGHT },
  NEVER: { freeUntilHours: null, penalty: { kind: 'PERCENT', value: 100 } },
} as const;

function groupBodyOf(propertyId: string, form: GroupForm, blocks: readonly Block[], today: string): object {
  const { name, guarantee, cancellation, companyId, before, after, contact } = form;
  return {
    propertyId,
    name: name.trim(),
    cutoffDate: cutoffOf(form, today),
    blocks,
    ...(before + after > 0 && { shoulderNights: { before, after } }),
    ...(guarantee !== '' && { guarantee }),
    ...(guarantee === 'COMPANY' && { companyId }),
    ...(cancellation !== '' && { terms: { cancellation: CANCELLATIONS[cancellation] } }),
    ...(contact.email.trim() !== '' && { contact }),
  };
}
