import type { Environment } from '../../platform/config/environment.ts';

/** What is wrong with an installation, and what to do next. A fault keeps it from working; a warning does not yet. */
export type Trouble = { status: 'warning' | 'fault'; text: string; next: string };

/** Result of a check: `fine` says what was seen, for the line without trouble. */
export type Examined = { fine: string; troubles: readonly Trouble[] };

/** One check of `npm run doctor`; `undefined` where it does not apply to these settings. */
export type DoctorCheck = {
  readonly name: string;
  examine(given: Examinee): Promise<Examined | undefined>;
};

/** The installation as its settings describe it. */
export type Examinee = {
  readonly source: Record<string, string | undefined>;
  /** What is valid of them, with defaults for the rest. */
  readonly values: Environment;
  /** The time of this machine in milliseconds. */
  readonly now: () => number;
};

/** A line of the report. */
export type DoctorLine = { check: string; status: 'ok' | Trouble['status']; text: string; next?: string };

export const fault = (text: string, next: string): Trouble => ({ status: 'fault', text, next });
export const warning = (text: string, next: string): Trouble => ({ status: 'warning', text, next });

/** Longest time of one check: partners that do not answer must not keep the others from being reported. */
const MAX_CHECK_MS = 20_000;

/** Runs all checks at once. @returns their lines in the order of the checks: one each, or one for each trouble */
export async function examineAll(checks: readonly DoctorCheck[], given: Examinee): Promise<DoctorLine[]> {
  return (await Promise.all(checks.map(async (check) => linesOf(check, given)))).flat();
}

async function linesOf({ name, examine }: DoctorCheck, given: Examinee): Promise<DoctorLine[]> {
  const over = new AbortController();
  try {
    const found = await Promise.race([examine(given), tooLate(over.signal)]);
    if (found === undefined) return [];
    if (found.troubles.length === 0) return [{ check: name, status: 'ok', text: found.fine }];
    return found.troubles.map((trouble) => ({ check: name, ...trouble }));
  } catch (error) {
    const text = `could not be checked: ${error instanceof Error ? error.message : String(error)}`;
    return [{ check: name, ...fault(text, 'correct this, then run npm run doctor again') }];
  } finally {
    over.abort();
  }
}

function tooLate(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${MAX_CHECK_MS / 1_000} s`)), MAX_CHECK_MS);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
