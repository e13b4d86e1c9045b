import uPlot from 'uplot';

import { CHART_TONES, type ChartModel, type ChartSeries, type ChartSpan, type ChartTone } from './chart-model.ts';

/** Colours of a chart as the browser computes them: a canvas knows no CSS variables. */
export type ChartColors = Record<ChartTone | 'text' | 'grid' | 'ground', string>;

const DASHES: Partial<Record<ChartTone, number[]>> = {
  weekAgo: [5, 4],
  lastYear: [1, 4],
  expected: [8, 3],
  other1: [6, 3],
  other2: [2, 3],
  other3: [10, 3, 2, 3],
  other4: [4, 2],
  other5: [12, 4],
  other6: [1, 3],
};

/** Whole pixels: uPlot scales by the digits before `px`, which is 5 in `11.5px`. */
const FONT = "12px 'IBM Plex Sans', system-ui, sans-serif";
/** Numbers are written at bars while they are few. */
const MAX_LABELLED_BARS = 16;
const STEPS = [1, 2, 7, 14, 28, 56, 112, 224];

/** The drawn part of a series: a range is drawn between two invisible lines. */
type Drawn = { series: ChartSeries; values: ChartSeries['values']; part: 'value' | 'low' | 'high' };

function drawnOf({ series }: ChartModel): Drawn[] {
  // The first series is drawn last, over all others.
  return series.toReversed().flatMap((one): Drawn[] => {
    if (one.kind === 'text') return [];
    const { range } = one;
    const edges: Drawn[] = range
      ? [
          { series: one, values: range.low, part: 'low' },
          { series: one, values: range.high, part: 'high' },
        ]
      : [];
    return [...edges, { series: one, values: one.values, part: 'value' }];
  });
}

export function plotData(model: ChartModel): uPlot.AlignedData {
  const lines = drawnOf(model).map(({ values }) => values.map((value) => value ?? null));
  return [model.points.map((_, index) => index), ...lines];
}

type PlotEvents = {
  onPoint: (index: number | undefined) => void;
  onSpan: (span: ChartSpan) => void;
};

/** Draws a chart into an element. */
export function drawPlot(
  place: HTMLElement,
  model: ChartModel,
  look: { colors: ChartColors; height: number; span: ChartSpan | undefined },
  { onPoint, onSpan }: PlotEvents,
): uPlot {
  const { colors, height } = look;
  const drawn = drawnOf(model);
  const axis = { stroke: colors.text, font: FONT, ticks: { show: false } };
  const count = model.points.length;
  const whole = (): [number, number] => [-0.5, Math.max(0, count - 1) + 0.5];
  const options: uPlot.Options = {
    width: place.clientWidth,
    height,
    padding: [16, 10, 0, 0],
    legend: { show: false },
    cursor: {
      drag: { x: true, y: false, setScale: false, dist: 8 },
      y: false,
      points: { size: (_, place) => (drawn[place - 1]?.series.kind === 'line' ? 7 : 0) },
    },
    scales: {
      x: { time: false, range: whole },
      y: { range: (_, least, most) => rangeOf(least, most, model.startsAtZero) },
    },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 4,
        grid: { show: false },
        incrs: STEPS,
        splits: (_, __, least, most, step) => ticksOf(least, most, step, model.anchor ?? 0),
        space: 70,
        values: (_, places) => places.map((at) => model.points[at]?.tick ?? ''),
      },
      {
        ...axis,
        size: 56,
        gap: 6,
        space: 34,
        grid: { stroke: colors.grid, width: 1 },
        values: (_, values) => values.map((value) => (model.formatTick ?? model.format)(value)),
      },
    ],
    series: [{}, ...drawn.map((one) => seriesOf(one, model, colors))],
    bands: bandsOf(drawn, colors),
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 8) return;
          const [from, to] = [left, left + width].map((at) => Math.round(plot.posToVal(at, 'x')));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          const span = { from: Math.max(0, from!), to: Math.min(count - 1, to!) };
          if (span.to > span.from) onSpan(span);
        },
      ],
      draw: [(plot) => labelBars(plot, model, drawn, colors)],
    },
  };
  const plot = new uPlot(options, plotData(model), place);
  showSpan(plot, model, look.span);
  return plot;
}

