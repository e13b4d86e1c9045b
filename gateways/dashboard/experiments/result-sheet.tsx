import { useEffect } from 'preact/hooks';

import { moneyText } from '../messages.ts';
import { ServiceButton } from '../service-button.tsx';
import type { ShownExperiment } from './api.ts';
import type { ExperimentDesk } from './experiment-desk.ts';
import { experiments as words, findingText, periodText, shareText, stateText, upliftText } from './messages.ts';

type Props = { desk: ExperimentDesk; shown: ShownExperiment };

/** What the days of an experiment have brought, the conclusion once it is over, and its end before. */
export function ResultSheet({ desk, shown }: Props) {
  const { result, currency, status, endDate } = shown;
  const finding = findingText(result);
  const arms = [
    { name: words.usual, arm: result.control },
    { name: words.treatmentRates, arm: result.treatment },
  ];
  return (
    <section class="sheet experiment-result" aria-labelledby="experiment">
      <h2 id="experiment">
        {shown.name} <small>{`${periodText(shown)}, ${stateText(shown)}`}</small>
      </h2>
      {finding !== undefined && (
        <p class="finding">
          <strong>{finding}</strong> {result.uplift && upliftText(result.uplift, currency)}
        </p>
      )}
      {status === 'RUNNING' && <p>{words.notYet(endDate)}</p>}
      <table>
        <caption class="visually-hidden">{words.result}</caption>
        <thead>
          <tr>
            <th scope="col">{words.rates}</th>
            {[words.days, words.roomNights, words.perDay].map((column) => (
              <th key={column} scope="col" class="amount">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {arms.map(({ name, arm }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="amount">{arm.days}</td>
              <td class="amount">{arm.roomNights}</td>
              <td class="amount">{moneyText(arm.revenuePerDay, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {result.leftOut > 0 && <p class="muted">{words.leftOut(result.leftOut)}</p>}
      {result.explained !== null && <p class="muted">{words.explained(shareText(result.explained))}</p>}
      {status === 'RUNNING' && <Stop desk={desk} shown={shown} />}
    </section>
  );
}

/** The end before the last day, with what it does said first. */
function Stop({ desk, shown }: Props) {
  const isStopping = desk.isStopping.value;
  useEffect(() => {
    if (isStopping) document.getElementById('experiment-stop')?.focus();
  }, [isStopping]);
  if (!isStopping)
    return (
      <p class="actions">
        <ServiceButton desk={desk} onClick={() => (desk.isStopping.value = true)}>
          {words.stop}
        </ServiceButton>
      </p>
    );
  return (
    <div role="group" aria-labelledby="experiment-stop-line">
      <p id="experiment-stop-line">{words.stopLine(shown.rateCode)}</p>
      <p class="actions">
        <ServiceButton
          desk={desk}
          id="experiment-stop"
          class="primary"
          disabled={desk.busy.value}
          aria-describedby="experiment-stop-line"
          onClick={() => void desk.stopShown()}
        >
          {words.stopNow}
        </ServiceButton>
        <button type="button" onClick={() => (desk.isStopping.value = false)}>
          {words.cancel}
        </button>
      </p>
    </div>
  );
}
