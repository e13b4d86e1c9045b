import {
  IMPORT_FIELDS,
  IMPORT_KINDS,
  type ImportKind,
  type ImportMapping,
} from '../../../../src/imports/rules/mapping.ts';
import { DATE_FORMATS } from '../../../../src/imports/rules/suggest-mapping.ts';
import { network } from '../../live/network.ts';
import { needsService, ServiceButton } from '../../service-button.tsx';
import { CommandBox } from '../form/form-parts.tsx';
import { admin as adminWords } from '../messages.ts';
import { FILE_KIND_NAMES } from './field-names.ts';
import { FieldRow } from './field-row.tsx';
import type { ImportDesk, ImportDetail, ImportSample, SampleFile } from './import-desk.ts';
import { withKind } from './mapping-draft.ts';
import { imports as words } from './messages.ts';
import { SampleRows } from './sample-view.tsx';

type Props = { desk: ImportDesk };
type Mapped = Props & { sample: ImportSample; mapping: ImportMapping };
const DESK = { connection: network };

/** How the file was read, and which of its columns is which field. */
export function MappingStep({ desk, shown }: Props & { shown: ImportDetail }) {
  const sample = desk.sample.value;
  const mapping = desk.mapping.value;
  if (!sample || !mapping)
    return (
      <>
        <p role="status">{desk.trouble.value === undefined && adminWords.loading}</p>
        {desk.trouble.value !== undefined && (
          <ServiceButton desk={DESK} reads onClick={() => void desk.readSample()}>
            {words.retry}
          </ServiceButton>
        )}
      </>
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void desk.run(true);
      }}
    >
      <SampleRows desk={desk} sample={sample} mapping={mapping} />
      <h2>{words.mapping}</h2>
      <p class="muted">{words.from[sample.mappingFrom]}</p>
      {mapping.files.map((_, index) => (
        <FileFields key={index} desk={desk} sample={sample} mapping={mapping} index={index} />
      ))}
      <Settings desk={desk} mapping={mapping} />
      {desk.gaps.value.length > 0 && (
        <ul role="alert" class="admin-trouble admin-lines">
          {desk.gaps.value.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <p>{words.tryLine}</p>
      <div class="verbs">
        <ServiceButton desk={DESK} type="submit" class="primary" disabled={desk.busy.value}>
          {words.tryIt}
        </ServiceButton>
        {shown.status !== 'UPLOADED' && (
          <button type="button" onClick={() => void desk.openMapping(false)}>
            {words.back}
          </button>
        )}
        <button type="button" onClick={() => desk.saveMapping()}>
          {words.saveMapping}
        </button>
      </div>
      <SavedMapping desk={desk} />
      <CommandBox text={() => desk.command(true)} />
    </form>
  );
}

function SavedMapping({ desk }: Props) {
  const able = needsService(DESK, { disabled: desk.busy.value });
  return (
    <div class="admin-field">
      <label for="imports-mapping">{words.loadMapping}</label>
      <input
        {...able}
        id="imports-mapping"
        type="file"
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void desk.loadMapping(file);
          // The same file again is a change, too.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** Fields that are in sight before somebody opens the others. */
const FIRST: Readonly<Record<ImportKind, readonly string[]>> = {
  reservations: [
    'checkOut',
    'nights',
    'lastName',
    'guest',
    'totalAmount',
    'nightlyRate',
    'paidAmount',
    'adults',
    'channel',
  ],
  rooms: ['floor'],
  plans: ['name'],
  guests: ['firstName', 'email'],
  payments: ['method', 'date'],
};

function FileFields({ desk, sample, mapping, index }: Mapped & { index: number }) {
  const file = mapping.files[index]!;
  const of = sample.files.find(({ name }) => name === file.file) ?? sample.files[index] ?? sample.files[0];
  if (!of) return null;
  const { required, optional } = IMPORT_FIELDS[file.kind];
  const hasGuests = mapping.files.some(({ kind }) => kind === 'guests');
  const isFirst = (field: string): boolean =>
    field in file.fields || (FIRST[file.kind].includes(field) && (field !== 'guest' || hasGuests));
  const rows = (fields: readonly string[]) =>
    fields.map((field) => (
      <FieldRow
        key={field}
        desk={desk}
        of={of}
        mapping={mapping}
        index={index}
        field={field}
        isNeeded={(required as readonly string[]).includes(field)}
      />
    ));
  const others = optional.filter((field) => !isFirst(field));
  return (
    <fieldset>
      <legend>{of.name}</legend>
      {mapping.files.length > 1 && <KindField desk={desk} mapping={mapping} index={index} of={of} />}
      {rows([...required, ...optional.filter(isFirst)])}
      {others.length > 0 && (
        <details>
          <summary>{words.more}</summary>
          <div class="imports-fields">{rows(others)}</div>
        </details>
      )}
    </fieldset>
  );
}

function KindField({ desk, mapping, index, of }: Props & { mapping: ImportMapping; index: number; of: SampleFile }) {
  const id = `imports-kind-${index}`;
  return (
    <div class="admin-field">
      <label for={id}>{words.ofFile(of.name, words.ofKind)}</label>
      <select
        id={id}
        value={mapping.files[index]!.kind}
        onChange={({ currentTarget: { value } }) => {
          const kind = IMPORT_KINDS.find((one) => one === value);
          if (kind) desk.change(withKind(mapping, index, kind));
        }}
      >
        {IMPORT_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {FILE_KIND_NAMES[kind]}
          </option>
        ))}
      </select>
    </div>
  );
}

function Settings({ desk, mapping }: Props & { mapping: ImportMapping }) {
  const change = (part: Partial<ImportMapping>): void => desk.change({ ...mapping, ...part });
  return (
    <fieldset>
      <legend>{words.settings}</legend>
      <div class="admin-field">
        <label for="imports-dates">{words.dateFormat}</label>
        <input
          id="imports-dates"
          value={mapping.dateFormat}
          list="imports-formats"
          maxLength={40}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="imports-dates-hint"
          onChange={({ currentTarget }) => change({ dateFormat: currentTarget.value.trim() })}
        />
        <datalist id="imports-formats">
          {DATE_FORMATS.map((format) => (
            <option key={format} value={format} />
          ))}
        </datalist>
        <small id="imports-dates-hint">{words.dateFormatHint}</small>
      </div>
      <Choice
        id="imports-decimals"
        label={words.decimals}
        value={mapping.decimalSeparator}
        options={words.decimal}
        onChange={(sign) => change({ decimalSeparator: sign === ',' ? ',' : '.' })}
      />
      <Choice
        id="imports-terms"
        label={words.terms}
        value={mapping.terms}
        options={words.term}
        onChange={(terms) => change({ terms: terms === 'FREE' ? 'FREE' : 'PLAN' })}
      />
      <div class="admin-field">
        <label for="imports-shift">{words.shiftDays}</label>
        <input
          id="imports-shift"
          type="number"
          min={-20_000}
          max={20_000}
          value={mapping.shiftDays}
          aria-describedby="imports-shift-hint"
          onChange={({ currentTarget }) => change({ shiftDays: Math.round(Number(currentTarget.value)) || 0 })}
        />
        <small id="imports-shift-hint">{words.shiftHint}</small>
      </div>
      <div class="admin-field" data-type="flag">
        <label for="imports-overbooking">{words.overbooking}</label>
        <input
          id="imports-overbooking"
          type="checkbox"
          checked={mapping.overbooking}
          aria-describedby="imports-overbooking-hint"
          onChange={({ currentTarget }) => change({ overbooking: currentTarget.checked })}
        />
        <small id="imports-overbooking-hint">{words.overbookingHint}</small>
      </div>
    </fieldset>
  );
}

type ChoiceProps = {
  id: string;
  label: string;
  value: string;
  options: Readonly<Record<string, string>>;
  onChange(value: string): void;
};

function Choice({ id, label, value, options, onChange }: ChoiceProps) {
  return (
    <div class="admin-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {Object.entries(options).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
