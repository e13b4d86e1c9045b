import { locale, textsOf } from '../language/texts.ts';

const say = textsOf('admin-property');
/** A tax of a template; `value` is left out where the municipality decides it, and the hotel types it. */
type TemplateTax = {
  code: string;
  name: string;
  kind: 'PERCENT' | 'PER_PERSON_NIGHT';
  value?: number;
  included: boolean;
  on: 'ROOM' | 'EXTRA';
  minAge?: number;
  maxNights?: number;
  from?: string;
  to?: string;
  /** The law or the official page that says so. */
  source: string;
};

type TaxTemplate = {
  country: string;
  /** The day as of which it was written down. */
  asOf: string;
  taxes: readonly TemplateTax[];
  /** What differs by place, in a sentence. */
  note: string;
};

const lodging = (value: number, source: string, more: Partial<TemplateTax> = {}): TemplateTax => {
  return {
    code: 'VAT',
    name: say('VAT on lodging'),
    kind: 'PERCENT',
    value,
    included: true,
    on: 'ROOM',
    source,
    ...more,
  };
};

const extras = (value: number, source: string): TemplateTax => {
  return {
    code: 'VAT-EXTRAS',
    name: say('VAT on extras'),
    kind: 'PERCENT',
    value,
    included: true,
    on: 'EXTRA',
    source,
  };
};

const perPerson = (name: string, source: string, more: Partial<TemplateTax> = {}): TemplateTax => {
  return { code: 'CITY', name, kind: 'PER_PERSON_NIGHT', included: false, on: 'ROOM', source, ...more };
};

const perCent = (name: string, source: string): TemplateTax => {
  return { code: 'CITY', name, kind: 'PERCENT', included: false, on: 'ROOM', source };
};

const AS_OF = '2026-01-01';

/**
 * What is usual on lodging in eight countries, as a beginning that the hotel checks with its tax adviser: rates change,
 * and municipalities decide their own. Rates of VAT are those of the mainland.
 */
export const TAX_TEMPLATES: readonly TaxTemplate[] = [
  {
    country: 'DE',
    asOf: AS_OF,
    taxes: [
      lodging(7, 'Umsatzsteuergesetz § 12 (2) no. 11'),
      extras(19, 'Umsatzsteuergesetz § 12 (1)'),
      perCent('Übernachtungsteuer', 'Statute of the municipality, where it has one'),
    ],
    note: say(
      'Whether there is a city tax, and how much, is decided by the municipality. Food has a reduced rate, drinks have not.',
    ),
  },
  {
    country: 'FR',
    asOf: AS_OF,
    taxes: [
      lodging(10, 'Code général des impôts, article 279 a'),
      extras(20, 'Code général des impôts, article 278'),
      perPerson('Taxe de séjour', 'Code général des collectivités territoriales, L2333-26 to L2333-47', {
        minAge: 18,
      }),
    ],
    note: say(
      'The amount depends on the municipality and on the class of the hotel. Meals without alcohol have 10 %.',
    ),
  },
  {
    country: 'ES',
    asOf: AS_OF,
    taxes: [
      lodging(10, 'Ley 37/1992 del IVA, article 91.Uno.2.2'),
      extras(21, 'Ley 37/1992 del IVA, article 90'),
      perPerson(say('Tourist tax'), 'Catalonia: Ley 5/2017; Balearic Islands: Ley 2/2016', { minAge: 16 }),
    ],
    note: say(
      'Only Catalonia and the Balearic Islands have a tourist tax; in Catalonia the first 7 nights pay. The Canary Islands have IGIC instead of VAT.',
    ),
  },
  {
    country: 'PT',
    asOf: AS_OF,
    taxes: [
      lodging(6, 'Código do IVA, list I, item 2.17'),
      extras(23, 'Código do IVA, article 18 (1) c'),
      perPerson('Taxa municipal turística', 'Regulation of the municipality, where it has one', { maxNights: 7 }),
    ],
    note: say('Madeira and the Azores have other rates. Age and nights of the tourist tax differ by municipality.'),
  },
  {
    country: 'IT',
    asOf: AS_OF,
    taxes: [
      lodging(10, 'D.P.R. 633/1972, table A, part III, no. 120'),
      extras(22, 'D.P.R. 633/1972, article 16'),
      perPerson('Imposta di soggiorno', 'D.Lgs. 23/2011, article 4, and the statute of the municipality'),
    ],
    note: say(
      'The amount depends on the municipality and on the class of the hotel, and so do the nights and ages that pay.',
    ),
  },
  {
    country: 'NL',
    asOf: AS_OF,
    taxes: [
      lodging(21, 'Belastingplan 2025: no reduced rate for lodging from 2026', { from: '2026-01-01' }),
      extras(21, 'Wet op de omzetbelasting 1968, article 9 (1)'),
      perCent('Toeristenbelasting', 'Gemeentewet, article 224, and the statute of the municipality'),
    ],
    note: say(
      'Until 31 December 2025 lodging had 9 %. Some municipalities take an amount for each person and night instead of a percentage.',
    ),
  },
  {
    country: 'AT',
    asOf: AS_OF,
    taxes: [
      lodging(10, 'Umsatzsteuergesetz 1994, § 10 (2) no. 3 c'),
      extras(20, 'Umsatzsteuergesetz 1994, § 10 (1)'),
      perPerson('Ortstaxe', 'Law of the province on tourism, and the statute of the municipality', { minAge: 15 }),
    ],
    note: say('Breakfast with the room has 10 % too. Vienna takes a percentage of the price instead of an amount.'),
  },
  {
    country: 'GB',
    asOf: AS_OF,
    taxes: [
      lodging(20, 'Value Added Tax Act 1994, section 2; VAT Notice 709/3'),
      extras(20, 'Value Added Tax Act 1994, section 2'),
      perCent('Visitor levy', 'Visitor Levy (Scotland) Act 2024, and the scheme of the council'),
    ],
    note: say(
      'Only some councils in Scotland have a visitor levy. Stays beyond 28 nights are taxed less from then on.',
    ),
  },
];

/** Taxes of a template as a property has them. @param local value of the tax that the municipality decides; none without it */
export function taxesOfTemplate({ taxes }: TaxTemplate, local: number | undefined): object[] {
  return taxes.flatMap(({ source: _source, value = local, ...tax }) =>
    value === undefined ? [] : [{ ...tax, value }],
  );
}

const countries = new Intl.DisplayNames(locale, { type: 'region' });

/** Name of a country in the language of the page. */
export const countryName = (country: string): string => countries.of(country) ?? country;

/** The tax of a template that the municipality decides. */
export const localTax = ({ taxes }: TaxTemplate): TemplateTax | undefined =>
  taxes.find(({ value }) => value === undefined);
