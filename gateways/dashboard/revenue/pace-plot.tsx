import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

import { PACE_LINES, paceData, type PaceLine, type PaceLines, paceOptions } from './pace.ts';

type Props = {
  /** Reads the signals that the lines depend on. */
  lines: () => PaceLines;
  days: () => readonly string[];
  onNight: (night: number | undefined) => void;
};

const HEIGHT = 200;
/** Bookings come in bursts: the chart is updated after them. */
const SETTLE_MS = 150;

/** The plot. Its colours come from the legend, so that both follow the browser's theme. */
export function PacePlot({ lines, days, onNight }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => draw(place.current!, { lines, days, onNight }), []);
  return <div class="chart" aria-hidden="true" ref={place} />;
}

function draw(place: HTMLDivElement, { lines, days, onNight }: Props): () => void {
  let data = paceData(lines());
  const open = (): uPlot =>
    new uPlot(paceOptions(place.clientWidth, HEIGHT, days, colorsOf(place), onNight), data, place);
  let plot = open();
  const again = (): void => {
    plot.destroy();
    plot = open();
  };
  let due: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    data = paceData(lines());
    due ??= setTimeout(() => {
      due = undefined;
      plot.setData(data);
    }, SETTLE_MS);
  });
  const sizes = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }));
  sizes.observe(place);
  const looks = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query));
  for (const look of looks) look.addEventListener('change', again);
  const theme = new MutationObserver(again);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    stop();
    clearTimeout(due);
    sizes.disconnect();
    theme.disconnect();
    for (const look of looks) look.removeEventListener('change', again);
    plot.destroy();
  };
}

/** A canvas cannot use CSS variables: the colours are read from the legend. */
function colorsOf(place: HTMLDivElement): Record<PaceLine | 'text' | 'grid', string> {
  const keys = place.parentElement!;
  const border = (selector: string): string => getComputedStyle(keys.querySelector(selector)!).borderTopColor;
  const lines = PACE_LINES.map((line) => [line, border(`[data-line="${line}"] i`)]);
  return {
    ...(Object.fromEntries(lines) as Record<PaceLine, string>),
    text: getComputedStyle(keys.querySelector('small')!).color,
    grid: getComputedStyle(place).borderTopColor,
  };
}
