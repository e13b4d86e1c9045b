import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type uPlot from 'uplot';

import {
  CHART_TONES,
  chartCsv,
  type ChartModel,
  type ChartSpan,
  readOut,
  textAt,
  zoomedIn,
  zoomedOut,
} from './chart-model.ts';
import { ChartTable } from './chart-table.tsx';
import { csvBlob, saveFile } from './file.ts';
import { charts as words } from './messages.ts';
import { pictureOf } from './picture.ts';
import { colorsOf, drawPlot, plotData, showSpan } from './plot.ts';

const HEIGHT = 250;
const PAGE_POINTS = 7;

const SAMPLES = CHART_TONES.map((tone) => <i key={tone} data-tone={tone} />);

export type ChartFrameProps = {
  /** `undefined` while its figures are loading: the place stays as large. */
  model: ChartModel | undefined;
  /** Choices of this chart, such as whose nights it shows. */
  children?: ComponentChildren;
  onNight?: (night: string) => void;
};

/** A chart with its read-out, its table and its files; everything works by keyboard. */
export function ChartFrame({ model, children, onNight }: ChartFrameProps) {
  const id = useId();
  const asTable = useSignal(false);
  const { at, span, chosen, zoom } = useShownPoints(model);
  const samples = useRef<HTMLParagraphElement>(null);
  const plot = useRef<uPlot>(undefined);
  const isEmpty = model === undefined || model.missing !== undefined;
  const open = (index: number | undefined): void => {
    const night = index === undefined ? undefined : model?.points[index]?.night;
    if (night !== undefined) onNight?.(night);
  };
  const savePicture = (): void => {
    const drawn = plot.current?.ctx.canvas;
    if (!drawn || !model || !samples.current) return;
    void pictureOf(drawn, model, colorsOf(samples.current)).then((blob) => saveFile(`${model.file}.png`, blob));
  };
  const toggleTable = (): void => void (asTable.value = !asTable.value);
  return (
    <div
      class="chart-frame"
      role="group"
      aria-label={model?.title ?? words.loading}
      aria-describedby={`${id}-figures`}
      aria-busy={model === undefined}
      onKeyDown={(event) => {
        if (isPlainKey(event, 't') && !isEmpty) {
          event.preventDefault();
          toggleTable();
        }
      }}
    >
      <ChartBar
        model={isEmpty ? undefined : model}
        asTable={asTable.value}
        isZoomed={span.value !== undefined}
        onTable={toggleTable}
        onZoom={zoom}
        onPicture={savePicture}
      >
        {children}
      </ChartBar>
      <Figures id={`${id}-figures`} model={model} />
      <div class="chart-place" style={{ '--chart-height': `${HEIGHT}px` }}>
        {model === undefined && <p class="chart-empty">{words.loading}</p>}
        {model?.missing !== undefined && <p class="chart-empty">{model.missing}</p>}
        {!isEmpty && asTable.value && <ChartTable model={model} />}
        {!isEmpty && !asTable.value && (
          <Plot
            model={model}
            span={span.value}
            at={chosen}
            samples={samples}
            plot={plot}
            onPoint={(index) => (at.value = index)}
            onSpan={(wanted) => (span.value = wanted)}
            onOpen={open}
            onZoom={zoom}
          />
        )}
      </div>
      <Legend model={isEmpty ? undefined : model} at={chosen} />
      <p class="chart-samples" ref={samples} aria-hidden="true">
        {SAMPLES}
      </p>
    </div>
  );
}

/** The point that is read out, and the part of the points that is shown. */
function useShownPoints(model: ChartModel | undefined) {
  const at = useSignal<number | undefined>(undefined);
  const span = useSignal<ChartSpan | undefined>(undefined);
  const count = model?.points.length ?? 0;
  // Another period has other points.
  useEffect(() => {
    at.value = undefined;
    span.value = undefined;
  }, [model?.title, model?.points[0]?.label, count]);
  const chosen = at.value === undefined || at.value >= count ? undefined : at.value;
  const zoom: Zoom = (by) => {
    const shown = span.value ?? { from: 0, to: count - 1 };
    if (by === 'in') span.value = zoomedIn(shown, chosen ?? Math.round((shown.from + shown.to) / 2));
    else span.value = by === 'out' ? zoomedOut(shown, count) : undefined;
  };
  return { at, span, chosen, zoom };
}

/** Caption and key figures. */
function Figures({ id, model }: { id: string; model: ChartModel | undefined }) {
  return (
    <p class="chart-figures" id={id}>
      {model && (
        <>
          <span>{model.caption}.</span> {model.missing === undefined && <strong>{model.summary}</strong>}
        </>
      )}
    </p>
  );
}

type Zoom = (by: 'in' | 'out' | 'all') => void;

type BarProps = {
  /** `undefined` while there is nothing to act on. */
  model: ChartModel | undefined;
  asTable: boolean;
  isZoomed: boolean;
  onTable: () => void;
  onZoom: Zoom;
  onPicture: () => void;
  children: ComponentChildren;
};

