import { batch, effect, type Signal, signal } from '@preact/signals';

import { draftFor, type DraftOf, dropDraft, saveDraft } from '../../access/draft.ts';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import type { ReservationRead } from '../shapes.ts';
import { FolioApi } from './api.ts';
import type { MoneyAttempt } from './attempt.ts';
import type { CompanyView, FolioView, StayRead, WindowName } from './shapes.ts';

/** What a part of the panel gets: `onDone` shows the folio as it is then. */
export type LevelProps = { stayMoney: StayMoney; onBack: () => void; onDone: () => void };

type MoneyFormState = { readonly attempt: MoneyAttempt<unknown> };

/** The money of the stay whose panel is open: its folio, read again with every change of the stay. */
export class StayMoney {
  readonly desk: FrontDesk;
  readonly api: FolioApi;
  readonly read = signal<ReservationRead>(undefined!);
  readonly folio = signal<FolioView | undefined>(undefined);
  readonly company = signal<CompanyView | undefined>(undefined);
  /** Why the folio cannot be shown. */
  readonly error = signal<string | undefined>(undefined);
  /** What was done last. */
  readonly done = signal<string | undefined>(undefined);
  readonly #forms = new Map<string, MoneyFormState>();
  /** Names of the drafts of the forms. */
  readonly #drafts = new Set<string>();
  #load = 0;

  constructor(desk: FrontDesk, read: ReservationRead) {
    this.desk = desk;
    this.read.value = read;
    const { propertyId, reservationId } = read.reservation;
    this.api = new FolioApi(() => desk.access, propertyId, reservationId);
  }

  get stay(): StayRead {
    return this.read.value.reservation as StayRead;
  }

  get currency(): string {
    return this.stay.financial.currency;
  }

  get etag(): string {
    return this.read.peek().etag;
  }

  /** The stay was read again. */
  follow(read: ReservationRead): void {
    this.read.value = read;
    void this.reload();
  }

  async reload(): Promise<void> {
    const load = ++this.#load;
    const { companyId } = this.stay;
    try {
      const [folio, company] = await Promise.all([
        this.api.folio(),
        companyId ? this.api.company(companyId).catch(() => undefined) : undefined,
      ]);
      if (load !== this.#load) return;
      batch(() => {
        this.folio.value = folio;
        this.company.value = company;
        this.error.value = undefined;
      });
    } catch (error) {
      if (load === this.#load) this.error.value = errorText(error);
    }
  }

  /** The form of this name with what was typed into it, until it is sent. */
  form<F extends MoneyFormState>(name: string, make: () => F): F {
    const form = (this.#forms.get(name) as F | undefined) ?? make();
    this.#forms.set(name, form);
    return form;
  }

  /** What the forms send, also those that are closed meanwhile. */
  attempts(): MoneyAttempt<unknown>[] {
    return [...this.#forms.values()].map(({ attempt }) => attempt);
  }

  /**
   * Fills a form with what was typed into it before a reload or the end of a session, and stores what is typed from now
   * on until it is sent. Card data are never part of it.
   */
  keep(name: string, fields: Readonly<Record<string, Signal>>): void {
    const { propertyId, reservationId } = this.read.peek().reservation;
    const draft: DraftOf = { name: `${name} ${reservationId}`, user: this.desk.user, propertyId };
    const stored = draftFor(draft) as Record<string, unknown> | undefined;
    batch(() => {
      for (const [field, at] of Object.entries(fields)) if (stored && field in stored) at.value = stored[field];
    });
    let isTyped = false;
    effect(() => {
      const values = Object.fromEntries(Object.entries(fields).map(([field, { value }]) => [field, value]));
      if (isTyped) saveDraft(draft, values);
      isTyped = true;
    });
    this.#drafts.add(draft.name);
  }

  /** Somebody gives up what is typed. */
  giveUp(): void {
    for (const name of this.#drafts) dropDraft(name);
  }

  /** Something was done: says so, and reads the stay and its bar again. */
  async did(text: string): Promise<void> {
    const { reservationId } = this.stay;
    this.#forms.clear();
    this.giveUp();
    this.done.value = text;
    this.desk.say(text);
    this.desk.refresh(reservationId);
    await this.again();
  }

  /** Reads the stay again where it is still open, as after another's change. What was typed stays. */
  readonly again = async (): Promise<void> => {
    const { drawer } = this.desk;
    const opened = drawer.opened.peek();
    const { reservationId } = this.stay;
    if (opened?.kind === 'stay' && opened.id === reservationId) await drawer.open(reservationId);
  };

  /** Windows somebody pays for, as the folio lists them and those that could be used. */
  windows(): WindowName[] {
    const { sharer, companyId, source } = this.stay;
    const listed = this.folio.value?.windows.map(({ window }) => window) ?? ['GUEST'];
    const possible: WindowName[] = [
      ...(sharer ? (['SHARER'] as const) : []),
      ...(companyId ? (['COMPANY'] as const) : []),
      ...(source.collectedBy === 'CHANNEL' ? (['CHANNEL'] as const) : []),
    ];
    return [...new Set<WindowName>(['GUEST', ...listed, ...possible])];
  }

  /** What is open in a window, nights to come included. */
  open(window: WindowName): number {
    const found = this.folio.value?.windows.find((one) => one.window === window);
    return found ? Math.round((found.expectedTotal - found.paid) * 100) / 100 : 0;
  }
}
