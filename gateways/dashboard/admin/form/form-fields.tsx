import { FormFieldInput, type TypedForm } from './field-input.tsx';
import type { FormField } from './fields.ts';

/** Fields, with a heading where a group begins. */
export function FormFields({ form }: { form: TypedForm }) {
  const groups: { name: string | undefined; fields: FormField[] }[] = [];
  for (const field of form.fields.value) {
    if (groups.at(-1)?.name !== field.group || groups.length === 0) groups.push({ name: field.group, fields: [] });
    groups.at(-1)!.fields.push(field);
  }
  return (
    <>
      {groups.map(({ name, fields }, index) => {
        const inputs = fields.map((field) => <FormFieldInput key={field.name} form={form} field={field} />);
        if (name === undefined) return inputs;
        return (
          <fieldset key={`${index} ${name}`}>
            <legend>{name}</legend>
            {inputs}
          </fieldset>
        );
      })}
    </>
  );
}
