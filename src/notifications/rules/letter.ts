import type { Property } from '../../properties/rules/property.ts';

/** Content of a letter, before it becomes plain text or HTML. */
export type Letter = {
  subject: string;
  /** Name of the recipient. */
  to: string;
  opening: string[];
  details: [label: string, value: string][];
  closing: string[];
};

/** The sender with contact details. */
type Sender = Pick<Property, 'name' | 'address' | 'contact'>;

const FONT = 'font-family:Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5;color:#1d2733';

/** Plain text: a line per sentence, wrapped by the mail program. */
export function letterText({ to, opening, details, closing }: Letter, sender: Sender): string {
  const width = Math.max(...details.map(([label]) => label.length)) + 2;
  const rows = details.map(([label, value]) => `${`${label}:`.padEnd(width)}${oneLine(value)}`);
  const parts = [`Dear ${oneLine(to)},`, ...opening, rows.join('\n'), ...closing, signature(sender).join('\n')];
  return `${parts.join('\n\n')}\n`;
}

/** The same as HTML, without external resources. */
export function letterHtml({ subject, to, opening, details, closing }: Letter, sender: Sender): string {
  const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
  const row = ([label, value]: [string, string]): string =>
    `<tr><th align="left" style="padding:2px 16px 2px 0;font-weight:normal;color:#5b6876">${escapeHtml(label)}</th>` +
    `<td style="padding:2px 0">${escapeHtml(oneLine(value))}</td></tr>`;
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${FONT}">`,
    paragraph(`Dear ${oneLine(to)},`),
    ...opening.map(paragraph),
    `<table role="presentation" style="${FONT}">`,
    ...details.map(row),
    '</table>',
    ...closing.map(paragraph),
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
