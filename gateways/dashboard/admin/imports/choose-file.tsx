import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { locale } from '../../language/texts.ts';
import { network } from '../../live/network.ts';
import { needsAnswer, needsService } from '../../service-button.tsx';
import { admin as adminWords } from '../messages.ts';
import type { ImportDesk, ImportRow } from './import-desk.ts';
import { imports as words } from './messages.ts';

type Props = { desk: ImportDesk };
const DESK = { connection: network };
const TYPES = '.csv,.txt,.tsv,.ndjson,.jsonl,.json,.zip,.gz,text/csv,application/zip,application/gzip';

/** Where a file is chosen, or dropped. */
export function ChooseFile({ desk }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const sending = desk.upload.value;
  const most = desk.maxBytes.value;
  const able = needsService(DESK, { disabled: sending !== undefined });
  const take = (files: FileList | null | undefined): void => {
    const [file, other] = files ?? [];
    if (other) desk.trouble.value = words.oneFile;
    else if (file) void desk.send(file);
  };
  return (
    <div
      class="imports-drop"
      data-over={isOver.value || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = !able.disabled;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        if (!able.disabled) take(event.dataTransfer?.files);
      }}
    >
      <label for="imports-file">{words.choose}</label>
      <input
        {...able}
        ref={input}
        id="imports-file"
        type="file"
        accept={TYPES}
        aria-describedby="imports-file-hint"
        onChange={() => {
          take(input.current?.files);
          if (input.current) input.current.value = '';
        }}
      />
      <small id="imports-file-hint">
        {words.drop} {most > 0 ? words.chooseHint(most) : words.chooseHintOnly}
      </small>
      {sending && (
        <div class="imports-progress">
          <span role="status">{words.sending(sending.name)}</span>
          <progress aria-label={words.sending(sending.name)} value={sending.sent} max={sending.all} />
          <span>{words.sent(sending.sent, sending.all)}</span>
          <button type="button" onClick={() => desk.stopSending()}>
            {words.stop}
          </button>
        </div>
      )}
    </div>
  );
}

const TIME = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const whole = new Intl.NumberFormat(locale);

/** Imports of the property, the newest first, with the way back into each. */
export function EarlierImports({ desk }: Props) {
  const items = desk.items.value;
  const next = desk.nextCursor.value;
  return (
    <section aria-labelledby="imports-earlier">
      <h2 id="imports-earlier">{words.earlier}</h2>
      {items === undefined ? (
        <p role="status" class="muted">
          {desk.trouble.value === undefined && adminWords.loading}
        </p>
      ) : items.length === 0 ? (
        <p>{words.noEarlier}</p>
      ) : (
        <div class="admin-table" tabIndex={0} role="region" aria-label={words.table(words.earlier)}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.file}</th>
                <th scope="col">{words.when}</th>
                <th scope="col">{words.what}</th>
                <th scope="col" class="amount">
                  {words.lines}
                </th>
                <th scope="col" class="amount">
                  {words.refused}
                </th>
                <th scope="col">
                  <span class="visually-hidden">{adminWords.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <Earlier key={one.importId} desk={desk} one={one} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next !== null && (
        <button type="button" {...needsAnswer(DESK)} onClick={() => void desk.list(next)}>
          {words.older}
        </button>
      )}
    </section>
  );
}

function Earlier({ desk, one }: Props & { one: ImportRow }) {
  const when = TIME.format(new Date(one.createdAt));
  const name = one.files.join(', ') || when;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{when}</td>
      <td>{stateOf(one)}</td>
      <td class="amount">{one.status === 'UPLOADED' ? '' : whole.format(one.lines)}</td>
      <td class="amount">{one.status === 'UPLOADED' ? '' : whole.format(one.counts.refused)}</td>
      <td class="admin-row-verbs">
        <button
          type="button"
          aria-label={words.openOne(`${name}, ${when}`)}
          onClick={() => void desk.open(one.importId)}
        >
          {words.open}
        </button>
      </td>
    </tr>
  );
}

function stateOf({ status, dryRun }: ImportRow): string {
  switch (status) {
    case 'UPLOADED':
      return words.state.uploaded;
    case 'RUNNING':
      return words.state.running;
    case 'FAILED':
      return words.state.failed;
    case 'COMPLETED':
      return dryRun ? words.state.dryRunDone : words.state.done;
  }
}
