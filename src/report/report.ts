/** A run as one HTML file that needs nothing else: no network, no other file, no script. */
import type { RunDocument } from '../design/runDocument.js';
import { candidateTable, trustNumbers } from './candidateTable.js';
import { designMapChart } from './designMapChart.js';
import { documentFormats, shownName } from './documentFormats.js';
import { historySection } from './historySection.js';
import { learningCurves } from './learningCurves.js';
import { html, Markup } from './markup.js';
import { modelSection } from './modelSection.js';
import type { MoleculeDrawings } from './moleculeDrawings.js';
import { profileCharts } from './profileChart.js';
import { rehearsalSection, relevanceChart } from './rehearsalSection.js';
import {
  assumptionsSection,
  dataSection,
  glossarySection,
  keyFigures,
  reportTitle,
  reproduceSection,
  titleSection,
  verdictSection,
} from './sections.js';
import { style } from './style.js';
import { shownDocument } from './withheld.js';

/** The report of a run as one HTML page that needs nothing else. `drawings`: of its molecules, by `drawMolecules`. */
export function renderReport(given: RunDocument, drawings: MoleculeDrawings = new Map()): string {
  const document = withShortNames(shownDocument(given));
  const formats = documentFormats(document);
  const curves = learningCurves(document);
  const profiles = profileCharts(document, formats);
  const map = designMapChart(document, formats.objective);
  const rehearsal = rehearsalSection(document, formats);
  const relevance = relevanceChart(document);
  const history = historySection(document, formats);
  const { goal } = document;
  const links: readonly (readonly [string, string, boolean])[] = [
    ['candidates', 'Candidates', true],
    ['history', 'Earlier promises', history !== null],
    ['model', 'The model', true],
    ['rehearsal', 'Rehearsal', rehearsal !== null],
    ['relevance', 'What matters', relevance !== null],
    ['search', 'The search', curves !== null],
    ['profiles', 'One column at a time', profiles !== null],
    ['map', 'Map', map !== null],
    ['assumed', 'Assumed', true],
    ['data', 'Data', true],
    ['reproduce', 'Reproduce', true],
    ['glossary', 'Glossary', true],
  ];
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="nemokit ${document.run.version}">
<title>${reportTitle(document)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${titleSection(document)}
<main>
${verdictSection(document)}
${keyFigures(document, formats)}
<nav aria-label="Sections"><ul>${links.filter(([, , isThere]) => isThere).map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>
<section id="candidates" aria-labelledby="candidates-head">
  <h2 id="candidates-head">Candidates</h2>
  ${candidateTable(document, formats, drawings)}
  ${trustNumbers(document)}
</section>
${history}
${modelSection(document, formats)}
${rehearsal}
${
  relevance &&
  html`<section id="relevance" aria-labelledby="relevance-head">
  <h2 id="relevance-head">What matters</h2>
  ${relevance}</section>`
}
${
  curves &&
  html`<section id="search" aria-labelledby="search-head">
  <h2 id="search-head">Training and search</h2>
  ${curves}</section>`
}
${
  profiles &&
  html`<section id="profiles" aria-labelledby="profiles-head">
  <h2 id="profiles-head">One column at a time</h2>
  <p class="intro">Expected ${goal.name} if one column of candidate 1 is moved and the rest stays. The band is the 80 % interval; the shaded ground is what past rows cover, and outside it the line is dashed. The dotted line across is the best known value. ${goal.direction === 'max' ? 'Higher is better.' : 'Lower is better.'}</p>
  ${profiles}</section>`
}
${
  map &&
  html`<section id="map" aria-labelledby="map-head">
  <h2 id="map-head">Past rows and candidates</h2>
  ${map}</section>`
}
${assumptionsSection(document)}
${dataSection(document)}
${reproduceSection(document)}
${glossarySection()}
</main>
<footer><p>Made by nemokit ${document.run.version} on your machine. Nothing trained on a fixed table can promise that a new design is better.</p></footer>
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

/** A goal may be called by a sentence; where it stands on every axis, its start has to do. */
function withShortNames(document: RunDocument): RunDocument {
  const { goal } = document;
  const goals = goal.goals.map((one) => ({ ...one, column: shownName(one.column) }));
  return { ...document, goal: { ...goal, name: shownName(goal.name), goals } };
}

/**
 * Convenience for readers with scripts: the heads of the candidate table sort it, and what is folded is printed. The
 * report lacks nothing without it. The page's content security policy admits this text alone, by its SHA-256; a test
 * holds the two together.
 */
export const script = `(function () {
  'use strict';
  var table = document.querySelector('table.candidates');
  if (table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    var valueOf = function (body, i) {
      var cell = body.rows[0].cells[i];
      var raw = cell.getAttribute('data-v');
      return raw === null || raw === '' ? cell.textContent.trim() : Number(raw);
    };
    heads.forEach(function (head, i) {
      var button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.setAttribute('aria-label', 'Sort by ' + (head.title || head.firstChild.textContent.trim()));
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener('click', function () {
        var down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        var bodies = Array.prototype.slice.call(table.tBodies, 1);
        bodies.sort(function (a, b) {
          var x = valueOf(a, i), y = valueOf(b, i);
          var order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
          return down ? -order : order;
        });
        bodies.forEach(function (body) { table.appendChild(body); });
      });
    });
  }
  addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (one) { one.open = true; });
  });
})();`;

export const scriptHash = 'sha256-8B4ft8ZO2AA7VBdMwj03x3aJKX1F4yEro2nmtYfY0SA=';
