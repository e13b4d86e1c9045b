import { textsOf } from '../../../language/texts.ts';

const say = textsOf('front-desk-folio');

const LINES: Record<string, string> = {
  Fees: say('Fees'),
  Taxes: say('Taxes'),
  FEES: say('Fees'),
  TAXES: say('Taxes'),
  Waived: say('Waived'),
  'Retained under the terms': say('Retained under the terms'),
};

/** A line of a bill: those that the service writes in the language of the page, others as somebody typed them. */
export function billLine(description: string): string {
  const [, what, roomType, comped] = /^(Night,|Upgrade to) ([\w-]+)(, complimentary)?$/.exec(description) ?? [];
  if (roomType === undefined) return LINES[description] ?? description;
  if (what !== 'Night,') return say('Upgrade to {roomType}', { roomType });
  return comped === undefined
    ? say('Night, {roomType}', { roomType })
    : say('Night, {roomType}, complimentary', { roomType });
}
