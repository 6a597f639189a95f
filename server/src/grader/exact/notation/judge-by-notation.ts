import { isStopWord } from '../../text/terms.ts'
import { bestJudgement, exactJudgement, type Judgement, type Remark, UNSURE, unclear, verdict } from '../judgement.ts'

export interface Found<T> {
  /** The answer with `#0#`, `#1#` in place of what was found. */
  skeleton: string
  found: T[]
}

export const onlyOne = <T>({ skeleton, found }: Found<T>): T | null =>
  /^\s*#0#\s*\.?\s*$/.test(skeleton) ? (found[0] ?? null) : null

interface Comparison {
  share: number
  confidence: number
  remark?: Remark
}

export interface Notation<T> {
  /** Null where the key as a whole is none. */
  read(key: string, prompt: string): T | null
  find(answer: string, key: T, prompt: string): Found<T>
  compare(key: T, given: T, prompt: string): Comparison
  /** Where no find, or no clear one, can be compared; null leaves it to others. */
  otherwise?(answer: string, skeleton: string, found: T[], key: T): Judgement | null
}

export const RIGHT: Comparison = { share: 1, confidence: 0.95 }
/** Less sure than right: it may be right in a form that is not read. */
export const WRONG: Comparison = { share: 0, confidence: 0.89 }
export const HALF: Comparison = { share: 0.5, confidence: UNSURE }

export function judgeBy<T>(notation: Notation<T>, prompt: string, accepted: string[], answer: string) {
  const keys = accepted.map((key) => notation.read(key, prompt)).filter((key) => key !== null)
  return bestJudgement(keys.flatMap((key) => judgeAgainst(notation, key, prompt, answer) ?? []))
}

function judgeAgainst<T>(notation: Notation<T>, key: T, prompt: string, answer: string): Judgement | null {
  const { skeleton, found } = notation.find(answer, key, prompt)
  const differ = (i: number, j: number) => {
    const [one, other] = [found[i], found[j]]
    return one !== undefined && other !== undefined && notation.compare(one, other, '').share < 1
  }
  const stance = readStance(skeleton, prompt, differ)
  const meant = stance.meant === null ? undefined : found[stance.meant]
  if (meant === undefined) return notation.otherwise ? notation.otherwise(answer, skeleton, found, key) : unclear()
  const { share, confidence, remark } = notation.compare(key, meant, prompt)
  if (stance.denied) return verdict(false, share === 1 ? 0.92 : 0.6)
  const sure = stance.understood ? confidence : Math.min(confidence, share === 1 ? 0.8 : 0.75)
  return exactJudgement(share, sure, remark ?? (share === 1 ? 'exact_right' : share > 0 ? 'unclear' : 'exact_wrong'))
}

/** What the answer says of the last thing of the key's form; `#0#`, `#1#` stand for those things. */
interface Stance {
  /** An index; null where several may be meant. */
  meant: number | null
  denied: boolean
  understood: boolean
}

const DENIED = /\b(?:not|never|isn't|cannot|rather\s+than|instead\s+of|anything\s+but|except)\b|n't\b|≠/i
const FILLER =
  /\b(?:the|an?|is|are|was|it|its|it's|this|that|i|we|think|believe|answers?|ans|results?|solutions?|final|so|therefore|hence|thus|at|in|on|of|for|to|be|would|will|point|coordinates?|vector|ratio|interval|domain|range|complexity|formula|date|year|time|and|with|value|values|output|prints?|printed|gives?|all|they|cross|meet|lines?|because|since|by|from|about|set|which|must|order|as|has|have|number|numbers)\b/gi

export const stemOf = (word: string) => word.toLowerCase().replace(/(?:e?s|ed|ing|e)$/, '')

const SEGMENT = /\n|[;,.](?=\s|$)|\b(?:but|and|while|whereas|which|although|though)\b/i

/** 1 for “It began in #0# and ended in #1#”, asked “when did it end”. Null where the words do not tell. */
export function askedFor(skeleton: string, prompt: string): number | null {
  const asked = new Set(
    (prompt.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !isStopWord(word)).map(stemOf),
  )
  const told = skeleton.split(SEGMENT).flatMap((segment) => {
    const [only, ...more] = [...segment.matchAll(/#(\d+)#/g)]
    const words = segment.toLowerCase().match(/\p{L}{3,}/gu) ?? []
    const index = only && more.length === 0 ? Number(only[1]) : null
    return only ? [{ index, words: words.filter((word) => asked.has(stemOf(word))).length }] : []
  })
  const [best, next] = told.sort((a, b) => b.words - a.words)
  return best && next && best.words > next.words ? best.index : null
}

export function readStance(skeleton: string, prompt: string, distinct: (i: number, j: number) => boolean): Stance {
  const clauses = skeleton
    .split(/\n+|;|\.(?=\s|$)|,(?!\d)|\bbut\b|\bso\b|\btherefore\b|\bhence\b|→|⇒|=>/i)
    .filter((one) => /#\d+#/.test(one))
  const said = clauses.flatMap((clause) => {
    const denied = DENIED.test(clause)
    return [...clause.matchAll(/#(\d+)#/g)].map((match) => ({ index: Number(match[1]), denied }))
  })
  const affirmed = said.filter((one) => !one.denied)
  const last = affirmed.at(-1) ?? said.at(-1)
  const known = new Set((prompt.toLowerCase().match(/\p{L}+/gu) ?? []).map(stemOf))
  const plain = skeleton.replace(/#\d+#/g, ' ').replace(FILLER, ' ')
  const left = (plain.match(/\p{L}{2,}|\d/gu) ?? []).filter((word) => !known.has(stemOf(word)) && !DENIED.test(word))
  const doubted = /\?|\b(?:maybe|perhaps|or|either|possibly)\b/i.test(skeleton)
  const differ = affirmed.length > 1 && affirmed.some((one) => last !== undefined && distinct(one.index, last.index))
  // A later line, or what follows “so”, is the result.
  const resolved =
    clauses.length > 1 && /\n|\bso\b|\btherefore\b|\bhence\b|→|⇒|=>|\banswer\b/i.test(skeleton) && !doubted
  const asked = differ && !resolved && !doubted ? askedFor(skeleton, prompt) : null
  if (asked !== null && affirmed.some(({ index }) => index === asked))
    return { meant: asked, denied: false, understood: false }
  return {
    meant: last === undefined || (differ && !resolved) || (doubted && affirmed.length !== 1) ? null : last.index,
    denied: affirmed.length === 0,
    understood: left.length === 0 && !doubted,
  }
}
