/** Options that most searches have. */
import { type ChoiceOption, choice, count, type NumberOption, number } from './option.js';

export function batchSize(help = 'M, designs that are searched for and proposed'): NumberOption<number> {
  return count(128, help);
}

export function startFrom(
  help = 'Which visible designs the search begins at',
): ChoiceOption<'best' | 'worst'> {
  return choice('best', help, {
    best: 'highest scores',
    worst: 'lowest scores',
  });
}

/** As share of the data. */
export function box(
  help = 'The search stays where all but this share of the data lies, on either side of each column',
): NumberOption<number | null> {
  return number(0.01, help, { least: 0, below: 0.5, none: 'anywhere' });
}
