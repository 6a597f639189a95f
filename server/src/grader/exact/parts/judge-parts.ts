import { isStopWord } from '../../text/terms.ts'
import { isFormulaKey, judgeFormula } from '../judge-formula.ts'
import { bestJudgement, type Judgement, listJudgement, UNSURE, unclear, verdict } from '../judgement.ts'
import { sameMember } from '../list-members.ts'
import { judgeNotation } from '../notation/judge-notation.ts'
import { judgeNumber } from '../numbers/judge-number.ts'
import { readQuantity } from '../quantity.ts'
import { readUnit, sameUnit } from '../units/read-unit.ts'
import { judgeName } from '../worded/judge-name.ts'
import known from '../worded/names.json' with { type: 'json' }
import { compareNames } from '../worded/same-name.ts'
import { divided, isCode, itemNamed, itemsIn, type Part, readParts, SEPARATOR, wayIn } from './read-parts.ts'

const SURE = 0.93
const NOT_THE_SAME_WORDS = 0.85
const LONGEST = 400

export function judgeParts(prompt: string, accepted: string[], answer: string): Judgement | null {
  const judged = accepted.flatMap((key) => {
    const parts = readParts(prompt, key)
    const said = parts && answer.length <= LONGEST ? alignAnswer(divided(answer), parts) : null
    return parts && said?.some((text) => text !== undefined) ? [judgeEach(prompt, parts, said)] : []
  })
  return bestJudgement(judged)
}

function judgeEach(prompt: string, parts: readonly Part[], said: readonly (string | undefined)[]): Judgement {
  const coded =
    parts.every(({ value }) => isCode(value) && /^[a-z]$/i.test(value)) || parts.every((part) => isListed(prompt, part))
  const judged = parts.map(({ value }, i) => {
    const text = said[i]
    if (text === undefined || text === '') return verdict(false, UNSURE)
    // “T” for thymine, where no other value begins so.
    const initial = parts.filter((part) => part.value.length > 3 && part.value.charAt(0).toUpperCase() === text)
    if (initial.length === 1 && value.length > 3) return verdict(initial[0]?.value === value, 0.8)
    return coded ? judgeCode(prompt, parts, value, text) : judgeValue(prompt, value, text)
  })
  const share = judged.reduce((sum, one) => sum + one.share, 0) / parts.length
  const least = Math.min(...judged.map(({ confidence }) => confidence))
  if (share === 1) return verdict(true, least >= 0.9 ? SURE : NOT_THE_SAME_WORDS)
  return listJudgement(share, Math.min(least, share > 0 ? 0.8 : 0.85))
}

const isListed = (prompt: string, { value, labels }: Part): boolean =>
  isCode(value) && isCode(labels[0] ?? '') && itemsIn(prompt).some(({ label }) => label === value)

function judgeCode(prompt: string, parts: readonly Part[], value: string, text: string): Judgement {
  const values = new Set(parts.map((part) => part.value.toLowerCase()))
  const items = itemsIn(prompt).filter(({ label }) => values.has(label.toLowerCase()))
  const bare = text.replace(/[^\p{L}\d]/gu, '')
  const meant = isCode(bare) ? bare : itemNamed(text, items)?.label
  if (meant === undefined) return unclear()
  return verdict(meant.toLowerCase() === value.toLowerCase(), isCode(bare) ? SURE : NOT_THE_SAME_WORDS)
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[−–]/g, '-')
    .replace(/[\s.]+$/g, '')
    .toLowerCase()

function judgeValue(prompt: string, value: string, text: string): Judgement {
  if (plain(value) === plain(text)) return verdict(true, 0.95)
  const nested = judgeParts(prompt, [value], text)
  if (nested) return nested
  const way = wayIn(value)
  if (way !== undefined && !/\d/.test(value)) return verdict(way === wayIn(text), NOT_THE_SAME_WORDS)
  const [unit, other] = [readUnit(value), readUnit(text)]
  if (unit && other && sameUnit(unit, other)) return verdict(true, 0.9)
  const noted = judgeNotation(prompt, [value], text)
  if (noted && (noted.share > 0 || noted.confidence > UNSURE)) return noted
  // “6 5” may be either.
  if (/^\W*\d[\d.]*\s+-?\d[\d.]*\W*$/.test(text)) return unclear()
  if (readQuantity(value)) return judgeNumber(prompt, [value], text)
  if (isFormulaKey(prompt, value)) return judgeFormula(prompt, [value], text)
  const named = judgeName(`What is it called? ${prompt}`, [value], text)
  if (named && (named.share > 0 || named.confidence > NOT_THE_SAME_WORDS)) return named
  return sameMember(value, text) ? verdict(true, NOT_THE_SAME_WORDS) : (named ?? verdict(false, 0.8))
}

const ALSO: readonly string[][] = known.values
const CONNECTORS =
  /^(?:[\s:=→>,;.–—]|-(?=\D)|\b(?:is|are|was|has|have|for|of|in|by|to|from|the|an?|with|as|goes|go|will|and|so)\b)+|(?:[\s:=→,;–—-]|\b(?:is|are|was|for|of|in|by|to|from|the|as|were)\b)+$/giu
