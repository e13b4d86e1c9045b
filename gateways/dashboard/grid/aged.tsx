import type { ComponentChildren, HTMLAttributes } from 'preact';

import { ageOf } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';

type Props = {
  desk: RevenueStore;
  class: string;
  label: string;
  /** Time of the shown data; `undefined` when it is current or absent. */
  at: number | undefined;
  /** Age from which the panel is marked as old. */
  budgetMs: number;
  /** Listeners of the panel. */
  watch?: HTMLAttributes<HTMLElement>;
  children: ComponentChildren;
};

/** A panel that is hatched and shows its age once its data is too old. */
export function Aged({ desk, class: looks, label, at, budgetMs, watch, children }: Props) {
  const age = at === undefined || desk.isPast.value ? 0 : desk.tick.value - at;
  const isAged = age > budgetMs;
  return (
    <section {...watch} class={looks} aria-label={label} data-aged={isAged || undefined}>
      {isAged && <p class="age">{ageOf(age)}</p>}
      {children}
    </section>
  );
}
