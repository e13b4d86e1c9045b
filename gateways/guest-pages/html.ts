/** Markup that needs no escaping any more. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may have: texts are escaped, lists are joined, and what is absent is left out. */
export type Part = Markup | string | number | false | null | undefined | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  "'": '&#39;',
};

/** Markup with every inserted text escaped; attributes stand in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + written(parts[index - 1]) + string));
}

function written(part: Part): string {
  if (part === false || part === null || part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return String(part).replaceAll(/[&<>"'\n]/g, (character) => ESCAPES[character]!);
}

/** A block of data within a page: nothing in it ends its element. */
export function dataBlock(type: string, data: unknown, id?: string): Markup {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return new Markup(`<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${json}</script>`);
}

/** Elements around which white space means nothing. */
const BLOCKS =
  'html|head|meta|link|title|script|body|header|main|nav|ul|li|p|h[1-3]|section|article|div|form|fieldset|legend|details|' +
  'summary|table|caption|thead|tbody|tfoot|tr|th|td|address|option|select|label|small|textarea|noscript';
const AFTER_BLOCK = new RegExp(String.raw`(</?(?:${BLOCKS})\b[^<>]*>)\s+`, 'g');
const BEFORE_BLOCK = new RegExp(String.raw`\s+(?=</?(?:${BLOCKS})\b)`, 'g');

/** Markup without the white space by which templates are laid out; inserted line breaks are references and stay. */
export const compact = ({ text }: Markup): string =>
  text
    .replaceAll(AFTER_BLOCK, '$1')
    .replaceAll(BEFORE_BLOCK, '')
    .replaceAll(/\s*\n\s*/g, ' ');
