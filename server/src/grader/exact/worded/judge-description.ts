import { variablesOf } from '../formula.ts'
import { spokenToSymbols, wordsToSymbols } from '../formula-readings.ts'
import { bestJudgement, exactJudgement, type Judgement } from '../judgement.ts'
import { compareRelations, readRelation } from '../relation.ts'
import { isStopWord } from '../../text/terms.ts'

const OPERATION = /\b(?:divided\s+by|multiplied\s+by|times|per|over|product\s+of|ratio\s+of)\b|[÷×/]/i
const BESIDE = /^(?:total|average|mean|done|taken|unit|travell?ed|applied|size|amount)$/i
const CHANGE = /\b(?:the\s+)?(?:rate\s+of\s+)?change\s+(?:in|of)\b/gi

/** “mass divided by volume” as “m / v”; null where two words begin alike, or one side is a sentence. */
function inLetters(text: string): string | null {
  const heads: string[] = []
  let clear = true
  const letters = spokenToSymbols(text.replace(CHANGE, ' ')).replace(/\p{L}+(?:\s+\p{L}+)*/gu, (run) => {
    const words = run.split(/\s+/).filter((word) => !isStopWord(word.toLowerCase()) && !BESIDE.test(word))
    const [head = ''] = words
    clear &&= words.length === 1 && head.length > 2
    heads.push(head.toLowerCase())
    return ` ${head.charAt(0).toLowerCase()} `
  })
  const initials = new Set(heads.map((head) => head.charAt(0)))
  return clear && heads.length > 1 && initials.size === heads.length && /[*/]/.test(letters) ? letters : null
}

/** A quantity described as others divided or multiplied, in words or as a formula. Null where key or answer is none. */
export function judgeDescription(_: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map((key) => (OPERATION.test(key) && !/[\d=]/.test(key) ? inLetters(key) : null))
  if (keys.some((key) => key === null) || answer.length > 120) return null
  const told = spokenToSymbols(answer.replace(CHANGE, ' ').replace(/\b(?:it['’]?s|that['’]?s|how\s+much)\b|\.\s*$/gi, ' '))
  if (!/[*/÷×:]/.test(told) || /\bnot\b/i.test(told)) return null
  const plain = told.replace(/^[^=]*=/, '').replace(/\b(?:travell?ed|applied|amount|size)\b/gi, ' ')
  return bestJudgement(
    keys.flatMap((key) => {
      const symbols = (key && (wordsToSymbols(plain, key) ?? plain))?.replace(/:/g, '/').toLowerCase() ?? ''
      const [wanted, has] = [readRelation(key ?? ''), readRelation(symbols)]
      if (!wanted || !has || /[a-z]{2}/.test(symbols)) return []
      const same = compareRelations(wanted, has) === 'same'
      const own = variablesOf(wanted.left)
      if (!same && ![...variablesOf(has.left)].every((name) => own.has(name))) return []
      return [exactJudgement(same ? 1 : 0, same ? 0.85 : 0.75, same ? 'exact_right' : 'exact_wrong')]
    }),
  )
}
