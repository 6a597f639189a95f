/** By `codeOf`; tables, as a large class is millions of comparisons. */
interface ReadingCosts {
  replace: Float64Array
  /** Pairs of signs that one is read as. */
  splits: ReadonlyMap<number, ReadonlySet<number>>
}

/** Signs beyond these resemble no other. */
const CODES = 128
/** Non-ASCII signs that letters are read as, in place of control characters. */
const MORE_SIGNS = new Map([...'¥£¢§'].map((sign, i) => [sign.charCodeAt(0), i + 1]))

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    codes[i] = code < CODES ? code : (MORE_SIGNS.get(code) ?? code)
  }
  return codes
}
const codeOf = (sign: string) => codesOf(sign)[0] ?? 0
const pairOf = (first: number, second: number) => first * CODES + second

const pairsOf = (groups: string) =>
  groups
    .split(' ')
    .flatMap((group) =>
      [...group].flatMap((a) => [...group].flatMap((b) => (a === b ? [] : [pairOf(codeOf(a), codeOf(b))]))),
    )

function costTable(otherwise: (wanted: number, read: number) => number, ...alike: [number, string][]): Float64Array {
  const table = new Float64Array(CODES * CODES)
  for (let a = 0; a < CODES; a++) for (let b = 0; b < CODES; b++) table[pairOf(a, b)] = a === b ? 0 : otherwise(a, b)
  for (const [cost, groups] of alike) for (const pair of pairsOf(groups)) table[pair] = cost
  return table
}

const LETTERS_ALIKE =
  'acdeoqu0@6 ceto(<[¢ iljt1|!/)(]fr nmhuvrwy sz5$§2 bh6lk8 gyqj9z fptr kxh¥ vy¥ 47ayhl b8&3 e6£2 rcst'
/** Read as two. */
const LETTER_SPLITS =
  'm:rn m:nn m:iv m:vn w:vv w:uu w:vu w:ui d:cl d:ol d:al u:ii u:li u:il n:ri n:ii n:ru h:li h:ln h:lr k:lc k:lz b:lo a:ci a:cl a:oi y:ij y:ly'

function splitTable(reverse: boolean): Map<number, Set<number>> {
  const splits = new Map<number, Set<number>>()
  for (const split of LETTER_SPLITS.split(' ')) {
    const [letter = 0, , first = 0, second = 0] = codesOf(split)
    splits.set(letter, (splits.get(letter) ?? new Set()).add(reverse ? pairOf(second, first) : pairOf(first, second)))
  }
  return splits
}

const LETTERS: ReadingCosts = { replace: costTable(() => 1, [0.45, LETTERS_ALIKE]), splits: splitTable(false) }
const LETTERS_REVERSED: ReadingCosts = { ...LETTERS, splits: splitTable(true) }

const isFigure = (code: number) => code >= 48 && code <= 57

/** Another digit means another's number; another sign must be a misreading. */
const FIGURES: ReadingCosts = {
  replace: costTable(
    (wanted, read) => (isFigure(wanted) && isFigure(read) ? 1 : 0.8),
    [0.3, '0oqduc 1lit|!/()[]j 2zr 3e 4ayhu 5s$§£ 6bgc 7ty/ 8b&s 9gqp'],
    [0.65, '17 38 49 56 06 27 08 35'],
  ),
  splits: new Map(),
}

const SPLIT = 0.5
const EXTRA = 0.7
const MISSING = 0.8
const SWAPPED = 0.8

/** By where the stretch of `text` ends (Sellers, 1980): 1 for a wrong letter, less for a similar one. */
function readingCosts(wanted: Uint16Array, text: Uint16Array, { replace, splits }: ReadingCosts): Float64Array {
  const width = text.length + 1
  let before = new Float64Array(width)
  let above = new Float64Array(width)
  let row = new Float64Array(width)
  for (let i = 1; i <= wanted.length; i++) {
    const letter = wanted[i - 1] ?? 0
    const previous = i > 1 ? wanted[i - 2] : undefined
    const two = splits.get(letter)
    row[0] = i * MISSING
    for (let j = 1; j < width; j++) {
      const sign = text[j - 1] ?? 0
      const other = letter === sign ? 0 : letter < CODES && sign < CODES ? (replace[pairOf(letter, sign)] ?? 1) : 1
      let cost = Math.min((above[j - 1] ?? 0) + other, (above[j] ?? 0) + MISSING, (row[j - 1] ?? 0) + EXTRA)
      if (j > 1) {
        const left = text[j - 2] ?? 0
        if (two?.has(pairOf(left, sign))) cost = Math.min(cost, (above[j - 2] ?? 0) + SPLIT)
        if (letter === left && previous === sign) cost = Math.min(cost, (before[j - 2] ?? 0) + SWAPPED)
      }
      row[j] = cost
    }
    const free = before
    before = above
    above = row
    row = free
  }
  for (let j = 1; j < width; j++) above[j] = Math.min(above[j] ?? 0, above[j - 1] ?? 0)
  return above
}

/** In nats. */
const LETTER_GAIN = 1.3
const LETTER_LOSS = 2.6
/** Digits are fewer than letters, and a wrong one is somebody else's number. */
const FIGURE_GAIN = 1.8
const FIGURE_LOSS = 4.5

/** In nats; negative: against the name. */
export interface NameReading {
  evidence: number
  /** For each word, of the best possible. */
  shares: readonly [number, number]
}

export function createNameReader(text: string): (words: readonly [string, string]) => NameReading {
  const codes = codesOf(text)
  const reversed = codes.toReversed()
  return ([first, second]) => {
    const before = readingCosts(codesOf(first), codes, LETTERS)
    const after = readingCosts(codesOf(second).toReversed(), reversed, LETTERS_REVERSED)
    let best: NameReading = { evidence: Number.NEGATIVE_INFINITY, shares: [0, 0] }
    for (let at = 0; at <= codes.length; at++) {
      const one = letterEvidence(first, before[at] ?? 0)
      const two = letterEvidence(second, after[codes.length - at] ?? 0)
      if (one + two > best.evidence)
        best = {
          evidence: one + two,
          shares: [one / (LETTER_GAIN * first.length), two / (LETTER_GAIN * second.length)],
        }
    }
    return best
  }
}

const letterEvidence = (word: string, cost: number) => LETTER_GAIN * word.length - LETTER_LOSS * cost

/** In nats. */
export const wordEvidence = (word: string, text: string): number =>
  letterEvidence(word, readingCosts(codesOf(word), codesOf(text), LETTERS).at(-1) ?? 0)

export const numberEvidence = (number: string, text: string): number =>
  FIGURE_GAIN * number.length - FIGURE_LOSS * (readingCosts(codesOf(number), codesOf(text), FIGURES).at(-1) ?? 0)
