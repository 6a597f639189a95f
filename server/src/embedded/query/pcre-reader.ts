import { MongoError } from '../mongo-error.ts'

/** Reads a pattern character by character. */
export class PatternReader {
  readonly #characters: string[]
  at = 0

  constructor(pattern: string) {
    this.#characters = [...pattern]
  }

  get done(): boolean {
    return this.at >= this.#characters.length
  }

  peek(offset = 0): string {
    return this.#characters[this.at + offset] ?? ''
  }

  next(): string {
    return this.#characters[this.at++] ?? ''
  }

  /** Takes what matches here, if anything does. */
  take(regex: RegExp): RegExpExecArray | undefined {
    const found = regex.exec(this.#characters.slice(this.at).join(''))
    if (found?.index !== 0) return undefined
    this.at += [...found[0]].length
    return found
  }
}

export function unsupported(what: string): MongoError {
  return new MongoError(
    'CommandNotSupported',
    `${what} in a regular expression is not supported by the embedded database`,
  )
}

export function invalid(reason: string): MongoError {
  return new MongoError('Location51091', `Regular expression is invalid: ${reason}`)
}
