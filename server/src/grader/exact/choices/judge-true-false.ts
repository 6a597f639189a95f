import { isNegated, isStopWord, wordsOf } from '../../text/terms.ts'
import { type Judgement, unclear, verdict } from '../judgement.ts'

const SURE = 0.97

const TRUE = 'true|t|yes|y|yeah|yep|yup|correct|right|agree|accurate'
const FALSE = 'false|f|no|n|nope|nah|incorrect|wrong|disagree|untrue|inaccurate'
const WORD = new RegExp(String.raw`(?<![\p{L}'])(?:(${TRUE})|(${FALSE}))(?![\p{L}'])`, 'giu')
const NEGATED =
  /\b(?:not|never|isn't|aren't|wasn't|doesn't|can't\s+be|cannot\s+be|hardly)\s+(?:at\s+all\s+|really\s+|entirely\s+|quite\s+)?(?:be\s+)?$/i
const DOUBTED = /\b(?:maybe|perhaps|sometimes|partly|partially|possibly|both|neither|depends|unsure|mostly|half)\b|\?/i
/** “No, it isn't”, “they do not”: about the statement itself. */
const ELLIPTIC =
  /^\W*(?:it|they|he|she|that|this|there)\s+(?:is|are|does|do|can|has|have|was|were|will)(\s+not|n't)?\W*(?:$|,(?!\s*(?:if|unless|when|but)\b))/i

/** Null where it decides nothing. */
export function truthValueOf(answer: string): { value: boolean; sure: boolean } | null {
  const text = answer
    .slice(0, 400)
    .replace(/[’‘]/g, "'")
    .replace(/^.*[∧∨¬→].*=/s, '')
    .trim()
  if (/^\W*[✓✔☑]\W*$/u.test(text)) return { value: true, sure: true }
  if (/^\W*(?:[✗✘×☒]|x)\W*$/iu.test(text)) return { value: false, sure: true }
  if (/^\W*[01]\W*$/.test(text)) return { value: text.includes('1'), sure: true }
  const elliptic = ELLIPTIC.exec(text)
  if (elliptic) return { value: elliptic[1] === undefined, sure: true }
  const said = [...text.matchAll(WORD)].map((match) => {
    const negated = NEGATED.test(text.slice(0, match.index))
    return {
      value: (match[1] !== undefined) !== negated,
      at: match.index,
      length: match[0].length,
      letter: match[0].length === 1,
    }
  })
  const [first, second] = said.filter((one) => !one.letter || one.at === said[0]?.at)
  if (!first) return null
  const lead = text
    .slice(0, first.at)
    .replace(
      /\b(?:the|statement|answer|ans|it|its|it's|that|that's|this|is|i|think|believe|definitely|certainly|of|course|absolutely|not|isn't|never|would|be|say|untrue)\b/gi,
      ' ',
    )
  const leads = !/[\p{L}\d]{2}/u.test(lead)
  if (DOUBTED.test(text.slice(0, first.at + 30)) && !/\bbecause\b/i.test(text.slice(0, first.at + 30))) return null
  const differs = said.some((one) => one.value !== first.value)
  // “True / False”, “yes and no” decide nothing; “True, it would be wrong to …” does.
  const beside =
    second && differs && /^\s*(?:\/|or\b|and\b|,|&|\s)?\s*$/i.test(text.slice(first.at + first.length, second.at))
  if (beside || (differs && !leads)) return null
  return { value: first.value, sure: leads && !differs }
}

/** The question's own words, or those with “not”. */
function restated(prompt: string, answer: string): { value: boolean; sure: boolean } | null {
  const words = (text: string) => wordsOf(text).filter((word) => !isStopWord(word) && !/^(?:not|n't|isn't)$/.test(word))
  const asked = words(prompt)
  const said = words(answer)
  const own =
    (said.length > 1 || (said.length === 1 && /^\W*(?:it|they|this|that)\s+(?:is|are|was|were)\b/i.test(answer))) &&
    said.every((word, i) => asked.indexOf(word) > (i === 0 ? -1 : asked.indexOf(said[i - 1] ?? ''))) &&
    !isNegated(prompt) &&
    answer.length < 120
  return own ? { value: !isNegated(answer), sure: false } : null
}

export function judgeTrueFalse(prompt: string, accepted: string[], answer: string): Judgement {
  const given = truthValueOf(answer) ?? restated(prompt, answer)
  if (given === null) return unclear()
  const keys = accepted.map((key) => truthValueOf(key)?.value)
  const right = keys.includes(given.value)
  // Where Python's True is to be typed, case counts.
  const typed = /\b(?:typed?|literal|exactly)\b/i.test(prompt) && !accepted.includes(answer.trim())
  return verdict(right, given.sure && !typed ? SURE : 0.75)
}

/** “yes no”, “T, F, F”: two verdicts or more; null for anything else. */
function verdictsIn(text: string): boolean[] | null {
  const words = text
    .toLowerCase()
    .split(/[\s,;|/]+/)
    .map((word) => word.replace(/[.:()]/g, ''))
    .filter((word) => word !== '')
  const found = words.map((word) => truthValueOf(word)?.value)
  return words.length >= 2 && found.every((one) => one !== undefined) ? found : null
}

export function judgeVerdicts(accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map(verdictsIn).filter((key) => key !== null)
  const given = verdictsIn(answer)
  if (keys.length === 0 || !given) return null
  const right = keys.some((key) => key.length === given.length && key.every((one, i) => one === given[i]))
  return verdict(right, 0.95)
}
