import type { ComponentChildren } from 'preact';

import { ageOf } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';

type Props = {
  desk: RevenueStore;
  class: string;
  label: string;
  /** When what it shows was true; `undefined` where that is now, or nothing is shown yet. */
  at: number | undefined;
  /** Older than this it says so. */
  budgetMs: number;
  children: ComponentChildren;
};

/** A panel that is hatched, and says how old it is, once it is older than it should be. */
export function Aged({ desk, class: looks, label, at, budgetMs, children }: Props) {
  const age = at === undefined || desk.isPast.value ? 0 : desk.tick.value - at;
  const isAged = age > budgetMs;
  return (
    <section class={looks} aria-label={label} data-aged={isAged || undefined}>
      {isAged && <p class="age">{ageOf(age)}</p>}
      {children}
    </section>
  );
}
