/** What the words of the report mean. */
import { html, type Markup } from './markup.js';
import { trustChip } from './trustMark.js';

export function wordsSection(): Markup {
  return html`<section id="words" aria-labelledby="words-head">
    <h2 id="words-head">What the words mean</h2>
    <dl class="words">
      <div><dt>${trustChip('Trusted')}</dt><dd>The design lies where past rows are, and the data pin its value down about as well as that of rows the model was tested on. It may still disappoint: it was chosen because it looks good, and such choices look a little better than they are.</dd></div>
      <div><dt>${trustChip('Stretch')}</dt><dd>The design goes some way beyond what was tried, or the data leave more room for its value than usual. The reasons are given below the row. Worth a run if you can afford a miss.</dd></div>
      <div><dt>${trustChip('Guess')}</dt><dd>The data say little about this design: almost any value would agree with them. Measure it to learn something, not because you count on the value.</dd></div>
      <div><dt>expected</dt><dd>The mean of what the model holds possible, in the units of your table. With several goals it is their joint desirability, from 0 (worthless in at least one respect) to 1 (nothing better is needed).</dd></div>
      <div><dt>80 % interval</dt><dd>The range in which at least eight of ten measured values should lie. It is widened until it also holds for designs better than all rows, so for ordinary rows it holds more often. How often that was true for unseen rows is said under “How good the model is”.</dd></div>
      <div><dt>chance of better</dt><dd>The probability, by the model, that a measurement of this design beats the best known row.</dd></div>
      <div><dt>gamma</dt><dd>How easily the model can be talked into any value for the design (the regret of conditional normalised maximum likelihood). 0 means that the data settle it; the larger, the more values they allow. It is compared with unseen rows, because its size alone means little.</dd></div>
      <div><dt>novelty</dt><dd>How far the design is from its nearest past row, as the share of past rows that have a nearer neighbour of their own. At 50 % it is as new as a typical past row was; near 100 % nothing similar was ever tried.</dd></div>
      <div><dt>disagreement</dt><dd>How far apart networks are that were trained on the same rows but never met the design. Like gamma, it is compared with unseen rows.</dd></div>
    </dl></section>`;
}
