import { readQuantity } from '../exact/quantity.ts'
import { readStatements } from '../exact/statements/read-statements.ts'

const ASKS_FOR_NUMBER =
  /\b(?:calculate|find|work\s+out|how\s+(?:many|much|long|far|fast|old|big)|what\s+is|determine|estimate|by\s+how\s+much|show\s+that|compute|evaluate|solve|probability|simplify|what\s+(?:does|will|are|would)|output|rank)\b/i
/** Asks for no number, though a number may stand where a working ends. */
const ASKS_FOR_MORE =
  /\b(?:find|give|state|write(?:\s+down)?|determine|derive|express|compute|obtain|what\s+is)\s+(?:an?|the|its|their|all|possible)\s+(?:(?!of\b)[\w-]+\s+){0,3}(?:functions?|expressions?|formulas?|formulae|equations?|matrix|matrices|vectors?|basis|bases|polynomials?|distributions?|derivatives?|antiderivative|series|solutions?|sample\s+space|combinations|intervals?|inverses?|decomposition|factori[sz]ation|projection)\b/i
const ASKS_HOW_MUCH =
  /\bhow\s+(?:many|much|long|far|fast|old|big)\b|\b(?:what\s+is|find|determine|compute)\s+(?:the|its)\s+(?:[\w-]+\s+)?(?:order|value|output|number|rank|length|degree)\b/i
const ENDS_EQUAL = /\S\s*[=≈]\s*[-−+]?\d[\d.,/]*\s*%?\s*\.?\s*$/
const BEFORE_SYMBOL = /(?:^|\s)([-−+]?\d[\d.,]*(?:\s*[^\s=\d]{1,8}){0,2})\s*=\s*\p{L}\w{0,2}\s*$/u
/** “x = 1/2 or x = 3” is one answer of two roots; in the middle of a working it is none. */
const SEVERAL = /(?<![\p{L}\d])(\p{L}\w?)\s*=\s*\S+\s*(?:,|\bor\b|\band\b)\s*\1\s*=[^=]*$/u
/** “The answer is 133. If you think about it …” */
const SAID = /\b(?:the|final|correct)\s+(?:answer|result|output)\s+(?:is|=|:)\s*([^\s].{0,30}?)(?=[.;,]?\s*$|[.;]\s)/iu
const REASONED = /^([-−+]?\d[\d./]*(?:\s?[%°])?)\s*(?:[,;]|\s[–—])\s+(?=\p{L}{2,}\W+\p{L}{2,})/u
/** “Any answer between 85 and 99 °C will be accepted”. */
const RANGE =
  /(?:\b(?:accept|allow)(?:ed|s)?\s+(?:any\s+|all\s+)?(?:answers?\s+|values?\s+)?|\bany(?:thing|\s+(?:answer|value))\s+|^\W*(?:answers?|values?)\s+)(?:from|between)\s+([-−+]?\d.{0,30}?)\s*(?:[-–−]|\bto\b|\band\b)\s*([-−+]?\d.{0,40}?)(?=\s+(?:will|is|are|was|may|can)\b|[,;]|\.?\s*$)/i
const RESULT =
  /(?:[=≈≃]|\b(?:is|are|equals|get|gives?)\b)\s*([^=≈≃]+?)(?=\s*(?:[.,;]\s|[.,;]?$|\s(?:and|so|which|because|since)\s))/gu
/** In characters; longer keys are workings that end in the result. */
const WORKING = 24
const LONGEST_RESULT = 40

/** `$20` of “120 − 4P = 2P, so 6P = 120 and P = $20”. Null where a working ends in no result. */
export function finalResult(prompt: string, given: string, alone = true): string | null {
  const working = given
    .replace(/(?<![\d.])0\. (?=\d)/g, '0.')
    // “a = ?” beside a working says what is wanted.
    .replace(/(?:^|\s)\p{L}\w{0,2}\s*=\s*\?/gu, '')
    // “→ 5/2 as x → 0”: where the limit is taken is no result.
    .replace(/(?:^|\s+)\bas\s+\p{L}\s*(?:→|->)\s*[-−+]?[\d∞.]+.*$/u, '')
  const [, from, to] = RANGE.exec(working) ?? []
  if (from !== undefined) return plainQuantity(`${from} to ${to}`)
  if (SEVERAL.test(working)) return null
  if (working.length > WORKING && ASKS_FOR_MORE.test(prompt)) return null
  if (!ASKS_FOR_NUMBER.test(prompt) && !isWorkedOut(working) && !(working.length > WORKING && ENDS_EQUAL.test(working)))
    return null
  // “(W =) 784 (N)”: what is in brackets need not be written.
  const bracketed = /^(?:\([^()]*=\)\s*)?([^()]*\d[^()]*?)\s*(?:\(([^()\d]{1,8})\))?$/.exec(working.trim())
  const optional = bracketed && /[()]/.test(working) ? `${bracketed[1]} ${bracketed[2] ?? ''}`.trim() : null
  const [, tail = ''] =
    /[=≈→]\s*([^=≈→]+)$/.exec(working) ??
    /^[^.;]{0,60}?\b(?:is|are|equals|was)\s+([^.;]{1,24}?)\.?$/i.exec(working.trim()) ??
    []
  const found = optional ?? (tail === '' ? null : tail)
  const reasoned = ASKS_HOW_MUCH.test(prompt) ? REASONED.exec(working)?.[1] : undefined
  const said = SAID.exec(working)?.[1] ?? reasoned
  const before = BEFORE_SYMBOL.exec(working)?.[1]
  return (
    plainQuantity(said ?? null) ??
    plainQuantity(found) ??
    plainQuantity(before ?? null) ??
    (alone && working.length > WORKING ? endOfWorking(working) : null)
  )
}

function plainQuantity(text: string | null): string | null {
  if (text === null) return null
  const plain = text
    .replace(/\([^()]*\p{L}{3}[^()]*\)\s*$/u, '')
    .replace(/^×\s*/, '')
    .replace(/[.;\s]+$/, '')
    .trim()
  return plain === '' || readQuantity(plain) === null ? null : plain
}

function endOfWorking(working: string): string | null {
  const sentences = working.split(/(?<=[.;])\s+(?=\p{Lu})|\n/u).toReversed()
  for (const sentence of sentences.slice(0, 3)) {
    for (const [, result = ''] of [...sentence.matchAll(RESULT)].toReversed()) {
      const plain = result.length <= LONGEST_RESULT ? plainQuantity(result) : null
      if (plain !== null) return plain
    }
  }
  return null
}

function isWorkedOut(working: string): boolean {
  const [only, ...more] = readStatements(working).found
  const last = only?.members.at(-1)
  if (!only || more.length > 0 || !last?.quantity || last.computed) return false
  return only.members.some(
    ({ value, computed }) => computed && value !== null && isNear(value, last.value ?? Number.NaN),
  )
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 0.02 * Math.abs(b)
