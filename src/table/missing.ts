/** Texts that stand for a missing cell unless `missing` says otherwise; case does not matter. */
export const defaultMissing: readonly string[] = ['', 'NA', 'N/A', 'NaN', 'null', '-', '?'];

export class MissingTexts {
  readonly #texts: ReadonlySet<string>;
  /** Some of them read as numbers (-999), so that no number may be taken without looking here first. */
  readonly hasNumbers: boolean;

  constructor(texts: readonly string[] = defaultMissing) {
    this.#texts = new Set(['', ...texts.map((text) => text.trim().toLowerCase())]);
    this.hasNumbers = texts.some((text) => text.trim() !== '' && !Number.isNaN(Number(text)));
  }

  /** `text` has no spaces around it. */
  has(text: string): boolean {
    return text === '' || this.#texts.has(text) || this.#texts.has(text.toLowerCase());
  }
}
