import { textsOf } from '../../language/texts.ts';
import { type FormField, fieldText, formBody, isYes } from '../form/fields.ts';
import type { LoadedList, Place, Request, Section } from '../section.ts';
import { adviceSettings } from './policy-advice.ts';
import { languagePolicy } from './policy-language.ts';
import { bodyOfProperty, type PropertySetUp, putProperty, readProperty } from './property-body.ts';
import { common, typedNumber } from './texts.ts';

const say = textsOf('admin-property');

export type Policy = {
  name: string;
  label: string;
  type: FormField['type'];
  options?: FormField['options'];
  min?: number;
  max?: number;
  /** How it is typed. */
  how?: string;
  says(value: string): string;
};
type PolicyRow = Policy & { value: string; isOwn: boolean };
type LoadedPolicies = LoadedList<PolicyRow> & { property: PropertySetUp };

const onOff = (on: string, off: string) => (value: string) => (isYes(value) ? on : off);
const whole = (name: string, label: string, max: number, says: Policy['says'], min = 0): Policy => {
  return { name, label, type: 'whole', min, max, says };
};
const hour = (value: string): string => `${value.padStart(2, '0')}:00`;

/** Policies with what they do; taxes and bands of ages have forms of their own. */
const POLICIES: readonly Policy[] = [
  whole('overbookingLimit', say('Overbooking'), 60_000, (rooms) =>
    rooms === '0'
      ? say('No type sells more rooms than it has.')
      : say('Each type sells up to {rooms, plural, one {# room} other {# rooms}} more than it has.', {
          rooms: Number(rooms),
        }),
  ),
  whole(
    'horizonNights',
    say('Nights on sale'),
    1_500,
    (nights) =>
      say('Guests can book {nights, plural, one {# night} other {# nights}} ahead.', { nights: Number(nights) }),
    1,
  ),
  whole('freeCancellationHours', say('Free cancellation'), 8_760, (hours) =>
    say(
      'Under the policy STANDARD guests cancel free of charge until {hours, plural, one {# hour} other {# hours}} before check-in.',
      { hours: Number(hours) },
    ),
  ),
  whole('modificationDeadlineHours', say('Last change by guests'), 8_760, (hours) =>
    say(
      'Guests change their booking themselves until {hours, plural, one {# hour} other {# hours}} before check-in.',
      { hours: Number(hours) },
    ),
  ),
  {
    name: 'depositPercent',
    label: say('Deposit'),
    type: 'decimal',
    min: 0,
    max: 100,
    says: (percent) =>
      say('{percent} % are paid before a reservation is confirmed, unless its plan says otherwise.', {
        percent: typedNumber(percent),
      }),
  },
  {
    name: 'paymentRequired',
    label: say('Payment required'),
    type: 'flag',
    says: onOff(
      say('A reservation is confirmed once it is paid.'),
      say('Reservations are confirmed without payment.'),
    ),
  },
  {
    name: 'autoConfirmation',
    label: say('Confirmed by itself'),
    type: 'flag',
    says: onOff(say('A paid reservation is confirmed at once.'), say('Somebody confirms each paid reservation.')),
  },
  whole(
    'holdDurationSeconds',
    say('Time to pay'),
    86_400,
    (seconds) =>
      say('A room is held for {minutes, plural, one {# minute} other {# minutes}} while a guest pays.', {
        minutes: Math.round(Number(seconds) / 60),
      }),
    60,
  ),
  whole(
    'maxHeldPercent',
    say('Rooms held unpaid'),
    100,
    (percent) =>
      say('Holds and unpaid bookings together keep at most {percent} % of the rooms of a type and night.', {
        percent,
      }),
    1,
  ),
  {
    name: 'autoAssign',
    label: say('Rooms assigned by themselves'),
    type: 'flag',
    says: onOff(say('Arrivals get a room on the day before.'), say('The desk gives rooms to arrivals.')),
  },
  whole('autoAssignHour', say('Hour of the assignment'), 23, (at) =>
    say('Rooms are given at {hour} on the day before arrival.', { hour: hour(at) }),
  ),
  whole('nightAuditHour', say('Night audit'), 11, (at) =>
    say('The business date changes at {hour} in the zone of the property.', { hour: hour(at) }),
  ),
  whole('noShowGraceMinutes', say('No-show'), 1_440, (minutes) =>
    say(
      'The desk may mark a no-show {minutes, plural, one {# minute} other {# minutes}} after check-in time; a manager at any time of the day.',
      { minutes: Number(minutes) },
    ),
  ),
  whole('earlyDepartureNights', say('Early departure'), 30, (nights) =>
    nights === '0'
      ? say('Guests who leave early pay no further night.')
      : say('Guests who leave early pay {nights, plural, one {# more night} other {# more nights}}.', {
          nights: Number(nights),
        }),
  ),
  whole('exchangeRateMaxAgeDays', say('Age of exchange rates'), 30, (days) =>
    say('An exchange rate counts for {days, plural, one {# business day} other {# business days}} after its own.', {
      days: Number(days),
    }),
  ),
  {
    name: 'taxOnComp',
    label: say('Taxes on complimentary nights'),
    type: 'flag',
    says: onOff(
      say('Taxes by night, person and stay are due on complimentary nights too.'),
      say('Complimentary nights pay no taxes.'),
    ),
  },
  languagePolicy,
  whole('stayOverServiceNights', say('Service for guests in house'), 30, (nights) =>
    nights === '0'
      ? say('Rooms are not serviced during a stay.')
      : say('A room is serviced every {nights, plural, one {# night} other {# nights}} of a stay.', {
          nights: Number(nights),
        }),
  ),
  {
    name: 'taxPercent',
    label: say('Tax of all nights'),
    type: 'decimal',
    min: 0,
    max: 100,
    says: (percent) =>
      percent === '0'
        ? say('None beside those under Taxes.')
        : say('{percent} % come on top of each night.', { percent: typedNumber(percent) }),
  },
  {
    name: 'feePerNight',
    label: say('Fee for each night'),
    type: 'amount',
    says: (fee) =>
      Number(fee) === 0
        ? say('None beside those under Taxes.')
        : say('Each night costs {fee} more.', { fee: typedNumber(fee) }),
  },
  {
    name: 'feePerPersonNight',
    label: say('Fee for each person and night'),
    type: 'amount',
    says: (fee) =>
      Number(fee) === 0
        ? say('None beside those under Taxes.')
        : say('Each person pays {fee} more a night.', { fee: typedNumber(fee) }),
  },
  {
    name: 'costPerOccupiedRoom',
    label: say('Cost of an occupied room'),
    type: 'amount',
    says: (cost) =>
      Number(cost) === 0
        ? say('Recommendations do not count what a stay costs.')
        : say('A room costs {amount} for each night on which it is occupied: recommendations for profit count it.', {
            amount: typedNumber(cost),
          }),
  },
  ...adviceSettings,
];

