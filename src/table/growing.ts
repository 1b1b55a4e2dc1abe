/** A typed array to which one appends; its capacity doubles. */
export class Growing<T extends Float64Array | Int32Array | Uint32Array | Int8Array> {
  #values: T;
  #length = 0;

  constructor(private readonly allocate: (length: number) => T) {
    // a table may have thousands of columns of a few rows
    this.#values = allocate(16);
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.allocate(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** A copy without the spare capacity. */
  take(): T {
    return this.#values.slice(0, this.#length) as T;
  }
}
