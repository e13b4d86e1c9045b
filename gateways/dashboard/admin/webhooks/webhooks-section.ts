import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type {
  createdWebhookAnswer,
  deliveriesAnswer,
  webhookAnswer,
  webhookTestAnswer,
} from '../../../../src/webhooks/contracts/webhooks.ts';
import { WEBHOOK_TOPICS } from '../../../../src/webhooks/rules/webhook.ts';
import { fetchProperties, type PropertySummary, read, readPages } from '../../api.ts';
import { locale } from '../../language/texts.ts';
import { type FormField, formBody, type FormValues, isYes, valuesOf } from '../form/fields.ts';
import { reservationRequest } from '../form/reservation-request.ts';
import type { Form, LoadedList, Place, Section } from '../section.ts';
import { MAX_PAGES } from '../sections/property-body.ts';
import { webhookTexts as words } from './messages.ts';

type WebhookRow = WireOf<typeof webhookAnswer>;
type Delivery = WireOf<typeof deliveriesAnswer>['items'][number];
type LoadedWebhooks = LoadedList<WebhookRow> & { properties: readonly PropertySummary[] };

const PATH = '/api/v1/webhooks';
const pathOf = ({ webhookId }: WebhookRow, more = ''): string => `${PATH}/${webhookId}${more}`;

/** Deliveries that are shown beside the test. */
const SHOWN_DELIVERIES = '20';
const TIME = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' });

function settingsFields(loaded: LoadedList<WebhookRow>): FormField[] {
  const { properties } = loaded as LoadedWebhooks;
  return [
    { name: 'url', label: words.address, type: 'text', required: true, maxLength: 2_000, hint: words.addressHint },
    { name: 'description', label: words.description, type: 'text', maxLength: 200 },
    {
      name: 'events',
      label: words.events,
      type: 'choices',
      required: true,
      options: WEBHOOK_TOPICS.map((topic) => ({ value: topic, text: topic })),
    },
    {
      name: 'propertyIds',
      label: words.properties,
      type: 'choices',
      options: properties.map(({ propertyId, name }) => ({ value: propertyId, text: name })),
      hint: words.propertiesHint,
    },
  ];
}

const SNAPSHOT: FormField = { name: 'snapshot', label: words.snapshot, type: 'flag' };
const IS_ACTIVE: FormField = { name: 'isActive', label: words.isActive, type: 'flag', hint: words.isActiveHint };

/** None ticked is all of them, which the body says by their absence. */
function settingsBody(values: FormValues, loaded: LoadedList<WebhookRow>): object {
  const { propertyIds, ...body } = formBody(settingsFields(loaded), values) as { propertyIds: string[] };
  return { ...body, ...(propertyIds.length > 0 && { propertyIds }) };
}

function stateOf({ status, pausedBecause, lastFailure, failingSince, behind }: WebhookRow): string {
  if (pausedBecause === 'UNDELIVERABLE') return words.undeliverable;
  if (pausedBecause === 'GONE') return words.gone;
  if (status === 'PAUSED') return words.paused;
  if (failingSince !== null) return words.failing(lastFailure ?? '');
  return behind > 0 ? words.behind(behind) : words.active;
}

const bodyOf = ({ url, description, events, propertyIds, status }: WebhookRow): object => ({
  url,
  events,
  status,
  ...(description !== null && { description }),
  ...(propertyIds && { propertyIds }),
});

const deliveryLine = ({ at, event, propertyId, seq, httpStatus, failure, durationMs }: Delivery): string =>
  [
    TIME.format(new Date(at)),
    event,
    `${propertyId} ${seq}`,
    ...(httpStatus === null ? [] : [String(httpStatus)]),
    ...(failure === null ? [] : [failure]),
    `${durationMs} ms`,
  ].join(' · ');

const secretOf = (answer: unknown): { name: string; text: string } => ({
  name: words.copySecret,
  text: (answer as WireOf<typeof createdWebhookAnswer>).secret,
});

