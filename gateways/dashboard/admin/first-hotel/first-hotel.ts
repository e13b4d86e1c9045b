import { batch, computed, signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import type { PageConfig } from '../../../../src/live/contracts/page-config.ts';
import { freshUser, type SignedIn } from '../../access/identity.ts';
import { followAddress, parameter, writeParameters } from '../../address.ts';
import { ApiError, ask, propertyPath, type SignedAccess } from '../../api.ts';
import { shownBusinessDate } from '../../grid/days.ts';
import { PROPERTY_KEY } from '../../properties/property-key.ts';
import { fieldProblems } from '../form/field-problems.ts';
import { shownFields, typingProblems, type FormValues } from '../form/fields.ts';
import { form as formWords } from '../form/messages.ts';
import { messageOf } from '../messages.ts';
import { PhotoList } from '../photos/photo-list.ts';
import type { Place } from '../section.ts';
import { NOTHING, readSetUp, type SetUp } from './set-up.ts';
import { broughtBy, type Step, HOTEL_STEPS } from './steps.ts';

/** A lost answer is requested again, with the same key. */
const TRIES = 2;

/** The set-up of a property, step by step: each is stored by the service when it is left, so a reload goes on. */
export class FirstHotel {
  readonly setUp = signal<SetUp>(NOTHING);
  readonly step = signal<Step>(HOTEL_STEPS[0]!);
  readonly values = signal<FormValues>({});
  readonly fields = computed(() =>
    shownFields(this.step.value.fields(this.values.value, this.setUp.value), this.values.value),
  );
  readonly problems = signal<ReadonlyMap<string, string>>(new Map());
  readonly trouble = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  readonly isLoaded = signal(false);
  readonly isOpen = signal(false);
  readonly progress = signal({ done: 0, all: 0 });
  /** How parts of the page read and write. */
  readonly own = { fresh: () => this.#fresh(), place: () => this.#place() };
  readonly photos = new PhotoList(this.own);
  /** Fields of a step are never fixed. */
  readonly row = undefined;
  readonly #config: PageConfig;
  #user: SignedIn;
  readonly #keys = new Map<string, string>();
  readonly #stop: () => void;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.#user = user;
    this.#stop = followAddress(() => this.#show());
    void this.#load();
  }

  get user(): SignedIn {
    return this.#user;
  }

  change(name: string, value: string): void {
    batch(() => {
      this.values.value = { ...this.values.peek(), [name]: value, ...broughtBy(name, value) };
      this.problems.value = new Map([...this.problems.peek()].filter(([field]) => field !== name));
    });
  }

  addType(): void {
    this.change('more', String(Number(this.values.peek()['more'] ?? '0') + 1));
  }

  back(): void {
    this.#go(HOTEL_STEPS[HOTEL_STEPS.indexOf(this.step.peek()) - 1]);
  }

  /** Stores the step and goes to the next one; the last opens the property. */
  async next(): Promise<void> {
    if (this.busy.peek() || !this.isLoaded.peek()) return;
    const problems = typingProblems(this.fields.peek(), this.values.peek());
    this.problems.value = problems;
    this.trouble.value = problems.size > 0 ? formWords.checkFields : undefined;
    if (problems.size > 0) return;
    this.busy.value = true;
    try {
      await this.#send();
      const following = HOTEL_STEPS[HOTEL_STEPS.indexOf(this.step.peek()) + 1];
      if (following) this.#go(following);
      else this.isOpen.value = true;
    } catch (error) {
      this.#explain(error);
    } finally {
      this.busy.value = false;
    }
  }

  close(): void {
    this.#stop();
  }

  async #send(): Promise<void> {
    const signed = await this.#fresh();
    const requests = this.step.peek().requests(this.values.peek(), this.setUp.peek(), this.#place());
    for (const [done, { service, method, path, body = {} }] of requests.entries()) {
      this.progress.value = { done, all: requests.length };
      const text = `${method} ${path} ${JSON.stringify(body)}`;
      const key = this.#keys.get(text) ?? randomKey();
      this.#keys.set(text, key);
      const answer = (await ask(signed, service, path, { method, body, key }, TRIES)).body;
      if (this.step.peek() === HOTEL_STEPS[0]) this.#begun((answer as { propertyId: string }).propertyId);
    }
    await this.#read();
  }

  /** From now on the address names the property: a reload goes on with it. */
  #begun(propertyId: string): void {
    sessionStorage.setItem(PROPERTY_KEY, propertyId);
    writeParameters({ property: propertyId }, 'replace');
  }

  #explain(error: unknown): void {
    const problem = error instanceof ApiError ? error.problem : undefined;
    const problems = fieldProblems(problem, '', this.fields.peek());
    batch(() => {
      this.problems.value = problems;
      this.trouble.value = problems.size > 0 ? formWords.checkFields : messageOf(error);
    });
  }

  #go(step: Step | undefined): void {
    if (!step) return;
    writeParameters({ step: step.id }, 'push');
    this.#show();
  }

  #show(): void {
    const wanted = HOTEL_STEPS.find(({ id }) => id === parameter('step'));
    // Without a property there is only the first one.
    const step = (this.setUp.peek().property && wanted) || HOTEL_STEPS[0]!;
    batch(() => {
      this.step.value = step;
      this.values.value = step.values(this.setUp.peek());
      this.problems.value = new Map();
      this.trouble.value = undefined;
      this.isOpen.value = false;
    });
  }

  async #load(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      this.trouble.value = messageOf(error);
    }
    this.#show();
  }

  async #read(): Promise<void> {
    const propertyId = parameter('property');
    await this.#fresh();
    if (propertyId !== undefined) this.setUp.value = await readSetUp(this.#place(), propertyId);
    this.isLoaded.value = true;
  }

  #place(): Place {
    const { property } = this.setUp.peek();
    const propertyId = property?.propertyId ?? parameter('property') ?? '';
    return {
      access: { config: this.#config, user: this.#user },
      tenantPath: `/api/v1/tenants/${encodeURIComponent(this.#user.tenantId)}`,
      property: undefined,
      propertyPath: propertyPath(this.#user, propertyId),
      today: shownBusinessDate(Date.now(), property?.metadata.timezone, NIGHT_AUDIT_HOUR),
    };
  }

  /** A token expires within minutes, and this page has no connection that renews it. */
  async #fresh(): Promise<SignedAccess> {
    this.#user = await freshUser(this.#user);
    return { config: this.#config, user: this.#user };
  }
}

/** Of a new property. */
const NIGHT_AUDIT_HOUR = 3;