/** Nothing is a value of a flag, and of a list. */
const mayBeEmpty = (type: Policy['type']): boolean => type === 'flag' || type === 'amounts';

const fieldOf = ({ name, label, type, options, min, max, how, says }: Policy): FormField => {
  return {
    name,
    label,
    type,
    options,
    min,
    max,
    required: !mayBeEmpty(type),
    hint: (value) => [how, value !== '' || mayBeEmpty(type) ? says(value) : ''].filter(Boolean).join(' '),
  };
};

/** The request that sets a policy, or lets the tenant decide it. */
function putPolicy(place: Place, loaded: LoadedList<PolicyRow>, name: string, value: unknown): Request {
  const { property } = loaded as LoadedPolicies;
  const body = bodyOfProperty(property) as { metadata: { policies: Record<string, unknown> } };
  const policies = { ...body.metadata.policies, [name]: value };
  if (value === undefined) delete policies[name];
  const whole = { ...body, metadata: { ...body.metadata, policies } };
  return putProperty(place, property, whole, '/metadata/policies');
}

const before = (place: Place, loaded: LoadedList<PolicyRow>): Request => {
  const { property } = loaded as LoadedPolicies;
  return putProperty(place, property, bodyOfProperty(property));
};

const WHO = say('Bookings keep the terms that they were made with.');

/** Policies of the property, each with what it does now. */
export const policiesSection: Section<PolicyRow> = {
  lead: `${say('How the property sells and works.')} ${WHO}`,
  list: {
    none: '',
    read: async (place): Promise<LoadedPolicies> => {
      const property = await readProperty(place);
      const { policies } = property.metadata;
      const rows = POLICIES.map((policy) => ({
        ...policy,
        value: fieldText(policies[policy.name]),
        isOwn: !property.inherits.includes(policy.name),
      }));
      return { rows, property };
    },
    key: ({ name }) => name,
    columns: [
      { label: say('Policy'), text: ({ label }) => label },
      { label: say('What it does'), text: ({ says, value }) => says(value) },
      { label: say('Set by'), text: ({ isOwn }) => (isOwn ? say('this property') : say('tenant or default')) },
    ],
    forms: [
      {
        id: 'edit',
        name: common.edit,
        of: 'row',
        fields: (_place, row) => (row ? [fieldOf(row)] : []),
        values: (row) => (row ? { [row.name]: row.value } : {}),
        line: () => WHO,
        requests: (values, row, place, loaded) => {
          const body = formBody([fieldOf(row!)], values) as Record<string, unknown>;
          return [putPolicy(place, loaded, row!.name, body[row!.name])];
        },
        undo: (_values, _row, place, _answer, loaded) => [before(place, loaded)],
        done: (_values, row) => common.saved(row!.label),
      },
      {
        id: 'follow',
        name: say('Follow tenant'),
        of: 'row',
        action: say('Follow the tenant'),
        isOffered: (row) => row?.isOwn === true,
        fields: () => [],
        values: () => ({}),
        line: () => `${say('The property has the value of its tenant then, or the default.')} ${WHO}`,
        requests: (_values, row, place, loaded) => [putPolicy(place, loaded, row!.name, undefined)],
        undo: (_values, _row, place, _answer, loaded) => [before(place, loaded)],
        done: (_values, row) => common.saved(row!.label),
      },
    ],
  },
};
