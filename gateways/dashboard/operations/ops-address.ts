import { computed, signal } from '@preact/signals';

import { followAddress, parameter, writeParameters } from '../address.ts';

const NAMES = ['view', 'chart', 'window', 'alert', 'request', 'route', 'tenant', 'property'] as const;
type Name = (typeof NAMES)[number];
type Shown = Readonly<Partial<Record<Name, string>>>;

export const VIEWS = ['overview', 'requests', 'tenants', 'work'] as const;
type ViewName = (typeof VIEWS)[number];

const read = (): Shown =>
  Object.fromEntries(NAMES.flatMap((name) => (parameter(name) === undefined ? [] : [[name, parameter(name)]])));

/** What the operations view shows, as the address says it: Back leads to what was shown before. */
export class OpsAddress {
  readonly shown = signal<Shown>(read());
  readonly view = computed((): ViewName => VIEWS.find((one) => one === this.shown.value.view) ?? 'overview');
  readonly #stop = followAddress(() => (this.shown.value = read()));

  /** Shows something else; what is not named stays. */
  go(changes: Partial<Record<Name, string | undefined>>, step: 'push' | 'replace' = 'push'): void {
    writeParameters(changes, step);
    this.shown.value = read();
  }

  close(): void {
    this.#stop();
  }
}
