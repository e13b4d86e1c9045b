import { type ChartModel, readOut } from './chart-model.ts';
import type { ChartColors } from './plot.ts';

const EDGE = 16;
const LINE = 20;

/** The drawn chart with its title, its legend and the key figures as a picture. */
export function pictureOf(drawn: HTMLCanvasElement, model: ChartModel, colors: ChartColors): Promise<Blob> {
  const scale = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const legend = model.series.filter(({ kind }) => kind !== 'text');
  const head = EDGE + LINE * 3;
  canvas.width = drawn.width + 2 * EDGE * scale;
  canvas.height = drawn.height + (head + LINE + 2 * EDGE) * scale;
  const ctx = canvas.getContext('2d')!;
  ctx.fillStyle = colors.ground;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.fillStyle = colors.text;
  const write = (text: string, x: number, y: number, weight = 400): void => {
    ctx.font = `${weight} ${13 * scale}px system-ui, sans-serif`;
    ctx.fillText(text, x * scale, y * scale);
  };
  write(model.title, EDGE, EDGE + 12, 600);
  write(model.caption, EDGE, EDGE + 12 + LINE);
  write(model.summary, EDGE, EDGE + 12 + 2 * LINE);
  ctx.drawImage(drawn, EDGE * scale, head * scale);
  let x = EDGE;
  const y = canvas.height / scale - EDGE;
  for (const { label, tone } of legend) {
    ctx.fillStyle = colors[tone];
    ctx.fillRect(x * scale, (y - 6) * scale, 18 * scale, 3 * scale);
    ctx.fillStyle = colors.text;
    write(label, x + 24, y);
    x += 24 + ctx.measureText(label).width / scale + 20;
  }
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error(readOut(model, 0)))), 'image/png');
  });
}
