import type { Question, QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { numberLevels, replaceLevel } from '@assay/shared/rules/question-numbers.ts'
import { joinQuestions, setKind, setPoints } from './rubric-fixes.ts'
import { nextNumber } from './rubric-parts.ts'

export interface QuestionGroup {
  label: string
  ids: string[]
}

const idsOf = (questions: readonly Question[]) => questions.map(({ id }) => id)

/** All, those whose points the paper does not print, and its sections. */
export function questionGroups({ questions, printed_totals = [] }: Rubric): QuestionGroup[] {
  const unprinted = questions.filter(({ printed_points }) => printed_points === undefined)
  const parts = Map.groupBy(questions, ({ number }) => numberLevels(number).section || '1')
  const sections = printed_totals.flatMap(({ number, question_ids }) => {
    const own = questions.filter(({ id }) => question_ids.includes(id))
    return number?.startsWith('Section ') ? [{ label: number, ids: idsOf(own) }] : []
  })
  return [
    { label: 'All questions', ids: idsOf(questions) },
    ...(unprinted.length < questions.length
      ? [{ label: 'Questions without printed points', ids: idsOf(unprinted) }]
      : []),
    ...sections,
    ...(parts.size > 1 ? [...parts].map(([part, own]) => ({ label: `Part ${part}`, ids: idsOf(own) })) : []),
  ].filter(({ ids }) => ids.length > 0)
}

/** From one question to another as they stand, both included. */
export function questionsBetween({ questions }: Rubric, from: string, to: string): string[] {
  const [first = 0, last = 0] = [from, to].map((id) => idsOf(questions).indexOf(id)).sort((a, b) => a - b)
  return idsOf(questions.slice(first, last + 1))
}

/** Numbers that go on from `first`: “12”, “13 a”, “13 b”; or “3 a”, “3 b”, “3 c”. Null where there is no next one. */
export function renumbered(numbers: readonly string[], first: string): string[] | null {
  const { section, levels } = numberLevels(first)
  const isMain = levels.length === 1
  const suffix = section === '' ? '' : ` (part ${section})`
  let current = isMain ? (levels[0] ?? '') : first.trim()
  const next = numbers.map((number, i) => {
    const [own, before] = [number, numbers[i - 1] ?? ''].map((one) => numberLevels(one).levels)
    const goesOn = !isMain || own?.length === 1 || own?.[0] !== before?.[0]
    if (i > 0 && goesOn) current = nextNumber(current)
    const plain = number.replace(/\s*\(part \d+\)/i, '')
    return isMain && current !== '' ? replaceLevel(plain, 0, current + suffix) : current
  })
  return levels.length > 0 && next.every((number) => number !== '') ? next : null
}

export interface ManyChanges {
  /** What is joined becomes one question, of which the rest then speaks. */
  action: 'change' | 'join' | 'remove'
  /** Each; null leaves what is there, as below. */
  points: number | null
  kind: QuestionKind | null
  first: string | null
}

export function changeMany(before: Rubric, ids: readonly string[], changes: ManyChanges): Rubric {
  const { action, points, kind, first } = changes
  if (action === 'remove') return { ...before, questions: before.questions.filter(({ id }) => !ids.includes(id)) }
  const rubric = action === 'join' ? joinQuestions(before, ids) : before
  const chosen = rubric.questions.filter(({ id }) => ids.includes(id))
  const numbers =
    first === null
      ? null
      : renumbered(
          chosen.map(({ number }) => number),
          first,
        )
  const numberOf = new Map(chosen.map(({ id, number }, i) => [id, numbers?.[i] ?? number]))
  const questions = rubric.questions.map((one) => ({ ...one, number: numberOf.get(one.id) ?? one.number }))
  return ids.reduce(
    (now, id) => {
      const withPoints = points === null ? now : setPoints(now, id, points)
      return kind ? setKind(withPoints, id, kind) : withPoints
    },
    { ...rubric, questions },
  )
}
