/** Time zones whose full hours are at the full, half and quarter hour in UTC; of each kind one where it is daytime. */
const ZONES = [
  ['Etc/UTC', 'Pacific/Tongatapu', 'Pacific/Honolulu'],
  ['Asia/Kolkata', 'America/St_Johns'],
  ['Asia/Kathmandu', 'Pacific/Chatham', 'Australia/Eucla'],
] as const;
/** Latest night audit hour of a property. */
const MAX_AUDIT_HOUR = 11;
const HOUR_MS = 3_600_000;
/** A property must exist before its date rolls. */
const SET_UP_MS = 3 * 60_000;

/** Time of a property's roll, and its settings. */
export type Roll = { timezone: string; nightAuditHour: number; at: number };

/** The next full hour of a time zone that is far enough ahead, as the night audit hour of a property. */
export function nextRoll(timezone: string, now: number): Roll {
  const minutes = Number(localPart(timezone, now, 'minute'));
  let at = now - (now % 60_000) + (60 - minutes) * 60_000;
  if (at - now < SET_UP_MS) at += HOUR_MS;
  return { timezone, nightAuditHour: Number(localPart(timezone, at, 'hour')), at };
}

/** Rolls at different times within the next hour or so. */
export function rollsOf(now: number): Roll[] {
  return ZONES.flatMap((zones) => {
    const rolls = zones.map((timezone) => nextRoll(timezone, now));
    return rolls.filter(({ nightAuditHour }) => nightAuditHour <= MAX_AUDIT_HOUR).slice(0, 1);
  });
}

function localPart(timeZone: string, at: number, part: 'hour' | 'minute'): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' });
  return format.formatToParts(at).find(({ type }) => type === part)!.value;
}
