// Saving what the page shows: the report, the picture, the tables.
import { Data } from '../../../stage/data';
import { download, make, showDialog, toast } from '../page/dom';
import { Outcome } from '../engine/protocol';
import { fileNameOf } from './store';
import type { Studio } from '../studio';

export function exportDialog(studio: Studio, outcome: Outcome | undefined): void {
  const name = fileNameOf(studio.editor.text);
  const choices = make('div', { class: 'choices' });
  const add = (title: string, action: () => unknown, enabled: boolean) => {
    const button = make('button', { type: 'button' }, title);
    button.disabled = !enabled;
    button.addEventListener('click', () => void action());
    choices.append(button);
  };
  const hasRows = outcome !== undefined && studio.results.hasMotion;
  add('Report: one HTML file with the moving picture, events and plots', async () => download(name + '.html', 'text/html', (await studio.engine.call('report')).html), hasRows);
  add('Events as a table (CSV)', () => download(name + '_events.csv', 'text/csv', eventTable(outcome!)), hasRows);
  add('Motion as a table (CSV)', () => download(name + '.csv', 'text/csv', motionTable(outcome!)), hasRows);
  add('Picture (SVG)', () => download(name + '.svg', 'image/svg+xml', pictureText(studio)), studio.panel.hasPicture);
  add('Picture (PNG)', () => png(studio, name), studio.panel.hasPicture);
  showDialog('Export', hasRows ? '' : make('p', {}, 'Run the model to export its results.'), choices);
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

function eventTable(outcome: Outcome): string {
  const rows = outcome.motion.about.events.map((e) => [String(e.t), e.kind, e.element, e.from, e.to, String(e.impulse), String(e.energy), e.detail].map(quoted).join(','));
  return ['t [s],kind,element,from,to,impulse [N s],energy [J],detail', ...rows, ''].join('\n');
}
function motionTable(outcome: Outcome): string {
  const data = new Data(outcome.motion.about, (i) => outcome.motion.blocks[i]);
  const columns = data.about.columns.map((c, i) => ({ head: quoted(`${c.name} [${c.unit}]`), i })).filter(({ i }) => data.about.columns[i].spans === undefined);
  const rows = Array.from(data.time, (t, row) => [t, ...columns.map(({ i }) => data.at(i, row))].join(','));
  return [['t [s]', ...columns.map((c) => c.head)].join(','), ...rows, ''].join('\n');
}
// The picture as it is seen, with its own colours.
function pictureText(studio: Studio): string {
  const svg = studio.panel.picture!.cloneNode(true) as SVGSVGElement;
  const { width, height } = studio.panel.picture!.getBoundingClientRect();
  svg.setAttribute('width', String(Math.round(width)));
  svg.setAttribute('height', String(Math.round(height)));
  return new XMLSerializer().serializeToString(svg);
}
async function png(studio: Studio, name: string): Promise<void> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([pictureText(studio)], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = make('canvas');
  canvas.width = 2 * image.width;
  canvas.height = 2 * image.height;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  canvas.toBlob((blob) => (blob ? download(name + '.png', 'image/png', blob) : toast('The picture is too large.')));
}
