import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import type { ReportedStay, StayReport } from './day-reports.ts';

/** Lists that a front desk works with on paper (docs/guide/backup.md#contingency-pack). */
export const CONTINGENCY_LISTS = ['arrivals', 'in-house', 'departures', 'balances'] as const satisfies StayReport[];

/** A list with its first lines and its total number of stays. */
export type ContingencyList = { report: (typeof CONTINGENCY_LISTS)[number]; stays: number; items: ReportedStay[] };

/** Data that a front desk needs when the service is down. */
export type ContingencyPack = Address & {
  format: 1;
  name: string;
  timezone: string;
  currency: string;
  createdAt: Instant;
  /** The business date and the day after it. */
  days: { date: Day; lists: ContingencyList[] }[];
};

const TITLES: Record<ContingencyList['report'], string> = {
  arrivals: 'ARRIVALS',
  'in-house': 'IN HOUSE',
  departures: 'DEPARTURES',
  balances: 'OPEN BALANCES',
};

/** The pack as plain text: list by list, a stay a line, columns as wide as necessary. */
export function contingencyText(pack: ContingencyPack): string {
  const head = [
    `${pack.name} (${pack.tenantId}/${pack.propertyId})`,
    `as of ${formatInstant(pack.createdAt)}, days of ${pack.timezone}, amounts in ${pack.currency}`,
  ];
  const lists = pack.days.flatMap(({ date, lists: all }) => all.map((list) => listText(date, list, pack.currency)));
  return `${[head.join('\n'), ...lists].join('\n\n')}\n`;
}

function listText(date: Day, { report, stays, items }: ContingencyList, currency: string): string {
  const title = `${TITLES[report]} ${formatDay(date)}: ${stays}`;
  const cells = items.map((stay) => cellsOf(stay, currency));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const more = stays > items.length ? [`and ${stays - items.length} more`] : [];
  return [title, ...lines, ...more].join('\n');
}

/** Packs of earlier builds do not say the currency of a stay. */
function cellsOf(stay: Omit<ReportedStay, 'currency'> & { currency?: string }, ofPack: string): string[] {
  const { adults, children, balance, currency = ofPack } = stay;
  return [
    stay.roomNumber ?? '-',
    stay.roomType ?? '-',
    stay.guestName,
    `${formatDay(stay.checkIn)} to ${formatDay(stay.checkOut)}`,
    children > 0 ? `${adults}+${children}` : String(adults),
    stay.status,
    stay.confirmationNumber,
    currency === ofPack ? decimalText(balance) : `${decimalText(balance)} ${currency}`,
    stay.specialRequests.join('; ').replaceAll(/\s+/g, ' '),
  ];
}