const ASIDE = /(?<=\S\s*)\([^()]*(?:\p{L}{2}|\d{4})[^()]*\)/gu

const trimmed = (text: string): string =>
  /^\W*[aA]\W*$/.test(text)
    ? 'A'
    : text
        .replace(/^\s*\(([^()]*)\)\s*$/, '$1')
        .replace(CONNECTORS, '')
        .trim()

/** By labels, names or order. Null where the answer says nothing. */
function alignAnswer(answer: string, parts: readonly Part[]): (string | undefined)[] | null {
  const all = /^\W*both\b(.+)$/is.exec(answer)?.[1]
  if (all && parts.length === 2 && !SEPARATOR.test(all)) return parts.map(() => trimmed(all))
  if (parts.every(({ labels }) => labels.length === 0)) {
    const pieces = answer.split(/\s*[,;=()–—]\s*/)
    return parts.map(({ value }) => {
      const sign = /^\p{L}{1,2}$/u.test(value)
      const own = pieces.find((one) =>
        sign ? one.normalize() === value.normalize() : compareNames(value, one) === 'same',
      )
      // “Watt” alone does not tell its symbol.
      if (own === undefined && sign && !/(?<!\p{L})(?:\p{L}{1,2}|omega)(?!\p{L})/iu.test(answer)) return undefined
      return own ?? (/\d/.test(value) ? answer.replace(/[(),;]/g, ' , ') : answer)
    })
  }
  const crosses = parts.some(({ labels }) => labels.some((label) => /intercept/i.test(label)))
  const told = (crosses ? answer.replace(/\(\s*0\s*[,;|]\s*([^()]+)\)/g, ' $1 ') : answer)
    .replace(/^\W*\(\s*[a-z](?:\s*[,;|]\s*[a-z])+\s*\)\s*=\s*/, '')
    .replace(/\ban?\s+(\p{L}{4,})/giu, (all, word: string) =>
      parts.some(({ labels: [label = ''], value }) => /^\d+$/.test(value) && label.startsWith(word))
        ? `1 ${word}`
        : all,
    )
  return byCodes(told, parts) ?? byLabels(told, parts) ?? byNames(told, parts) ?? inOrder(told, parts)
}

/** “1C 2A 3B”, “CAB” */
function byCodes(answer: string, parts: readonly Part[]): (string | undefined)[] | null {
  const lower = (text: string) => text.toLowerCase()
  const names = parts.map(({ labels: [label = ''] }) => lower(label))
  const values = new Set(parts.map(({ value }) => lower(value)))
  // In “a = 4” and “(7, −3)” a sign belongs to its number.
  if (![...names, ...values].every(isCode) || /=\s*\d|(?:^|[^\p{L}\d\s)])\s*[-−]\s?\d/u.test(answer)) return null
  const told = (answer.match(/\p{L}+|\d+/gu) ?? []).map(lower)
  const codes = told.length === 1 ? [...(told[0] ?? '')] : told
  if (codes.length === parts.length && codes.every((code) => values.has(code))) return codes
  const turned = names.includes(codes[1] ?? '') && !names.includes(codes[0] ?? '')
  const found = new Map<string, string>()
  for (let i = 0; i < codes.length; i += 2) found.set(codes[turned ? i + 1 : i] ?? '', codes[turned ? i : i + 1] ?? '')
  const fits = codes.length % 2 === 0 && [...found].every(([name, value]) => names.includes(name) && isCode(value))
  return fits && found.size > 0 ? names.map((name) => found.get(name)) : null
}

