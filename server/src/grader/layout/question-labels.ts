/** One level of a number: the `2`, `b` and `ii` of “2 (b) (ii)”. */
export interface LabelToken {
  kind: 'number' | 'letter'
  /** Lower case, without leading zeros. */
  value: string
  /** As all labels of a level are set: `(a)`, `A.`, `1`, `01`. */
  style: string
  end: number
}

const EXPLICIT =
  /^\W{0,3}(?:(?:question|problem|exercise|task|item|ques|prob)\b\.?|q(?=\s?[.#]?\s?\d))\s*(?:no\.?|number|#)?\s*[.#]?\s*(?=\d)/i
/** To be ticked, circled or filled in: “T  F  7. Granite is …”, “____ 3. ribosome”. */
const TICKS = /^(?:T\s+F|True\s+False|Yes\s+No|[☐□○◯◻❍]|(?:_\s?){2,})\s*(?=[\dQ(])/i
const PADDED = /^0\s?(\d)(?:\s*\.\s*(\d{1,2}))?(?=\s|$)/
const NUMBER = /^([([]?)(\d{1,3})(?:\.(\d{1,2})(?=[\s.):]|$))?(?:\s?([.)\]:]))?(?![\d,%°]|\.\d)/
const LETTER = /^(\(|\[)?\s?([a-z]{1,4})\s?([.)\]:])?[.:]?(?=\s|$|\(|[A-Z“"'‘])/i
const ROMAN = /^(?:i{1,3}|iv|vi{0,3}|ix|xi{0,2})$/i
const MISREAD_C = /^(\s*(?:Q\s?)?\d{0,2}\s?[(.]?\s?)[¢©](?=[\s).:])/i
const CONTINUED = /^\s*(?:\((?:continued|cont\.?|cont'd)\)|continued|cont\.|cont'd)\s*[.:–—-]*\s*/i
/** A dash sets off what follows; before a number it is a minus. */
const AFTER_STOP = /^\s*(?::|[–—-](?=\s)(?!\s*[\d√.]))?\s*/
const AFTER_BARE = /^(?:\s*:|\s*[–—-](?=\s)|[–—-](?=\p{L}))?\s*/u

/** Outermost first; only the whole paper shows whether they number anything. */
export function scanLabels(line: string): { labels: LabelToken[]; explicit: boolean } {
  // OCR misreads “(c)”; the replacement keeps the length.
  const text = line.replace(MISREAD_C, '$1c')
  const labels: LabelToken[] = []
  let at = text.length - text.trimStart().length
  at += TICKS.exec(text.slice(at))?.[0].length ?? 0
  const word = EXPLICIT.exec(text.slice(at))
  const explicit = word !== null
  at += word?.[0].length ?? 0
  const skip = (stop = '') => {
    at += CONTINUED.exec(text.slice(at))?.[0].length ?? 0
    at += (stop === '' ? AFTER_BARE : AFTER_STOP).exec(text.slice(at))?.[0].length ?? 0
  }
  const padded = PADDED.exec(text.slice(at))
  const number = padded ? null : NUMBER.exec(text.slice(at))
  if (padded) {
    at += padded[0].length
    skip()
    labels.push({ kind: 'number', value: padded[1] ?? '', style: '01', end: at })
    if (padded[2]) labels.push({ kind: 'number', value: padded[2], style: '.1', end: at })
  } else if (number) {
    const [all, open = '', main = '', sub, close = ''] = number
    at += all.length
    const glued = text[at] !== undefined && !/\s/.test(text[at] ?? '')
    // “3x² = …” and “5pm” are no labels; “3(a)” and “3a)” are.
    if (glued && close === '' && !/^(?:\(|[a-h](?:[\s).:(]|$))/.test(text.slice(at))) return { labels, explicit }
    skip(close)
    labels.push({ kind: 'number', value: String(Number(main)), style: explicit ? 'Q' : `${open}1${close}`, end: at })
    if (sub) labels.push({ kind: 'number', value: String(Number(sub)), style: '.1', end: at })
  } else if (explicit) return { labels, explicit }
  for (let level = 0; level < 2; level += 1) {
    at += /^(?:part|section)\s+(?=\(?[a-z]\b)/i.exec(text.slice(at))?.[0].length ?? 0
    const match = LETTER.exec(text.slice(at))
    const letters = match?.[2] ?? ''
    if (!match || (letters.length > 1 && !ROMAN.test(letters))) break
    at += match[0].length
    const upper = letters !== letters.toLowerCase()
    skip(match[3])
    labels.push({
      kind: 'letter',
      value: letters.toLowerCase(),
      style: `${match[1] ?? ''}${upper ? 'A' : 'a'}${match[3] ?? ''}`,
      end: at,
    })
  }
  return { labels, explicit }
}

export interface QuestionLabel {
  number: number
  /** Lower case: `3b`, `3 (b)`. */
  part: string | null
  /** Named by a word (“Question 3”, “Q3”), as numbered lists never are. */
  explicit: boolean
  rest: string
}

/** A number that clearly starts something: with a word, a stop or a bracket. */
export function readQuestionLabel(text: string): QuestionLabel | null {
  const { labels, explicit } = scanLabels(text)
  const [main, ...inner] = labels
  if (main?.kind !== 'number') return null
  const set =
    explicit || /[.)\]:]$/.test(main.style) || main.style === '01' || inner.some(({ style }) => style.length > 1)
  if (!set) return null
  const own = inner.filter(({ style }) => explicit || style.length > 1)
  const last = own.at(-1) ?? main
  return {
    number: Number(main.value),
    part: own.length > 0 ? own.map(({ value }) => value).join(' ') : null,
    explicit,
    rest: text.slice(last.end),
  }
}

export function readPartLabel(text: string): { part: string; upper: boolean; rest: string } | null {
  const [first] = scanLabels(text).labels
  if (first?.kind !== 'letter' || first.style.length < 2) return null
  return { part: first.value, upper: first.style.includes('A'), rest: text.slice(first.end) }
}

/** `iv` is 4; 0 where it is no Roman numeral. */
export const romanValue = (text: string): number =>
  ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'].indexOf(text) + 1

export const pathOfNumber = (number: string): string[] => number.toLowerCase().match(/\d+|[a-z]+/g) ?? []
