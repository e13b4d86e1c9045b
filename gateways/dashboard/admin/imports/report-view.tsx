import { useEffect, useMemo } from 'preact/hooks';

import { IMPORT_OUTCOMES } from '../../../../src/imports/rules/import.ts';
import { noServiceReason } from '../../access/messages.ts';
import { pageUrl, parameter } from '../../address.ts';
import { locale } from '../../language/texts.ts';
import { network } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import { NarrowedItems } from '../narrowed-view.tsx';
import { FILE_KIND_NAMES, OUTCOME_NAMES } from './field-names.ts';
import type { ImportDesk, ImportDetail } from './import-desk.ts';
import { imports as words } from './messages.ts';
import { lineReasonText } from './reason-texts.ts';
import { ReportList } from './report-list.ts';

const DESK = { connection: network };
const whole = new Intl.NumberFormat(locale);

/** What became of each line; those with problems first. */
export function LinesReport({ desk, shown }: { desk: ImportDesk; shown: ImportDetail }) {
  const { importId, counts } = shown;
  const list = useMemo(() => new ReportList(desk.admin, importId), [desk, importId]);
  useEffect(() => {
    const isOpened = parameter('outcome') === undefined;
    void list.find(isOpened && counts.refused > 0 ? { outcome: 'REFUSED' } : undefined);
    return () => list.close();
  }, [list]);
  const outcome = list.filters.value.outcome ?? '';
  return (
    <section aria-labelledby="imports-report">
      <h2 id="imports-report">{words.report}</h2>
      <div class="verbs">
        <label for="imports-outcome">{words.show}</label>
        <select
          id="imports-outcome"
          value={outcome}
          onChange={({ currentTarget: { value } }) => void list.find(value === '' ? {} : { outcome: value })}
        >
          <option value="">{words.all}</option>
          {IMPORT_OUTCOMES.toReversed().map((one) => (
            <option key={one} value={one}>
              {one === 'REFUSED' ? words.refusedOnly : OUTCOME_NAMES[one]}
            </option>
          ))}
        </select>
        <ServiceButton desk={DESK} reads disabled={desk.busy.value} onClick={() => void desk.saveReport(outcome)}>
          {words.saveReport}
        </ServiceButton>
      </div>
      <NarrowedItems list={list} reason={noServiceReason(network.value)} none={words.none} more={words.moreLines}>
        {(lines) => (
          <div class="admin-table" tabIndex={0} role="region" aria-label={words.table(words.report)}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{words.lineNumber}</th>
                  <th scope="col">{words.number}</th>
                  <th scope="col">{words.outcome}</th>
                  <th scope="col">{words.reason}</th>
                </tr>
              </thead>
              <tbody>
                {lines.map((one) => (
                  <tr key={`${one.file} ${one.line}`}>
                    <th scope="row">
                      {whole.format(one.line)}
                      {one.kind !== 'reservations' && ` (${FILE_KIND_NAMES[one.kind]})`}
                    </th>
                    <td>{linked(one, desk)}</td>
                    <td>{OUTCOME_NAMES[one.outcome]}</td>
                    <td>{one.reason === null ? '' : lineReasonText(one.reason)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </NarrowedItems>
    </section>
  );
}

type Line = { kind: string; externalId: string | null; recordId: string | null };

/** A stored reservation is one step away. */
function linked({ kind, externalId, recordId }: Line, desk: ImportDesk) {
  if (recordId === null || kind !== 'reservations') return externalId;
  const property = desk.admin.property.value?.propertyId;
  return <a href={pageUrl('/desk', { property, stay: recordId })}>{externalId}</a>;
}
