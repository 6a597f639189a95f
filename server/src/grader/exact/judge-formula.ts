import { isChemistry } from './chemistry/is-chemistry.ts'
import { judgeChemistry } from './chemistry/judge-chemistry.ts'
import type { Judgement } from './judgement.ts'
import { normalizeFormula } from './normalize-formula.ts'
import { readRelation, sameRelation } from './relation.ts'

const formulaJudgement = (share: number, confidence: number, remark: Judgement['remarks'][number]): Judgement => ({
  raw: share,
  share,
  confidence,
  remarks: [remark],
  matched: [],
  missing: [],
})

/** A formula, equation, inequality or chemical formula, by its value and not by its letters. */
export function judgeFormula(prompt: string, accepted: string[], answer: string): Judgement {
  const given = formulaCandidatesIn(answer)
  const chemical = accepted.filter((key) => isChemistry(key, prompt))
  if (chemical.length > 0) return judgeChemistry(prompt, chemical, answer)
  let read = false
  for (const key of accepted) {
    const words = wordsIn(key)
    const wanted = readRelation(key, words)
    for (const text of given) {
      const has = readRelation(text, words)
      if (!has) continue
      read = true
      if (wanted && sameRelation(wanted, has)) return formulaJudgement(1, 0.96, 'exact_right')
      // f = MA for F = ma: nothing else is said by the case of letters here.
      const [low, lowKey] = [readRelation(text.toLowerCase(), words), readRelation(key.toLowerCase(), words)]
      if (low && lowKey && isSingleCase(key) && sameRelation(lowKey, low))
        return formulaJudgement(1, 0.9, 'exact_right')
    }
    const bare = (text: string) => normalizeFormula(text).replace(/\s+/g, '')
    if (given.some((text) => bare(text) === bare(key))) return formulaJudgement(1, 0.95, 'exact_right')
  }
  // It may be another form of the same, so it is less sure than a wrong number.
  return read ? formulaJudgement(0, 0.8, 'exact_wrong') : formulaJudgement(0, 0.5, 'unclear')
}

/** The whole answer, its lines, what follows “is” or a colon, and what looks like an equation within a sentence. */
function formulaCandidatesIn(answer: string): string[] {
  const text = answer.slice(0, 1000)
  const lines = text.split('\n')
  const tails = lines.flatMap((line) => /(?:\bis\b|:|\bgives?\b|\bget\b)\s*(.+)$/i.exec(line)?.[1] ?? [])
  const within = [
    ...text.matchAll(/(?<![\p{L}])[\p{L}\d(][\p{L}\d_^(){}²³⁰-⁹₀-₉\s*·×/+\-−.√π]{0,40}=[^,;.\n=]{1,60}/gu),
  ].map(([found]) => found.replace(/\s(?:because|since|so|where|which|and|as)\b.*$/i, ''))
  const shortened = within.map((found) => found.replace(/^.*\s(?=\S+\s*=)/, ''))
  return [text, ...lines, ...tails, ...within, ...shortened].map((one) => one.trim()).filter((one) => one !== '')
}

/** Words of three letters and more in the key stand for one thing each: “speed = distance / time”. */
function wordsIn(key: string): Set<string> {
  return new Set((normalizeFormula(key).match(/[A-Za-z]{3,}/g) ?? []).map((word) => word.toLowerCase()))
}

/** No letter occurs both in upper and in lower case. */
function isSingleCase(key: string): boolean {
  const letters = new Set(key.match(/[A-Za-z]/g) ?? [])
  return [...letters].every((letter) => letter !== letter.toUpperCase() || !letters.has(letter.toLowerCase()))
}
