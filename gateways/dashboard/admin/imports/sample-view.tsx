import { DELIMITERS } from '../../../../src/imports/rules/csv-lines.ts';
import { ENCODINGS, type ImportMapping } from '../../../../src/imports/rules/mapping.ts';
import { network } from '../../live/network.ts';
import { needsAnswer } from '../../service-button.tsx';
import type { ImportDesk, ImportSample, SampleFile } from './import-desk.ts';
import { imports as words } from './messages.ts';

type Props = { desk: ImportDesk; sample: ImportSample; mapping: ImportMapping };
const DESK = { connection: network };
const ENCODING_NAMES = { 'utf-8': 'UTF-8', latin1: 'Latin 1 (Windows)' };

/** How the files were read: encoding, delimiter, and the first rows of each. */
export function SampleRows({ desk, sample, mapping }: Props) {
  const csv = sample.files.find(({ format }) => format === 'CSV');
  const delimiter = mapping.delimiter ?? csv?.delimiter ?? ',';
  const read = (encoding: string, by: string | undefined): void =>
    void desk.readSample({ encoding, ...(by !== undefined && { delimiter: by }) });
  const able = needsAnswer(DESK, { disabled: desk.busy.value });
  return (
    <>
      <h2>{words.read}</h2>
      <div class="imports-reading">
        <div class="admin-field">
          <label for="imports-encoding">{words.encoding}</label>
          <select
            id="imports-encoding"
            {...able}
            value={sample.encoding}
            aria-describedby="imports-encoding-hint"
            onChange={({ currentTarget }) => read(currentTarget.value, mapping.delimiter)}
          >
            {ENCODINGS.map((one) => (
              <option key={one} value={one}>
                {ENCODING_NAMES[one]}
              </option>
            ))}
          </select>
          <small id="imports-encoding-hint">{words.encodingHint}</small>
        </div>
        {csv && (
          <div class="admin-field">
            <label for="imports-delimiter">{words.delimiter}</label>
            <select
              id="imports-delimiter"
              {...able}
              value={delimiter}
              onChange={({ currentTarget }) => read(sample.encoding, currentTarget.value)}
            >
              {DELIMITERS.map((one) => (
                <option key={one} value={one}>
                  {words.delimiters[one]}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      {sample.files.map((file) => (
        <Rows key={file.name} file={file} />
      ))}
    </>
  );
}

function Rows({ file: { name, columns, rows, lines, unreadable } }: { file: SampleFile }) {
  return (
    <>
      <p>{words.readAs(name, columns.length, lines)}</p>
      {columns.length < 2 && <p class="admin-trouble">{words.noColumns}</p>}
      {unreadable.length > 0 && (
        <>
          <p class="admin-trouble">{words.unreadable(unreadable.length)}</p>
          <p class="muted">{unreadable.map(({ line }) => words.line(line)).join(', ')}</p>
        </>
      )}
      <div class="admin-table imports-rows" tabIndex={0} role="region" aria-label={words.firstRows(name)}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col">
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 5).map(({ line, cells }) => (
              <tr key={line}>
                {cells.map((cell, index) => (
                  <td key={columns[index]?.name}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
