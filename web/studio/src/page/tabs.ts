// Tabs of panels that share a place, and on a narrow screen the switch between all of them.
import { byId } from './dom';

export type Tab = 'text' | 'properties' | 'plots' | 'events' | 'graph';
const groups: Record<string, string>[] = [
  { text: 'text-panel', properties: 'properties' },
  { plots: 'plot-panel', events: 'event-list', graph: 'graph-panel' },
];
const narrow = 760; // px

export function showTab(name: Tab): void {
  for (const [tab, panel] of Object.entries(groups.find((g) => name in g)!)) {
    byId(panel).hidden = tab !== name;
    byId('tab-' + tab).setAttribute('aria-selected', String(tab === name));
  }
  if (innerWidth < narrow && (name === 'text' || name === 'properties')) showPanel(name);
}
// Where it covers nothing else: not on a narrow screen.
export function showTabBeside(name: Tab): void {
  if (innerWidth >= narrow) showTab(name);
}
function showPanel(panel: string): void {
  byId('desk').dataset.panel = panel;
  for (const button of document.querySelectorAll<HTMLElement>('.switcher button')) button.setAttribute('aria-pressed', String(button.dataset.panel === panel));
  if (panel === 'text' || panel === 'properties') {
    byId('text-panel').hidden = panel !== 'text';
    byId('properties').hidden = panel === 'text';
  }
}
export function connectTabs(): void {
  for (const tab of groups.flatMap((g) => Object.keys(g))) byId('tab-' + tab).addEventListener('click', () => showTab(tab as Tab));
  for (const button of document.querySelectorAll<HTMLElement>('.switcher button')) button.addEventListener('click', () => showPanel(button.dataset.panel!));
  showPanel('bottom');
  connectFileMenu();
}
// On a narrow screen what opens, saves and shares stands in a menu.
function connectFileMenu(): void {
  const button = byId('file-menu'),
    list = byId('file-actions');
  const show = (on: boolean) => {
    button.setAttribute('aria-expanded', String(on));
    list.classList.toggle('open', on);
  };
  button.addEventListener('click', () => show(!list.classList.contains('open')));
  document.addEventListener('click', (e) => e.target !== button && show(false));
}
