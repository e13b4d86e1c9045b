import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { companyAnswer, companyListAnswer } from '../../../../src/money/contracts/companies.ts';
import { read, readPages } from '../../api.ts';
import { textsOf } from '../../language/texts.ts';
import type { FormField } from '../form/fields.ts';
import type { Place, Section } from '../section.ts';
import { MAX_PAGES } from './property-body.ts';
import { recordForms } from './record-forms.ts';
import { yesOrNo } from './texts.ts';

const say = textsOf('admin-selling');

type CompanyRow = WireOf<typeof companyAnswer>;

const PATH = '/api/v1/companies';
const BILLING = say('Address of its invoices');

const FIELDS: readonly FormField[] = [
  { name: 'name', label: say('Name'), type: 'text', required: true, maxLength: 200 },
  { name: 'vatId', label: say('VAT number'), type: 'text', maxLength: 50 },
  {
    name: 'paymentTermsDays',
    label: say('Days to pay'),
    type: 'whole',
    min: 0,
    max: 365,
    hint: (days) =>
      say('An invoice is due {days, plural, one {# day} other {# days}} after it is issued.', {
        days: Number(days || '30') || 0,
      }),
  },
  { name: 'active', label: say('Active'), type: 'flag', hint: say('Off, nothing new is booked on its account.') },
  { name: 'contact/email', label: say('E-mail'), type: 'email', maxLength: 254 },
  { name: 'contact/phone', label: say('Phone'), type: 'text', maxLength: 30 },
  { name: 'billingAddress/name', label: say('To the attention of'), type: 'text', maxLength: 200, group: BILLING },
  { name: 'billingAddress/addressLine1', label: say('Street'), type: 'text', maxLength: 200, group: BILLING },
  { name: 'billingAddress/zipCode', label: say('Postal code'), type: 'text', maxLength: 20, group: BILLING },
  { name: 'billingAddress/city', label: say('City'), type: 'text', maxLength: 100, group: BILLING },
  { name: 'billingAddress/state', label: say('Region'), type: 'text', maxLength: 100, group: BILLING },
  { name: 'billingAddress/country', label: say('Country'), type: 'text', maxLength: 100, group: BILLING },
];

/** Companies that are invoiced. */
export const companiesSection: Section<CompanyRow> = {
  lead: say('Companies that pay by invoice. What they owe and have paid is in their ledgers.'),
  list: {
    none: say('There is no company yet.'),
    read: async ({ access }) => ({
      rows: await readPages(MAX_PAGES, (query) =>
        read<WireOf<typeof companyListAnswer>>(access, 'reservation', PATH, query),
      ),
    }),
    key: ({ companyId }) => companyId,
    columns: [
      { label: say('Name'), text: ({ name }) => name },
      { label: say('VAT number'), text: ({ vatId }) => vatId ?? '' },
      { label: say('Days to pay'), text: ({ paymentTermsDays }) => String(paymentTermsDays), isAmount: true },
      { label: say('Active'), text: ({ active }) => yesOrNo(active) },
    ],
    forms: recordForms<CompanyRow>({
      newName: say('New company'),
      addName: say('Add company'),
      fields: () => FIELDS,
      usual: { active: 'yes', paymentTermsDays: '30' },
      unshown: ({ channel }) => ({ channel }),
      nameOf: ({ name }) => name,
      list: (_place: Place) => PATH,
      one: (_place: Place, { companyId }) => `${PATH}/${companyId}`,
      isRestorable: false,
      line: {
        delete: () => say('It can be booked on no more. A company that owes something or has bookings stays.'),
      },
    }),
  },
};
