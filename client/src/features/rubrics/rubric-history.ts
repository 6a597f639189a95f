import type { Question, Rubric } from '@assay/shared/rubrics.ts'

/** More steps back than anybody takes. */
const MOST = 200

interface Step {
  before: Rubric
  /** Which field was typed in; null for what is done at once. */
  field: string | null
}

/** What can be undone, latest last. */
export type RubricHistory = readonly Step[]

/** The history after a change. What is typed in one field without anything in between is one step. */
export function withStep(history: RubricHistory, before: Rubric, after: Rubric): RubricHistory {
  if (before === after) return history
  const field = typedField(before, after)
  if (field !== null && history.at(-1)?.field === field) return history
  return [...history, { before, field }].slice(-MOST)
}

/** The one field of one question in which two rubrics differ; null where more or other things do. */
function typedField(before: Rubric, after: Rubric): string | null {
  if (before.problems !== after.problems || before.questions.length !== after.questions.length) return null
  const differing = after.questions.filter((question, i) => question !== before.questions[i])
  const [question] = differing
  const was = before.questions.find(({ id }) => id === question?.id)
  if (differing.length !== 1 || !question || !was) return null
  const fields = fieldsOf(was, question)
  return fields.length === 1 && fields[0] ? `${question.id}/${fields[0]}` : null
}

/** The paths at which two values differ, as far down as both are of one shape; '' for a value that came or went. */
function fieldsOf(before: Question, after: Question): string[] {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  const paths = new Set([...was.keys(), ...is.keys()])
  return [...paths].flatMap((path) => {
    if (!was.has(path) || !is.has(path)) return ['']
    return Object.is(was.get(path), is.get(path)) ? [] : [path]
  })
}

function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]])
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, `${path}.${name}`)]))
}
