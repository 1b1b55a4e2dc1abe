/** Numbers of marked things among `drawn` of `total`, of which `marked` are marked, drawn without putting back. */
export class Hypergeometric {
  private readonly logFactorials: Float64Array;

  constructor(
    readonly total: number,
    readonly marked: number,
    readonly drawn: number,
  ) {
    this.logFactorials = new Float64Array(total + 1);
    for (let n = 2; n <= total; n++) this.logFactorials[n] = this.logFactorials[n - 1]! + Math.log(n);
  }

  get expectation(): number {
    return (this.drawn * this.marked) / this.total;
  }

  /** P(X = count). */
  probability(count: number): number {
    const { total, marked, drawn } = this;
    if (count < Math.max(0, drawn + marked - total) || count > Math.min(drawn, marked)) return 0;
    return Math.exp(
      this.logChoose(marked, count) +
        this.logChoose(total - marked, drawn - count) -
        this.logChoose(total, drawn),
    );
  }

  /** P(X >= count). */
  atLeast(count: number): number {
    let sum = 0;
    for (let n = Math.min(this.drawn, this.marked); n >= Math.max(0, count); n--) sum += this.probability(n);
    return Math.min(1, sum);
  }

  private logChoose(n: number, k: number): number {
    return this.logFactorials[n]! - this.logFactorials[k]! - this.logFactorials[n - k]!;
  }
}
