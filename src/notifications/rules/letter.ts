import type { Property } from '../../properties/rules/property.ts';
import { LETTER_PARTS, type LetterKind, type LetterPart, type LetterValue, type OwnTexts } from './letter-kinds.ts';
import type { LetterTexts, LetterValues } from './letter-texts.ts';

/** Content of a letter, before it becomes plain text or HTML; subject, opening and closing are those of its kind. */
export type Letter<Kind = LetterKind> = {
  kind: Kind;
  /** Name of the recipient. */
  to: string;
  /** Of the texts of its kind. */
  values: LetterValues;
  details: [label: string, value: string][];
  /** Rows of an invoice, below the details: the amounts stand on the right. */
  amounts?: [label: string, value: string][];
  /** A page that the recipient may open. */
  link?: { label: string; url: string };
  /** What the guest has to know, above the closing: terms of cancellation, the way of a refund. */
  notices: string[];
};

/** Also the letter to a colleague, which is of no property and has no own texts. */
export type AnyLetter = Letter<LetterKind | 'INVITATION'>;

/** A letter with every value that its kind knows. */
export function letterOfKind<K extends LetterKind>(
  kind: K,
  values: Record<LetterValue<K>, string | number>,
  rest: Pick<Letter, 'details'> & Partial<Pick<Letter, 'amounts' | 'link' | 'notices'>>,
): Letter {
  const clean = Object.entries<string | number>(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'string' ? oneLine(value) : value,
  ]);
  const named = Object.fromEntries(clean);
  return { kind, to: String(named['guest']), values: named, notices: [], ...rest };
}

/** The sender with contact details. */
export type Sender = Pick<Property, 'name' | 'address' | 'contact'>;

/** A letter whose texts are written in a language. */
type WrittenLetter = Omit<Letter, 'kind' | 'to' | 'values'> & {
  texts: LetterTexts;
  subject: string;
  salutation: string;
  opening: string[];
  closing: string[];
};

/**
 * Writes a letter in a language, with own texts of the property where it has them.
 * @throws Error when an own text cannot be read, or names a value that the letter does not have
 */
export function writeLetter(
  { kind, to, values, ...rest }: AnyLetter,
  texts: LetterTexts,
  own: OwnTexts = {},
): WrittenLetter {
  const part = (name: LetterPart): string =>
    own[name] === undefined ? texts.text(`${kind}.${name}`, values) : texts.format(own[name], values);
  const [subject, opening, closing] = LETTER_PARTS.map(part) as [string, string, string];
  return {
    ...rest,
    texts,
    subject: oneLine(subject),
    salutation: texts.text('salutation', { guest: oneLine(to) }),
    opening: paragraphsOf(opening),
    closing: paragraphsOf(closing),
  };
}

const paragraphsOf = (text: string): string[] =>
  text.split(/\n+/).flatMap((line) => (line.trim() === '' ? [] : [oneLine(line)]));

const FONT = 'font-family:Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5;color:#1d2733';

/** Plain text: a line per sentence, wrapped by the mail program. */
export function letterText(letter: WrittenLetter, sender: Sender): string {
  const { texts, salutation, opening, details, amounts = [], link, notices, closing } = letter;
  const labelled = (label: string): string => texts.text('label', { label });
  const width = Math.max(...details.map(([label]) => labelled(label).length)) + 1;
  const rows = details.map(([label, value]) => `${labelled(label).padEnd(width)}${oneLine(value)}`);
  const columns = [0, 1].map((column) => Math.max(0, ...amounts.map((row) => oneLine(row[column]!).length)));
  const sums = amounts.map(
    ([label, value]) => `${oneLine(label).padEnd(columns[0]!)}  ${oneLine(value).padStart(columns[1]!)}`,
  );
  const more = [
    ...(sums.length > 0 ? [sums.join('\n')] : []),
    ...(link ? [`${labelled(link.label)} ${link.url}`] : []),
  ];
  const parts = [
    salutation,
    ...opening,
    rows.join('\n'),
    ...more,
    ...notices,
    ...closing,
    signature(sender).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The same as HTML, without external resources. */
export function letterHtml(letter: WrittenLetter, sender: Sender): string {
  const { texts, subject, salutation, opening, details, amounts = [], link, notices, closing } = letter;
  const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
  const row = ([label, value]: [string, string]): string =>
    `<tr><th align="left" style="padding:2px 16px 2px 0;font-weight:normal;color:#5b6876">${escapeHtml(label)}</th>` +
    `<td style="padding:2px 0">${escapeHtml(oneLine(value))}</td></tr>`;
  const sum = ([label, value]: [string, string]): string =>
    `<tr><td style="padding:2px 16px 2px 0">${escapeHtml(oneLine(label))}</td>` +
    `<td align="right" style="padding:2px 0;white-space:nowrap">${escapeHtml(oneLine(value))}</td></tr>`;
  const sums =
    amounts.length > 0 ? [`<table role="presentation" style="${FONT}">`, ...amounts.map(sum), '</table>'] : [];
  const page = link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : [];
  return [
    '<!doctype html>',
    `<html lang="${texts.language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${FONT}">`,
    paragraph(salutation),
    ...opening.map(paragraph),
    `<table role="presentation" style="${FONT}">`,
    ...details.map(row),
    '</table>',
    ...sums,
    ...page,
    ...[...notices, ...closing].map(paragraph),
    `<p>${signature(sender).map(escapeHtml).join('<br>')}</p>`,
    '</body></html>',
    '',
  ].join('\n');
}

/** Escapes text for HTML elements and attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Removes line breaks and other control characters, so that a typed name cannot add lines. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function signature({ name, address, contact }: Sender): string[] {
  const { addressLine1, zipCode, city, state, country } = address ?? {};
  const town = [zipCode, city, state].filter(Boolean).join(' ');
  const lines = [name, addressLine1, town, country, contact?.phone, contact?.email];
  return lines.flatMap((line) => (line ? oneLine(line) : []));
}
