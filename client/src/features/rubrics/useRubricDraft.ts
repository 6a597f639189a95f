import type { CurrentRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { withProblemsAfterEdit } from '@assay/shared/rules/rubric-problems.ts'
import { useCallback, useMemo, useState } from 'react'
import { draftErrors, isSameRubric } from './rubric-draft.ts'

const empty: Rubric = { questions: [], problems: [] }

export type RubricDraft = ReturnType<typeof useRubricDraft>

/** A newer rubric replaces what is on screen only while nothing is unsaved. */
export function useRubricDraft(current: CurrentRubric) {
  const [written, setWritten] = useState(() => asStored(current))
  const changed = useMemo(() => !isSameRubric(written.base, written.rubric), [written])
  const errors = useMemo(() => draftErrors(written.rubric, current.blank_pages), [written.rubric, current.blank_pages])
  // Of the text on screen, as the server will tell them once it is saved.
  const problems = useMemo(
    () => (changed ? withProblemsAfterEdit(written.base, written.rubric) : written.base).problems,
    [changed, written],
  )
  const update = useCallback(
    (change: (rubric: Rubric) => Rubric) => setWritten((now) => rewritten(now, change(now.rubric))),
    [],
  )
  const newer = current.version > written.version
  // A class's results add problems without a new version.
  const retold = current.version === written.version && problemsIn(current.rubric) !== problemsIn(written.base)
  if (retold) setWritten((now) => retoldBy(now, current.rubric))
  else if (newer && !changed) setWritten(asStored(current))
  return {
    ...written,
    problems,
    changed,
    errors,
    hasConflict: newer && changed,
    change: (rubric: Rubric) => update(() => rubric),
    update,
    undo: written.history.length > 0 ? () => setWritten(undone) : null,
    discard: () => setWritten((now) => (newer ? asStored(current) : rewritten(now, now.base))),
    /** Text typed since `sent` stays on screen. */
    saved: ({ version, rubric }: Pick<CurrentRubric, 'version' | 'rubric'>, sent?: Rubric) =>
      setWritten((now) => {
        if (!sent) return asStored({ version, rubric })
        const base = rubric ?? empty
        return { ...now, version, base, rubric: now.rubric === sent ? base : now.rubric }
      }),
  }
}

const problemsIn = (rubric: Rubric | null) => JSON.stringify(rubric?.problems ?? [])

interface Written {
  version: number
  base: Rubric
  rubric: Rubric
  history: RubricHistory
}

/** Undo ends at another version: it has other questions. */
function asStored({ version, rubric }: Pick<CurrentRubric, 'version' | 'rubric'>): Written {
  const base = rubric ?? empty
  return { version, base, rubric: base, history: [] }
}

/** The same version with other problems: text and undo steps stay. */
function retoldBy(now: Written, rubric: Rubric | null): Written {
  const base = rubric ?? empty
  return { ...now, base, rubric: isSameRubric(now.base, now.rubric) ? base : now.rubric }
}

const rewritten = (now: Written, rubric: Rubric): Written => ({
  ...now,
  rubric,
  history: withStep(now.history, now.rubric, rubric),
})

const undone = (now: Written): Written => ({
  ...now,
  rubric: now.history.at(-1)?.before ?? now.rubric,
  history: now.history.slice(0, -1),
})

const MOST = 200

interface Step {
  before: Rubric
  field: string | null
}

type RubricHistory = readonly Step[]

/** Uninterrupted typing in one field is one step. */
function withStep(history: RubricHistory, before: Rubric, after: Rubric): RubricHistory {
  if (before === after) return history
  const field = typedField(before, after)
  if (field !== null && history.at(-1)?.field === field) return history
  return [...history, { before, field }].slice(-MOST)
}

function typedField(before: Rubric, after: Rubric): string | null {
  if (before.problems !== after.problems || before.questions.length !== after.questions.length) return null
  const differing = after.questions.filter((question, i) => question !== before.questions[i])
  const [question] = differing
  const was = before.questions.find(({ id }) => id === question?.id)
  if (differing.length !== 1 || !question || !was) return null
  const fields = fieldsOf(was, question)
  return fields.length === 1 && fields[0] ? `${question.id}/${fields[0]}` : null
}

/** The paths at which two values differ; '' for a value that came or went. */
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
