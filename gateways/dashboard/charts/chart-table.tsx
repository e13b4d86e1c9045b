import { type ChartModel, textAt } from './chart-model.ts';
import { charts as words } from './messages.ts';

/** The twin of a chart: all its figures. */
export function ChartTable({ model }: { model: ChartModel }) {
  return (
    <div class="chart-table" role="region" aria-label={model.title} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{model.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{model.axis}</th>
            {model.series.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.points.map(({ label }, index) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {model.series.map((series) => (
                <td key={series.id}>{textAt(model, series, index) ?? words.nothing}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
