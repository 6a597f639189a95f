import { compareRelations, type Relation, readRelation } from '../relation.ts'
import { type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

/** “For all n there is an m with …”: what is bound, in order, and what is said of it. */
interface Quantified {
  bound: string
  body: string
  relation: Relation | null
}

const RULES: [RegExp, string][] = [
  [/\\forall(?![a-z])|\bfor\s+(?:all|any|each|every)\b/gi, '∀'],
  [/\\exists(?![a-z])|\bthere\s+(?:is|exists)\s+(?:an?|some|at\s+least\s+one)?\b/gi, '∃'],
  [/\\in(?![a-z])|\bin\b/gi, '∈'],
  [/\\mathbb\s*\{?([NZQRC])\}?/g, '$1'],
  [/\\(?:neg|lnot)(?![a-z])|\bnot\b|~/gi, '¬'],
  [/\\[,;:! ]|\$/g, ' '],
]
const BINDER = /^\s*([∀∃])\s*([a-z])\s*(?:∈\s*([A-Z]))?\s*[,.:|]?\s*(?:(?:such\s+that|with)\b)?/

function read(text: string): Quantified | null {
  const signed = text.replace(/[ℕℤℚℝℂ]/g, (sign) => 'NZQRC'['ℕℤℚℝℂ'.indexOf(sign)] ?? sign)
  let rest = RULES.reduce((plain, [pattern, sign]) => plain.replace(pattern, sign), signed).trim()
  let bound = ''
  for (let binder = BINDER.exec(rest); binder; binder = BINDER.exec(rest)) {
    bound += `${binder[1]}${binder[2]}∈${binder[3] ?? ''} `
    rest = rest.slice(binder[0].length)
  }
  const body = rest
    .trim()
    .replace(/^\((.*)\)\.?$|^\[(.*)\]\.?$/s, '$1$2')
    .replace(/\.$/, '')
  return bound === '' || body === '' ? null : { bound, body: body.replace(/\s+/g, ''), relation: readRelation(body) }
}

/** `∀n ∈ ℕ ∃m ∈ ℕ: m > n`: quantifiers in their order. */
export const QUANTIFIED: Notation<Quantified> = {
  read: (key) => (/[∀∃]|\\(?:forall|exists)/.test(key) ? read(key) : null),
  find(answer) {
    const given = read(answer)
    return given ? { skeleton: '#0#', found: [given] } : { skeleton: answer.replace(/#/g, ' '), found: [] }
  },
  compare(key, given) {
    if (key.bound !== given.bound) return { ...WRONG, confidence: 0.8 }
    if (key.body === given.body) return RIGHT
    if (!key.relation || !given.relation) return { ...WRONG, confidence: 0.5 }
    return compareRelations(key.relation, given.relation) === 'same' ? RIGHT : WRONG
  },
}
