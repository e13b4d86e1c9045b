import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { planListAnswer } from '../../../../src/rates/contracts/rate-answers.ts';
import { read, readPages } from '../../api.ts';
import { textsOf } from '../../language/texts.ts';
import { billableCompanies } from '../../properties/companies.ts';
import type { PlanView } from '../../revenue/night/terms-api.ts';
import { type FormValues, fieldText, formBody, isYes, memberAt, valuesOf } from '../form/fields.ts';
import type { Form, LoadedList, Place, Request, Section } from '../section.ts';
import { type PlanChoices, planFields } from './plan-fields.ts';
import { planGuaranteeText, planPriceText, planTermsText } from './plan-texts.ts';
import { MAX_PAGES } from './property-body.ts';
import { readRoomTypes } from './room-reads.ts';
import { common, yesOrNo } from './texts.ts';

const say = textsOf('admin-selling');

type LoadedPlans = LoadedList<PlanView> & { choices: PlanChoices };

const PATH = '/api/v1/rates/plans';
const pathOf = ({ id }: PlanView): string => `${PATH}/${encodeURIComponent(id)}`;
const tagOf = ({ version }: PlanView): string => `"${version}"`;

async function readPlans(place: Place): Promise<LoadedPlans> {
  const propertyId = place.property?.propertyId ?? '';
  const [rows, types, companies] = await Promise.all([
    readPages(MAX_PAGES, (query) =>
      read<WireOf<typeof planListAnswer>>(place.access, 'rate', PATH, { ...query, propertyId }),
    ),
    readRoomTypes(place),
    billableCompanies(place.access).catch(() => []),
  ]);
  const choices = {
    plans: rows.map(({ code, name }) => ({ value: code, text: `${name} (${code})` })),
    types: types.map(({ roomType, name }) => ({ value: roomType, text: name })),
    companies: companies.map(({ companyId, name }) => ({ value: companyId, text: name })),
  };
  return { rows: rows.toReversed(), choices };
}

function fieldsFor(loaded: LoadedList<PlanView>, row: PlanView | undefined) {
  const { choices } = loaded as LoadedPlans;
  return planFields({ ...choices, plans: choices.plans.filter(({ value }) => value !== row?.code) });
}

function planValues(row: PlanView): FormValues {
  const fields = planFields({ plans: [], types: [], companies: [] });
  const [first, second] = row.depositSchedule ?? [];
  const later = [first, second].find((one) => one && 'daysBefore' in one.due);
  const now = [first, second].find((one) => one && 'at' in one.due);
  return {
    ...valuesOf(fields, row),
    isOnSale: row.status === 'ACTIVE' ? 'yes' : '',
    adjustmentAmount: Number(row.adjustmentAmount) === 0 ? '' : fieldText(row.adjustmentAmount),
    first: fieldText(now?.percent),
    rest: fieldText(later?.percent),
    days: later && 'daysBefore' in later.due ? fieldText(later.due.daysBefore) : '',
  };
}

/** What guests of a new plan agree to, unless somebody says otherwise. */
const USUAL: FormValues = {
  isOnSale: 'yes',
  guarantee: 'CARD',
  'terms/cancellation/freeUntilHours': '48',
  'terms/cancellation/penalty/kind': 'NIGHTS',
  'terms/cancellation/penalty/value': '1',
  'terms/noShow/kind': 'NIGHTS',
  'terms/noShow/value': '1',
  'terms/earlyDeparture/kind': 'NONE',
  'terms/change': 'FREE',
};

function planBody(
  values: FormValues,
  loaded: LoadedList<PlanView>,
  row: PlanView | undefined,
): Record<string, unknown> {
  const fields = fieldsFor(loaded, row).filter(({ isFixed }) => row === undefined || isFixed !== true);
  const body = formBody(fields, values, row ? writable(row) : {}) as Record<string, unknown>;
  const status = isYes(values['isOnSale']) ? 'ACTIVE' : row?.status === 'DRAFT' ? 'DRAFT' : 'INACTIVE';
  if ((body['roomTypes'] as string[]).length === 0) delete body['roomTypes'];
  if (memberAt(body, 'terms/cancellation/freeUntilHours') === undefined)
    Object.assign((body['terms'] as { cancellation: object }).cancellation, { freeUntilHours: null });
  const schedule = scheduleOf(values);
  return {
    ...body,
    status,
    ...(body['guarantee'] === 'PREPAY' && schedule.length > 0 && { depositSchedule: schedule }),
  };
}

function scheduleOf({ first = '', rest = '', days = '' }: FormValues): object[] {
  const part = (percent: string, due: object): object[] =>
    Number(percent) > 0 ? [{ percent: Number(percent), due }] : [];
  return [...part(first, { at: 'BOOKING' }), ...part(rest, { daysBefore: Number(days) })];
}

