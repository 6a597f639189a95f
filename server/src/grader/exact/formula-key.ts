import { isChemistry } from './chemistry/is-chemistry.ts'
import { variablesOf } from './formula.ts'
import { withoutLabel, wordsIn } from './formula-readings.ts'
import { isGreek, normalizeFormula } from './normalize-formula.ts'
import { readRelation } from './relation.ts'

const FUNCTION = /(?<![A-Za-z])(?:(?:arc)?(?:sin|cos|tan)|sqrt|cbrt|ln|log|exp|abs|pi)(?![a-z])/g

/** A variable and a sign or operator; long names only in equations such as “speed = distance / time”. */
export function isFormulaKey(prompt: string, key: string): boolean {
  if (key.length > 100) return false
  if (isChemistry(key, prompt)) return true
  const plain = normalizeFormula(key)
    .replace(FUNCTION, ' ')
    .replace(/\b[A-Za-z]+\b/g, (word) => (isGreek(word) ? 'x' : word))
  // “2x”, “3ab”: a product without a sign.
  if (/^[-+]?\d+(?:\.\d+)?\s?[a-z]{1,2}$/.test(plain.trim()) && !/(?:st|nd|rd|th)$/.test(plain)) return true
  const called = /(?:sin|cos|tan|ln|log|sqrt|exp)\s*\(/.test(normalizeFormula(key))
  if ((!called && !/[-+*/^=<>≤≥]/.test(plain)) || !/[A-Za-z]/.test(plain)) return false
  const words = wordsIn(plain)
  const worded = words.size > 0
  if (worded && (!/=/.test(plain) || !/[-+*/^]/.test(plain) || /[A-Za-z]{2,}\s+[A-Za-z]{2,}/.test(plain))) return false
  const relation = readRelation(withoutLabel(key), words)
  if (!relation) return false
  const names = variablesOf(relation.left)
  return (relation.right ? variablesOf(relation.right, names) : names).size > 0
}
