import type { NodeAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';
import { noServiceReason } from '../access/messages.ts';
import { locale } from '../language/texts.ts';
import { NOT_KNOWN } from '../messages.ts';
import { OpsTable } from './actor.tsx';
import type { Operations } from './operations.ts';
import { workWords as words } from './ops-messages.ts';
import { usePolled } from './polled.ts';

type LoggersAnswer = {
  levels: string[];
  loggers: Record<string, { configuredLevel: string | null; effectiveLevel: string }>;
};

/** Regular work of all nodes, their queues, and the levels of the log. */
export function WorkView({ operations }: { operations: Operations }) {
  const nodes = operations.nodes.value;
  const failed = failedJobsOf(nodes);
  return (
    <>
      <section aria-labelledby="rounds">
        <h2 id="rounds">{words.rounds}</h2>
        <OpsTable name={words.rounds} head={Object.values(words.column)} rows={nodes.flatMap(roundsOf)} />
      </section>
      <section aria-labelledby="queues">
        <h2 id="queues">{words.queues}</h2>
        <OpsTable name={words.queues} head={Object.values(words.queue)} rows={queuesOf(nodes)} />
        <h3>{words.failedJobs}</h3>
        {failed.length === 0 ? (
          <p class="muted">{words.noFailedJobs}</p>
        ) : (
          <>
            <p class="muted">{words.failedLead}</p>
            <OpsTable name={words.failedJobs} head={Object.values(words.failedJob)} rows={failed} />
          </>
        )}
      </section>
      <LogLevels operations={operations} />
    </>
  );
}

function roundsOf({ nodeId, rounds = [] }: NodeAnswer): (string | number)[][] {
  return rounds.map(({ name, ageSeconds, everyMs, late, failures, tookMs, error, failedItems = [] }) => [
    name,
    nodeId.slice(0, 8),
    words.ago(ageSeconds),
    tookMs === undefined ? NOT_KNOWN : words.took(tookMs),
    words.within(everyMs / 1_000 - ageSeconds),
    failures ?? '',
    late ? words.late : words.onTime,
    [error, failedItems.join(', ')].filter(Boolean).join(' · '),
  ]);
}

/** All nodes count the jobs of the installation: the newest count is the largest, or all are alike. */
function queuesOf(nodes: readonly NodeAnswer[]): (string | number)[][] {
  const waiting = new Map<string, number>();
  for (const { jobs } of nodes)
    for (const [name, count] of Object.entries(jobs)) waiting.set(name, Math.max(count, waiting.get(name) ?? 0));
  return [...waiting];
}

/** Jobs that are not begun again, each once: all nodes list the same. */
function failedJobsOf(nodes: readonly NodeAnswer[]): (string | number)[][] {
  const byId = new Map(
    nodes.flatMap(({ failedJobs = [] }) => failedJobs.map((job) => [`${job.queue} ${job.id}`, job])),
  );
  const newestFirst = [...byId.values()].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return newestFirst.map(({ queue, id, at, attempts, why, tenantId }) => [
    queue,
    new Date(at).toLocaleString(locale),
    tenantId ?? NOT_KNOWN,
    attempts,
    why,
    id,
  ]);
}

function LogLevels({ operations }: { operations: Operations }) {
  const polled = usePolled<LoggersAnswer>(operations, '/actuator/loggers');
  const answer = polled.value?.value;
  const reason = noServiceReason(operations.connection.value);
  const set = (name: string, level: string): void =>
    void operations.call('POST', `/actuator/loggers/${name}`, { configuredLevel: level === '' ? null : level });
  return (
    <section aria-labelledby="log-levels">
      <h2 id="log-levels">{words.log}</h2>
      <p class="muted">{words.logLead}</p>
      {polled.value?.failed !== undefined && <p class="ops-failed">{words.failed}</p>}
      <div class="ops-form">
        {Object.entries(answer?.loggers ?? {}).map(([name, { configuredLevel, effectiveLevel }]) => (
          <label key={name}>
            {words.level(name)}
            <select
              value={configuredLevel ?? ''}
              disabled={reason !== undefined}
              title={reason}
              onChange={({ currentTarget }) => set(name, currentTarget.value)}
            >
              {name !== 'ROOT' && <option value="">{words.inherited(effectiveLevel)}</option>}
              {answer?.levels.map((level) => (
                <option key={level} value={level}>
                  {level}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </section>
  );
}
