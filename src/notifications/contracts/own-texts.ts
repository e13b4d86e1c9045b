import { argumentsOf } from '../../kernel/contracts/message-arguments.ts';
import type { FieldError } from '../../kernel/rules/domain-error.ts';
import { LETTER_PARTS, LETTER_VALUES, type LetterPart, type OwnTexts } from '../rules/letter-kinds.ts';
import type { LetterTexts } from '../rules/letter-texts.ts';
import type { Letter } from '../rules/letter.ts';

const HTML = /<\/?[a-z!][^>]*>/i;

/** Typed texts as they are stored: a straight apostrophe before a brace would quote it in ICU MessageFormat. */
export function typedTexts(own: OwnTexts): OwnTexts {
  const typed = LETTER_PARTS.flatMap((part) =>
    own[part] === undefined ? [] : [[part, own[part].replaceAll("'{", '’{').replaceAll('\r\n', '\n')] as const],
  );
  return Object.fromEntries(typed);
}

/**
 * What is wrong with own texts of a letter (docs/reference/letters.md#own-texts).
 * @param example a letter of the kind with all its values
 */
export function faultsOf(own: OwnTexts, example: Letter, texts: LetterTexts): FieldError[] {
  return LETTER_PARTS.flatMap((part) => {
    const text = own[part];
    const fault = text === undefined ? undefined : faultOf(part, text, example, texts);
    return fault ? [{ pointer: `/${part}`, ...fault }] : [];
  });
}

type Fault = Pick<FieldError, 'code' | 'detail'>;

function faultOf(part: LetterPart, text: string, { kind, values }: Letter, texts: LetterTexts): Fault | undefined {
  if (HTML.test(text))
    return { code: 'HTML', detail: 'has HTML; write plain text, and leave an empty line between paragraphs' };
  let names: string[];
  try {
    const found = argumentsOf(text);
    if (found.formats)
      return { code: 'FORMAT', detail: 'formats a number or a date; name the value alone, such as {arrival}' };
    names = found.names;
  } catch (error) {
    return { code: 'UNREADABLE', detail: unreadable(text, error) };
  }
  const known: readonly string[] = LETTER_VALUES[kind];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const named = unknown.map((name) => `{${name}}`).join(', ');
    return { code: 'UNKNOWN_VALUE', detail: `names ${named}; this letter knows {${known.join('}, {')}}` };
  }
  try {
    if (texts.format(text, values).trim() !== '') return undefined;
    return {
      code: 'EMPTY',
      detail: `is empty once its values are filled in; leave ${part} out for the standard text`,
    };
  } catch {
    return { code: 'UNREADABLE', detail: 'cannot be filled in; name values alone, such as {guest}' };
  }
}

/** Where the text cannot be read, and how a value is written. */
function unreadable(text: string, error: unknown): string {
  const { location } = error as { location?: { start?: { offset?: number } } };
  const at = location?.start?.offset;
  const place = at === undefined ? '' : ` from character ${at + 1} on ("${text.slice(at, at + 20)}")`;
  return `cannot be read${place}; write a value as {guest}, with both braces`;
}
