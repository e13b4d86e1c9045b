import { type Signal, useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { followAddress, parameter, writeParameters } from '../address.ts';
import { Aged } from '../grid/aged.tsx';
import { returns } from '../live/network.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { ServiceButton } from '../service-button.tsx';
import { CHARTS, type ChartName, CHARTS_OF_ALL } from './chart-names.ts';
import type { ChartsViewProps } from './charts-view.tsx';
import { charts as words } from './messages.ts';

/** Reloaded every minute: two missing answers are too old. */
const BUDGET_MS = 150_000;
/** Charts are loaded shortly before they come into view. */
const AHEAD = '400px';

const named = (): ChartName | undefined => CHARTS.find((one) => one === parameter('chart'));

/** The charts of the workspace. What draws them is loaded once they are in view, or named by the address. */
export function ChartsPanel({ desk }: { desk: RevenueStore }) {
  const place = useRef<HTMLDivElement>(null);
  const chosen = useSignal(named());
  const View = useSignal<FunctionComponent<ChartsViewProps> | undefined>(undefined);
  const trouble = useSignal(false);
  useEffect(
    () =>
      followAddress(() => {
        chosen.value = named();
        if (chosen.value === undefined) return;
        load(View, trouble);
        place.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
      }),
    [],
  );
  useEffect(() => whenInView(place.current!, named() !== undefined, () => load(View, trouble)), []);
  useEffect(() => {
    if (trouble.peek()) load(View, trouble);
  }, [returns.value]);
  const names = desk.seesAmounts ? CHARTS : CHARTS_OF_ALL;
  const chart = names.find((one) => one === chosen.value) ?? 'nights';
  return (
    <Aged desk={desk} class="sheet charts" label={words.title} at={desk.revenue.paceAt.value} budgetMs={BUDGET_MS}>
      <h2>
        {words.title}
        <span class="chart-tabs" role="group" aria-label={words.which}>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === chart}
              onClick={() => {
                chosen.value = name;
                writeParameters({ chart: name }, 'push');
              }}
            >
              {words.names[name]}
            </button>
          ))}
        </span>
      </h2>
      <div ref={place} class="chart-frame">
        {trouble.value && (
          <ServiceButton desk={desk} reads onClick={() => load(View, trouble)}>
            {words.retry}
          </ServiceButton>
        )}
        {View.value && <View.value desk={desk} chart={chart} />}
      </div>
    </Aged>
  );
}

function load(view: Signal<FunctionComponent<ChartsViewProps> | undefined>, trouble: Signal<boolean>): void {
  trouble.value = false;
  import('./charts-view.tsx').then(
    // A signal that is given a function would not call it: only setters of hooks do.
    ({ ChartsView }) => (view.value = ChartsView),
    () => (trouble.value = true),
  );
}

/** Calls once when the element comes near the window, or at once and scrolls to it when the address names it. */
function whenInView(place: HTMLElement, isNamed: boolean, arrive: () => void): () => void {
  if (isNamed) {
    arrive();
    place.closest('section')?.scrollIntoView({ block: 'nearest' });
    return () => undefined;
  }
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      arrive();
    },
    { rootMargin: AHEAD },
  );
  watcher.observe(place);
  return () => watcher.disconnect();
}
