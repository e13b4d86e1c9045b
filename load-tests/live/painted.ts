import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Page } from '../../test/blackbox/shapes.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { type Percentiles, percentiles } from '../client/latencies.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { change, type Changed, CHANGES_A_SECOND, PROTOCOLS, SOCKETS, watchers } from './frames.ts';
import type { Goal } from './goals.ts';
import { MeasuredPage, type Taken } from './measured-page.ts';

const WARM_SECONDS = 3;
const SECONDS = 15;
const MAX_MS = 250;

/**
 * Time from commit to painted cell in Chromium, while a thousand others watch the same property: from the time in the
 * journal, so that the conflation window counts, to the frame after the one in which the new price is drawn.
 */
export async function benchPainted(): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const protocol of PROTOCOLS) {
    const service = await Service.start(NO_LIMITS);
    try {
      const property = await BlackboxProperty.open(service);
      using _ = await watchers(service, property, protocol, SOCKETS);
      await using measured = await MeasuredPage.open(service, property);
      await measured.page.getByRole('radio', { name: 'Rate', exact: true }).check();
      await change(property, WARM_SECONDS);
      await measured.take();
      const changes = await change(property, SECONDS);
      await pause(1_000);
      const { painted } = await measured.take();
      const commits = await commitTimes(property);
      const seen = changes.flatMap((one) => paintedOf(one, painted).map((at) => ({ ...one, at })));
      const afterCommit = percentiles(seen.map(({ at, seq }) => at - (commits.get(seq) ?? NaN)));
      const beside = `beside ${SOCKETS} ${protocol} sockets`;
      figuresText([
        { what: `page ${beside}: cells painted, of changes`, value: `${seen.length} of ${changes.length}` },
        { what: 'commit -> painted cell', value: published(afterCommit) },
        {
          what: 'requested -> painted cell',
          value: published(percentiles(seen.map(({ at, askedAt }) => at - askedAt))),
        },
      ]);
      const value = seen.length === changes.length ? afterCommit.p95 : NaN;
      goals.push({ what: `commit -> painted cell p95, ${beside}`, value, unit: 'ms', atMost: MAX_MS });
    } finally {
      await service.remove();
    }
  }
  return goals;
}

const published = ({ p50, p95, p99, max }: Percentiles): string =>
  `p50 ${p50} ms, p95 ${p95}, p99 ${p99}, max ${max}`;

/** Time at which the cell was first on the screen with its new price; `undefined` when it never was. */
function paintedOf({ roomType, date, rate, askedAt }: Changed, painted: Taken['painted']): number[] {
  const shows = new RegExp(`(?<![\\d.])${rate}(?!\\d)`);
  const found = painted.find(
    ({ key, text, at }) => at >= askedAt && key === `${date} ${roomType}` && shows.test(text),
  );
  return found ? [found.at] : [];
}

type Trail = Page<{ propertyId: string | null; seq: number; at: string }>;

/** Commit times of the property's newest changes by `seq`, from its journal. */
async function commitTimes({ service, propertyId }: BlackboxProperty): Promise<Map<number, number>> {
  const times = new Map<number, number>();
  const list = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?limit=200`;
  for (let cursor = ''; times.size < CHANGES_A_SECOND * SECONDS;) {
    const { json } = must(await service.call<Trail>('GET', list + cursor), 200);
    for (const one of json.items) if (one.propertyId === propertyId) times.set(one.seq, Date.parse(one.at));
    if (!json.nextCursor) break;
    cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`;
  }
  return times;
}
