import { Random } from '../../kernel/rules/random.ts';

/** A guest who does not exist. */
export type DemoGuest = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  country: string;
};

type Names = { country: string; prefix: string; first: readonly string[]; last: readonly string[] };

/** Names by country; no list has names of known people together. */
const NAMES: readonly Names[] = [
  {
    country: 'PT',
    prefix: '+351',
    first: ['Ana', 'Beatriz', 'Carla', 'Duarte', 'Filipa', 'Hugo', 'Joana', 'Luis', 'Marta', 'Nuno', 'Rita', 'Tiago'],
    last: ['Almeida', 'Barros', 'Carvalho', 'Dias', 'Fonseca', 'Gomes', 'Lopes', 'Matos', 'Pinto', 'Rocha', 'Sousa'],
  },
  {
    country: 'DE',
    prefix: '+49',
    first: ['Anke', 'Bernd', 'Claudia', 'Dirk', 'Eva', 'Frank', 'Greta', 'Holger', 'Ines', 'Jens', 'Katrin', 'Lars'],
    last: [
      'Albers',
      'Brandt',
      'Dietz',
      'Ebert',
      'Fuchs',
      'Graf',
      'Hahn',
      'Jung',
      'Keller',
      'Lorenz',
      'Vogel',
      'Wolf',
    ],
  },
  {
    country: 'GB',
    prefix: '+44',
    first: ['Alice', 'Ben', 'Chloe', 'Daniel', 'Emma', 'Fred', 'Grace', 'Harry', 'Isla', 'Jack', 'Lucy', 'Oliver'],
    last: ['Archer', 'Barker', 'Cooper', 'Dawson', 'Ellis', 'Fletcher', 'Harding', 'Lowe', 'Mason', 'Parry', 'Webb'],
  },
  {
    country: 'FR',
    prefix: '+33',
    first: ['Agathe', 'Bruno', 'Camille', 'Denis', 'Elise', 'Fabien', 'Helene', 'Julien', 'Lea', 'Marc', 'Noemie'],
    last: [
      'Aubert',
      'Blanc',
      'Caron',
      'Dupuis',
      'Fabre',
      'Girard',
      'Lambert',
      'Marchand',
      'Perrin',
      'Roche',
      'Vidal',
    ],
  },
  {
    country: 'US',
    prefix: '+1',
    first: ['Amy', 'Brian', 'Cindy', 'Derek', 'Erin', 'Gary', 'Holly', 'Jason', 'Kelly', 'Linda', 'Megan', 'Scott'],
    last: [
      'Abbott',
      'Bishop',
      'Carter',
      'Dalton',
      'Foster',
      'Greene',
      'Hayden',
      'Jensen',
      'Mercer',
      'Porter',
      'Reed',
    ],
  },
  {
    country: 'ES',
    prefix: '+34',
    first: ['Alba', 'Carlos', 'Elena', 'Gonzalo', 'Irene', 'Javier', 'Laura', 'Mateo', 'Nuria', 'Pablo', 'Sara'],
    last: ['Aguilar', 'Bravo', 'Castro', 'Delgado', 'Ferrer', 'Herrera', 'Lozano', 'Molina', 'Ortega', 'Vega'],
  },
];

/** The n-th guest of a seed: the number in the address makes each guest one of a kind. */
export function demoGuest(seed: number, n: number): DemoGuest {
  const random = new Random((seed ^ 0x9e37) + n * 2_654_435);
  const { country, prefix, first, last } = random.pick(NAMES);
  const firstName = random.pick(first);
  const lastName = random.pick(last);
  const email = `${firstName}.${lastName}.${n}@example.com`.toLowerCase();
  return {
    firstName,
    lastName,
    email,
    phone: `${prefix} 555 ${String(random.between(0, 999_999)).padStart(6, '0')}`,
    country,
  };
}

const DEMO_EMAIL = /^[a-z]+\.[a-z]+\.\d+@example\.com$/;

/** Whether an address is that of a guest of the demo, and not of a booking that a person has made. */
export function isDemoGuest(email: string): boolean {
  return DEMO_EMAIL.test(email);
}

/** Companies that send guests; the first one is that of the plan CORP. */
export const DEMO_COMPANIES = [
  {
    name: 'Harbor Trading Ltd',
    mail: 'harbor-trading',
    vatId: 'PT500000000',
    line: '12 Dock Road',
    city: 'Lisbon',
    zip: '1200-001',
    country: 'PT',
  },
  {
    name: 'Northwind Instruments GmbH',
    mail: 'northwind',
    vatId: 'DE500000001',
    line: 'Ringstrasse 4',
    city: 'Hamburg',
    zip: '20095',
    country: 'DE',
  },
  {
    name: 'Meridian Consulting SARL',
    mail: 'meridian',
    vatId: 'FR500000002',
    line: '9 rue du Port',
    city: 'Nantes',
    zip: '44000',
    country: 'FR',
  },
  {
    name: 'Atlas Software Inc',
    mail: 'atlas',
    vatId: 'US500000003',
    line: '77 Canal Street',
    city: 'Boulder',
    zip: '80301',
    country: 'US',
  },
] as const;
