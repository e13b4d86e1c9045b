import t from 'tap';

import { curlOf } from './curl.ts';
import { fieldProblems } from './field-problems.ts';
import { type FormField, formBody, typingProblems, valuesOf } from './fields.ts';

const field = (name: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => {
  return { name, label: name, type, ...more };
};

void t.test('fields make the body, and keep what they do not show', async (t) => {
  const fields = [
    field('name', 'text'),
    field('metadata/rate', 'amount'),
    field('metadata/nights', 'whole'),
    field('open', 'flag'),
    field('tags', 'tags'),
    field('note', 'lines'),
    field('only', 'text', { isShown: ({ open }) => open === 'yes' }),
  ];
  const base = { name: 'before', note: 'gone', metadata: { kept: 1 }, other: 2 };
  const typed = { name: ' Bay Inn ', 'metadata/rate': '12,50', 'metadata/nights': '3', tags: 'a, b,', only: 'x' };
  t.strictSame(formBody(fields, typed, base), {
    name: 'Bay Inn',
    metadata: { kept: 1, rate: 12.5, nights: 3 },
    other: 2,
    open: false,
    tags: ['a', 'b'],
  });
  t.equal(base.note, 'gone', 'what was read stays as it was');
  t.match(valuesOf(fields, { name: 'x', metadata: { nights: 3 }, open: true, tags: ['a', 'b'] }), {
    name: 'x',
    'metadata/nights': '3',
    open: 'yes',
    tags: 'a, b',
    note: '',
  });
});

void t.test('what is typed wrong is said before anything is sent', async (t) => {
  const fields = [
    field('rate', 'amount', { required: true }),
    field('count', 'whole', { min: 1, max: 9 }),
    field('hidden', 'text', { required: true, isShown: () => false }),
  ];
  const names = (values: Record<string, string>) => [...typingProblems(fields, values).keys()];
  t.strictSame(names({ rate: '12.50', count: '9' }), []);
  t.strictSame(names({ rate: '', count: '10' }), ['rate', 'count']);
  t.strictSame(names({ rate: '1.250', count: '1.5' }), ['rate', 'count'], 'an amount with two readings is none');
});

void t.test('what the service says stands beside the field that its pointer names', async (t) => {
  const fields = [field('value', 'amount'), field('metadata/timezone', 'text'), field('metadata', 'text')];
  const said = (pointer: string, at = '') => [
    ...fieldProblems({ errors: [{ pointer, detail: 'is wrong' }] }, at, fields),
  ];
  t.strictSame(said('/metadata/timezone'), [['metadata/timezone', 'Is wrong.']]);
  t.strictSame(said('/metadata/other/0'), [['metadata', 'Is wrong.']]);
  t.strictSame(said('/metadata/policies/taxes/2/value', '/metadata/policies/taxes/2'), [['value', 'Is wrong.']]);
  t.strictSame(said('/elsewhere'), []);
});

void t.test('a curl is quoted for a shell', async (t) => {
  const config = { rateUrl: 'http://rate', reservationUrl: 'http://stay' };
  const body = { name: "Captain's $HOME `id`" };
  const text = curlOf(config, 'demo', [{ service: 'rate', method: 'PUT', path: '/x', body }]);
  t.match(text, String.raw`-d '{"name":"Captain'\''s $HOME ` + '`id`"}\'');
  t.match(text, `-X PUT 'http://rate/x'`);
  t.match(text, '"Authorization: Bearer $TOKEN"');
});