/** Shows a part of the points, or all of them. */
export function showSpan(plot: uPlot, { points }: ChartModel, span: ChartSpan | undefined): void {
  const { from, to } = span ?? { from: 0, to: Math.max(0, points.length - 1) };
  plot.setScale('x', { min: from - 0.5, max: to + 0.5 });
}

function seriesOf({ series, part }: Drawn, model: ChartModel, colors: ChartColors): uPlot.Series {
  if (part !== 'value') return { stroke: 'transparent', width: 0, points: { show: false } };
  const stroke = colors[series.tone];
  if (series.kind === 'bars') {
    const bars = model.series.filter(({ kind }) => kind === 'bars');
    const align = bars.length === 1 ? 0 : bars[0] === series ? -1 : 1;
    const size: [number, number] = bars.length === 1 ? [0.7, 48] : [0.36, 48];
    const fill = faint(stroke, series.tone === 'now' ? 75 : 35);
    return { stroke, width: 1, fill, paths: barsPath(size, align), points: { show: false } };
  }
  return {
    stroke,
    width: series.tone === 'capacity' ? 1 : 2,
    points: { show: false },
    ...(DASHES[series.tone] && { dash: DASHES[series.tone] }),
    ...(series.tone === 'now' && model.startsAtZero && { fill: faint(stroke, 12) }),
  };
}

function barsPath(size: [number, number], align: -1 | 0 | 1): uPlot.Series.PathBuilder {
  return uPlot.paths.bars!({ size, align });
}

function bandsOf(drawn: readonly Drawn[], colors: ChartColors): uPlot.Band[] {
  return drawn.flatMap(({ series, part }, index) => {
    if (part !== 'low') return [];
    // Places in uPlot begin with the points themselves: the edge above comes right after the one below.
    return { series: [index + 2, index + 1], fill: faint(colors[series.tone], 20) };
  });
}

/** Writes the numbers at the bars, while there is room for them. */
function labelBars(plot: uPlot, model: ChartModel, drawn: readonly Drawn[], colors: ChartColors): void {
  if (model.points.length > MAX_LABELLED_BARS) return;
  const { ctx } = plot;
  const scale = devicePixelRatio;
  const bars = drawn.filter(({ series }) => series.kind === 'bars');
  const width = Math.min(48, (plot.bbox.width / scale / model.points.length) * 0.36);
  ctx.save();
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  ctx.fillStyle = colors.text;
  ctx.textAlign = 'center';
  bars.forEach(({ series, values }, place) => {
    const aside = bars.length === 1 ? 0 : (place === 0 ? -0.5 : 0.5) * width * scale;
    values.forEach((value, index) => {
      if (value === undefined) return;
      const text = (series.format ?? model.format)(value);
      ctx.fillText(text, plot.valToPos(index, 'x', true) + aside, plot.valToPos(value, 'y', true) - 5 * scale);
    });
  });
  ctx.restore();
}

/** Points with a tick: each `step`th from the anchor. */
function ticksOf(least: number, most: number, step: number, anchor: number): number[] {
  const first = anchor + Math.ceil((least - anchor) / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((most - first) / step) + 1) }, (_, n) => first + n * step);
}

function rangeOf(least: number | null, most: number | null, startsAtZero: boolean): [number, number] {
  const low = least ?? 0;
  const high = most ?? 1;
  const room = Math.max(1, (high - Math.min(low, startsAtZero ? 0 : low)) * 0.08);
  if (startsAtZero) return [low < 0 ? low - room : 0, Math.max(1, high) + room];
  return [Math.max(0, low - room), high + room];
}

function faint(color: string, percent: number): string {
  return `color-mix(in srgb, ${color} ${percent}%, transparent)`;
}

/** Reads the colours from hidden samples, so that they follow theme and forced colours. */
export function colorsOf(samples: HTMLElement): ChartColors {
  const tones = CHART_TONES.map((tone) => {
    const sample = samples.querySelector(`[data-tone="${tone}"]`)!;
    return [tone, getComputedStyle(sample).borderTopColor] as const;
  });
  const looks = getComputedStyle(samples);
  return {
    ...(Object.fromEntries(tones) as Record<ChartTone, string>),
    text: looks.color,
    grid: looks.borderTopColor,
    ground: looks.backgroundColor,
  };
}
