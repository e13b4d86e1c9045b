import { amountIn, amountProblem, readAmount } from '../../amounts.ts';
import { form as words } from './messages.ts';

/** What is typed into a form, as text: `yes` or nothing for a flag, codes with commas for several choices. */
export type FormValues = Readonly<Record<string, string>>;

export type Option = { value: string; text: string };

/**
 * A field of a form, described once: its input, its place in the body, its hint. A field named `metadata/timezone` is
 * that member of the body, and shows what the service says of `/metadata/timezone`.
 */
export type FormField = {
  name: string;
  label: string;
  /** What it does, in a sentence, with the value that is typed. */
  hint?: string | ((value: string, values: FormValues) => string);
  type:
    | 'text'
    | 'lines'
    | 'email'
    | 'whole'
    | 'decimal'
    | 'amount'
    | 'amounts'
    | 'date'
    | 'time'
    | 'flag'
    | 'choice'
    | 'choices'
    | 'tags';
  /** Of a choice. */
  options?: readonly Option[];
  required?: boolean;
  min?: number;
  max?: number;
  maxLength?: number;
  /** Said once, when it is created. */
  isFixed?: boolean;
  /** Only with these other values. */
  isShown?: (values: FormValues) => boolean;
  /** Heading above it and the fields that follow with the same one. */
  group?: string;
  /** Stands in the form, and is no member of the body. */
  isOutside?: boolean;
};

/** Fields that count with these values. */
export function shownFields(fields: readonly FormField[], values: FormValues): FormField[] {
  return fields.filter(({ isShown }) => isShown?.(values) !== false);
}

export const isYes = (value: string | undefined): boolean => value === 'yes';

export const listIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** What stands between semicolons: a comma may belong to an amount. */
const betweenSemicolons = (text: string): string[] =>
  text
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** The amounts of a list, without what is none. */
export const amountsIn = (text: string): number[] => betweenSemicolons(text).flatMap((one) => amountIn(one) ?? []);

/** What is wrong with what is typed, by field; the service checks the rest. */
export function typingProblems(fields: readonly FormField[], values: FormValues): Map<string, string> {
  const found = new Map<string, string>();
  for (const field of shownFields(fields, values)) {
    const problem = problemOf(field, (values[field.name] ?? '').trim());
    if (problem !== undefined) found.set(field.name, problem);
  }
  return found;
}

function problemOf({ type, required = false, min, max }: FormField, value: string): string | undefined {
  if (value === '') return required && type !== 'flag' ? words.needed : undefined;
  if (type === 'amount') return amountProblem(value, readAmount(value), true);
  if (type === 'amounts')
    return betweenSemicolons(value).reduce<string | undefined>(
      (problem, one) => problem ?? amountProblem(one, readAmount(one)),
      undefined,
    );
  if (type !== 'whole' && type !== 'decimal') return undefined;
  const number = Number(value.replace(',', '.'));
  if (Number.isNaN(number)) return words.noNumber;
  if (type === 'whole' && !Number.isInteger(number)) return words.noWhole;
  if (min !== undefined && number < min) return words.tooSmall(min);
  return max !== undefined && number > max ? words.tooLarge(max) : undefined;
}

/** The member of a body that a field stands for; `undefined` where nothing is typed. */
function formMember({ type }: FormField, text: string | undefined): unknown {
  const value = (text ?? '').trim();
  switch (type) {
    case 'flag':
      return isYes(value);
    case 'tags':
    case 'choices':
      return listIn(value);
    case 'whole':
    case 'decimal':
      return value === '' ? undefined : Number(value.replace(',', '.'));
    case 'amount':
      return value === '' ? undefined : amountIn(value);
    case 'amounts':
      return amountsIn(value);
    case 'choice':
    case 'date':
    case 'email':
    case 'lines':
    case 'text':
    case 'time':
      return value === '' ? undefined : value;
  }
}

/** How a member of an answer stands in its field. */
export function fieldText(member: unknown): string {
  if (member === undefined || member === null || member === false) return '';
  if (member === true) return 'yes';
  if (Array.isArray(member)) return member.join(member.some((one) => typeof one === 'number') ? '; ' : ', ');
  return typeof member === 'string' || typeof member === 'number' ? String(member) : '';
}

/** A value as the form shows it: the text of an option, a flag in a word. */
export function shownValue({ type, options }: FormField, value = ''): string {
  if (type === 'flag') return isYes(value) ? words.yes : words.no;
  return options?.find((option) => option.value === value)?.text ?? value;
}

/** The values of fields, read from what they describe. */
export function valuesOf(fields: readonly FormField[], of: object | undefined): FormValues {
  return Object.fromEntries(
    fields.filter(({ isOutside }) => isOutside !== true).map(({ name }) => [name, fieldText(memberAt(of, name))]),
  );
}

/** The body of a form. @param base what the form does not show and a replacement must keep */
export function formBody(fields: readonly FormField[], values: FormValues, base: object = {}): object {
  const body = structuredClone(base);
  for (const field of fields) {
    if (field.isOutside === true) continue;
    const isShown = field.isShown?.(values) !== false;
    setMember(body, field.name.split('/'), isShown ? formMember(field, values[field.name]) : undefined);
  }
  return body;
}

export function memberAt(of: object | undefined, path: string): unknown {
  return path
    .split('/')
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), of);
}

function setMember(of: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(of, name);
    else Reflect.set(of, name, value);
    return;
  }
  const inner: unknown = Reflect.get(of, name);
  if (typeof inner === 'object' && inner !== null) setMember(inner, rest, value);
  else if (value !== undefined) {
    const made = {};
    Reflect.set(of, name, made);
    setMember(made, rest, value);
  }
}