/** Choices and actions above a chart. */
function ChartBar({ model, asTable, isZoomed, onTable, onZoom, onPicture, children }: BarProps) {
  const isDrawn = model !== undefined && !asTable;
  return (
    <div class="chart-bar">
      {children}
      <span class="chart-buttons">
        <button type="button" aria-pressed={asTable} disabled={!model} onClick={onTable}>
          {words.table}
        </button>
        <button type="button" disabled={!isDrawn} onClick={() => onZoom('in')}>
          {words.zoomIn}
        </button>
        <button type="button" disabled={!isDrawn || !isZoomed} onClick={() => onZoom('out')}>
          {words.zoomOut}
        </button>
        <button type="button" disabled={!isDrawn || !isZoomed} onClick={() => onZoom('all')}>
          {words.reset}
        </button>
        <button
          type="button"
          disabled={!model}
          onClick={() => model && saveFile(`${model.file}.csv`, csvBlob(chartCsv(model)))}
        >
          {words.exportCsv}
        </button>
        <button type="button" disabled={!isDrawn} onClick={onPicture}>
          {words.exportPng}
        </button>
      </span>
    </div>
  );
}

type PlotProps = {
  model: ChartModel;
  span: ChartSpan | undefined;
  at: number | undefined;
  samples: { current: HTMLElement | null };
  plot: { current: uPlot | undefined };
  onPoint: (index: number | undefined) => void;
  onSpan: (span: ChartSpan) => void;
  onOpen: (index: number | undefined) => void;
  onZoom: Zoom;
};

/** The drawing. For the keyboard and for screen readers it is a slider over its points. */
function Plot({ model, span, at, samples, plot, onPoint, onSpan, onOpen, onZoom }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const pressedAt = useRef<number>(undefined);
  const shape = `${model.title} ${model.points.length} ${model.series.map(({ id, kind }) => id + kind).join()}`;
  useEffect(() => {
    const draw = (): void => {
      plot.current?.destroy();
      const look = { colors: colorsOf(samples.current!), height: HEIGHT, span };
      plot.current = drawPlot(place.current!, model, look, { onPoint, onSpan });
    };
    draw();
    const stop = followLooks(place.current!, draw, (width) => plot.current?.setSize({ width, height: HEIGHT }));
    return () => {
      stop();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [shape, model.caption]);
  useEffect(() => {
    if (!plot.current) return;
    plot.current.setData(plotData(model));
    showSpan(plot.current, model, span);
  }, [model, span?.from, span?.to]);
  const last = model.points.length - 1;
  const shown = span ?? { from: 0, to: last };
  const move = (to: number): void => {
    const index = Math.min(shown.to, Math.max(shown.from, to));
    onPoint(index);
    const left = plot.current?.valToPos(index, 'x') ?? 0;
    plot.current?.setCursor({ left, top: 10 });
  };
  const from = at ?? shown.from;
  const moves = keyMoves({ at, shown, move, onOpen, onZoom });
  return (
    <div
      class="chart-plot"
      role="slider"
      tabIndex={0}
      aria-label={words.readOut(model.title)}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={from}
      aria-valuetext={readOut(model, from)}
      title={words.hint}
      ref={place}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const deed = moves[event.key];
        if (!deed) return;
        event.preventDefault();
        deed();
      }}
      onPointerDown={(event) => (pressedAt.current = event.clientX)}
      onClick={(event) => {
        // A drag is a zoom.
        if (Math.abs(event.clientX - (pressedAt.current ?? event.clientX)) < 8) onOpen(at);
      }}
    />
  );
}

type KeyTargets = Pick<PlotProps, 'at' | 'onOpen' | 'onZoom'> & { shown: ChartSpan; move: (to: number) => void };

/** What each key does on a chart. */
function keyMoves({ at, shown, move, onOpen, onZoom }: KeyTargets): Readonly<Record<string, () => void>> {
  const from = at ?? shown.from;
  const back = (): void => move(from - 1);
  const on = (): void => move(at === undefined ? shown.from : from + 1);
  return {
    ArrowLeft: back,
    ArrowDown: back,
    ArrowRight: on,
    ArrowUp: on,
    PageDown: () => move(from - PAGE_POINTS),
    PageUp: () => move(from + PAGE_POINTS),
    Home: () => move(shown.from),
    End: () => move(shown.to),
    Enter: () => onOpen(at),
    '+': () => onZoom('in'),
    '-': () => onZoom('out'),
    '0': () => onZoom('all'),
  };
}

/** Legend with the values of the point that is read out. */
function Legend({ model, at }: { model: ChartModel | undefined; at: number | undefined }) {
  if (!model) return <p class="chart-legend" />;
  return (
    <p class="chart-legend">
      <span class="chart-point">{at === undefined ? model.notes.join(' ') : model.points[at]?.label}</span>
      {model.series.map((series) => (
        <span
          key={series.id}
          data-tone={series.tone}
          data-kind={series.kind}
          hidden={series.kind === 'text' && at === undefined}
        >
          <i aria-hidden="true" />
          {series.label}
          {at !== undefined && <strong> {textAt(model, series, at) ?? words.nothing}</strong>}
        </span>
      ))}
    </p>
  );
}

/** Draws again when theme or contrast change, and follows the width. */
function followLooks(place: HTMLElement, draw: () => void, resize: (width: number) => void): () => void {
  const sizes = new ResizeObserver(() => resize(place.clientWidth));
  sizes.observe(place);
  const looks = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query));
  for (const look of looks) look.addEventListener('change', draw);
  const theme = new MutationObserver(draw);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    sizes.disconnect();
    theme.disconnect();
    for (const look of looks) look.removeEventListener('change', draw);
  };
}

function isPlainKey(event: KeyboardEvent, key: string): boolean {
  const isTyping = event.target instanceof HTMLSelectElement;
  return event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
}
