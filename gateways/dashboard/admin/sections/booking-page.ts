import { textsOf } from '../../language/texts.ts';
import type { PlanView } from '../../revenue/night/terms-api.ts';
import { formBody, type FormField, type FormValues, isYes, valuesOf } from '../form/fields.ts';
import type { LoadedList, Place, Section } from '../section.ts';
import { extrasSection, type ExtraSetUp } from './extras.ts';
import { bodyOfProperty, type PropertySetUp, putProperty, readProperty } from './property-body.ts';
import { ratePlansSection } from './rate-plans.ts';

const say = textsOf('admin-booking-page');

/** The page of a property, as one row. */
type PageRow = {
  property: PropertySetUp;
  plans: readonly PlanView[];
  extras: readonly ExtraSetUp[];
  address: string;
};
type Settings = {
  enabled?: boolean;
  ratePlans?: string[];
  extras?: string[];
  embedOrigins?: string[];
  description?: string;
};

const AT = 'metadata/bookingPage';
/** Which extras guests add: no part of the body, which has them all, none, or some. */
const EXTRAS_CHOICE = 'extrasChoice';
const EXTRAS_CHOICES = [
  { value: 'every', text: say('Every one on sale') },
  { value: 'some', text: say('Only some') },
  { value: 'none', text: say('None') },
];

const settingsOf = ({ property }: PageRow): Settings | undefined =>
  property.metadata.bookingPage as Settings | undefined;

/** Plans that guests may book by themselves. */
const forGuests = ({ status, guarantee }: PlanView): boolean => status === 'ACTIVE' && guarantee !== 'COMPANY';

function fieldsOf(row: PageRow | undefined): FormField[] {
  const plans = row?.plans.filter(forGuests) ?? [];
  return [
    {
      name: `${AT}/enabled`,
      label: say('Guests can book'),
      type: 'flag',
      hint: (on) => (isYes(on) ? say('The page is open to everybody.') : say('The page is not there.')),
    },
    {
      name: `${AT}/description`,
      label: say('About the property'),
      type: 'lines',
      maxLength: 1_000,
      hint: say('One paragraph that guests read before they search.'),
    },
    {
      name: `${AT}/ratePlans`,
      label: say('Rate plans that are sold'),
      type: 'choices',
      options: plans.map(({ code, name }) => ({ value: code, text: name })),
      hint: say('Without a choice every plan on sale is, but those that invoice a company.'),
    },
    {
      name: EXTRAS_CHOICE,
      label: say('Extras that guests add'),
      type: 'choice',
      required: true,
      isOutside: true,
      options: EXTRAS_CHOICES,
      hint: say('On My stay, the page of a guest. At the desk every extra can be added.'),
    },
    {
      name: `${AT}/extras`,
      label: say('Extras on My stay'),
      type: 'choices',
      options: row ? extrasToChoose(row).map(({ code, name }) => ({ value: code, text: name })) : [],
      isShown: (values) => values[EXTRAS_CHOICE] === 'some',
    },
    {
      name: `${AT}/embedOrigins`,
      label: say('Pages that show it in a frame'),
      type: 'tags',
      hint: say('Addresses of your own pages with commas between them, such as https://www.example.com.'),
    },
  ];
}

/** Those on sale, and those that are named already. */
const extrasToChoose = (row: PageRow): readonly ExtraSetUp[] =>
  row.extras.filter(({ active, code }) => active || settingsOf(row)?.extras?.includes(code));

function pageValues(row: PageRow): FormValues {
  const { extras } = settingsOf(row) ?? {};
  const choice = extras === undefined ? 'every' : extras.length === 0 ? 'none' : 'some';
  return { ...valuesOf(fieldsOf(row), row.property), [EXTRAS_CHOICE]: choice };
}

/** A page without a choice of plans sells all of them: nothing chosen is no choice. */
function bodyWith(values: FormValues, row: PageRow): object {
  const body = formBody(fieldsOf(row), values, bodyOfProperty(row.property)) as {
    metadata: { bookingPage: Settings };
  };
  const { ratePlans = [], ...page } = body.metadata.bookingPage;
  const bookingPage = {
    ...page,
    ...(ratePlans.length > 0 && { ratePlans }),
    ...(values[EXTRAS_CHOICE] === 'none' && { extras: [] }),
  };
  return { ...body, metadata: { ...body.metadata, bookingPage } };
}

async function readPage(place: Place): Promise<LoadedList<PageRow>> {
  const [property, { rows: plans }, { rows: extras }] = await Promise.all([
    readProperty(place),
    ratePlansSection.list!.read(place),
    extrasSection.list!.read(place),
  ]);
  const { tenantId } = place.access.user;
  const path = `/book/${encodeURIComponent(tenantId)}/${encodeURIComponent(property.propertyId)}`;
  const address = `${location.origin}${path}`;
  const row = { property, plans, extras, address };
  const isOn = settingsOf(row)?.enabled === true;
  const links = [{ text: address, href: address }];
  return { rows: [row], ...(isOn && { note: say('Link to it from your site:'), links }) };
}

function plansText(row: PageRow): string {
  const { ratePlans } = settingsOf(row) ?? {};
  const sold = row.plans.filter((plan) => forGuests(plan) && (ratePlans?.includes(plan.code) ?? true));
  return sold.map(({ name }) => name).join(', ');
}

function extrasText(row: PageRow): string {
  const { extras } = settingsOf(row) ?? {};
  if (extras === undefined) return say('Every one on sale');
  const named = row.extras.filter(({ code }) => extras.includes(code));
  return named.length === 0 ? say('None') : named.map(({ name }) => name).join(', ');
}

/** Sales to guests (docs/guide/booking-page.md#settings). */
export const bookingPageSection: Section<PageRow> = {
  lead: say('Where guests book the property by themselves, without an account.'),
  list: {
    none: '',
    read: readPage,
    key: ({ property }) => property.propertyId,
    columns: [
      { label: say('Property'), text: ({ property }) => property.name },
      { label: say('Page'), text: (row) => (settingsOf(row)?.enabled === true ? say('open') : say('closed')) },
      { label: say('Sold there'), text: plansText },
      { label: say('Extras on My stay'), text: extrasText },
      { label: say('In a frame of'), text: (row) => settingsOf(row)?.embedOrigins?.join(', ') ?? '' },
    ],
    forms: [
      {
        id: 'edit',
        name: say('Edit'),
        of: 'row',
        fields: (_place, row) => fieldsOf(row),
        values: (row) => (row ? pageValues(row) : {}),
        line: () => say('It holds at once; bookings stay as they are.'),
        requests: (values, row, place) => [putProperty(place, row!.property, bodyWith(values, row!))],
        undo: (_values, row, place) => [putProperty(place, row!.property, bodyOfProperty(row!.property))],
        done: () => say('The booking page is saved.'),
      },
    ],
  },
};
