// The graph of the mechanism: bodies as nodes on a circle, joints as lines, contacts as dashed lines
// that light up while they are closed.
import { Data } from './data';
import { svgElement } from './stage';

const size = 260, // drawing units
  radius = 92,
  letter = 3.2; // half of its width

export class Graph {
  readonly element = svgElement('svg', { class: 'graph', viewBox: `0 0 ${size} ${size}`, role: 'img' });
  private contacts: { line: SVGElement; points: number[] }[] = []; // with the columns of x of their points

  constructor(private data: Data) {
    this.draw();
  }
  setData(data: Data): void {
    this.data = data;
    this.draw();
  }

  private draw(): void {
    const { bodies, edges = [], contacts } = this.data.about;
    const names = ['ground', ...bodies.map((b) => b.name)];
    const place = (i: number) => {
      const angle = -Math.PI / 2 - (2 * Math.PI * i) / names.length;
      return { x: size / 2 + radius * Math.cos(angle), y: size / 2 - radius * Math.sin(angle) };
    };
    this.contacts = [];
    const lines: SVGElement[] = [],
      between = new Map<string, number>(); // edges of two bodies bow apart
    for (const [name, kind, a, b] of edges) {
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`,
        n = between.get(key) ?? 0;
      between.set(key, n + 1);
      const p = place(a),
        q = place(b),
        bow = (n % 2 === 0 ? 1 : -1) * Math.ceil(n / 2) * 16 * (a < b ? 1 : -1);
      const length = Math.hypot(q.x - p.x, q.y - p.y) || 1;
      const m = { x: (p.x + q.x) / 2 - (2 * bow * (q.y - p.y)) / length, y: (p.y + q.y) / 2 + (2 * bow * (q.x - p.x)) / length };
      const line = svgElement('path', { class: kind === 'contact' ? 'edge contact' : 'edge', d: `M${p.x.toFixed(1)} ${p.y.toFixed(1)}Q${m.x.toFixed(1)} ${m.y.toFixed(1)} ${q.x.toFixed(1)} ${q.y.toFixed(1)}`, 'data-edge': name });
      const title = svgElement('title');
      title.textContent = `${name} (${kind}): ${names[a]}–${names[b]}`;
      line.append(title);
      lines.push(line);
      if (kind === 'contact') this.contacts.push({ line, points: contacts.filter((c) => c.name.slice(0, c.name.lastIndexOf('#')) === name).map((c) => c.x) });
    }
    const nodes = names.flatMap((name, i) => {
      const p = place(i);
      const node = svgElement('circle', { class: 'node', cx: p.x, cy: p.y, r: 9, style: i === 0 ? '' : `fill:${bodies[i - 1].colour}` });
      // Above or below its node, inside of the picture.
      const half = letter * name.length,
        words = svgElement('text', { x: Math.min(size - half, Math.max(half, p.x)), y: p.y < size / 2 - 1 ? p.y - 14 : p.y + 22, 'text-anchor': 'middle' });
      words.textContent = names.length <= 24 ? name : '';
      return [node, words];
    });
    this.element.setAttribute('aria-label', `Graph of ${names.length} bodies with ${edges.length} joints and contacts`);
    this.element.replaceChildren(...lines, ...nodes);
  }

  show(row: number): void {
    for (const { line, points } of this.contacts) line.classList.toggle('closed', points.some((x) => Number.isFinite(this.data.at(x, row))));
  }
}
