// What page and engine say to each other. The engine answers one request at a time.
import { Description } from '../../../stage/data';

export interface Problem {
  severity: 'error' | 'warning';
  line: number; // from 1; 0: no place is known
  column: number;
  message: string;
}
export interface Place {
  line: number;
  column: number;
}
export interface Written {
  source?: string; // as TOML
  text?: string; // of a string
  value?: number; // of an expression of parameters: SI, or
  bare?: boolean; // in the unit of plain numbers
  uses?: string[]; // the parameters in it
  fields?: FieldOfElement[];
  items?: Written[]; // of an array
}
export interface FieldOfElement extends Written {
  key: string;
  at: Place;
}
export interface ModelElement {
  path: string; // "joint.A"
  section: string;
  name: string;
  type?: string;
  at: Place;
  source?: string; // of a value that is no table
  fields?: FieldOfElement[];
}
export interface Gap {
  joint: string;
  from: [number, number];
  to: [number, number];
  length: number;
}
export interface Motion {
  stage: string;
  about: Description;
  blocks: string[];
  gaps?: Gap[];
}
export interface ParameterInfo {
  name: string;
  value: number;
  unit: string;
  input: boolean;
  min?: number;
  max?: number;
}
export interface ReadAnswer {
  problems: Problem[];
  elements: ModelElement[] | null;
  run?: { analysis: string; end: number; step: number };
  parameters?: ParameterInfo[];
  assembled?: boolean;
  message?: string;
  motion?: Motion; // of the start, or of the outcome
  outcome?: Omit<Outcome, 'motion'>; // of a live analysis
  points?: { body: string; name: string; x: number; y: number }[];
  freedom?: { degrees: number; gruebler: number; redundant: string[]; notes: string[] };
}
export interface Change {
  from: number;
  to: number;
  insert: string;
}
export interface EditAnswer {
  problems: Problem[];
  steps: Change[][];
  removed?: string[];
}
export interface Edit {
  kind: 'set' | 'insert' | 'append' | 'remove' | 'rename' | 'move';
  path: string;
  value?: string;
  values?: [string, string][];
  // Of "move": an expression of one parameter becomes this, by way of the parameter. SI.
  to?: number;
  step?: number; // that it is rounded to
}
export interface Outcome {
  complete: boolean;
  status: string;
  message: string;
  motion: Motion;
  audit?: { verdict?: string } | null;
  stiff?: boolean; // the program would have taken its stiff integrator
}
export interface Advance {
  time: number;
  over: boolean;
  event: boolean;
  stiff: boolean;
  message: string;
  measures?: Record<string, number>;
}
export interface PullAnswer {
  poses: [number, number, number][]; // x, y, angle of each body but ground
  distance: number;
  blocking: string; // a contact
  holding: string; // a joint
  dead: boolean; // no motion of the mechanism moves the place
  jammed: boolean; // contacts leave it no way at all
  redundant: string[]; // joints whose rows say nothing new here
}
export interface FormatField {
  name: string;
  form: string;
  doc: string;
  required?: boolean;
  default?: string;
  unit?: string;
  choices?: string[];
  fields?: FormatField[];
}
export interface FormatTable {
  name: string;
  header: string;
  summary: string;
  fields: FormatField[];
  kinds: { name: string; summary: string; fields: FormatField[]; places: boolean }[];
  key: string;
}
export interface Answers {
  about: { version: string; format: FormatTable[] };
  read: ReadAnswer;
  edit: EditAnswer;
  analyse: Outcome;
  begin: { message: string; end: number };
  advance: Advance;
  set: { done: boolean; problems: Problem[] };
  snapshot: { time: number; motion: Motion };
  finish: Outcome;
  report: { html: string };
  events: { events: { t: number; kind: string; element: string }[] };
  grab: { poses: PullAnswer['poses'] };
  pull: PullAnswer;
}
