import type { DayRegressions } from '../../revenue/rules/forecast/demand-forecast.ts';
import type { PropertyHistory } from '../../revenue/rules/forecast/property-forecast.ts';

/** Properties whose regressions a thread caches; each has a megabyte or two with its history. */
const MAX_KNOWN = 16;

type Past = Pick<PropertyHistory, 'changes' | 'today'>;
type Known = Past & { fits: DayRegressions };

/**
 * Regressions of this thread by the history from which they were fitted, the newest last. A booking of today changes
 * what is sold, not the history: without this each one would fit them again.
 */
export class KnownRegressions {
  #known: Known[] = [];

  /** Those of the same history, or new ones, which a forecast fills. */
  of({ changes, today }: Past): DayRegressions {
    const found = this.#known.find((one) => one.today === today && isSameArray(one.changes, changes));
    const known = found ?? { changes, today, fits: { moment: today, byLead: new Map() } };
    this.#known = [...this.#known.filter((one) => one !== found), known].slice(-MAX_KNOWN);
    return known.fits;
  }
}

function isSameArray(one: Int32Array, other: Int32Array): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
