import t from 'tap';

import { TOPIC_NAMES, TOPICS } from '../src/events/rules/topics.ts';
import { decimalText } from '../src/kernel/rules/money.ts';
import { MAX_NIGHTS } from '../src/kernel/rules/stay-days.ts';
import { AMOUNT_POLICIES, DEFAULT_POLICIES, type Policies } from '../src/properties/rules/property.ts';
import { PARTY_MEMBERS } from '../src/rates/rules/stay.ts';
import { texts } from './pages.ts';

const page = (name: string): string => texts.get(`docs/reference/${name}.md`)!;

/** Of each name in the first column of a table the text of the second: one for all names of the row, or one each. */
function secondColumn(text: string): Map<string, string> {
  const rows = [...text.matchAll(/^\| (`[^|]*`) \| ([^|]*) \|/gm)];
  return new Map(
    rows.flatMap(([, first = '', second = '']) => {
      const values = second.split(', ');
      return [...first.matchAll(/`([^`]+)`/g)].map(
        ([, name = ''], index) => [name, values[index] ?? values[0]!] as const,
      );
    }),
  );
}

const section = (text: string, heading: string): string => text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

void t.test('every policy is described, with its default', async (t) => {
  const said = secondColumn(section(page('set-up'), 'Policies'));
  const shown = (name: keyof Policies): string => {
    const value = DEFAULT_POLICIES[name];
    if ((AMOUNT_POLICIES as string[]).includes(name)) return decimalText(Number(value));
    return Array.isArray(value) ? 'none' : String(value);
  };
  const names = Object.keys(DEFAULT_POLICIES) as (keyof Policies)[];
  t.strictSame(
    Object.fromEntries(names.map((name) => [name, said.get(name)])),
    Object.fromEntries(names.map((name) => [name, shown(name)])),
  );
});

void t.test('every topic is described, with the version that is written', async (t) => {
  const said = secondColumn(section(page('events'), 'Topics'));
  for (const topic of TOPIC_NAMES) t.equal(said.get(topic), String(TOPICS[topic].version), topic);
});

void t.test('every member of a party is described, and the bounds of a stay are those of the code', async (t) => {
  const persons = section(page('api'), 'Persons');
  for (const member of PARTY_MEMBERS) t.ok(persons.includes(`\`${member}\``), member);
  const dates = section(page('api'), 'Dates and times');
  t.ok(dates.includes(`| nights of a stay | ${MAX_NIGHTS} |`));
  t.ok(dates.includes(`\`horizonNights\` of the property, ${DEFAULT_POLICIES.horizonNights} by default`));
});
