import { answerText } from '../../gateways/http/answers.ts';
import { calendarDay } from '../../gateways/rest/rates/render/rates.ts';
import type { PropertyView } from '../../src/kernel/property-actors.ts';
import { calendarAnswer } from '../../src/rates/contracts/rate-answers.ts';
import type { CalendarQuery } from '../../src/rates/rules/queries.ts';
import { middle } from '../first/figures.ts';

const ROUNDS = 200;
/** Days that a stream would write at a time. */
const DAYS_A_PART = 31;

type CalendarFigures = { bytes: number; computeMs: number; encodeMs: number; firstPartMs: number; partsMs: number };

/**
 * What streaming could gain of a calendar: its time as one text, and that of texts of a month, until the first and in
 * all. Medians.
 */
export function calendarAnswerFigures(view: PropertyView, query: CalendarQuery): CalendarFigures {
  const seen: Record<keyof CalendarFigures, number[]> = {
    bytes: [],
    computeMs: [],
    encodeMs: [],
    firstPartMs: [],
    partsMs: [],
  };
  for (let round = -ROUNDS; round < ROUNDS; round++) {
    const began = performance.now();
    const items = view.calendar(query);
    const computed = performance.now();
    const text = textOf(view, items);
    const encoded = performance.now();
    let first = 0;
    for (let start = query.start; start <= query.end; start += DAYS_A_PART) {
      const end = Math.min(query.end, start + DAYS_A_PART - 1);
      textOf(view, view.calendar({ ...query, start, end }));
      if (first === 0) first = performance.now();
    }
    if (round < 0) continue;
    seen.bytes.push(Buffer.byteLength(text));
    seen.computeMs.push(computed - began);
    seen.encodeMs.push(encoded - computed);
    seen.firstPartMs.push(first - encoded);
    seen.partsMs.push(performance.now() - encoded);
  }
  const [bytes, computeMs, encodeMs, firstPartMs, partsMs] = Object.values(seen).map(middle) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { bytes, computeMs, encodeMs, firstPartMs, partsMs };
}

function textOf({ currency, seq }: PropertyView, items: ReturnType<PropertyView['calendar']>): string {
  return answerText(calendarAnswer, { propertyId: 'anchor', currency, items: items.map(calendarDay), seq });
}
