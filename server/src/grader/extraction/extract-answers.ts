import type { Evidence, Line, Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import type { Answer, ExtractedSubmission, ReviewReason } from '../grader.ts'
import { matchBlankPages } from '../layout/match-blank-pages.ts'
import { type PrintedRubric, printedLinesOf } from '../layout/match-printed-lines.ts'
import { normalizeText, placedLines, toEvidence, visibleLines } from '../layout/paper-lines.ts'
import { trigramSimilarity } from '../text/text-vector.ts'
import { isIllegible, isUnreadable, readingConfidence } from './answer-state.ts'
import { assignLines, type Piece } from './assign-lines.ts'
import {
  hiddenTextWarnings,
  instructionsInAnswer,
  normalizedBlankText,
  withoutInjections,
} from './injection/without-injections.ts'
import { findAddedInk, withoutStruckWords } from './ink/added-ink.ts'
import { findSetOffOptions, inkedAmong } from './ink/inked-options.ts'
import { markedAmong, optionsOnBlank } from './ink/marked-options.ts'
import { findOwnerHints, nameIn } from './owner/owner-hints.ts'
import { answeredPages, pageFacts } from './pages/page-facts.ts'
import { answersInFileOrder, detectPageOrder, reorderPages } from './pages/page-order.ts'
import { type RegisteredPage, readRegisteredPages } from './pages/registered-pages.ts'
import { foreignPage, noAnswers, otherAssignment } from './sheets/other-assignment.ts'

/** The student's lines with their places in the file. Hidden lines and instructions to the grader never count. */
export function extractAnswers(rubric: Rubric, blank: Paper, asRead: Paper): ExtractedSubmission {
  const submission = withoutStruckWords(asRead, blank)
  const matched = matchBlankPages(submission, blank)
  const pages = pageFacts(submission, blank, matched)
  const extracted = extractFrom(rubric, blank, submission, matched)
  const answered = new Set(answeredPages(extracted.answers))
  const of_paper = pages.of_paper.map((one) => (answered.has(one.page) ? { ...one, answered: true as const } : one))
  return { ...extracted, pages: { ...pages, of_paper } }
}

type MatchedPages = ReturnType<typeof matchBlankPages>

function extractFrom(rubric: Rubric, blank: Paper, submission: Paper, matched: MatchedPages): ExtractedSubmission {
  const print = printedLinesOf(rubric, blank)
  const order = detectPageOrder(submission, print.lines)
  const numbers = order?.order ?? submission.pages.map(({ number }) => number)
  // The blank's pages count from 1.
  const isInOrder = numbers.every((number, i) => number === i + 1)
  const sorted = isInOrder ? submission : reorderPages(submission, numbers)
  const pages = isInOrder ? matched : matchBlankPages(sorted, blank)
  const inOrder = extractInPageOrder(rubric, blank, sorted, print, pages, isInOrder ? [] : numbers)
  const extracted = isInOrder ? inOrder : answersInFileOrder(inOrder, numbers)
  if (!order || order.certain) return extracted
  const message =
    'The pages may be out of order: their page numbers and their questions disagree. They were read in file order.'
  return { ...extracted, warnings: [...extracted.warnings, { code: 'page_order', message }] }
}

function extractInPageOrder(
  rubric: Rubric,
  blank: Paper,
  submission: Paper,
  print: PrintedRubric,
  pages: MatchedPages,
  /** The pages' numbers in the file, if reordered. */
  order: readonly number[],
): ExtractedSubmission {
  const all = placedLines(submission)
  const lines = all.filter((line) => !line.hidden)
  const {
    kept: registered,
    repeated,
    warnings: repeats,
  } = withoutRepeatedPages(readRegisteredPages(rubric, print, blank, lines, pages), order)
  const assigned = assignLines(print, lines, [...registered, ...repeated])
  const blankText = normalizedBlankText(visibleLines(blank))
  const owner_hints = findOwnerHints(lines, visibleLines(blank))
  const owner = { name_on_paper: nameIn(owner_hints), owner_hints }
  const other = otherAssignment(assigned, lines, blankText)
  if (other) return { answers: noAnswers(rubric), warnings: [...hiddenTextWarnings(all, blank), other], ...owner }
  const { pieces, found, otherPapers, foreign } = assigned
  const unread = findUnreadInk(blank, submission, registered)
  const illegible = isIllegible([...pieces.values()].flat().map(({ line }) => line))
  const warnings: ReviewReason[] = [
    ...hiddenTextWarnings(all, blank),
    ...repeats,
    ...otherPapers.map(({ page, first }) => otherPaper(page, first, order)),
    ...[...foreign.pages].map((page) => foreignPage(order[page - 1] ?? page)),
  ]
  const options = optionsOnBlank(rubric, blank, print.printed)
  const marked = markedAmong(options, blank, submission, pages)
  const setOff = findSetOffOptions(options, blank, submission, pages)
  const byInk = inkedAmong(options, blank, submission, registered)
  const isDamaged = submission.pages.some(({ damaged }) => damaged)
  const answers: Answer[] = []
  for (const question of rubric.questions) {
    // A word typed beside the options says more than how these are set.
    const typed = (pieces.get(question.id) ?? []).length > 0
    const chosen = byInk.get(question.id) ?? marked.get(question.id) ?? (typed ? undefined : setOff.get(question.id))
    if (chosen) {
      answers.push({
        question_id: question.id,
        text: chosen === 'unclear' ? '' : chosen.values.join(' '),
        found: true,
        evidence: chosen === 'unclear' ? (unread.get(question.id) ?? []) : chosen.evidence,
        reading: 1,
        ...(chosen === 'unclear' ? { unreadable: true } : {}),
      })
      continue
    }
    const own = pieces.get(question.id) ?? []
    const { kept, instructions: removed } = withoutInjections(own, blankText)
    if (removed.length > 0)
      warnings.push(
        instructionsInAnswer(
          question,
          removed.map(({ line }) => toEvidence(line)),
        ),
      )
    const read = {
      text: joinLines(kept.map((piece) => piece.text)),
      reading: readingConfidence(kept.map(confidenceOf)),
    }
    const words = wordConfidences(kept)
    const ink = read.text.trim() === '' ? unread.get(question.id) : undefined
    const unreadable =
      ink !== undefined ||
      isUnreadable({ ...read, word_confidences: words }) ||
      (illegible && kept.some(({ line }) => line.source === 'ocr'))
    answers.push({
      question_id: question.id,
      ...read,
      // With a page that cannot be seen, an empty place elsewhere proves nothing.
      found: found.has(question.id) && !(isDamaged && read.text.trim() === '' && !unreadable),
      evidence: ink ?? kept.map(({ line }) => toEvidence(line)),
      ...(words.length > 0 ? { word_confidences: words } : {}),
      ...(unreadable ? { unreadable } : {}),
    })
  }
  const answered = new Set([...pieces.values()].flat().map((piece) => piece.line))
  const byPlace = [...registered, ...repeated].filter((one) => one.byPlace)
  const loose = [
    ...lines.filter((line) => !byPlace.some(({ page }) => page === line.page)),
    ...byPlace.flatMap(({ writings }) => writings.map(({ line }) => line)),
  ].filter((line) => !answered.has(line))
  const outside = withoutInjections(
    loose.map((line) => ({ line, text: line.text })),
    blankText,
  ).instructions.map(({ line }) => toEvidence(line))
  if (outside.length > 0) {
    warnings.push({
      code: 'instructions_to_grader',
      message: `The paper contains instructions to the grader: “${shorten(outside.map((one) => one.quote).join(' … '))}”.`,
      evidence: outside,
    })
  }
  if (isEmptyPaper(answers) && !isDamaged) warnings.push(NOTHING_WRITTEN)
  return { answers, warnings, ...owner }
}

export const NOTHING_WRITTEN: ReviewReason = {
  code: 'nothing_written',
  message: 'Nothing written by the student was found in this paper.',
}

export const isEmptyPaper = (answers: readonly Answer[]): boolean =>
  answers.every((answer) => answer.text.trim() === '' && !answer.unreadable)

export function joinLines(lines: string[]): string {
  return lines.join('\n').replace(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1')
}

const confidenceOf = ({ text, line }: Piece) => ({ text, confidence: line.confidence })

const TELLING = /[\p{L}\p{N}]/u

/** For words that are not print, in order. Empty where OCR read none. */
export function wordConfidences(pieces: readonly { line: Line; text: string }[]): number[] {
  return pieces.flatMap(({ line, text }) => {
    if (line.source !== 'ocr') return []
    const words = (line.words ?? []).filter((word) => TELLING.test(word.text))
    if (words.length === 0) return wordsOf(text).map(() => line.confidence)
    const left = new Map<string, number>()
    for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1)
    const own = words.filter((word) => {
      const count = left.get(word.text) ?? 0
      left.set(word.text, count - 1)
      return count > 0
    })
    return (own.length > 0 ? own : words).map(({ confidence }) => confidence)
  })
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => TELLING.test(word))

/** In points; flatter ink is what is left of a line to write on. */
const THIN = 2.5
/** Total width and height of strokes in points; less is dust or a slip. */
const ENOUGH = 18

function findUnreadInk(blank: Paper, paper: Paper, registered: readonly RegisteredPage[]): Map<string, Evidence[]> {
  const found = new Map<string, { size: number; evidence: Evidence[] }>()
  for (const on of registered) {
    const page = paper.pages.find(({ number }) => number === on.page)
    if (!page) continue
    for (const { onBlank, box, rule, frame } of findAddedInk(on, page, blank)) {
      if (rule || frame || Math.min(onBlank.width, onBlank.height) < THIN) continue
      const question = on.questionAt(onBlank)
      if (!question) continue
      const own = found.get(question) ?? { size: 0, evidence: [] }
      own.size += onBlank.width + onBlank.height
      own.evidence.push({ page: on.page, box, quote: '' })
      found.set(question, own)
    }
  }
  return new Map([...found].filter(([, { size }]) => size >= ENOUGH).map(([id, { evidence }]) => [id, evidence]))
}

const SAME = 0.7

/** If the second differs, there may be two papers in the file. */
export function withoutRepeatedPages(
  registered: readonly RegisteredPage[],
  order: readonly number[] = [],
): { kept: RegisteredPage[]; repeated: RegisteredPage[]; warnings: ReviewReason[] } {
  const kept = new Map<number, RegisteredPage>()
  const repeated: RegisteredPage[] = []
  const warnings: ReviewReason[] = []
  for (const page of registered) {
    const first = kept.get(page.blankPage)
    if (!first) {
      kept.set(page.blankPage, page)
      continue
    }
    repeated.push({ ...page, writings: [] })
    if (trigramSimilarity(textOf(first), textOf(page)) < SAME) warnings.push(otherPaper(page.page, first.page, order))
  }
  return { kept: [...kept.values()], repeated, warnings }
}

function otherPaper(page: number, first: number, order: readonly number[] = []): ReviewReason {
  const [again, graded] = [order[page - 1] ?? page, order[first - 1] ?? first]
  return {
    code: 'page_order',
    message: `Page ${again} answers the questions of page ${graded} again: there may be two papers in this file. Only page ${graded} was graded.`,
  }
}

const textOf = ({ writings }: RegisteredPage): string => normalizeText(writings.map(({ line }) => line.text).join(' '))
