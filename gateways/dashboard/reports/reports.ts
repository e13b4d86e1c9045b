import { batch, signal } from '@preact/signals';

import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { freshUser, type SignedIn } from '../access/identity.ts';
import { followAddress, parameter, writeParameters } from '../address.ts';
import type { PropertySummary } from '../api.ts';
import { addDays } from '../grid/days.ts';
import { network, onNetworkBack } from '../live/network.ts';
import { firstChoice, troubleText } from '../properties/first-choice.ts';
import { PROPERTY_KEY } from '../properties/property-key.ts';
import { fetchFile, fetchReport, REPORT_NAMES, type ReportName, type ReportView } from './api.ts';

/** State of the reports page as signals. Not live: a printed list shows one moment. */
export class Reports {
  readonly properties = signal<readonly PropertySummary[]>([]);
  readonly property = signal<PropertySummary | undefined>(undefined);
  readonly report = signal<ReportName>('arrivals');
  /** Empty for the business date. */
  readonly date = signal('');
  readonly view = signal<ReportView | undefined>(undefined);
  readonly trouble = signal<string | undefined>(undefined);
  /** Nothing is followed: whether there is a network is all that is known. */
  readonly connection = network;
  readonly user: SignedIn;
  readonly #config: PageConfig;
  readonly #stop: () => void;
  readonly #stopWatching: () => void;
  #loads = 0;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.user = user;
    this.#readAddress();
    this.#stop = followAddress(() => {
      this.#readAddress();
      this.choose(parameter('property') ?? this.property.peek()?.propertyId ?? '');
    });
    this.#stopWatching = onNetworkBack(() => void (this.property.peek() ? this.#load() : this.#start()));
    void this.#start();
  }

  close(): void {
    this.#stop();
    this.#stopWatching();
  }

  choose(propertyId: PropertyId): void {
    this.property.value = this.properties.value.find((one) => one.propertyId === propertyId);
    sessionStorage.setItem(PROPERTY_KEY, propertyId);
    void this.#load();
  }

  open(report: ReportName): void {
    this.report.value = report;
    void this.#load();
  }

  /** @param date `''` for the business date */
  show(date: string): void {
    this.date.value = date;
    void this.#load();
  }

  step(days: number): void {
    // Two steps in a row are two days, though the list of the first has not come yet.
    const date = this.date.value || this.view.value?.date;
    if (date !== undefined) this.show(addDays(date, days));
  }

  /** Saves the whole report as a file. */
  async export(): Promise<void> {
    const view = this.view.value;
    const property = this.property.value;
    if (!view || !property) return;
    const choice = { propertyId: property.propertyId, report: view.report, date: view.date };
    try {
      const url = URL.createObjectURL(await fetchFile(await this.#access(), choice));
      const link = document.createElement('a');
      link.href = url;
      link.download = `${view.report}-${property.propertyId}-${view.date}.csv`;
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      this.trouble.value = troubleText(error);
    }
  }

  async #start(): Promise<void> {
    try {
      const { properties, first } = await firstChoice(this.#config, this.user);
      this.properties.value = properties;
      this.trouble.value = undefined;
      this.choose(first.propertyId);
    } catch (error) {
      this.trouble.value = troubleText(error);
    }
  }

  async #load(): Promise<void> {
    const property = this.property.value;
    if (!property) return;
    this.#loads += 1;
    const load = this.#loads;
    const choice = { propertyId: property.propertyId, report: this.report.value, date: this.date.value };
    this.#remember(choice);
    const loaded = await this.#access()
      .then((signed) => fetchReport(signed, choice))
      .then(
        (view) => ({ view, trouble: undefined }),
        (error: unknown) => ({ view: undefined, trouble: troubleText(error) }),
      );
    // Another list was selected in the meantime.
    if (load !== this.#loads) return;
    batch(() => {
      this.view.value = loaded.view;
      this.trouble.value = loaded.trouble;
    });
  }

  /** The address names the report, so that it can be bookmarked and shared. */
  #remember({ propertyId, report, date }: { propertyId: string; report: string; date: string }): void {
    // Back leads to the report before; days are turned like pages of one.
    const before = parameter('view');
    const step = before !== undefined && before !== report ? 'push' : 'replace';
    writeParameters({ property: propertyId, view: report, date }, step);
  }

  #readAddress(): void {
    this.report.value = REPORT_NAMES.find((name) => name === parameter('view')) ?? 'arrivals';
    this.date.value = parameter('date') ?? '';
  }

  /** A token expires within minutes, and this page has no connection that renews it. */
  async #access(): Promise<{ config: PageConfig; user: SignedIn }> {
    return { config: this.#config, user: await freshUser(this.user) };
  }
}
