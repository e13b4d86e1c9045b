import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { SeriesAnswer } from '../../../src/platform/coordination/contracts/figure-series.ts';
import type { ChartFrameProps } from '../charts/chart.tsx';
import { onNetwork } from '../live/network.ts';
import { ServiceButton } from '../service-button.tsx';
import { FIGURE_CHARTS, type FigureChart, figureChart, tileOf } from './figure-charts.ts';
import { figureWords as words } from './figure-messages.ts';
import type { Operations } from './operations.ts';
import type { OpsAddress } from './ops-address.ts';
import { usePolled } from './polled.ts';

const WINDOWS = ['hour', 'day'] as const;

/** Rates, latencies, errors and lags: the newest value of each, and one of them over time. */
export function FiguresPanel({ operations, address }: { operations: Operations; address: OpsAddress }) {
  const { chart: named, window: wanted } = address.shown.value;
  const chart = FIGURE_CHARTS.find((one) => one === named) ?? 'requests';
  const window = wanted === 'day' ? 'day' : 'hour';
  const polled = usePolled<SeriesAnswer>(operations, `/ops/metrics/series?window=${window}`);
  const Frame = useSignal<FunctionComponent<ChartFrameProps> | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const read = useRef<SeriesAnswer>(undefined);
  useEffect(() => void import('../charts/chart.tsx').then(({ ChartFrame }) => (Frame.value = ChartFrame)), []);
  const path = polled.value?.path.endsWith(window) ? polled.value : undefined;
  const answer = path?.value;
  // While points are read out by keyboard, the axis stays where it is.
  const isRead = place.current?.querySelector('.chart-plot') === document.activeElement;
  if (!isRead || read.current?.stepSeconds !== answer?.stepSeconds) read.current = answer;
  const shown = read.current;
  return (
    <section aria-labelledby="figures" class="ops-figures">
      <h2 id="figures">
        {words.title} {answer && <small>{words.nodes(answer.nodes.length)}</small>}
        <span class="chart-tabs" role="group" aria-label={words.window}>
          {WINDOWS.map((one) => (
            <ServiceButton
              key={one}
              desk={onNetwork}
              reads
              aria-pressed={one === window}
              onClick={() => address.go({ window: one === 'hour' ? undefined : one })}
            >
              {words.windows[one]}
            </ServiceButton>
          ))}
        </span>
      </h2>
      {path?.failed !== undefined && <p class="ops-failed">{words.failed}</p>}
      <div class="ops-tiles" role="group" aria-label={words.which}>
        {FIGURE_CHARTS.map((one) => (
          <Tile key={one} chart={one} answer={answer} isShown={one === chart} address={address} />
        ))}
      </div>
      <div ref={place} class="chart-frame">
        {Frame.value && (
          <Frame.value
            model={shown && figureChart(shown, chart, window)}
            onNight={() => address.go({ view: 'requests' })}
          />
        )}
      </div>
    </section>
  );
}

type TileProps = {
  chart: FigureChart;
  answer: SeriesAnswer | undefined;
  isShown: boolean;
  address: OpsAddress;
};

/** The newest value; its name is also that of the alert's trouble when it is beyond the threshold. */
function Tile({ chart, answer, isShown, address }: TileProps) {
  const { text, isOver } = answer ? tileOf(answer, chart) : { text: words.nothing, isOver: false };
  return (
    <ServiceButton
      desk={onNetwork}
      reads
      class="ops-tile"
      aria-pressed={isShown}
      data-bad={isOver || undefined}
      onClick={() => address.go({ chart })}
    >
      <span>{words.charts[chart]}</span>
      <strong>{text}</strong>
    </ServiceButton>
  );
}
