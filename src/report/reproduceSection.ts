/** What it takes to get the same result again. */
import type { RunDocument } from '../design/runDocument.js';
import { html, type Markup } from './markup.js';
import { formatNumber } from './numberFormat.js';
import { formatDuration, formatTime } from './timeFormat.js';

export function reproduceSection({ run, data }: RunDocument): Markup {
  const facts: readonly (readonly [string, string])[] = [
    ['run', run.id],
    ['made', formatTime(run.created)],
    ['nemokit', run.version],
    ['method', run.method],
    ['effort', run.effort],
    ['seed', String(run.seed)],
    ['batch', String(run.batch)],
    ['kernel', run.kernel],
    ['threads', String(run.threads)],
    ['time', `${formatDuration(run.seconds)}${run.complete ? '' : ', cut short by a time limit'}`],
    ['table', data.file],
    ['SHA-256 of the table', data.sha256],
  ];
  const options = describeOptions(run.options);
  return html`<section id="reproduce" aria-labelledby="reproduce-head">
    <h2 id="reproduce-head">How to reproduce it</h2>
    <pre><code>nemokit reproduce ${run.id}</code></pre>
    <p>runs it again from the files of its folder and compares the candidates. The same table, options, seed and kernel give the same candidates, on any number of threads.</p>
    <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${options.length > 0 && html`<h3>Options of the method</h3><dl class="facts options">${options.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
  </section>`;
}

/** Options one per line; those inside others are named `outer.inner`. */
export function describeOptions(options: Readonly<Record<string, unknown>>, prefix = ''): [string, string][] {
  return Object.entries(options).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || typeof value === 'function') return [];
    if (typeof value === 'object' && value !== null && !isList(value)) {
      return describeOptions(value as Readonly<Record<string, unknown>>, `${prefix}${name}.`);
    }
    return [[prefix + name, describeValue(value)]];
  });
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatNumber(value);
  if (typeof value === 'object' && isList(value)) {
    const items = Array.from(value, describeValue);
    return items.length === 0 ? 'none' : items.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
