import { computed, type Signal, signal } from '@preact/signals';

import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { randomKey } from '../../../packages/client/src/retrying.ts';
import { draftFor, type DraftOf, dropDraft, saveDraft } from '../access/draft.ts';
import { addDays } from '../grid/days.ts';
import { type BlockableType, type GroupView, putGroup, roomTypesOf } from './api.ts';
import {
  blockOn,
  editedBlocks,
  nightsOfBlock,
  type TypedBlock,
  type TypedBlocks,
  typedBlocksOf,
} from './edited-blocks.ts';
import type { GroupsStore } from './groups.ts';
import { editGroup as words, groupError } from './messages.ts';
import { datesOf, groupBodyOf } from './pickup.ts';

type EditForm = {
  groupId: string;
  name: string;
  checkIn: string;
  checkOut: string;
  cutoff: string;
  blocks: TypedBlocks;
  contact: { firstName: string; lastName: string; email: string };
};

/** The form that changes a group. What it does not show, such as the terms, stays. */
export class EditGroup {
  readonly groups: GroupsStore;
  /** As it was when the form opened, or since somebody else has changed it. */
  readonly group: Signal<GroupView>;
  readonly form: Signal<EditForm>;
  readonly types = signal<readonly BlockableType[]>([]);
  readonly busy = signal(false);
  readonly error = signal<string | undefined>(undefined);
  readonly nights = computed(() => nightsOfBlock(this.form.value.checkIn, this.form.value.checkOut));
  readonly blocks = computed(() =>
    editedBlocks(this.group.value, {
      blocks: this.form.value.blocks,
      nights: this.nights.value,
      types: this.types.value.map(({ roomType }) => roomType),
      today: this.groups.today.value,
    }),
  );
  #sent: { body: string; key: string } | undefined;

  constructor(groups: GroupsStore, group: GroupView) {
    this.groups = groups;
    this.group = signal(group);
    const draft = draftFor(this.#draftOf()) as EditForm | undefined;
    this.form = signal(draft?.groupId === group.groupId ? draft : formOf(group));
    void this.#load();
  }

  change(changes: Partial<EditForm>): void {
    this.form.value = { ...this.form.peek(), ...changes };
    this.error.value = undefined;
    saveDraft(this.#draftOf(), this.form.peek());
  }

  /** An arrival that is moved behind the departure moves that too. */
  setArrival(checkIn: string): void {
    const { checkOut } = this.form.peek();
    this.change({ checkIn, ...(checkIn >= checkOut && { checkOut: addDays(checkIn, 1) }) });
  }

  blockOf(roomType: string, date: string): TypedBlock {
    return blockOn(this.form.value.blocks, this.nights.value, roomType, date);
  }

  changeBlock(roomType: string, date: string, changes: Partial<TypedBlock>): void {
    const block = { ...this.blockOf(roomType, date), ...changes };
    this.change({ blocks: { ...this.form.peek().blocks, [cellKey({ roomType, date })]: block } });
  }

  startOver(): void {
    dropDraft(this.#draftOf().name);
    this.form.value = formOf(this.group.peek());
    this.error.value = undefined;
  }

  async save(): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    this.error.value = undefined;
    const before = this.group.peek();
    try {
      const now = await this.groups.changedSince(before);
      if (now) {
        this.group.value = now;
        this.error.value = words.moved;
        return;
      }
      const body = this.#body(before);
      const text = JSON.stringify(body);
      if (this.#sent?.body !== text) this.#sent = { body: text, key: randomKey() };
      const group = await putGroup(this.groups.access, body, this.#sent.key, before.groupId);
      dropDraft(this.#draftOf().name);
      this.groups.openPanel(undefined);
      this.groups.put(group);
      this.groups.say(words.done(group.name));
    } catch (error) {
      this.error.value = groupError(error);
      this.groups.announcement.value = this.error.value;
    } finally {
      this.busy.value = false;
    }
  }

  #body(group: GroupView): object {
    const { contact: _, ...rest } = groupBodyOf(group);
    const { name, cutoff, contact } = this.form.peek();
    const hasContact = contact.email.trim() !== '';
    return {
      ...rest,
      name: name.trim(),
      cutoffDate: cutoff,
      blocks: this.blocks.peek(),
      ...(hasContact && { contact }),
    };
  }

  async #load(): Promise<void> {
    const { access, property } = this.groups;
    try {
      this.types.value = await roomTypesOf(access, property.peek()?.propertyId ?? '');
    } catch (error) {
      this.error.value = groupError(error);
    }
  }

  #draftOf(): DraftOf {
    return { name: 'group-edit', user: this.groups.user, propertyId: this.groups.property.peek()?.propertyId ?? '' };
  }
}

function formOf(group: GroupView): EditForm {
  const { groupId, name, cutoffDate: cutoff, contact } = group;
  const { checkIn, checkOut } = datesOf(group) ?? { checkIn: cutoff, checkOut: addDays(cutoff, 1) };
  const nobody = { firstName: '', lastName: '', email: '' };
  return { groupId, name, checkIn, checkOut, cutoff, blocks: typedBlocksOf(group), contact: contact ?? nobody };
}
