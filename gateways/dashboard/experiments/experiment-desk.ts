import { batch, computed, signal } from '@preact/signals';

import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { freshUser, type SignedIn } from '../access/identity.ts';
import { followAddress, parameter, writeParameters } from '../address.ts';
import type { PropertySummary, SignedAccess } from '../api.ts';
import { network, onNetworkBack } from '../live/network.ts';
import { firstChoice, troubleText } from '../properties/first-choice.ts';
import { PROPERTY_KEY } from '../properties/property-key.ts';
import {
  listedExperiments,
  type ListedExperiment,
  sendStop,
  shownExperiment,
  type ShownExperiment,
  triablePlans,
  type TriablePlan,
} from './api.ts';
import { experiments as words } from './messages.ts';
import { NewExperiment } from './new-experiment.ts';

/** State of the page of experiments. Not live: their days are counted once a day. */
export class ExperimentDesk {
  readonly properties = signal<readonly PropertySummary[]>([]);
  readonly property = signal<PropertySummary | undefined>(undefined);
  /** Newest first; undefined while they are loaded. */
  readonly listed = signal<readonly ListedExperiment[] | undefined>(undefined);
  readonly plans = signal<readonly TriablePlan[]>([]);
  readonly shown = signal<ShownExperiment | undefined>(undefined);
  /** The form of a new one, while it is open. */
  readonly form = signal<NewExperiment | undefined>(undefined);
  /** Whether somebody is about to stop the shown one. */
  readonly isStopping = signal(false);
  readonly busy = signal(false);
  readonly trouble = signal<string | undefined>(undefined);
  readonly done = signal<string | undefined>(undefined);
  readonly isRunning = computed(() => this.listed.value?.some(({ status }) => status === 'RUNNING') === true);
  /** Nothing is followed: whether there is a network is all that is known. */
  readonly connection = network;
  readonly user: SignedIn;
  readonly #config: PageConfig;
  readonly #stop: (() => void)[];
  #loads = 0;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.user = user;
    this.#stop = [
      followAddress(() => this.#choose(parameter('property') ?? '', parameter('experiment'))),
      onNetworkBack(() => void (this.property.peek() ? this.#load(parameter('experiment')) : this.#start())),
    ];
    void this.#start();
  }

  close(): void {
    for (const stop of this.#stop) stop();
  }

  choose(propertyId: PropertyId): void {
    this.#choose(propertyId, undefined);
    writeParameters({ property: propertyId, experiment: undefined }, 'push');
  }

  async open({ id }: { id: string }): Promise<void> {
    batch(() => {
      this.form.value = undefined;
      this.isStopping.value = false;
      this.done.value = undefined;
    });
    writeParameters({ experiment: id }, 'push');
    await this.#show(id);
  }

  begin(): void {
    this.done.value = undefined;
    this.form.value = new NewExperiment(this);
  }

  /** A new one is there. */
  async begun(experiment: ShownExperiment): Promise<void> {
    batch(() => {
      this.form.value = undefined;
      this.shown.value = experiment;
      this.done.value = words.begun(experiment.name);
    });
    writeParameters({ experiment: experiment.id }, 'push');
    await this.#load(experiment.id);
  }

  async stopShown(): Promise<void> {
    const shown = this.shown.peek();
    if (!shown || this.busy.peek()) return;
    this.busy.value = true;
    try {
      this.shown.value = await sendStop(await this.access(), shown.id);
      this.done.value = words.stopped(shown.name);
      this.isStopping.value = false;
      await this.#load(shown.id);
    } catch (error) {
      this.trouble.value = troubleText(error);
    } finally {
      this.busy.value = false;
    }
  }

  /** A token expires within minutes, and this page has no connection that renews it. */
  async access(): Promise<SignedAccess> {
    return { config: this.#config, user: await freshUser(this.user) };
  }

  #choose(propertyId: PropertyId, experiment: string | undefined): void {
    const before = this.property.peek();
    batch(() => {
      this.property.value = this.properties.value.find((one) => one.propertyId === propertyId) ?? before;
      if (this.property.value !== before) this.listed.value = undefined;
      this.form.value = undefined;
      this.isStopping.value = false;
    });
    sessionStorage.setItem(PROPERTY_KEY, propertyId);
    void this.#load(experiment);
  }

  async #start(): Promise<void> {
    try {
      const { properties, first } = await firstChoice(this.#config, this.user);
      this.properties.value = properties;
      this.trouble.value = undefined;
      this.#choose(first.propertyId, parameter('experiment'));
    } catch (error) {
      this.trouble.value = troubleText(error);
    }
  }

  /** @param experiment the one to show; else the newest */
  async #load(experiment: string | undefined): Promise<void> {
    const property = this.property.peek();
    if (!property) return;
    const load = ++this.#loads;
    try {
      const signed = await this.access();
      const [listed, plans] = await Promise.all([
        listedExperiments(signed, property.propertyId),
        triablePlans(signed, property.propertyId),
      ]);
      // Another property was chosen in the meantime.
      if (load !== this.#loads) return;
      batch(() => {
        this.listed.value = listed;
        this.plans.value = plans;
        this.trouble.value = undefined;
      });
      const id = listed.find((one) => one.id === experiment)?.id ?? listed[0]?.id;
      if (id === undefined) this.shown.value = undefined;
      else await this.#show(id);
    } catch (error) {
      if (load === this.#loads) this.trouble.value = troubleText(error);
    }
  }

  async #show(id: string): Promise<void> {
    const load = ++this.#loads;
    try {
      const shown = await shownExperiment(await this.access(), id);
      if (load !== this.#loads) return;
      this.shown.value = shown;
      this.trouble.value = undefined;
    } catch (error) {
      if (load === this.#loads) this.trouble.value = troubleText(error);
    }
  }
}
