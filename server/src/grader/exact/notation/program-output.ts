import { bestJudgement, exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'

const ASKS = /\b(?:outputs?|print(?:s|ed)?|display(?:s|ed)?|shown\s+on\s+(?:the\s+)?screen)\b/i
const CODE =
  /\b(?:print|console\.log|cout|printf|System\.out|echo|puts|OUTPUT|DISPLAY)\b\s*[("'<]?|\b(?:program|code|function|loop|algorithm|pseudocode|script|snippet)\b/

/** Values on one line of a key, which may be printed on lines of their own. */
const VALUES = /^[ \t]*[-+]?[\d.]+(?:[ \t]*[ \t,;][ \t]*[-+]?[\d.]+){2,}[ \t]*$/

/** What a program prints, line by line, without the spaces around. */
function linesOf(text: string): string[] {
  return text
    .slice(0, 2000)
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/^\s*(?:(?:the\s+)?(?:output|result|answer)(?:\s+is)?\s*:|it\s+(?:prints|outputs|displays)\s*:?)\s*/i, '')
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '')
}

const unquoted = (lines: string[]): string => lines.join('\n').replace(/^(["'])(.*)\1$/s, '$2')
const squeezed = (lines: string[]): string => unquoted(lines).replace(/\s/g, '')
const bare = (lines: string[]): string =>
  unquoted(lines)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Null unless the prompt asks for what a program prints, and the key is no number (a number is compared as one). */
export function judgeOutput(prompt: string, accepted: string[], answer: string): Judgement | null {
  if (!ASKS.test(prompt) || !CODE.test(prompt)) return null
  const keys = accepted.filter(
    (key) =>
      !/^\s*[-+]?[\d.,]+\s*$/.test(key) &&
      !VALUES.test(key) &&
      !/\p{L}+\s+\p{L}+\s+\p{L}+\s+\p{L}+\s+\p{L}+/u.test(key),
  )
  if (keys.length === 0 || keys.length < accepted.length) return null
  const given = linesOf(answer)
  return bestJudgement(
    keys.map((text) => {
      const key = linesOf(text)
      if (unquoted(key) === unquoted(given)) return exactJudgement(1, 0.95, 'exact_right')
      if (squeezed(key) === squeezed(given)) return exactJudgement(0.5, UNSURE, 'unclear')
      if (bare(key) === bare(given)) return exactJudgement(0.5, UNSURE, 'unclear')
      // Some of its lines, or explained: for a person to look at.
      const some = key.some((line) => given.includes(line)) || bare(given).includes(bare(key))
      const swapped = [...key].sort().join('\n') === [...given].sort().join('\n')
      return exactJudgement(0, some && !swapped ? UNSURE : 0.85, some && !swapped ? 'unclear' : 'exact_wrong')
    }),
  )
}
