import { useSignal } from '@preact/signals';
import type { HTMLAttributes } from 'preact';
import { useRef } from 'preact/hooks';

type SteadyList<T> = {
  shown: readonly T[];
  /** Entries that are not shown yet. */
  waiting: number;
  /** Shows all of them. */
  showAll: () => unknown;
  /** Listeners of the element that has the list and its button. */
  watch: Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave' | 'onFocusIn' | 'onFocusOut'>;
};

/**
 * A list that does not move under the pointer or the focus: new entries wait until both have left, or somebody wants
 * to see them. What changes of an entry is shown at once, in its place.
 * @param of what the list is of: another one is shown as it is
 */
export function useSteady<T>(items: readonly T[], keyOf: (item: T) => string, of: string): SteadyList<T> {
  const hasPointer = useSignal(false);
  const hasFocus = useSignal(false);
  const released = useSignal(0);
  const scope = `${of} ${released.value}`;
  const held = useRef<{ scope: string; items: readonly T[] }>({ scope, items });
  const isInside = hasPointer.value || hasFocus.value;
  const { current } = held;
  const isSteady = isInside && current.scope === scope && current.items.length > 0;
  const latest = new Map(items.map((item) => [keyOf(item), item]));
  const before = isSteady ? current.items : items;
  const shown = isSteady ? before.map((item) => latest.get(keyOf(item)) ?? item) : items;
  held.current = { scope, items: shown };
  const known = new Set(shown.map(keyOf));
  return {
    shown,
    waiting: items.filter((item) => !known.has(keyOf(item))).length,
    showAll: () => (released.value += 1),
    watch: {
      onPointerEnter: () => (hasPointer.value = true),
      onPointerLeave: () => (hasPointer.value = false),
      onFocusIn: () => (hasFocus.value = true),
      onFocusOut: ({ currentTarget, relatedTarget }) => {
        hasFocus.value = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      },
    },
  };
}
