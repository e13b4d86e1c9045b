import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { limitsAnswer } from '../../../../src/tenants/contracts/tenants.ts';
import type { LimitName } from '../../../../src/tenants/rules/limits.ts';
import { read } from '../../api.ts';
import { locale, textsOf } from '../../language/texts.ts';
import type { Form, LoadedList, Place, Section } from '../section.ts';
import { policiesSection } from '../sections/policies.ts';

const say = textsOf('admin-limits');

type Limit = WireOf<typeof limitsAnswer>['items'][number];
type LimitText = { label: string; does: string };
type LimitRow = LimitText & { name: string; limit: string; setBy: string };

/** What is bounded, and what happens beyond it. */
const LIMITS: Readonly<Record<LimitName, LimitText>> = {
  TENANT_REQUESTS_PER_SECOND: {
    label: say('Requests of the tenant a second'),
    does: say(
      'All users and programs of the tenant together. A burst of twice as many passes; beyond it the answer is 429, and says when to come back.',
    ),
  },
  USER_REQUESTS_PER_SECOND: {
    label: say('Requests of a user a second'),
    does: say('One person or program, with all its pages and scripts.'),
  },
  ANONYMOUS_REQUESTS_PER_SECOND: {
    label: say('Refused requests of an address a second'),
    does: say('Requests without a valid access token, from one network address.'),
  },
  COSTLY_REQUESTS_PER_SECOND: {
    label: say('Costly requests of the tenant a second'),
    does: say('Optimizations, recalculations, refreshes and exports of guests, beside the other requests.'),
  },
  TENANT_SOCKETS: {
    label: say('Open live connections of the tenant'),
    does: say('Each open page of a dashboard has one. A page beyond it waits until another one closes.'),
  },
  USER_SOCKETS: {
    label: say('Open live connections of a user'),
    does: say('Pages of one person, on all screens.'),
  },
  USER_OPEN_HOLDS: {
    label: say('Unpaid holds of a user'),
    does: say('Holds and unpaid reservations that one user or program has at a time, over all properties.'),
  },
  USER_HELD_ROOM_NIGHTS: {
    label: say('Unpaid room nights of a user'),
    does: say('Rooms by nights that these holds and reservations keep.'),
  },
  PROPERTY_PHOTOS: {
    label: say('Photos of a property'),
    does: say('With those of its room types; each has up to 3 MB.'),
  },
  TENANT_INVITATIONS: {
    label: say('Open invitations of the tenant'),
    does: say('Colleagues who are invited and have not signed in yet, with expired ones.'),
  },
};

const SET_BY: Record<Limit['setBy'], string> = {
  INSTALLATION: say('operator of the installation'),
  SERVICE: say('fixed'),
};

const shown = new Intl.NumberFormat(locale);

function rowOf({ name, limit, setBy }: Limit): LimitRow {
  const text = limit === null ? say('no limit') : shown.format(limit);
  return { name, ...LIMITS[name], limit: text, setBy: SET_BY[setBy] };
}

type PolicyRow = typeof policiesSection extends Section<infer Row> ? Row : never;

/** Limits that the property sets itself, as policies. */
const PROPERTY_LIMITS: ReadonlySet<string> = new Set([
  'maxHeldPercent',
  'overbookingLimit',
  'horizonNights',
  'holdDurationSeconds',
]);

const rowOfPolicy = (policy: PolicyRow, property: string): LimitRow => ({
  ...policy,
  does: policy.says(policy.value),
  limit: shown.format(Number(policy.value)),
  setBy: policy.isOwn ? property : say('tenant or default'),
});

/** The form of the policy itself, for the limits that are policies. */
const editPolicy: Form<LimitRow> = {
  ...(policiesSection.list!.forms.find(({ id }) => id === 'edit') as Form<object> as Form<LimitRow>),
  isOffered: (row) => row !== undefined && PROPERTY_LIMITS.has(row.name),
};

async function readLimits(place: Place): Promise<LoadedList<LimitRow>> {
  const { access, tenantPath, property } = place;
  const [{ items }, policies] = await Promise.all([
    read<WireOf<typeof limitsAnswer>>(access, 'reservation', `${tenantPath}/limits`),
    property && policiesSection.list!.read(place),
  ]);
  const own = policies?.rows.filter(({ name }) => PROPERTY_LIMITS.has(name)) ?? [];
  return { ...policies, rows: [...own.map((row) => rowOfPolicy(row, property?.name ?? '')), ...items.map(rowOf)] };
}

/** What bounds the tenant and the chosen property (docs/reference/api.md#limits). */
export const limitsSection: Section<LimitRow> = {
  lead: say(
    'What bounds this tenant and the chosen property. Limits of the property are policies and can be changed here; the others are set by the operator of the installation, or fixed.',
  ),
  list: {
    none: say('There is no limit.'),
    read: readLimits,
    key: ({ name }) => name,
    columns: [
      { label: say('Limit'), text: ({ label }) => label },
      { label: say('At most'), text: ({ limit }) => limit, isAmount: true },
      { label: say('What it does'), text: ({ does }) => does },
      { label: say('Set by'), text: ({ setBy }) => setBy },
    ],
    forms: [editPolicy],
  },
};