/** What a form does not show and a replacement keeps. */
function writable(plan: PlanView): object {
  const { name, strategy, baseRate, occupancyPricing, minRatePercent, maxRatePercent, rules } = plan;
  return withoutNulls({
    name,
    strategy,
    baseRate,
    occupancyPricing,
    minRatePercent,
    maxRatePercent,
    rules,
  }) as object;
}

/** The body that a plan was set up with: what it inherits stays inherited. */
function wholeBody(plan: PlanView, loaded: LoadedList<PlanView>): object {
  const body = planBody(planValues(plan), loaded, plan);
  if (!plan.inherits.includes('terms')) return body;
  const { terms: _inherited, ...others } = body;
  return { ...others, cancellationPolicy: plan.cancellationPolicy };
}

/** What an answer says is absent, a body leaves out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Terms and guarantee are sent where they were changed: what a plan takes from the property stays so. */
function changeOf(values: FormValues, row: PlanView, loaded: LoadedList<PlanView>): Request {
  const before = planBody(planValues(row), loaded, row);
  const body = planBody(values, loaded, row);
  for (const names of [['terms'], ['guarantee', 'depositSchedule', 'releaseHour', 'companyId']])
    if (names.every((name) => JSON.stringify(body[name]) === JSON.stringify(before[name])))
      for (const name of names) delete body[name];
  return { service: 'rate', method: 'PUT', path: pathOf(row), body, ifMatch: tagOf(row) };
}

/** The request that sells a plan, or sells it no more; everything else of it stays. */
export function sellPlan(plan: PlanView, isOnSale: boolean): Request {
  const nothing: LoadedPlans = { rows: [], choices: { plans: [], types: [], companies: [] } };
  return changeOf({ ...planValues(plan), isOnSale: isOnSale ? 'yes' : '' }, plan, nothing);
}

const forms: Form<PlanView>[] = [
  {
    id: 'new',
    name: say('New rate plan'),
    of: 'list',
    action: say('Add rate plan'),
    fields: (_place, _row, loaded) => fieldsFor(loaded, undefined),
    values: () => USUAL,
    requests: (values, _row, place, loaded) => [
      {
        service: 'rate',
        method: 'POST',
        path: PATH,
        body: { propertyId: place.property?.propertyId, ...planBody(values, loaded, undefined) },
      },
    ],
    undo: (_values, _row, _place, answer) => [
      { service: 'rate', method: 'DELETE', path: pathOf(answer as PlanView) },
    ],
    done: ({ name = '' }) => common.created(name),
  },
  {
    id: 'edit',
    name: common.edit,
    of: 'row',
    fields: (_place, row, loaded) => fieldsFor(loaded, row),
    values: (row) => planValues(row!),
    line: () => say('Bookings keep the price and the terms that they were made with.'),
    requests: (values, row, _place, loaded) => [changeOf(values, row!, loaded)],
    undo: (_values, row, _place, answer, loaded) => [
      {
        service: 'rate',
        method: 'PUT',
        path: pathOf(row!),
        body: wholeBody(row!, loaded),
        ifMatch: tagOf(answer as PlanView),
      },
    ],
    done: ({ name = '' }) => common.saved(name),
  },
  {
    id: 'delete',
    name: common.delete,
    of: 'row',
    action: common.delete,
    fields: () => [],
    values: () => ({}),
    line: (_values, row) =>
      say('{name} is not sold any more. Bookings keep it; plans whose price comes from it have to go first.', {
        name: row?.name ?? '',
      }),
    requests: (_values, row) => [{ service: 'rate', method: 'DELETE', path: pathOf(row!), ifMatch: tagOf(row!) }],
    undo: (_values, row) => [{ service: 'rate', method: 'POST', path: `${pathOf(row!)}/restore` }],
    done: (_values, row) => common.deleted(row!.name),
  },
];

/** Rate plans: what a booking costs, and what its guest agrees to. */
export const ratePlansSection: Section<PlanView> = {
  lead: say('What guests choose between: a price, how it is guaranteed, and what a cancellation costs.'),
  list: {
    none: say('There is no rate plan.'),
    read: readPlans,
    key: ({ id }) => id,
    columns: [
      { label: say('Name'), text: ({ name }) => name },
      { label: say('Code'), text: ({ code }) => code },
      { label: say('Price from'), text: planPriceText },
      { label: say('Guarantee and terms'), text: (plan) => `${planGuaranteeText(plan)} ${planTermsText(plan)}` },
      { label: say('On sale'), text: ({ status }) => yesOrNo(status === 'ACTIVE') },
    ],
    forms,
  },
};
