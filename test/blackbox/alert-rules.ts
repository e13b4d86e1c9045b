import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const OPS = join(import.meta.dirname, '../../ops');

export type AlertRule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
};

/** A metric as a rule selects it. */
export type Selected = { metric: string; labels: { name: string; operator: string; value: string }[] };

/** All rules of ops/alerts.yml. */
export function alertRules(): AlertRule[] {
  const file = parse(readFileSync(join(OPS, 'alerts.yml'), 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return file.groups.flatMap(({ rules }) => rules);
}

/** Names of the pages of ops/runbook. */
export function runbookPages(): string[] {
  return readdirSync(join(OPS, 'runbook')).map((name) => name.replace(/\.md$/, ''));
}

export function runbookPage(name: string): string {
  return readFileSync(join(OPS, 'runbook', `${name}.md`), 'utf8');
}

/** Words of the language of rules that name no metric. */
const WORDS = new Set('and or unless by without on ignoring bool offset sum max min'.split(' '));

/** The metrics of an expression with their selectors; a name before a bracket is a function. */
export function selectedIn(expr: string): Selected[] {
  const found = expr.matchAll(/"[^"]*"|(?<![\w.])([a-zA-Z_]\w*)(?![\w(])\s*(?:\{([^}]*)\})?/g);
  return [...found].flatMap(([, metric, selector = '']) => {
    if (metric === undefined || WORDS.has(metric) || /^\d/.test(metric)) return [];
    const labels = [...selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)];
    return [
      { metric, labels: labels.map(([, name = '', operator = '', value = '']) => ({ name, operator, value })) },
    ];
  });
}

/** Series of Prometheus' text: the labels of each, by name of the metric. */
export function seriesOf(text: string): Map<string, Record<string, string>[]> {
  const all = new Map<string, Record<string, string>[]>();
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line);
    if (!match) continue;
    const [, name = '', labels = ''] = match;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value]);
    all.set(name, [...(all.get(name) ?? []), Object.fromEntries(pairs) as Record<string, string>]);
  }
  return all;
}
