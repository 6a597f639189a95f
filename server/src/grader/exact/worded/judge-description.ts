import { isStopWord } from '../../text/terms.ts'
import { variablesOf } from '../formula.ts'
import { SYMBOLS, spokenToSymbols, wordsToSymbols } from '../formula-readings.ts'
import { bestJudgement, type Judgement, verdict } from '../judgement.ts'
import { compareRelations, readRelation } from '../relation.ts'

const OPERATION = /\b(?:divided\s+by|multiplied\s+by|times|per|over|product\s+of|ratio\s+of)\b|[÷×/]/i
const BESIDE = /^(?:total|average|mean|done|taken|unit|travell?ed|applied|size|amount)$/i
const CHANGE = /Δ|\b(?:the\s+)?change\s+(?:in|of)\b/gi
const RATE = /\b(?:the\s+)?rate\s+of\s+change\s+(?:of|in)\s+(\p{L}+)(?:\s+with\s+(?:respect\s+to\s+)?time)?/giu

/** “mass divided by volume” becomes “m / v”; null where two words begin alike, or one side is a sentence. */
function inLetters(text: string): { key: string; heads: string[] } | null {
  const heads: string[] = []
  let clear = true
  const letters = spokenToSymbols(changesDown(text)).replace(/\p{L}+(?:\s+\p{L}+)*/gu, (run) => {
    const words = run.split(/\s+/).filter((word) => !isStopWord(word.toLowerCase()) && !BESIDE.test(word))
    const [head = ''] = words
    clear &&= words.length === 1 && head.length > 2
    heads.push(head.toLowerCase())
    return ` ${head.charAt(0).toLowerCase()} `
  })
  const initials = new Set(heads.map((head) => head.charAt(0)))
  return clear && heads.length > 1 && initials.size === heads.length && /[*/]/.test(letters)
    ? { key: letters, heads }
    : null
}

const changesDown = (text: string): string => text.replace(RATE, '$1 / time').replace(CHANGE, ' ')

/** Letters as the key's: “s/t” as “d/t”, “mv” as “m * v”. */
const likeKey = (symbols: string, heads: readonly string[]): string =>
  symbols
    .replace(/(?<![a-z])[a-z]{2}(?![a-z])/gi, (pair) => [...pair].join(' * '))
    .replace(/[a-z]+/gi, (letter) => {
      const own =
        heads.find((head) => head.startsWith(letter.toLowerCase())) ??
        heads.find((head) => SYMBOLS.get(head)?.some((name) => name.toLowerCase() === letter.toLowerCase()))
      return own && letter.length === 1 ? own.charAt(0) : letter
    })

export function judgeDescription(_: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map((key) => (OPERATION.test(key) && !/[\d=]/.test(key) ? inLetters(key) : null))
  if (keys.some((key) => key === null) || answer.length > 120) return null
  const told = spokenToSymbols(changesDown(answer).replace(/\b(?:it['’]?s|that['’]?s|how\s+much)\b|\.\s*$/gi, ' '))
  if (!/[*/÷×:·]|=\s*[A-Za-z]{2}\s*$/.test(told) || /\bnot\b/i.test(told)) return null
  const plain = told.replace(/^[^=]*=|,.*$/gs, '').replace(/\b(?:travell?ed|applied|amount|size)\b/gi, ' ')
  return bestJudgement(
    keys.flatMap((read) => {
      if (!read) return []
      const symbols = likeKey(wordsToSymbols(plain, read.key) ?? plain, read.heads).replace(/:/g, '/')
      const [wanted, has] = [readRelation(read.key), readRelation(symbols)]
      if (!wanted || !has || /[a-z]{2}/i.test(symbols)) return []
      const same = compareRelations(wanted, has) === 'same'
      const own = variablesOf(wanted.left)
      if (!same && ![...variablesOf(has.left)].every((name) => own.has(name))) return []
      return [verdict(same, same ? 0.85 : 0.75)]
    }),
  )
}
