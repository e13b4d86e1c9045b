import { computed, signal } from '@preact/signals';

import { randomKey } from '../../../packages/client/src/retrying.ts';
import { draftFor, type DraftOf, dropDraft, saveDraft } from '../access/draft.ts';
import { ApiError } from '../api.ts';
import { bookList, type GroupView, type RoomingReport } from './api.ts';
import type { GroupsStore } from './groups.ts';
import { groupError, heldUntil, rooming as words } from './messages.ts';
import { datesOf, typesOf } from './pickup.ts';
import { readList } from './rooming-list.ts';

/** Rows of one list (docs/reference/groups.md#rooming-list). */
const MAX_ROWS = 200;
const TYPING_MS = 350;

/** A rooming list: pasted, checked line by line by a dry run, then booked, all lines or none. */
export class Rooming {
  readonly text = signal('');
  /** What the service said of the lines as they are; undefined while they are checked. */
  readonly report = signal<RoomingReport | undefined>(undefined);
  readonly booked = signal<RoomingReport | undefined>(undefined);
  readonly busy = signal(false);
  readonly checking = signal(false);
  readonly error = signal<string | undefined>(undefined);
  readonly groups: GroupsStore;
  readonly lines = computed(() => {
    const dates = datesOf(this.#group);
    return dates
      ? readList(this.text.value, { roomTypes: typesOf(this.#group), typeNames: this.groups.names.value, ...dates })
      : [];
  });
  /** What does not fit, by the number of the pasted line. */
  readonly faults = computed(() => {
    const lines = this.lines.value;
    const faults = new Map<number, string>();
    for (const { line, detail } of this.report.value?.lines ?? []) {
      const at = lines[line - 1]?.line;
      if (at !== undefined) faults.set(at, detail);
    }
    return faults;
  });
  readonly #group: GroupView;
  #question = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sent: { body: string; key: string } | undefined;

  constructor(groups: GroupsStore, group: GroupView) {
    this.groups = groups;
    this.#group = group;
    const draft = draftFor(this.#draftOf());
    if (typeof draft === 'string') this.type(draft);
  }

  /** Somebody typed or pasted. */
  type(text: string): void {
    this.text.value = text;
    this.report.value = undefined;
    this.error.value = undefined;
    this.booked.value = undefined;
    saveDraft(this.#draftOf(), text);
    clearTimeout(this.#timer);
    this.#question += 1;
    const count = this.lines.peek().length;
    this.checking.value = count > 0;
    if (count > MAX_ROWS) {
      this.checking.value = false;
      this.error.value = words.tooMany(MAX_ROWS);
    } else if (count > 0) this.#timer = setTimeout(() => void this.#check(), TYPING_MS);
  }

  async takeFile(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      this.type(await file.text());
    } catch {
      this.error.value = words.noFile;
    }
  }

  async book(): Promise<void> {
    if (this.busy.peek() || this.report.peek()?.bookable !== true) return;
    this.busy.value = true;
    this.error.value = undefined;
    const rows = this.lines.peek().map(({ row }) => row);
    try {
      const body = JSON.stringify(rows);
      if (this.#sent?.body !== body) this.#sent = { body, key: randomKey() };
      const booked = await bookList(this.groups.access, this.#group.groupId, rows, {
        dryRun: false,
        key: this.#sent.key,
      });
      this.#sent = undefined;
      dropDraft(this.#draftOf().name);
      this.text.value = '';
      this.report.value = undefined;
      this.booked.value = booked;
      const until = heldUntil(booked);
      const rooms = booked.reservations.length;
      this.groups.say(until === undefined ? words.booked(rooms) : words.held(rooms, until));
      void this.groups.load();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.busy.value = false;
    }
  }

  async #check(): Promise<void> {
    const question = this.#question;
    const rows = this.lines.peek().map(({ row }) => row);
    try {
      const key = randomKey();
      const report = await bookList(this.groups.access, this.#group.groupId, rows, { dryRun: true, key });
      if (question === this.#question) this.report.value = report;
    } catch (error) {
      if (question === this.#question) this.#failed(error);
    } finally {
      if (question === this.#question) this.checking.value = false;
    }
  }

  /** Somebody else may have taken a room since the check: the lines are checked again. */
  #failed(error: unknown): void {
    this.error.value = groupError(error);
    this.groups.announcement.value = this.error.value;
    if (!(error instanceof ApiError) || error.code !== 'ROOMING_LIST_REJECTED') return;
    this.report.value = undefined;
    this.checking.value = true;
    void this.#check();
  }

  #draftOf(): DraftOf {
    const propertyId = this.groups.property.peek()?.propertyId ?? '';
    return { name: `rooming-list.${this.#group.groupId}`, user: this.groups.user, propertyId };
  }
}
