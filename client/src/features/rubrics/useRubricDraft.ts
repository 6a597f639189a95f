import type { CurrentRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { withProblemsAfterEdit } from '@assay/shared/rules/rubric-problems.ts'
import { useCallback, useMemo, useState } from 'react'
import { type DraftErrors, draftErrors, isSameRubric } from './rubric-draft.ts'

const empty: Rubric = { questions: [], problems: [] }

export interface RubricDraft {
  /** The version it is written on. */
  version: number
  base: Rubric
  rubric: Rubric
  /** Of what is written, as the server will tell them once it is saved. */
  problems: RubricProblem[]
  changed: boolean
  errors: DraftErrors
  /** Somebody else saved another version while this one was written. */
  hasConflict: boolean
  change: (rubric: Rubric) => void
  /** For a change that comes later than what is on screen. */
  update: (change: (rubric: Rubric) => Rubric) => void
  /** Back to what is stored, which may be another version by now. */
  discard: () => void
  saved: (current: CurrentRubric) => void
}

/** A rubric being written. What comes from the server meanwhile takes its place only while nothing is unsaved. */
export function useRubricDraft(current: CurrentRubric): RubricDraft {
  const [written, setWritten] = useState(() => ({
    version: current.version,
    base: current.rubric ?? empty,
    rubric: current.rubric ?? empty,
  }))
  const changed = useMemo(() => !isSameRubric(written.base, written.rubric), [written])
  const errors = useMemo(() => draftErrors(written.rubric), [written.rubric])
  const problems = useMemo(
    () => (changed ? withProblemsAfterEdit(written.base, written.rubric) : written.base).problems,
    [changed, written],
  )
  const adopt = ({ version, rubric }: Pick<CurrentRubric, 'version' | 'rubric'>) =>
    setWritten({ version, base: rubric ?? empty, rubric: rubric ?? empty })
  const update = useCallback(
    (change: (rubric: Rubric) => Rubric) => setWritten((now) => ({ ...now, rubric: change(now.rubric) })),
    [],
  )
  const newer = current.version > written.version
  if (newer && !changed) adopt(current)
  return {
    ...written,
    problems,
    changed,
    errors,
    hasConflict: newer && changed,
    change: (rubric) => setWritten({ ...written, rubric }),
    update,
    discard: () => adopt(newer ? current : { version: written.version, rubric: written.base }),
    saved: adopt,
  }
}
