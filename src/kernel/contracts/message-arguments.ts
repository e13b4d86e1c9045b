import { IntlMessageFormat } from 'intl-messageformat';

/** Elements of a parsed text that are looked at, by their numbers in the parser. */
const LITERAL = 0;
const ARGUMENT = 1;
const SELECT = 5;
const PLURAL = 6;
const POUND = 7;

type Element = { type: number; value?: string; options?: Record<string, { value: Element[] }> };

/** Names of the values of a text in ICU MessageFormat, sorted, and whether it formats numbers or dates by itself. */
type MessageArguments = { names: string[]; formats: boolean };

/** Reads which values a text names. @throws Error with a sentence about the place, when the text cannot be read */
export function argumentsOf(text: string): MessageArguments {
  const names = new Set<string>();
  let formats = false;
  const visit = (elements: readonly Element[]): void => {
    for (const { type, value, options = {} } of elements) {
      if (type !== LITERAL && type !== POUND && value !== undefined) names.add(value);
      if (![LITERAL, ARGUMENT, SELECT, PLURAL, POUND].includes(type)) formats = true;
      for (const option of Object.values(options)) visit(option.value);
    }
  };
  visit(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
  return { names: [...names].sort(), formats };
}
