import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { middle, figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import type { Goal } from './goals.ts';
import { MeasuredPage } from './measured-page.ts';

const NIGHTS = 90;
const TYPES = Array.from({ length: 10 }, (_, n) => `T${String(n).padStart(2, '0')}`);
const LOADS = 7;
const ROUNDS = 25;
const PATCHES = 500;
/** The first change is sent at once, those that follow soon are sent together. */
const AT_ONCE = 1 + Math.ceil(PATCHES / NIGHTS);
const PATIENCE_MS = 60_000;
/** The middle one of some; each beside the figure of the worst. */
const PAINT_MS = 300;
const PATCH_MS = 20;

/** Time until a large property is on the screen, and the page's work for many simultaneous changes. */
export async function benchPage(): Promise<Goal[]> {
  const service = await Service.start(NO_LIMITS);
  try {
    const rooms = Object.fromEntries(TYPES.map((type) => [type, 20]));
    const property = await BlackboxProperty.open(service, { rooms });
    await using measured = await MeasuredPage.open(service, property);
    const paints = await firstPaints(measured);
    const scripts = await patchTimes(measured, property);
    figuresText([
      { what: `first paint of ${NIGHTS} x ${TYPES.length} after the snapshot`, value: published(paints) },
      { what: `script for a delta of ${PATCHES} cells or more`, value: published(scripts) },
    ]);
    return [
      {
        what: `snapshot -> painted, ${NIGHTS} days x ${TYPES.length} types`,
        value: middle(paints),
        unit: 'ms',
        atMost: PAINT_MS,
      },
      { what: `script for ${PATCHES} patches in one delta`, value: middle(scripts), unit: 'ms', atMost: PATCH_MS },
    ];
  } finally {
    await service.remove();
  }
}

const published = (times: readonly number[]): string =>
  `${times.length} times: middle ${middle(times).toFixed(1)} ms, most ${Math.max(...times).toFixed(1)}`;

/** From the snapshot's arrival in the page. */
async function firstPaints(measured: MeasuredPage): Promise<number[]> {
  const { page } = measured;
  const times: number[] = [];
  for (let n = 0; n < LOADS; n++) {
    await page.reload();
    const wholeAt = await until('the whole property is painted', PATIENCE_MS, () =>
      page.evaluate<number | undefined>('meter.wholeAt()'),
    );
    const { frames } = await measured.take();
    const snapshot = frames.find(({ kind }) => kind === 'snapshot');
    if (!snapshot) throw new Error('the page had no snapshot');
    times.push(wholeAt - snapshot.at);
    await pause(500);
  }
  return times;
}

/** Milliseconds of script for each sufficiently large delta. */
async function patchTimes(measured: MeasuredPage, property: BlackboxProperty): Promise<number[]> {
  await measured.page.evaluate('meter.framesOnly()');
  await measured.take();
  for (let round = 0; round < ROUNDS; round++) {
    const some = TYPES.slice(0, AT_ONCE);
    const answers = await Promise.all(some.map((type) => property.price(type, 0, NIGHTS, 100 + round)));
    for (const answer of answers) must(answer, 200);
    await pause(300);
  }
  const { frames } = await measured.take();
  const large = frames.filter(({ kind, cells }) => kind === 'delta' && cells >= PATCHES);
  if (large.length === 0) throw new Error('no delta was large enough');
  return large.map(({ scriptMs }) => scriptMs);
}
