import { bestJudgement, exactJudgement, type Judgement, UNSURE } from '../judgement.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { plainChemistry, readReaction } from './read-reaction.ts'

const EQUATION = /→|⟶|⇌|-+>|=+>|[A-Z].*=.*[A-Z]/s
const LISTED = /^(?:[\s,;:./&()-]|\band\b|\b[a-z]\s*[=:]|\d+)+$/i

/** Of “4, 3, 2”, “a = 4, b = 3, c = 2” and “4Al + 3O2 → 2Al2O3”; null for anything else. */
function coefficientsOf(text: string): number[] | null {
  const reaction = EQUATION.test(text) ? readReaction(plainChemistry(text)) : null
  if (reaction) return reaction.sides.flat().map(({ count }) => count)
  const plain = plainMath(text.replace(/(?<=\d\s?)(?:[A-Z][a-z]?[\d₀-₉]*)+/g, ''))
  const letters = (plain.match(/\b[a-z](?=\s*[=:])/gi) ?? []).join('')
  if (!LISTED.test(plain) || [...letters].sort().join('') !== letters) return null
  return (plain.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
}

/** Numbers of an equation that the question prints: right as a whole, some of it in the same ratio. Null for other keys. */
export function judgeCoefficients(prompt: string, accepted: string[], answer: string): Judgement | null {
  if (!/\bbalanc|\bcoefficients?\b/i.test(prompt) || !EQUATION.test(prompt)) return null
  const keys = accepted
    .filter((key) => !EQUATION.test(key))
    .flatMap((key) => [coefficientsOf(key)?.join(':') ?? []].flat())
  const given = coefficientsOf(answer)
  if (keys.length < accepted.length || !given) return null
  return bestJudgement(
    keys.map((text) => {
      const key = text.split(':').map(Number)
      const [ratio = 0] = given.map((count, i) => count / (key[i] ?? Number.NaN))
      const alike =
        key.length === given.length && given.every((count, i) => Math.abs(count - (key[i] ?? 0) * ratio) < 1e-9)
      if (!alike) return exactJudgement(0, 0.8, 'exact_wrong')
      return ratio === 1 ? exactJudgement(1, 0.95, 'exact_right') : exactJudgement(0.4, UNSURE, 'not_balanced')
    }),
  )
}
