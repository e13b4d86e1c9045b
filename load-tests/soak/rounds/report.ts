import type { AuditSeen, RoundSeen, SoakFindings } from './run.ts';

/** Periods after which a round is late; includes its own duration and the first start. */
const LATE_AFTER_PERIODS = 3;
/** Time limit of a roll and the round after it. */
const AUDIT_WITHIN_MS = 3 * 60_000;

const isOnTime = ({ maxAgeSeconds, periodSeconds }: RoundSeen): boolean =>
  maxAgeSeconds <= LATE_AFTER_PERIODS * periodSeconds;
const time = (at: number): string => new Date(at).toISOString().slice(11, 19);

/** Prints the findings. @returns whether everything was on time */
export function report({ rounds, audits, bookings, silent, unhealthy, endedAt }: SoakFindings): boolean {
  console.log(`${'round'.padEnd(26)}   every s   oldest s   of period   failures`);
  for (const round of rounds.toSorted((a, b) => a.periodSeconds - b.periodSeconds)) {
    const { name, periodSeconds, maxAgeSeconds, failures } = round;
    const figures = [
      String(periodSeconds).padStart(10),
      maxAgeSeconds.toFixed(1).padStart(10),
      (maxAgeSeconds / periodSeconds).toFixed(2).padStart(11),
      String(failures).padStart(10),
    ];
    console.log(`${name.padEnd(26)}${figures.join(' ')}   ${isOnTime(round) ? '' : 'LATE'}`);
  }
  const due = audits.filter(({ at }) => at + AUDIT_WITHIN_MS < endedAt);
  for (const audit of due) console.log(lineOf(audit));
  console.log(
    `bookings: ${bookings.confirmed} confirmed, ${bookings.refused} refused; ${silent} samples without answer`,
  );
  for (const [name, times] of unhealthy) console.log(`health: ${name} was down in ${times} samples`);
  const late = due.filter(({ at, doneAt }) => doneAt === undefined || doneAt - at > AUDIT_WITHIN_MS);
  return rounds.length > 0 && rounds.every(isOnTime) && late.length === 0;
}

function lineOf({ propertyId, timezone, at, doneAt }: AuditSeen): string {
  const done =
    doneAt === undefined ? 'NOT DONE' : `done ${time(doneAt)}, ${Math.round((doneAt - at) / 1_000)} s later`;
  return `night audit of ${propertyId} (${timezone}): due ${time(at)}, ${done}`;
}
