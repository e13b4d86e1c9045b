import t from 'tap';

import { policies } from '../../../src/properties/contracts/properties.ts';
import { localTax, TAX_TEMPLATES, taxesOfTemplate } from './tax-templates.ts';

void t.test('a template is what a property takes, names its law, and says when it was written', async (t) => {
  t.strictSame(
    TAX_TEMPLATES.map(({ country }) => country),
    ['DE', 'FR', 'ES', 'PT', 'IT', 'NL', 'AT', 'GB'],
  );
  for (const template of TAX_TEMPLATES) {
    const { country, asOf, note, taxes } = template;
    for (const local of [undefined, 3.5]) {
      const read = policies.safeParse({ taxes: taxesOfTemplate(template, local) });
      t.ok(read.success, `${country}: ${read.error?.message ?? 'taken'}`);
      t.equal(read.data?.taxes?.length, local === undefined ? 2 : 3, country);
    }
    t.match(asOf, /^\d{4}-\d\d-\d\d$/);
    t.ok(note.endsWith('.'));
    t.ok(localTax(template), `${country} has a tax of the municipality`);
    for (const { name, source } of taxes) t.ok(source.length > 10, `${country}, ${name} has a source`);
  }
});

void t.test('the rates on lodging are those of the laws', async (t) => {
  const lodging = TAX_TEMPLATES.map(({ country, taxes }) => `${country} ${taxes[0]?.value}`);
  t.strictSame(lodging, ['DE 7', 'FR 10', 'ES 10', 'PT 6', 'IT 10', 'NL 21', 'AT 10', 'GB 20']);
});