const forms: Form<WebhookRow>[] = [
  {
    id: 'new',
    name: words.newWebhook,
    of: 'list',
    action: words.add,
    fields: (_place, _row, loaded) => [...settingsFields(loaded), SNAPSHOT],
    values: () => ({ events: WEBHOOK_TOPICS.join(',') }),
    requests: (values, _row, _place, loaded) => [
      reservationRequest('POST', PATH, { ...settingsBody(values, loaded), snapshot: isYes(values['snapshot']) }),
    ],
    done: () => words.added,
    shownOnce: secretOf,
  },
  {
    id: 'edit',
    name: words.edit,
    of: 'row',
    fields: (_place, _row, loaded) => [...settingsFields(loaded), IS_ACTIVE],
    values: (row) => ({
      ...valuesOf(settingsFields({ rows: [], properties: [] } as LoadedWebhooks), row),
      isActive: row!.status === 'ACTIVE' ? 'yes' : '',
    }),
    requests: (values, row, _place, loaded) => {
      const status = isYes(values['isActive']) ? 'ACTIVE' : 'PAUSED';
      return [reservationRequest('PUT', pathOf(row!), { ...settingsBody(values, loaded), status })];
    },
    undo: (_values, row) => [reservationRequest('PUT', pathOf(row!), bodyOf(row!))],
    done: () => words.saved,
  },
  {
    id: 'deliveries',
    name: words.test,
    of: 'row',
    action: words.sendTest,
    fields: () => [],
    values: () => ({}),
    line: () => words.testLine,
    async preview(_values, row, { access }) {
      const path = pathOf(row!, '/deliveries');
      const { items } = await read<{ items: Delivery[] }>(access, 'reservation', path, { limit: SHOWN_DELIVERIES });
      return items.length === 0 ? [words.noDeliveries] : items.map(deliveryLine);
    },
    requests: (_values, row) => [reservationRequest('POST', pathOf(row!, '/test'), {})],
    done: (_values, _row, answer) => {
      const { delivered, httpStatus, failure } = answer as WireOf<typeof webhookTestAnswer>;
      return delivered ? words.taken(httpStatus ?? 0) : words.notTaken(failure ?? '');
    },
  },
  {
    id: 'replay',
    name: words.sendAgain,
    of: 'row',
    action: words.sendAgain,
    fields: () => [{ name: 'since', label: words.since, type: 'date', required: true }],
    values: (_row, { today }) => ({ since: today }),
    line: () => words.sinceLine,
    requests: ({ since = '' }, row) => [
      {
        ...reservationRequest('POST', pathOf(row!, '/replay'), { from: { since: `${since}T00:00:00Z` } }),
        pointer: '/from',
      },
    ],
    done: () => words.isSentAgain,
  },
  {
    id: 'secret',
    name: words.newSecret,
    of: 'row',
    action: words.makeSecret,
    fields: () => [],
    values: () => ({}),
    line: () => words.secretLine,
    requests: (_values, row) => [reservationRequest('POST', pathOf(row!, '/secret'), {})],
    done: () => words.secretMade,
    shownOnce: secretOf,
  },
  {
    id: 'delete',
    name: words.delete,
    of: 'row',
    action: words.delete,
    fields: () => [],
    values: () => ({}),
    line: () => words.deleteLine,
    requests: (_values, row) => [reservationRequest('DELETE', pathOf(row!))],
    done: () => words.deleted,
  },
];

/** Addresses that are sent events (docs/reference/webhooks.md#webhooks). */
export const webhooksSection: Section<WebhookRow> = {
  lead: words.lead,
  list: {
    none: words.none,
    async read(place: Place): Promise<LoadedWebhooks> {
      const [rows, properties] = await Promise.all([
        readPages(MAX_PAGES, (query) =>
          read<{ items: WebhookRow[]; nextCursor: string | null }>(place.access, 'reservation', PATH, query),
        ),
        fetchProperties(place.access.config, place.access.user),
      ]);
      return { rows, properties };
    },
    key: ({ webhookId }) => webhookId,
    columns: [
      { label: words.address, text: ({ url }) => url },
      { label: words.description, text: ({ description }) => description ?? '' },
      { label: words.events, text: ({ events }) => events.join(', ') },
      { label: words.properties, text: ({ propertyIds }) => propertyIds?.join(', ') ?? words.allProperties },
      { label: words.state, text: stateOf },
    ],
    forms,
  },
};
