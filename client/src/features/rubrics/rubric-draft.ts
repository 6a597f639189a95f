import type { Criterion, Question, QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { answerAreaErrors, EditedRubric } from '@assay/shared/rules/edited-rubric.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { extractionFingerprint, questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'

export const questionKinds: Record<QuestionKind, { label: string; judged: string }> = {
  text: { label: 'Short text', judged: 'By meaning, in any wording.' },
  choice: { label: 'Multiple choice', judged: 'Exactly: the letter or the option’s text.' },
  true_false: { label: 'True or false', judged: 'Exactly.' },
  number: { label: 'Number', judged: 'Exactly, with units and the tolerance you give (9.8 ± 0.1).' },
  set: { label: 'List, any order', judged: 'Item by item, in any order.' },
  ordered_list: { label: 'List, in order', judged: 'Item by item, in the order you give.' },
  formula: { label: 'Formula', judged: 'By value, in any notation. Chemical formulas by substance.' },
  essay: { label: 'Essay or proof', judged: 'By an AI model or by you. The built-in grader flags it.' },
  drawing: { label: 'Drawing', judged: 'By an AI model that reads images, or by you. The built-in grader flags it.' },
}

const rubricIds = ({ questions }: Rubric) =>
  new Set(questions.flatMap(({ id, criteria }) => [id, ...criteria.map((one) => one.id)]))

/** Ids are not reused: grades find their question by them. */
function freshId(rubric: Rubric, prefix: string): string {
  const taken = rubricIds(rubric)
  for (;;) {
    const id = `${prefix}${Math.random().toString(36).slice(2, 8)}`
    if (!taken.has(id)) return id
  }
}

export function newCriterion(rubric: Rubric, question: string): Criterion {
  return { id: freshId(rubric, `${question}.`), text: '', points: 1, expected: '', alternatives: [] }
}

export function addQuestion(rubric: Rubric): Rubric {
  const highest = Math.max(0, ...rubric.questions.map(({ number }) => Number.parseInt(number, 10) || 0))
  return { ...rubric, questions: [...rubric.questions, newQuestion(rubric, String(highest + 1))] }
}

export function newQuestion(rubric: Rubric, number: string): Question {
  const id = freshId(rubric, 'q-')
  return {
    id,
    number,
    prompt: '',
    kind: 'text',
    criteria: [{ id, text: '', points: 1, expected: '', alternatives: [] }],
    regions: [],
  }
}

export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, i) => i !== from)
  const one = list[from]
  return one === undefined || to < 0 || to >= list.length ? [...list] : rest.toSpliced(to, 0, one)
}

const byNumber = new Intl.Collator('en', { numeric: true })

export const isLater = (number: string, than: string): boolean => byNumber.compare(number, than) > 0

/** 1, 2 a, 2 b, 10: as papers print them. */
export const areNumbersAscending = (questions: readonly Pick<Question, 'number'>[]): boolean =>
  questions.every(({ number }, i) => i === 0 || !isLater(questions[i - 1]?.number ?? '', number))

export const questionAfter = (questions: readonly Question[], number: string): Question | null =>
  areNumbersAscending(questions) ? (questions.find((one) => isLater(one.number, number)) ?? null) : null

/** By place: `questions.2.criteria.0.points`. */
export type DraftErrors = Record<string, string>

export function draftErrors(rubric: Rubric, blankPages: number | null): DraftErrors {
  // The server's problems may be newer than this page's contract.
  const checked = EditedRubric.safeParse({ ...rubric, problems: [] })
  const errors: DraftErrors = {}
  const issues = [...(checked.error?.issues ?? []), ...answerAreaErrors(rubric, blankPages)]
  for (const { path, message } of issues) errors[path.join('.')] ??= message
  return errors
}

/** -1 when it is the rubric’s as a whole. */
export function questionIndexOfError(path: string): number {
  const index = /^questions\.(\d+)\./.exec(path)?.[1]
  return index === undefined ? -1 : Number(index)
}

const dismissedIds = ({ problems }: Rubric) =>
  problems
    .flatMap(({ id, dismissed }) => (dismissed ? [id] : []))
    .sort()
    .join('\n')

/** Compares what they grade by, where questions stand, and which problems were dismissed. */
export function isSameRubric(a: Rubric, b: Rubric): boolean {
  if (a === b) return true
  const prints = (rubric: Rubric) => JSON.stringify(rubric.questions.map(questionFingerprint))
  return (
    extractionFingerprint(a) === extractionFingerprint(b) &&
    prints(a) === prints(b) &&
    dismissedIds(a) === dismissedIds(b)
  )
}

export function matchesSearch({ number, prompt, criteria, notes = '' }: Question, search: string): boolean {
  const words = search.trim().toLowerCase()
  if (words === '') return true
  const text = criteria.flatMap((one) => [one.text, one.expected, ...one.alternatives])
  return number.toLowerCase() === words || [prompt, notes, ...text].join('\n').toLowerCase().includes(words)
}

const isDeepEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export function changedParts(before: Question | undefined, after: Question | undefined): string[] {
  if (!before || !after) return []
  const differ = (of: (criterion: Criterion) => unknown) =>
    !isDeepEqual(before.criteria.map(of), after.criteria.map(of))
  const parts: [boolean, string][] = [
    [before.prompt !== after.prompt, 'the question'],
    [before.kind !== after.kind, 'the kind of answer'],
    [differ(({ points }) => points), 'points'],
    [differ(({ id, text }) => [id, text]), 'criteria'],
    [differ(({ expected }) => expected), 'the expected answer'],
    [differ(({ alternatives }) => alternatives), 'accepted answers'],
    [differ(({ levels = [] }) => levels), 'levels'],
    [(before.notes ?? '') !== (after.notes ?? ''), 'notes'],
    [!isDeepEqual(before.version_keys ?? {}, after.version_keys ?? {}), 'keys of other paper versions'],
  ]
  return parts.flatMap(([differs, words]) => (differs ? [words] : []))
}

export function questionsLabel(numbers: readonly string[]): string {
  return `${numbers.length === 1 ? 'question' : 'questions'} ${listOf(numbers)}`
}
