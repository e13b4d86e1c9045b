import type {
  AlertAnswer,
  AlertsAnswer,
  RunbookAnswer,
} from '../../../src/platform/coordination/contracts/alerts.ts';
import { noServiceReason } from '../access/messages.ts';
import { Icon } from '../icons.tsx';
import { locale } from '../language/texts.ts';
import { network } from '../live/network.ts';
import { alertWords as words } from './figure-messages.ts';
import type { Operations } from './operations.ts';
import type { OpsAddress } from './ops-address.ts';
import { usePolled } from './polled.ts';

type Props = { operations: Operations; address: OpsAddress };

/** Alerts that fire by the service's own figures, each with its page of the runbook. */
export function AlertsPanel({ operations, address }: Props) {
  const polled = usePolled<AlertsAnswer>(operations, '/ops/alerts');
  const { alert } = address.shown.value;
  const all = polled.value?.value?.alerts ?? [];
  const holding = all.filter(({ state }) => state !== 'QUIET');
  return (
    <section aria-labelledby="alerts" class="ops-alerts">
      <h2 id="alerts">{words.title}</h2>
      {polled.value?.failed !== undefined && <p class="ops-failed">{words.failed}</p>}
      {polled.value?.value && holding.length === 0 && (
        <p class="ops-quiet">
          <strong>{words.none}</strong> <span class="muted">{words.watched(all.length)}</span>
        </p>
      )}
      <ul>
        {holding.map((one) => (
          <AlertLine key={one.name} alert={one} address={address} />
        ))}
      </ul>
      {alert !== undefined && <RunbookPage operations={operations} address={address} name={alert} />}
      {all.length > 0 && (
        <details>
          <summary>{words.all}</summary>
          <ul class="ops-all-alerts">
            {all.map((one) => (
              <AlertLine key={one.name} alert={one} address={address} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function AlertLine({ alert, address }: { alert: AlertAnswer; address: OpsAddress }) {
  const { name, severity, summary, state, since, nodes, limits } = alert;
  // Its page of the runbook is read from the service.
  const reason = noServiceReason(network.value);
  return (
    <li class="ops-alert" data-state={state}>
      {state !== 'QUIET' && <Icon name="bad" />}
      <button
        type="button"
        class="quiet"
        disabled={reason !== undefined}
        title={reason}
        onClick={() => address.go({ alert: name })}
      >
        {name}
      </button>{' '}
      <span>{words.states[state]}</span> <small>{words.severities[severity]}</small>
      <p>{summary}</p>
      {since !== undefined && (
        <p class="muted">
          {words.since(new Date(since).toLocaleTimeString(locale))}
          {nodes.length > 0 && ` ${words.on(nodes.map((id) => id.slice(0, 8)).join(', '))}`}
        </p>
      )}
      {limits !== undefined && (
        <p class="muted">
          {words.limited}: {limits}
        </p>
      )}
    </li>
  );
}

/** The page of an alert as text. */
function RunbookPage({ operations, address, name }: Props & { name: string }) {
  const polled = usePolled<RunbookAnswer>(operations, `/ops/alerts/${encodeURIComponent(name)}`);
  const page = polled.value?.value;
  return (
    <article class="ops-panel" aria-label={name}>
      <button type="button" onClick={() => address.go({ alert: undefined })}>
        {words.close}
      </button>
      {page === undefined && polled.value?.failed !== undefined && <p>{words.unknown}</p>}
      {page && <Markdown text={page.text} />}
    </article>
  );
}

/** The few forms of Markdown that pages of the runbook have; everything else is text. */
function Markdown({ text }: { text: string }) {
  const blocks = text.trim().split(/\n{2,}/);
  return (
    <>
      {blocks.map((block, index) => {
        const [, marks = '', heading] = /^(#+) (.*)/.exec(block) ?? [];
        const key = `${index}`;
        if (heading !== undefined) return marks === '#' ? <h3 key={key}>{heading}</h3> : <h4 key={key}>{heading}</h4>;
        if (!/^(- |\||    )/.test(block)) return <p key={key}>{plain(block)}</p>;
        return (
          <pre key={key} tabIndex={0}>
            {plain(block)}
          </pre>
        );
      })}
    </>
  );
}

const plain = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');
