import type { FieldSource, ImportMapping } from '../../../../src/imports/rules/mapping.ts';
import { DATE_FIELDS } from '../../../../src/imports/rules/suggest-mapping.ts';
import { RESERVATION_STATUSES } from '../../../../src/stay/rules/reservation.ts';
import { pageUrl } from '../../address.ts';
import { fieldName, METHOD_NAMES, IMPORT_STATE_NAMES } from './field-names.ts';
import type { ImportDesk, SampleFile } from './import-desk.ts';
import {
  firstTexts,
  sourceRule,
  SOURCE_KINDS,
  sourceKind,
  withField,
  withPart,
  withSource,
} from './mapping-draft.ts';
import { imports as words } from './messages.ts';

type Props = {
  desk: ImportDesk;
  of: SampleFile;
  mapping: ImportMapping;
  index: number;
  field: string;
  isNeeded: boolean;
};
type Part = Props & { id: string; source: FieldSource; set(source: FieldSource | undefined): void };

/** Columns that are joined or added at most. */
const MAX_COLUMNS = 5;

/** Where a field comes from, what the first lines give, and what the words of its column mean. */
export function FieldRow(props: Props) {
  const { desk, of, mapping, index, field, isNeeded } = props;
  const file = mapping.files[index]!;
  const source = file.fields[field];
  const kind = sourceKind(source);
  const id = `imports-${index}-${field}`;
  const set = (next: FieldSource | undefined): void => desk.change(withField(mapping, index, field, next));
  const choose = (value: string): void => {
    if (value.startsWith('=')) set(withSource(source, 'column', value.slice(1)));
    else set(withSource(source, SOURCE_KINDS.find((one) => one === value) ?? 'none'));
  };
  const chosen = kind === 'column' ? `=${sourceRule(source).column}` : kind;
  const part = source === undefined ? undefined : { ...props, id, source, set };
  return (
    <div class="admin-field imports-field">
      <label for={id}>
        {fieldName(field)}
        {isNeeded && <span class="muted">, {words.needed}</span>}
      </label>
      <select
        id={id}
        value={chosen}
        aria-describedby={`${id}-gives`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="none">{words.notRead}</option>
        <optgroup label={words.columns}>
          {of.columns.map(({ name }) => (
            <option key={name} value={`=${name}`}>
              {name}
            </option>
          ))}
        </optgroup>
        <optgroup label={words.others}>
          {SOURCE_KINDS.map((one) => (
            <option key={one} value={one}>
              {words.source[one]}
            </option>
          ))}
        </optgroup>
      </select>
      {part && (kind === 'columns' || kind === 'sum') && <Columns {...part} kind={kind} />}
      {part && (kind === 'value' || kind === 'line') && <FixedText {...part} kind={kind} />}
      {part && DATE_FIELDS.has(field) && <DateFormat {...part} />}
      <small id={`${id}-gives`}>{source !== undefined && <Gives {...props} />}</small>
      {part && kind === 'column' && <Words {...part} />}
    </div>
  );
}

function Gives({ mapping, index, field, of }: Props) {
  const texts = firstTexts(mapping.files[index]!, field, of).filter((text) => text !== '');
  return <>{texts.length === 0 ? words.givesNothing : words.gives(texts)}</>;
}

function Columns({ field, of, source, set, kind }: Part & { kind: 'columns' | 'sum' }) {
  const chosen = sourceRule(source)[kind] ?? [];
  const shown = [...chosen, ...(chosen.length < MAX_COLUMNS ? [''] : [])];
  const put = (at: number, name: string): void => {
    const next = [...chosen];
    if (name === '') next.splice(at, 1);
    else next[at] = name;
    set(withPart(source, { [kind]: next }));
  };
  return (
    <div class="imports-parts">
      {shown.map((name, at) => (
        <select
          key={at}
          value={name}
          aria-label={words.nth(fieldName(field), at + 1)}
          onChange={({ currentTarget }) => put(at, currentTarget.value)}
        >
          <option value="">{words.noColumn}</option>
          {of.columns.map((column) => (
            <option key={column.name} value={column.name}>
              {column.name}
            </option>
          ))}
        </select>
      ))}
    </div>
  );
}

function FixedText({ field, source, set, kind }: Part & { kind: 'value' | 'line' }) {
  return (
    <input
      value={sourceRule(source)[kind] ?? ''}
      aria-label={words.fixed(fieldName(field))}
      maxLength={100}
      autocomplete="off"
      onInput={({ currentTarget }) => set({ [kind]: currentTarget.value })}
    />
  );
}

function DateFormat({ field, source, set, mapping }: Part) {
  return (
    <input
      value={sourceRule(source).format ?? ''}
      placeholder={mapping.dateFormat}
      list="imports-formats"
      aria-label={words.format(fieldName(field))}
      maxLength={40}
      autocomplete="off"
      spellcheck={false}
      onChange={({ currentTarget }) => set(withPart(source, { format: currentTarget.value.trim() }))}
    />
  );
}

/** What the words of a field may mean; `undefined` where they are taken as they are. */
function meaningsOf(field: string, desk: ImportDesk): ReadonlyMap<string, string> | undefined {
  const { roomTypes, plans } = desk.codes.value;
  const plain = (codes: readonly string[]) => new Map(codes.map((code) => [code, code]));
  switch (field) {
    case 'status':
      return new Map(RESERVATION_STATUSES.map((one) => [one, IMPORT_STATE_NAMES[one] ?? one]));
    case 'roomType':
      return plain(roomTypes);
    case 'rateCode':
      return plain(plans);
    case 'channel':
      return plain(['DIRECT', 'OTA', 'CORPORATE']);
    case 'method':
    case 'paymentMethod':
      return new Map(Object.entries(METHOD_NAMES));
    default:
      return undefined;
  }
}

function Words({ desk, of, field, source, set, id, mapping, index }: Part) {
  const meanings = meaningsOf(field, desk);
  const { column, map = {} } = sourceRule(source);
  const sampled = of.columns.find(({ name }) => name === column);
  if (!meanings || !sampled || mapping.files[index]!.kind === 'rooms') return null;
  const found = new Set([...sampled.values, ...Object.keys(map).filter((word) => word !== '*')]);
  const unknown = [...found].filter((word) => !meanings.has(map[word] ?? map['*'] ?? word));
  const mean = (word: string, meaning: string): void => {
    const { [word]: _, ...others } = map;
    set(withPart(source, { map: meaning === '' ? others : { ...others, [word]: meaning } }));
  };
  const name = fieldName(field);
  const isOpen = field !== 'channel' && unknown.length > 0;
  return (
    <details class="imports-words" open={isOpen || undefined}>
      <summary>{words.words(name)}</summary>
      <Unknown desk={desk} field={field} codes={unknown} mapping={mapping} />
      {[...found, '*'].map((word, at) => (
        <div key={word} class="imports-word">
          <label for={`${id}-word-${at}`}>{word === '*' ? words.otherWords : words.wordIs(word)}</label>
          <select
            id={`${id}-word-${at}`}
            value={map[word] ?? ''}
            onChange={({ currentTarget }) => mean(word, currentTarget.value)}
          >
            <option value="">{words.asItIs}</option>
            {[...meanings].map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
            {map[word] !== undefined && !meanings.has(map[word]) && <option value={map[word]}>{map[word]}</option>}
          </select>
        </div>
      ))}
    </details>
  );
}

type UnknownProps = { desk: ImportDesk; field: string; codes: readonly string[]; mapping: ImportMapping };

/** Words that would have lines refused, and what to do about them. */
function Unknown({ desk, field, codes, mapping }: UnknownProps) {
  const property = desk.admin.property.value?.propertyId;
  const kind = field === 'roomType' ? 'rooms' : 'plans';
  const isBrought = mapping.files.some((file) => file.kind === kind);
  if (codes.length === 0 || field === 'channel') return null;
  if (field !== 'roomType' && field !== 'rateCode')
    return <p class="admin-problem">{words.unknownWords(codes.length)}</p>;
  if (isBrought) return null;
  const [text, path, name] =
    field === 'roomType'
      ? [words.unknownTypes(codes), '/admin/room-types', words.toTypes]
      : [words.unknownPlans(codes), '/admin/rate-plans', words.toPlans];
  return (
    <p class="admin-problem">
      {text} <a href={pageUrl(path, { property })}>{name}</a>
    </p>
  );
}
