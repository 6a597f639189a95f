import type { Paper } from '@assay/shared/papers.ts'
import type { Criterion, Question, Rubric } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { questionPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { generalProblem, questionProblem, withProblemsAfterEdit } from '@assay/shared/rules/rubric-problems.ts'
import { bottomOf, normalizeText, type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'
import { ONE_QUESTION } from '../../rubric/generate-rubric.ts'
import { isHandwriting } from '../../rubric/key/key-lines.ts'
import { wordsOf } from '../../text/terms.ts'
import { paperText, type RubricResponse, type RubricResponseQuestion } from './rubric-prompt.ts'

interface PaperWords {
  key: ReadonlySet<string>
  both: ReadonlySet<string>
}

const ask = ({ remarks }: Draft, line: string) => remarks.push({ line, isOpen: true })
const inform = ({ remarks }: Draft, line: string) => remarks.push({ line, isOpen: false })

/** Uses what the papers confirm; the rest is named in `problems`, open where it changes grades and may be wrong. */
export function mergeRubric(draft: Rubric, read: RubricResponse, blank: Paper, key: Paper): Rubric {
  const keyText = paperText(key)
  const bothText = `${paperText(blank)}\n${keyText}`
  const words: PaperWords = { key: wordSetOf(keyText), both: wordSetOf(bothText) }
  const total = draft.printed_totals?.find(({ number }) => number === null)
  const from: Draft = {
    questions: draft.questions,
    words,
    text: flat(bothText),
    addsUp: total?.points === totalPoints(draft),
    agreed: new Set(),
    hasHandwriting: hasHandwriting(key),
    seen: new Set(),
    taken: new Set(draft.questions.map(({ id }) => id)),
    remarks: [],
  }
  // The LLM may find several questions where the rules see one without a number.
  const apart = draft.questions.length === 1 && read.questions.length > 1
  const merged: Question[] = []
  for (const one of read.questions) {
    const known = apart ? undefined : draft.questions.find(({ id }) => id === one.id)
    if (known && merged.some(({ id }) => id === known.id)) continue
    const question = known ? mergeQuestion(known, one, from) : newQuestion(one, from)
    if (question) merged.push(question)
  }
  const unused = apart && merged.length < 2
  const ordered = unused ? draft.questions : apart ? merged : inDraftOrder(merged, from)
  const questions = withRegions(ordered, blank)
  const solved = draft.problems.filter(({ message, code, question_id = '' }) =>
    code === 'answer_unsure' ? !from.agreed.has(question_id) : message !== ONE_QUESTION || questions.length < 2,
  )
  const told = withProblemsAfterEdit({ ...draft, problems: solved }, { ...draft, questions })
  return {
    ...told,
    problems: [
      ...told.problems,
      ...questions.filter(({ id }) => from.seen.has(id)).map((one) => questionProblem('answer_unsure', one, SEEN)),
      ...from.remarks.map(({ line, isOpen }) => generalProblem(line, questions, isOpen ? 'general' : 'ai_remark')),
    ],
  }
}

const SEEN = ': the AI read its answer in the handwriting of the key. Compare them.'

const hasHandwriting = ({ pages }: Paper): boolean =>
  pages.some(({ lines, ink = [] }) => ink.length > 0 || lines.some((line) => !line.hidden && isHandwriting(line)))

function mergeQuestion(known: Question, one: RubricResponseQuestion, draft: Draft): Question {
  const most = questionPoints(known)
  const given = questionPoints(one)
  const { words } = draft
  const keepDraft = (why: string): Question => {
    inform(draft, `Question ${known.number}: ${why}, so the draft’s version was kept.`)
    return known
  }
  if (one.criteria.length === 0 || one.criteria.some(({ points }) => !(points > 0)))
    return keepDraft('the AI gave it no points')
  const corrected = given !== most && printsPoints(one.points_as_printed, given, draft)
  if (given !== most && !corrected) return keepDraft(`the AI’s points add up to ${given} instead of ${most}`)
  if (one.criteria.some(({ expected }) => !isMadeOfWords(expected, words.key))) {
    const isUnread = known.criteria.every(({ expected }) => expected === '')
    if (!draft.hasHandwriting || !isUnread) return keepDraft('the AI expects words that are not in the key')
    draft.seen.add(known.id)
  }
  if (
    known.criteria.some(({ expected }) => expected !== '') &&
    one.criteria.every(({ expected }) => expected.trim() === '')
  )
    return keepDraft('the AI left out the key’s answer')
  // A prompt that says less than the draft's is no correction.
  const saysMore = wordsOf(one.prompt).some((word) => !wordsOf(known.prompt).includes(word))
  const prompt = saysMore && isMadeOfWords(one.prompt, words.both) ? one.prompt.trim() : known.prompt
  const number = correctedNumber(known, one, draft)
  const question: Question = {
    ...known,
    number,
    prompt,
    ...(corrected ? { printed_points: given } : {}),
    kind: kindOf(one, prompt, known.kind),
    criteria: criteriaOf(known, one, draft),
  }
  const changes = changesOf(known, question)
  if (changes.length === 0) draft.agreed.add(known.id)
  else {
    const line = `Question ${number}: the AI changed ${listOf(changes.map(({ what }) => what))}.`
    if (changes.some(({ isOpen }) => isOpen)) ask(draft, `${line} Check it.`)
    else inform(draft, line)
  }
  return question
}

interface Draft {
  questions: readonly Question[]
  words: PaperWords
  text: string
  addsUp: boolean
  agreed: Set<string>
  hasHandwriting: boolean
  seen: Set<string>
  /** Ids. */
  taken: Set<string>
  remarks: { line: string; isOpen: boolean }[]
}

const flat = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

/** Other points count only as printed, and if the draft does not match its total. */
function printsPoints(printed: string, points: number, { text, addsUp }: Draft): boolean {
  const numbers = printed.match(/\d+(?:\.\d+)?/g) ?? []
  return !addsUp && numbers.some((one) => Number(one) === points) && text.includes(flat(printed))
}

/** If printed and no other question's. */
function correctedNumber(known: Question, one: RubricResponseQuestion, { questions, text }: Draft): string {
  const number = one.number.trim().slice(0, 12)
  const labels = (of: string) => of.toLowerCase().match(/\d+|\p{L}+/gu) ?? []
  const same = (a: string, b: string) => labels(a).join(' ') === labels(b).join(' ')
  if (number === '' || questions.some((question) => same(question.number, number))) return known.number
  return labels(number).every((label) => text.includes(label)) ? number : known.number
}

function changesOf(before: Question, after: Question): { what: string; isOpen: boolean }[] {
  const expected = ({ criteria }: Question) =>
    wordsOf(criteria.flatMap((criterion) => [criterion.expected, ...criterion.alternatives]).join(' '))
  const known = new Set(expected(before))
  const had = before.criteria.some((criterion) => criterion.expected.trim() !== '')
  return [
    ...(before.number !== after.number ? [{ what: `its number, which was ${before.number}`, isOpen: false }] : []),
    ...(wordsOf(before.prompt).join(' ') !== wordsOf(after.prompt).join(' ')
      ? [{ what: 'its prompt', isOpen: false }]
      : []),
    ...(questionPoints(before) !== questionPoints(after)
      ? [{ what: `its points, which were ${questionPoints(before)}`, isOpen: true }]
      : []),
    ...(had && expected(after).some((word) => !known.has(word)) ? [{ what: 'its expected answer', isOpen: true }] : []),
  ]
}

function newQuestion(one: RubricResponseQuestion, draft: Draft): Question | null {
  const { words, taken } = draft
  const number = one.number.trim().slice(0, 12)
  const name = number || one.prompt.slice(0, 40)
  if (!isMadeOfWords(one.prompt, words.both) || one.prompt.trim() === '') return null
  if (one.criteria.length === 0 || one.criteria.some(({ points }) => !(points > 0))) return null
  const base = `q${number.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || 'x'}`
  let id = base
  for (let n = 2; taken.has(id); n++) id = `${base}-${n}`
  taken.add(id)
  const invented = one.criteria.some(({ expected }) => !isMadeOfWords(expected, words.key))
  if (invented)
    inform(draft, `Question ${name}: the AI expects words that are not in the key, so its answer was left out.`)
  ask(draft, `Question ${name} was found by the AI. Check its points and its answer.`)
  const confirmed = invented
    ? { ...one, criteria: one.criteria.map((criterion) => ({ ...criterion, expected: '', alternatives: [] })) }
    : one
  return {
    id,
    number: number || id,
    prompt: one.prompt.trim(),
    kind: kindOf(one, one.prompt, 'text'),
    criteria: criteriaOf({ id, number: number || id, criteria: [] }, confirmed, draft),
    regions: [],
  }
}

function criteriaOf(
  question: Pick<Question, 'id' | 'number' | 'criteria'>,
  one: RubricResponseQuestion,
  draft: Draft,
): Criterion[] {
  const { words } = draft
  return one.criteria.map((criterion, i): Criterion => {
    const only = one.criteria.length === 1
    const before = only && question.criteria.length === 1 ? question.criteria[0] : undefined
    const accepted = criterion.alternatives.filter((text) => text.trim() !== '' && isMadeOfWords(text, words.key))
    const proposed = criterion.alternatives.filter((text) => text.trim() !== '' && !accepted.includes(text))
    if (proposed.length > 0)
      inform(
        draft,
        `Question ${question.number}: the AI would also accept ${proposed.map((text) => `“${text.slice(0, 80)}”`).join(', ')}. Add what you agree with.`,
      )
    const levels = criterion.levels
      .filter(({ points, text }) => points >= 0 && points <= criterion.points && text.trim() !== '')
      .sort((a, b) => b.points - a.points)
    const whole =
      levels.length > 1 && levels[0]?.points === criterion.points && distinct(levels.map(({ points }) => points))
    return {
      id: only ? question.id : `${question.id}.${i + 1}`,
      text: criterion.text.trim().slice(0, 300) || before?.text || `Question ${question.number}`,
      points: roundPoints(criterion.points),
      expected: criterion.expected.trim() || (before?.expected ?? ''),
      alternatives: [...new Set([...(before?.alternatives ?? []), ...accepted])],
      ...(whole ? { levels } : {}),
    }
  })
}

/** A choice needs options, and the rules recognise numbers. */
function kindOf(one: RubricResponseQuestion, prompt: string, before: Question['kind']): Question['kind'] {
  if (one.kind === 'choice' && findChoiceOptions(prompt).length === 0) return before
  if (one.kind === 'number' && !one.criteria.some(({ expected }) => /\d/.test(expected))) return before
  return one.kind
}

function inDraftOrder(merged: Question[], draft: Draft): Question[] {
  const questions = [...merged]
  const missing = draft.questions.filter((question) => !merged.some(({ id }) => id === question.id))
  for (const question of missing) {
    const after = draft.questions[draft.questions.indexOf(question) - 1]
    const at = after ? questions.findIndex(({ id }) => id === after.id) + 1 : 0
    questions.splice(at, 0, question)
    const tell = question.criteria.some(({ expected }) => expected.trim() !== '') ? inform : ask
    tell(draft, `Question ${question.number}: the AI did not see it, so the draft’s version was kept.`)
  }
  return questions
}

const distinct = (values: number[]) => new Set(values).size === values.length

/** Share of words that may be misread, or an added “and”. */
const MAX_UNKNOWN_SHARE = 1 / 12

function isMadeOfWords(text: string, words: ReadonlySet<string>): boolean {
  const own = wordsOf(text)
  if (own.length === 0) return text.trim() === ''
  const strange = own.filter((word) => !words.has(word))
  // A number that is not printed is never a misreading.
  return strange.length <= own.length * MAX_UNKNOWN_SHARE && !strange.some((word) => /\d/.test(word))
}

/** By line, as `wordsOf` cuts very long texts. */
const wordSetOf = (text: string): ReadonlySet<string> => new Set(text.split('\n').flatMap(wordsOf))

const FOOT = 0.94 // of the page's height
const LEAST_HEIGHT = 8

/** From below the prompt to the next question. */
function withRegions(questions: readonly Question[], blank: Paper): Question[] {
  if (questions.every(({ regions }) => regions.length > 0)) return [...questions]
  const lines = visibleLines(blank)
  const prompts = questions.map(({ prompt }) => promptLines(prompt, lines))
  const starts = prompts.flatMap(([first]) => first ?? [])
  return questions.map((question, i) => {
    const last = prompts[i]?.at(-1)
    if (question.regions.length > 0 || !last) return question
    const top = bottomOf(last)
    const below = [
      ...starts.filter((line) => line.page === last.page && line.box.y > top).map((line) => line.box.y),
      // Those of the rules have a room of their own.
      ...questions.flatMap(({ regions }) =>
        regions.filter(({ page, box }) => page === last.page && box.y > top).map(({ box }) => box.y),
      ),
    ]
    const bottom = Math.min(last.pageHeight * FOOT, ...below)
    if (bottom - top < LEAST_HEIGHT) return question
    const box = { x: 0, y: round(top), width: round(last.pageWidth), height: round(bottom - top) }
    return { ...question, regions: [{ page: last.page, box }] }
  })
}

/** From the first line that begins the prompt, as far as they continue it. */
function promptLines(prompt: string, lines: readonly PlacedLine[]): PlacedLine[] {
  const wanted = normalizeText(prompt)
  const isPart = ({ text }: PlacedLine) => {
    const printed = normalizeText(text)
    return printed.length > 3 && (wanted.includes(printed) || printed.includes(wanted))
  }
  const from = lines.findIndex((line) => isPart(line) && startsAlike(normalizeText(line.text), wanted))
  if (from < 0) return []
  const until = lines.findIndex((line, i) => i > from && !isPart(line))
  return lines.slice(from, until < 0 ? undefined : until)
}

function startsAlike(printed: string, wanted: string): boolean {
  const begin = wanted.split(' ').slice(0, 3).join(' ')
  const at = printed.indexOf(begin)
  return at >= 0 && at <= 8
}

const round = (value: number) => Math.round(value * 10) / 10
