import { readQuantity } from '../exact/quantity.ts'
import { readStatements } from '../exact/statements/read-statements.ts'

const ASKS_FOR_NUMBER =
  /\b(?:calculate|find|work\s+out|how\s+(?:many|much|long|far|fast|old|big)|what\s+is|determine|estimate|by\s+how\s+much|show\s+that)\b/i

/** The result a working ends in: `$20` of “120 − 4P = 2P, so 6P = 120 and P = $20”. Null where it ends in none. */
export function finalResult(prompt: string, whole: string): string | null {
  // “→ 5/2 as x → 0”: where the limit is taken is no result.
  const working = whole.replace(/(?:^|\s+)\bas\s+\p{L}\s*(?:→|->)\s*[-−+]?[\d∞.]+.*$/u, '')
  if (!ASKS_FOR_NUMBER.test(prompt) && !isWorkedOut(working)) return null
  // “(W =) 784 (N)”: what is in brackets need not be written.
  const bracketed = /^(?:\([^()]*=\)\s*)?([^()]*\d[^()]*?)\s*(?:\(([^()\d]{1,8})\))?$/.exec(working.trim())
  const optional = bracketed && /[()]/.test(working) ? `${bracketed[1]} ${bracketed[2] ?? ''}`.trim() : null
  const [, tail = ''] =
    /[=≈→]\s*([^=≈→]+)$/.exec(working) ??
    /^[^.;]{0,60}?\b(?:is|are|equals|was)\s+([^.;]{1,24}?)\.?$/i.exec(working.trim()) ??
    []
  if (optional === null && tail === '') return null
  const plain = (optional ?? tail)
    .replace(/\([^()]*\p{L}{3}[^()]*\)\s*$/u, '')
    .replace(/^×\s*/, '')
    .replace(/[.;\s]+$/, '')
    .trim()
  if (plain === '' || readQuantity(plain) === null) return null
  return plain
}

/** “0.25 × 44 = 11 g” comes to a number, whatever is asked. */
function isWorkedOut(working: string): boolean {
  const [only, ...more] = readStatements(working).found
  const last = only?.members.at(-1)
  if (!only || more.length > 0 || !last?.quantity || last.computed) return false
  return only.members.some(
    ({ value, computed }) => computed && value !== null && isNear(value, last.value ?? Number.NaN),
  )
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 0.02 * Math.abs(b)
