const PER_CHUNK = 8192

/** A set of row numbers as a bitmap: rows are numbered without gaps, so a million of them take 130 kB. */
export class RowSet {
  readonly #chunks = new Map<number, Uint32Array>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** False if it was there already. */
  add(row: number): boolean {
    const number = Math.floor(row / PER_CHUNK)
    let chunk = this.#chunks.get(number)
    if (!chunk) {
      chunk = new Uint32Array(PER_CHUNK / 32)
      this.#chunks.set(number, chunk)
    }
    const offset = row - number * PER_CHUNK
    const bit = 1 << (offset & 31)
    const word = chunk[offset >>> 5] ?? 0
    if (word & bit) return false
    chunk[offset >>> 5] = word | bit
    this.#size++
    return true
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (const number of [...this.#chunks.keys()].sort((a, b) => a - b)) {
      for (const [at, word] of (this.#chunks.get(number) ?? new Uint32Array(0)).entries()) {
        for (let bit = 0; word >>> bit && bit < 32; bit++) {
          if ((word >>> bit) & 1) yield number * PER_CHUNK + at * 32 + bit
        }
      }
    }
  }
}
