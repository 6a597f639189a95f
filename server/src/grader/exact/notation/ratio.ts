import { bestJudgement, exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import { digitsForWords } from '../numbers/number-words.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { readStance } from './read-stance.ts'

const NUMBER = String.raw`\d+(?:\.\d+)?`
const RATIO = new RegExp(
  String.raw`(?<![\d:.])${NUMBER}(?:\s+(?!to\b)\p{L}+)?(?:\s*(?::|\bto\b)\s*${NUMBER}(?:\s+(?!to\b)\p{L}+)?)+(?![\d:])`,
  'giu',
)
const SIMPLEST = /\b(?:simplest|lowest|simplify)\b/i

const numbersOf = (ratio: string): number[] => (ratio.match(new RegExp(NUMBER, 'g')) ?? []).map(Number)

function ratiosIn(text: string): { skeleton: string; found: number[][] } {
  const found: number[][] = []
  const plain = digitsForWords(plainMath(text.slice(0, 1000))).replace(/#/g, ' ')
  return { skeleton: plain.replace(RATIO, (all) => `#${found.push(numbersOf(all)) - 1}#`), found }
}

/** `2 : 3` and nothing else; a time is read before. */
function readRatio(key: string): number[] | null {
  const { skeleton, found } = ratiosIn(key.length > 40 ? '' : key)
  return /:/.test(key) && /^\s*#0#\s*\.?\s*$/.test(skeleton) ? (found[0] ?? null) : null
}

const same = (a: number[], b: number[]): boolean => a.length === b.length && a.every((value, i) => value === b[i])

const proportional = (a: number[], b: number[]): boolean =>
  a.length === b.length && a.every((value, i) => Math.abs(value * (b[0] ?? 0) - (b[i] ?? 0) * (a[0] ?? 0)) < 1e-9)

export function judgeRatio(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map(readRatio).filter((key) => key !== null)
  if (keys.length === 0) return null
  const { skeleton, found } = ratiosIn(answer.replace(/=/g, '\n'))
  if (found.length === 0) return bestJudgement(keys.map((key) => judgeFraction(key, prompt, answer)))
  const stance = readStance(
    skeleton.replace(/\p{L}+\s*(?::\s*\p{L}+\s*)+/gu, ' '),
    prompt,
    (i, j) => !same(found[i] ?? [], found[j] ?? []),
  )
  const meant = stance.meant === null ? undefined : found[stance.meant]
  if (!meant) return exactJudgement(0, UNSURE, 'unclear')
  return bestJudgement(
    keys.map((key) => {
      if (stance.denied) return exactJudgement(0, same(key, meant) ? 0.92 : 0.6, 'exact_wrong')
      if (same(key, meant)) return exactJudgement(1, stance.understood ? 0.95 : 0.8, 'exact_right')
      // To repeat what is to be simplified is no answer.
      if (SIMPLEST.test(prompt) && ratiosIn(prompt).found.some((one) => same(one, meant)))
        return exactJudgement(0, 0.8, 'exact_wrong')
      if (!proportional(key, meant)) return exactJudgement(0, stance.understood ? 0.93 : 0.75, 'exact_wrong')
      return SIMPLEST.test(prompt) || key.some((value) => !Number.isInteger(value))
        ? exactJudgement(0.5, UNSURE, 'unclear')
        : exactJudgement(0.75, UNSURE, 'unclear')
    }),
  )
}

/** “2/3” for 2 : 3. */
function judgeFraction(key: number[], prompt: string, answer: string): Judgement {
  const [, top, bottom] = /^\W*(\d+)\s*\/\s*(\d+)\W*$/.exec(plainMath(answer.slice(0, 1000))) ?? []
  if (top === undefined) return exactJudgement(0, /^[\W\d]*$/.test(answer) ? 0.8 : UNSURE, 'exact_wrong')
  const given = [Number(top), Number(bottom)]
  if (same(key, given)) return exactJudgement(1, 0.75, 'exact_right')
  return proportional(key, given) && !SIMPLEST.test(prompt)
    ? exactJudgement(0.75, UNSURE, 'unclear')
    : exactJudgement(0, 0.75, 'exact_wrong')
}
