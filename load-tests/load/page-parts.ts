import { escaped, shortNumber } from './plot.ts';

/** Looks of a report: light and dark, with the colors of plots. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#5c6670;--line:#d8dde2;--back:#fff;--good:#18794e;--bad:#b3261e;--warn:#8a5a00}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa4ae;--line:#333a41;--back:#14171a;--good:#5bc08c;--bad:#ff8a80;--warn:#e0b050}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:1120px;margin:0 auto;padding:24px 16px 80px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:40px 0 4px;border-top:1px solid var(--line);padding-top:20px}
h3{font-size:15px;margin:18px 0 4px}p{margin:6px 0}.soft{color:var(--soft)}.met{color:var(--good)}.missed{color:var(--bad)}.warn{color:var(--warn)}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}th,td{text-align:right;padding:4px 8px;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:500;white-space:normal;vertical-align:bottom}th:first-child,td:first-child{text-align:left}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:16px;margin:12px 0}
figure{margin:0;max-width:460px}svg{width:100%;height:auto;display:block}figcaption{font-size:12px}
.grid{stroke:var(--line)}.tick,.unit{fill:var(--soft);font-size:10px}.title{fill:var(--ink);font-size:12px;font-weight:600}
.line{fill:none;stroke:var(--c);stroke-width:1.6}.bar{fill:var(--c)}.dashed{stroke-dasharray:4 3}
.key{margin-right:10px;white-space:nowrap}.key::before{content:"";display:inline-block;width:14px;height:3px;background:var(--c);margin-right:4px;vertical-align:middle}
.c0{--c:#2f6fde}.c1{--c:#d9622b}.c2{--c:#2a9d6f}.c3{--c:#a347ba}.c4{--c:#c79a00}.c5{--c:#d23f6d}.c6{--c:#3aa0b8}.c7{--c:#7a7f87}
code{font-size:13px}
`;

/** A report as one page: no script, no request to anywhere. */
export function reportShell(title: string, body: readonly string[]): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escaped(title)}</title><style>${STYLE}</style></head><body>${body.join('\n')}</body></html>\n`
  );
}

/** Cells are HTML already. */
export function htmlRow(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

export function htmlTable(heads: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const head = heads.map((text) => `<th>${escaped(text)}</th>`).join('');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

export function megabytesText(bytes: number): string {
  return `${shortNumber(Math.round(bytes / 1e6))} MB`;
}
