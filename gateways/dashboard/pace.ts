/** Size of the drawing, in its own units; it is stretched to the place there is. */
export const CHART = { width: 900, height: 160 } as const;

/** An SVG path through the known nights. */
export function pathOf(rooms: readonly (number | undefined)[], most: number): string {
  let [path, down] = ['', false];
  rooms.forEach((value, index) => {
    if (value === undefined) {
      down = false;
      return;
    }
    path += `${down ? 'L' : 'M'}${xOf(index, rooms.length)} ${yOf(value, most)}`;
    down = true;
  });
  return path;
}

/** The same closed at the bottom, to be filled; only for lines without gaps. */
export function areaOf(rooms: readonly (number | undefined)[], most: number): string {
  const path = pathOf(rooms, most);
  return path === ''
    ? ''
    : `${path}V${CHART.height}H${xOf(
        rooms.findIndex((one) => one !== undefined),
        rooms.length,
      )}Z`;
}

/** Round numbers for the axis, from nothing to the top: at most five. */
export function ticksOf(most: number): number[] {
  const rough = Math.max(1, most / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!,
  );
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

export function xOf(index: number, count: number): number {
  return rounded(((index + 0.5) / count) * CHART.width);
}

export function yOf(rooms: number, most: number): number {
  return rounded(CHART.height * (1 - rooms / Math.max(1, most)));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
