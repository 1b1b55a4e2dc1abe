/** Why the numbers may be believed, and where they may not. */
import { useMemo } from 'react';
import type { RunDocument } from '../../../index.js';
import { type DocumentFormats, documentFormats } from '../../../report/documentFormats.js';
import { formatCell, formatNumber, formatPercent } from '../../../report/formats.js';
import { historySentences } from '../../../report/historyWords.js';
import { rehearsalSentence, relevanceText } from '../../../report/rehearsalWords.js';
import { DesignMap, Pairs, Reliability } from '../charts/trustCharts.js';
import { Figure, sentence, TrustMark } from '../parts/pieces.js';

export function TrustPage({ document }: { readonly document: RunDocument }) {
  const { validation, rehearsal, relevance, history, map, goal, candidates, bestKnown } = document;
  const formats = useMemo(() => documentFormats(document), [document]);
  const number = (value: number) => formatNumber(value, formats.objective);
  const rehearsed = rehearsal && rehearsalSentence(rehearsal, number);
  const matters = relevance && relevanceText(relevance, (name) => name);
  const outside = useMemo(() => unseen(document, formats), [document, formats]);
  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Trust</p>
          <h1>Would this have worked before?</h1>
        </div>
      </div>
      {rehearsed && (
        <section className="verdict">
          <h2>The rehearsal</h2>
          <p className="sentence">{sentence(rehearsed)}</p>
          {matters && <p className="note">Which columns matter: {matters}.</p>}
        </section>
      )}
      <section className="charts large trust-charts">
        <h2 className="visually-hidden">Models against what was measured</h2>
        {validation.pairs.length > 0 && (
          <Figure
            title="Rows the models had not seen"
            summary={`${validation.pairs.length} rows: rank correlation ${validation.rankCorrelation.toFixed(2)}, typical error ${number(validation.typicalError)}; ${formatPercent(validation.coverage80)} lie inside their 80 % interval.`}
            data={{
              name: 'unseen-rows',
              header: ['row', 'measured', 'expected', 'lo80', 'hi80'],
              rows: validation.pairs.map((one) => [one.row, one.measured, one.expected, one.lo80, one.hi80]),
            }}
          >
            <Pairs
              pairs={validation.pairs}
              label={`Predicted and measured ${goal.name} of rows the models had not seen`}
            />
          </Figure>
        )}
        {validation.reliability?.some(({ rows }) => rows > 0) && (
          <Figure
            title="Chances against what happened"
            summary="On the line, chances mean what they say. Larger marks stand for more rows."
            data={{
              name: 'reliability',
              header: ['from', 'to', 'rows', 'chance', 'share'],
              rows: validation.reliability.map((one) => [one.from, one.to, one.rows, one.chance, one.share]),
            }}
          >
            <Reliability bins={validation.reliability} />
          </Figure>
        )}
        {history && history.measured > 0 && (
          <Figure
            title="Promised and measured in earlier rounds"
            summary={historySentences(history, goal, formats.objective)[0] ?? ''}
            data={{
              name: 'promises',
              header: ['row', 'measured', 'expected', 'lo80', 'hi80'],
              rows: history.rounds.flatMap(({ rows }) =>
                rows.map((one) => [one.row, one.measured, one.expected, one.lo80, one.hi80]),
              ),
            }}
          >
            <Pairs
              pairs={history.rounds.flatMap(({ rows }) => rows)}
              across="promised"
              label={`Promised and measured ${goal.name} of earlier candidates`}
            />
          </Figure>
        )}
        {map.past.length > 0 && (
          <Figure
            title="Where the designs lie"
            summary={`Past settings are blue, stronger where better; numbers are candidates. The two axes keep ${formatPercent(map.kept)} of the differences.`}
            data={{
              name: 'map',
              header: ['kind', 'x', 'y', 'value'],
              rows: [
                ...map.past.map(({ x, y, value }) => ['past', x, y, value]),
                ...map.candidates.map(({ x, y, row }) => [`candidate ${row}`, x, y, null]),
              ],
            }}
          >
            <DesignMap document={document} />
          </Figure>
        )}
      </section>
      <section>
        <h2>What was never seen</h2>
        {candidates.length === 0 ? (
          <p>There are no candidates to speak of.</p>
        ) : outside.length === 0 ? (
          <p>Every setting of every candidate lies between settings of past runs.</p>
        ) : (
          <ul>
            {outside.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {candidates.length > 0 && (
          <table className="plain">
            <thead>
              <tr>
                <th scope="col">candidate</th>
                <th scope="col">trust</th>
                <th scope="col" className="number">
                  past rows nearer to each other
                </th>
                <th scope="col">nearest past run</th>
              </tr>
            </thead>
            <tbody>
              {candidates.map((one) => (
                <tr key={one.row}>
                  <th scope="row">{one.row}</th>
                  <td>
                    <TrustMark trust={one.trust} />
                  </td>
                  <td className="number">{formatPercent(one.novelty / 100)}</td>
                  <td>
                    row {one.nearest.row}, {number(one.nearest.value)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {bestKnown.heldOut && (
          <p className="note">
            Without having seen it, the models expect {number(bestKnown.heldOut.expected)} of the best known
            row, which measured {number(bestKnown.value)}.
          </p>
        )}
      </section>
    </>
  );
}

/** Settings of candidates outside of what past runs had, in sentences. */
function unseen({ profiles, candidates }: RunDocument, formats: DocumentFormats): string[] {
  return profiles.flatMap(({ column, seen }) => {
    if (!seen) return [];
    const rows = candidates.filter(({ cells }) => {
      const value = Number(cells[column]);
      return value < seen.min || value > seen.max;
    });
    if (rows.length === 0) return [];
    const format = formats.column(column);
    return [
      `${column}: past runs lie from ${formatCell(seen.min, format)} to ${formatCell(seen.max, format)}; candidate ${rows
        .map(({ row, cells }) => `${row} has ${formatCell(cells[column], format)}`)
        .join(', ')}.`,
    ];
  });
}
