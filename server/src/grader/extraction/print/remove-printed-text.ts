import type { PrintMatch } from '../../layout/match-printed-lines.ts'
import { normalizeText } from '../../layout/paper-lines.ts'
import { spellingSimilarity } from '../../text/fuzzy-match.ts'

const WORDS = /[^\s_]+/g
export const wordsOf = (text: string): string[] => text.match(WORDS) ?? []

/** Marks a student sets before or behind an option. */
const OPTION_MARK =
  /\[\s*[xX✓✔*]\s*\]|\(\s*[xX✓✔*]\s*\)|[☑☒✓✔✗✘●⦿◉]|^\s*(?:[xX]\s+|\*\s*)(?=\(?[A-Ha-h][.)])|<[-=]|←|\(correct\)/u

/** OCR misreadings of printed words are not the student's. */
export function removePrintedText(line: string, printed: string, how: PrintMatch['kind'], ocr: boolean): string {
  if (how === 'begins') return ''
  const written = markedOption(line, printed)
  if (written) return written
  // Most lines of print are just that.
  if (normalizeText(line) === normalizeText(printed)) return ''
  const given = wordsOf(line)
  const print = wordsOf(printed)
  const between = aroundAllPrint(given, print)
  if (between !== null) return between
  if (how === 'starts') return given.slice(endOfPrint(given, print)).join(' ')
  const within = betweenEnds(given, print, printed)
  if (within !== null) return within
  const kept: string[] = []
  let extra: string[] = []
  let lost = 0
  const close = () => {
    const wrote = extra.join(' ')
    // As many letters lost as found: a misreading, where reading is what was done.
    const misread = ocr ? wrote.length <= lost * 1.6 + 1 : false
    if (!misread && /[\p{L}\p{N}]/u.test(wrote)) kept.push(wrote)
    extra = []
    lost = 0
  }
  for (const step of alignWords(given, print)) {
    if (step.given !== null && step.print !== null) close()
    else if (step.given !== null) extra.push(step.given)
    else if (step.print !== null && /[\p{L}\p{N}]/u.test(step.print)) lost += step.print.length
  }
  close()
  return kept.join(' ').trim()
}

/** Only where all of the print is there: “Temperature: … Heart rate: …”. */
function aroundAllPrint(given: readonly string[], print: readonly string[]): string | null {
  let at = 0
  const written = given.filter((word) => {
    if (bareWord(word) !== bareWord(print[at] ?? '') || at >= print.length) return /[\p{L}\p{N}]/u.test(word)
    at += 1
    return false
  })
  return at === print.length && at > 1 ? written.join(' ') : null
}

/** Null unless the sentence is printed whole around its one gap. */
function betweenEnds(given: readonly string[], print: readonly string[], printed: string): string | null {
  const gaps = [...printed.matchAll(/_(?:\s?_)+/g)]
  const [gap] = gaps
  if (!gap || gaps.length > 1) return null
  const before = printed.slice(0, gap.index).match(WORDS)?.length ?? 0
  const after = print.length - before
  if (given.length < before + after || after === 0) return null
  const same = (word: string | undefined, other: string | undefined) => bareWord(word ?? '') === bareWord(other ?? '')
  const starts = print.slice(0, before).every((word, i) => same(word, given[i]))
  const ends = print.slice(before).every((word, i) => same(word, given[given.length - after + i]))
  return starts && ends ? given.slice(before, given.length - after).join(' ') : null
}

/** “[x] B. Mars” where the blank prints “[ ] B. Mars”: the option itself is the answer. */
function markedOption(line: string, printed: string): string | null {
  const mark = OPTION_MARK.exec(line)
  if (!mark || OPTION_MARK.test(printed)) return null
  const option = /\(?\b([A-H])[.)]\s*(.*)$/i.exec(line)
  if (!option) return null
  return `${(option[1] ?? '').toUpperCase()}. ${(option[2] ?? '').replace(OPTION_MARK, '').trim()}`
}

export const bareWord = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const alike = (a: string, b: string) => {
  const [x, y] = [bareWord(a), bareWord(b)]
  return x === y || (x.length > 3 && spellingSimilarity(x, y) >= 0.6)
}

function endOfPrint(given: string[], print: string[]): number {
  const head = given.slice(0, print.length + 3)
  let end = 0
  let i = 0
  for (const step of alignWords(head, print)) {
    if (step.given !== null) i++
    if (step.given !== null && step.print !== null) end = i
  }
  return end
}

/** Longest common subsequence, as steps along both. */
export function alignWords(given: string[], print: string[]): { given: string | null; print: string | null }[] {
  const width = print.length + 1
  const table = new Uint16Array((given.length + 1) * width)
  const same = given.map((word) => print.map((other) => alike(word, other)))
  for (let i = given.length - 1; i >= 0; i--) {
    for (let j = print.length - 1; j >= 0; j--) {
      table[i * width + j] = same[i]?.[j]
        ? (table[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0)
    }
  }
  const steps: { given: string | null; print: string | null }[] = []
  let i = 0
  let j = 0
  while (i < given.length || j < print.length) {
    const a = given[i]
    const b = print[j]
    if (a !== undefined && b !== undefined && same[i]?.[j]) {
      steps.push({ given: a, print: b })
      i++
      j++
    } else if (
      b === undefined ||
      (a !== undefined && (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0))
    ) {
      steps.push({ given: a ?? null, print: null })
      i++
    } else {
      steps.push({ given: null, print: b })
      j++
    }
  }
  return steps
}
