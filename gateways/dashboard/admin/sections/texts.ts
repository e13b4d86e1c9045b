import { locale, textsOf } from '../../language/texts.ts';
import { form as formWords } from '../form/messages.ts';

const say = textsOf('admin-property');
/** Texts that several sections share. */
export const common = {
  edit: say('Edit'),
  delete: say('Delete'),
  added: say('Added.'),
  created: (name: string): string => say('{name} is added.', { name }),
  saved: (name: string): string => say('{name} is saved.', { name }),
  deleted: (name: string): string => say('{name} is deleted.', { name }),
};

export const yesOrNo = (isSo: boolean): string => (isSo ? formWords.yes : formWords.no);

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
const amounts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `12.5`. */
export const numberText = (value: number): string => numbers.format(value);

/** `12.50`, where the currency is not known yet. */
export const plainAmount = (value: number): string => amounts.format(value);

/** A number of a field, which may be half typed. */
export function typedNumber(text: string): string {
  const value = Number(text.replace(',', '.'));
  return Number.isNaN(value) ? text : numberText(value);
}

/** `Nov 27, 2026`. */
export function writtenDay(date: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(date));
}
