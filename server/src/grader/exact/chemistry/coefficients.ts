import { HALF, type Notation, RIGHT, WRONG } from '../notation/judge-by-notation.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { plainChemistry, readReaction } from './read-reaction.ts'

const EQUATION = /→|⟶|⇌|-+>|=+>|[A-Z].*=.*[A-Z]/s
const LISTED = /^(?:[\s,;:./&()-]|\band\b|\b[a-z]\s*[=:]|\d+)+$/i

function coefficientsIn(text: string): number[] | null {
  if (EQUATION.test(text)) {
    const reaction = readReaction(plainChemistry(text))
    return reaction?.sides.flat().map(({ count }) => count) ?? null
  }
  const plain = plainMath(text.replace(/(?<=\d\s?)(?:[A-Z][a-z]?[\d₀-₉]*)+/g, ''))
  return LISTED.test(plain) ? (plain.match(/\d+(?:\.\d+)?/g) ?? []).map(Number) : null
}

/** The key's numbers are right; other numbers in the same ratio earn some of the points. */
export const COEFFICIENTS: Notation<number[]> = {
  read: (key, prompt) =>
    /\bbalanc|\bcoefficients?\b/i.test(prompt) && EQUATION.test(prompt) && !EQUATION.test(key)
      ? coefficientsIn(key)
      : null,
  find(answer) {
    const found = coefficientsIn(answer)
    return { skeleton: found ? '#0#' : answer, found: found ? [found] : [] }
  },
  compare(key, given) {
    const [ratio = 0] = given.map((count, i) => count / (key[i] ?? Number.NaN))
    const alike =
      key.length === given.length && key.every((count, i) => Math.abs(count * ratio - (given[i] ?? 0)) < 1e-9)
    return alike ? (ratio === 1 ? RIGHT : { ...HALF, share: 0.4 }) : { ...WRONG, confidence: 0.8 }
  },
  otherwise: () => null,
}
