/** Lines over the seconds of a run, or over something else. */
export type Plot = {
  title: string;
  unit: string;
  lines: { name: string; points: [x: number, y: number][] }[];
  /** Unit of the horizontal axis: seconds by default. */
  along?: string;
};

/** Bars, one below the other. */
export type Bars = { title: string; unit: string; bars: { name: string; value: number }[] };

const WIDTH = 460;
const HEIGHT = 190;
const LEFT = 46;
const RIGHT = 8;
const TOP = 24;
const BOTTOM = 22;
const TICKS = 4;
const BAR = 22;
const BAR_RIGHT = 90;
/** Width of a letter of a label, and of the longest label. */
const LETTER = 5.2;
const MAX_LABEL = 240;
/** Colors of the page's style; more lines than these repeat them with dashes. */
const COLORS = 8;

/** A plot as SVG, without a script. Missing lines give an empty string. */
export function linePlot({ title, unit, lines, along = ' s' }: Plot): string {
  const drawn = lines.filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return '';
  const all = drawn.flatMap(({ points }) => points);
  const maxX = Math.max(1, ...all.map(([x]) => x));
  const maxY = niceMax(Math.max(...all.map(([, y]) => y)));
  const minX = Math.min(0, ...all.map(([x]) => x));
  const x = (value: number): string => (LEFT + ((value - minX) / (maxX - minX)) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (value: number): string => (HEIGHT - BOTTOM - (value / maxY) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const grid = Array.from({ length: TICKS + 1 }, (_, n) => (maxY * n) / TICKS).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text class="tick" x="${LEFT - 5}" y="${y(value)}" text-anchor="end" dy="3">${shortNumber(value)}</text>`,
  );
  const paths = drawn.map(({ points }, n) => {
    const text = points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
    const style = `class="line c${n % COLORS}${n >= COLORS ? ' dashed' : ''}"`;
    return points.length === 1
      ? `<circle ${style} cx="${x(points[0]![0])}" cy="${y(points[0]![1])}" r="2"/>`
      : `<polyline ${style} points="${text}"/>`;
  });
  const legend = drawn.map(
    ({ name }, n) => `<span class="key c${n % COLORS}${n >= COLORS ? ' dashed' : ''}">${escaped(name)}</span>`,
  );
  return (
    `<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${title}, ${unit}`)}">` +
    `<text class="title" x="0" y="13">${escaped(title)} <tspan class="unit">${escaped(unit)}</tspan></text>` +
    `${grid.join('')}${paths.join('')}` +
    `<text class="tick" x="${LEFT}" y="${HEIGHT - 6}">${shortNumber(minX)}${along}</text>` +
    `<text class="tick" x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${shortNumber(maxX)}${along}</text>` +
    `</svg><figcaption>${legend.join(' ')}</figcaption></figure>`
  );
}

/** Points and a fitted line, both axes logarithmic. */
export type LogPlot = {
  title: string;
  unit: string;
  /** What the horizontal axis counts. */
  of: string;
  points: readonly (readonly [x: number, y: number])[];
  fitted: (x: number) => number;
  note: string;
};

/** A plot with logarithmic axes as SVG. Without two points above 0 it is an empty string. */
export function logPlot({ title, unit, of, points, fitted, note }: LogPlot): string {
  const drawn = points.filter(([x, y]) => x > 0 && y > 0);
  const xs = drawn.map(([x]) => x);
  const [minX, maxX] = [Math.min(...xs), Math.max(...xs)];
  if (drawn.length < 2 || minX === maxX) return '';
  const line = [minX, maxX].map((x): [number, number] => [x, fitted(x)]);
  const ys = [...drawn, ...line].map(([, y]) => y).filter((y) => y > 0 && Number.isFinite(y));
  // Whole powers of ten around all of it, so that plots can be compared by their steepness.
  const lowest = Math.floor(Math.log10(Math.min(...ys)));
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...ys))));
  const place = (share: number, from: number, to: number): string => (from + share * (to - from)).toFixed(1);
  const x = (value: number): string =>
    place(Math.log(value / minX) / Math.log(maxX / minX), LEFT + 6, WIDTH - RIGHT - 6);
  const y = (value: number): string => place((Math.log10(value) - lowest) / (highest - lowest), HEIGHT - BOTTOM, TOP);
  const grid = Array.from({ length: highest - lowest + 1 }, (_, n) => 10 ** (lowest + n)).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text class="tick" x="${LEFT - 5}" y="${y(value)}" text-anchor="end" dy="3">${shortNumber(value)}</text>`,
  );
  const dots = drawn.map(([px, py]) => `<circle class="line c0" cx="${x(px)}" cy="${y(py)}" r="3"/>`);
  const path = line.every(([, py]) => py > 0 && Number.isFinite(py))
    ? `<polyline class="line c1 dashed" points="${line.map(([px, py]) => `${x(px)},${y(py)}`).join(' ')}"/>`
    : '';
  return (
    `<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${title}, ${unit}, over ${of}`)}">` +
    `<text class="title" x="0" y="13">${escaped(title)} <tspan class="unit">${escaped(unit)}</tspan></text>` +
    `${grid.join('')}${path}${dots.join('')}` +
    `<text class="tick" x="${LEFT}" y="${HEIGHT - 6}">${shortNumber(minX)} ${escaped(of)}</text>` +
    `<text class="tick" x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${shortNumber(maxX)}</text>` +
    `</svg><figcaption>${escaped(note)}</figcaption></figure>`
  );
}

/** Bars as SVG. Missing bars give an empty string. */
export function barPlot({ title, unit, bars }: Bars): string {
  if (bars.length === 0) return '';
  const max = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const height = TOP + bars.length * BAR;
  const left = Math.min(MAX_LABEL, 12 + LETTER * Math.max(...bars.map(({ name }) => name.length)));
  const rows = bars.map(({ name, value }, n) => {
    const top = TOP + n * BAR;
    const width = ((value / max) * (WIDTH - left - BAR_RIGHT)).toFixed(1);
    return (
      `<text class="tick" x="${left - 6}" y="${top + 14}" text-anchor="end">${escaped(name)}</text>` +
      `<rect class="bar c${n % COLORS}" x="${left}" y="${top + 3}" width="${width}" height="${BAR - 7}"/>` +
      `<text class="tick" x="${left + Number(width) + 5}" y="${top + 14}">${shortNumber(value)}</text>`
    );
  });
  return (
    `<figure><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(`${title}, ${unit}`)}">` +
    `<text class="title" x="0" y="13">${escaped(title)} <tspan class="unit">${escaped(unit)}</tspan></text>` +
    `${rows.join('')}</svg></figure>`
  );
}

/** A number as people read it: three digits of it, thousands separated. */
export function shortNumber(value: number): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The next of 1, 2, 4, 5, 8 times a power of ten. */
function niceMax(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (([1, 2, 4, 5, 8, 10] as const).find((step) => step * power >= value) ?? 10) * power;
}
