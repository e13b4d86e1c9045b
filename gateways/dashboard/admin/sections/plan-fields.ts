import { textsOf } from '../../language/texts.ts';
import type { FormField, FormValues, Option } from '../form/fields.ts';

const say = textsOf('admin-selling');

export type PlanChoices = { plans: readonly Option[]; types: readonly Option[]; companies: readonly Option[] };

const GUARANTEE = say('Guarantee');
const TERMS = say('Terms');
const LIMITS = say('Limits');

const GUARANTEES: readonly Option[] = [
  { value: 'PREPAY', text: say('Paid before the stay') },
  { value: 'CARD', text: say('A card is kept') },
  { value: 'NONE', text: say('Paid at the hotel') },
  { value: 'COMPANY', text: say('Invoiced to a company') },
];
const PENALTIES: readonly Option[] = [
  { value: 'NONE', text: say('Nothing') },
  { value: 'NIGHTS', text: say('First nights') },
  { value: 'PERCENT', text: say('Percent of the stay') },
];
const CHANGES: readonly Option[] = [
  { value: 'FREE', text: say('Free of charge') },
  { value: 'FEE', text: say('For a fee') },
  { value: 'NOT_ALLOWED', text: say('Not allowed') },
];

/** Fields of a rate plan. */
export function planFields({ plans, types, companies }: PlanChoices): FormField[] {
  return [
    {
      name: 'name',
      label: say('Name'),
      type: 'text',
      required: true,
      maxLength: 100,
      hint: say('As guests read it.'),
    },
    {
      name: 'code',
      label: say('Code'),
      type: 'text',
      required: true,
      maxLength: 50,
      isFixed: true,
      hint: say('Without spaces, such as BB. It stays.'),
    },
    {
      name: 'isOnSale',
      label: say('On sale'),
      type: 'flag',
      isOutside: true,
      hint: say('Off, bookings keep it and nobody books it anew.'),
    },
    {
      name: 'parentCode',
      label: say('Price from'),
      type: 'choice',
      options: plans,
      hint: (code) =>
        code === ''
          ? say('Its price is the base rate with the difference below.')
          : say('Its price is that of {code} with the difference below, on every night.', { code }),
    },
    {
      name: 'adjustmentPercent',
      label: say('Difference, %'),
      type: 'decimal',
      min: -99,
      max: 1000,
      hint: say('Less than 0 is cheaper.'),
    },
    {
      name: 'adjustmentAmount',
      label: say('Difference, amount'),
      type: 'decimal',
      hint: say('Added for each night; less than 0 is taken off.'),
    },
    { name: 'minRate', label: say('Lowest rate'), type: 'amount' },
    { name: 'maxRate', label: say('Highest rate'), type: 'amount' },
    {
      name: 'roomTypes',
      label: say('Room types'),
      type: 'choices',
      options: types,
      hint: say('None ticked: all of them.'),
    },
    ...guaranteeFields(companies),
    ...termsFields(),
    { name: 'rules/minLengthOfStay', label: say('Nights at least'), type: 'whole', min: 1, group: LIMITS },
    { name: 'rules/maxLengthOfStay', label: say('Nights at most'), type: 'whole', min: 1, group: LIMITS },
    { name: 'rules/minAdvanceBooking', label: say('Days ahead at least'), type: 'whole', min: 0, group: LIMITS },
    { name: 'rules/maxAdvanceBooking', label: say('Days ahead at most'), type: 'whole', min: 0, group: LIMITS },
    { name: 'validFrom', label: say('Stays from'), type: 'date', group: LIMITS },
    { name: 'validTo', label: say('Stays until'), type: 'date', group: LIMITS },
  ];
}

function guaranteeFields(companies: readonly Option[]): FormField[] {
  const of =
    (kind: string) =>
    ({ guarantee }: FormValues) =>
      guarantee === kind;
  return [
    {
      name: 'guarantee',
      label: say('A booking is'),
      type: 'choice',
      options: GUARANTEES,
      required: true,
      group: GUARANTEE,
    },
    {
      name: 'first',
      label: say('With the booking, %'),
      type: 'decimal',
      min: 0,
      max: 100,
      isOutside: true,
      isShown: of('PREPAY'),
      group: GUARANTEE,
      hint: say('Left empty, everything.'),
    },
    {
      name: 'rest',
      label: say('Later, %'),
      type: 'decimal',
      min: 0,
      max: 100,
      isOutside: true,
      isShown: of('PREPAY'),
      group: GUARANTEE,
    },
    {
      name: 'days',
      label: say('Days before arrival'),
      type: 'whole',
      min: 0,
      isOutside: true,
      isShown: of('PREPAY'),
      group: GUARANTEE,
      hint: say('When the later part is charged. What is in neither is paid at the hotel.'),
    },
    {
      name: 'releaseHour',
      label: say('Kept until'),
      type: 'time',
      isShown: of('NONE'),
      group: GUARANTEE,
      hint: (time) =>
        time === ''
          ? say('The room is kept however late the guest is.')
          : say('From {time} on the arrival day the room is sold again.', { time }),
    },
    {
      name: 'companyId',
      label: say('Company'),
      type: 'choice',
      options: companies,
      isShown: of('COMPANY'),
      group: GUARANTEE,
      hint: say('Of bookings that name no other one.'),
    },
  ];
}

function termsFields(): FormField[] {
  const penalty = (name: string, label: string): FormField[] => [
    { name: `terms/${name}/kind`, label, type: 'choice', options: PENALTIES, required: true, group: TERMS },
    {
      name: `terms/${name}/value`,
      label: say('{label}: how much', { label }),
      type: 'decimal',
      min: 0,
      group: TERMS,
      isShown: (values) => values[`terms/${name}/kind`] !== 'NONE',
      hint: say('Nights, or percent.'),
    },
  ];
  return [
    {
      name: 'terms/cancellation/freeUntilHours',
      label: say('Free cancellation until, hours before check-in'),
      type: 'whole',
      min: 0,
      max: 8760,
      group: TERMS,
      hint: (hours) =>
        hours === ''
          ? say('Cancelling is never free of charge.')
          : say('Free until {hours} hours before check-in.', { hours }),
    },
    ...penalty('cancellation/penalty', say('A later cancellation costs')),
    ...penalty('noShow', say('A no-show costs')),
    ...penalty('earlyDeparture', say('An early departure costs')),
    {
      name: 'terms/change',
      label: say('Changes of dates'),
      type: 'choice',
      options: CHANGES,
      required: true,
      group: TERMS,
    },
    {
      name: 'terms/changeFee',
      label: say('Fee of a change'),
      type: 'amount',
      group: TERMS,
      isShown: (values) => values['terms/change'] === 'FEE',
    },
  ];
}