/** “b) Hungary a) Austria” */
function byLabels(answer: string, parts: readonly Part[]): (string | undefined)[] | null {
  const labels = parts.map(({ labels: [label = ''] }) => label)
  if (!labels.every(isCode)) return null
  const numeric = parts.every(({ value }) => /^\W*\d/.test(value)) && labels.every((label) => /\d/.test(label))
  const mark = new RegExp(
    String.raw`(?<=^|[\s,;.(])\(?(${labels.join('|')})(?:[).:=]\s*|${numeric ? '$^' : String.raw`\s*[-–→]\s*|\s+`})(?=\S)`,
    'gi',
  )
  const marks = [...answer.matchAll(mark)]
  const once = new Set(marks.map(([, label = '']) => label.toLowerCase())).size === marks.length
  if (!once || marks.length < Math.min(2, parts.length)) return null
  return labels.map((label) => {
    const at = marks.findIndex(([, own = '']) => own.toLowerCase() === label.toLowerCase())
    const own = marks[at]
    return own && trimmed(answer.slice(own.index + own[0].length, marks[at + 1]?.index).replace(/[\s(,;]+$/, ''))
  })
}

/** An index; -1 where several parts share the word, null where none has it. */
function partOf(word: string, parts: readonly Part[], names: readonly string[][]): number | null {
  const plain = word.toLowerCase()
  const itself = names.some((own) => own.some((name) => name.toLowerCase() === plain))
  const valued = parts.some(({ value }) =>
    value.match(/\p{L}+/gu)?.some((own) => own === word || (own.length > 2 && compareNames(own, word) === 'same')),
  )
  if (itself ? isStopWord(plain) && plain.length < 2 : isStopWord(plain) || valued) return null
  const initials = names.every((own) => own.length === 1 && own[0]?.length === 1)
  const called = (name: string) =>
    compareNames(name, word) !== 'different' ||
    (plain.length > 2 && name.toLowerCase().startsWith(plain)) ||
    (initials && plain.length > 3 && plain.startsWith(name.toLowerCase())) ||
    // “Oxidant” for “oxidising agent”
    (plain.length > 5 && name.slice(0, 5).toLowerCase() === plain.slice(0, 5)) ||
    ALSO.some((all) => all.includes(name.toLowerCase()) && all.includes(plain))
  const told = names.flatMap((own, i) => (own.some(called) ? [i] : []))
  if (told.length > 0) return told.length > 1 ? -1 : (told[0] ?? null)
  const initial =
    word.length === 1 && !/^[aiI]$/.test(word)
      ? names.flatMap((own, i) =>
          own.some((name) => name.toLowerCase().startsWith(plain) && !isStopWord(name.toLowerCase())) ? [i] : [],
        )
      : []
  return initial.length === 1 ? (initial[0] ?? null) : null
}

function byNames(answer: string, parts: readonly Part[]): (string | undefined)[] | null {
  const names = parts.map(({ labels }) =>
    labels.flatMap((label) =>
      (label.match(/\p{L}[\p{L}\p{M}]*/gu) ?? []).filter(
        (word) => (word.length > 1 && !isStopWord(word.toLowerCase())) || label === word,
      ),
    ),
  )
  const clauses = answer.split(SEPARATOR).filter((clause) => /[\p{L}\d↑↓]/u.test(clause))
  const found = clauses.map((clause) => mentionsIn(clause, parts, names))
  const all = new Set(found.flatMap(({ mentions }) => mentions.map(({ part }) => part)))
  if (all.size === 0) return null
  const said: (string | undefined)[] = parts.map(() => undefined)
  const each = found.every(({ mentions, rest }) => {
    const own = new Set(mentions.map(({ part }) => part))
    return own.size === 0 || (own.size === 1 && rest !== '')
  })
  const named = found.filter(({ mentions }) => mentions.length > 0).length
  if (each && named === all.size) {
    for (const { mentions, rest } of found) if (mentions[0]) said[mentions[0].part] = rest
    const others = found
      .filter(({ mentions, rest }) => mentions.length === 0 && !/^\d+\s+\p{L}{4,}$/u.test(rest))
      .map(({ rest }) => rest)
    const open = said.flatMap((text, i) => (text === undefined ? [i] : []))
    if (others.length === open.length) for (const [i, at] of open.entries()) said[at] = others[i]
    return said
  }
  // “Vienna, Austria; Budapest, Hungary”: what follows each name, or precedes it.
  const { mentions } = mentionsIn(answer, parts, names)
  const first = mentions[0]
  if (!first) return null
  const leads = !/[\p{L}\d]/u.test(trimmed(answer.slice(0, first.from)))
  for (const [i, { part, from, to }] of mentions.entries())
    said[part] ??= trimmed(
      leads ? answer.slice(to, mentions[i + 1]?.from) : answer.slice(mentions[i - 1]?.to ?? 0, from),
    )
  return said
}

function mentionsIn(text: string, parts: readonly Part[], names: readonly string[][]) {
  const mentions: { part: number; from: number; to: number }[] = []
  let rest = ''
  let end = 0
  for (const match of text.matchAll(
    /(?<![\p{L}\d])(?:y-)?(\p{L}[\p{L}\p{M}]*)(?:[⁺⁻⁰]|[+0](?=[\s,]|$))?(?![\p{L}])/gu,
  )) {
    const part = partOf(match[1] ?? '', parts, names)
    if (part === null) continue
    const [from, to] = [match.index, match.index + match[0].length]
    rest += `${text.slice(end, from)} `
    end = to
    const last = mentions.at(-1)
    if (last && (part === last.part || part === -1) && !/[\p{L}\d]/u.test(text.slice(last.to, from))) last.to = to
    else if (part >= 0) mentions.push({ part, from, to })
  }
  return { mentions, rest: trimmed(rest + text.slice(end)) }
}

function inOrder(answer: string, parts: readonly Part[]): (string | undefined)[] | null {
  const plain = parts.some(({ value }) => value.includes('(')) ? answer : answer.replace(ASIDE, ' ')
  for (const separator of [SEPARATOR, /\s*(?:[,;\n/|]|\bthen\b|\band\b|→|->|\s[-–]\s)\s*/i, /\s+/]) {
    const pieces = plain.split(separator).filter((piece) => /[\p{L}\d↑↓]/u.test(piece))
    if (pieces.length === parts.length) return pieces.map(trimmed)
  }
  return null
}
