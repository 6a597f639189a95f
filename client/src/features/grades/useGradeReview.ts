import { type Grade, type GradeOverride, overrideGrade } from '@assay/shared/grades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useState } from 'react'
import { type ApiError, asApiError } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useUser } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { gradeDrafts } from './grade-drafts.ts'
import { approvalOf, draftOf, type GradeDraft, type GradeProblems, parseDraft, sameDraft } from './grade-form.ts'

export interface GradeReview {
  grade: Grade
  editing: boolean
  draft: GradeDraft
  /** What was typed came back from an earlier visit. */
  restored: boolean
  /** The paper was graded again while this grade was being edited. */
  regraded: boolean
  unsaved: boolean
  problems: GradeProblems
  /** How often saving was refused because of them: each time the first such field wants the focus. */
  refusedSaves: number
  saving: boolean
  error: ApiError | null
  edit: () => void
  change: (part: Partial<GradeDraft>) => void
  /** Back to the view; what was typed is gone. */
  discard: () => void
  /** True once it is stored. A failure is in `error`, and what was typed stays. */
  save: () => Promise<boolean>
  approve: () => Promise<boolean>
}

type GradedSubmission = Submission & { grade: Grade }

interface ReviewCallbacks {
  saved: (grade: Grade) => void
  /** Somebody else has decided meanwhile: shows the current grade. */
  changedElsewhere: () => Promise<unknown>
}

/** The teacher's decision on one grade: looking, editing, saving. */
export function useGradeReview(
  submission: GradedSubmission,
  { saved, changedElsewhere }: ReviewCallbacks,
): GradeReview {
  const { grade } = submission
  const user = useUser()
  const [kept] = useState(() => gradeDrafts.find(user.id, submission.id))
  const [draft, setDraft] = useState<GradeDraft | null>(kept)
  const [editedId, setEditedId] = useState(grade.id)
  // What was on screen when editing began; null once a conflict has been shown, with the current grade.
  const [editedRevision, setEditedRevision] = useState<number | null>(grade.revision)
  const [problems, setProblems] = useState<GradeProblems>({})
  const [refused, setRefused] = useState(0)
  const sending = useSend(overrideGrade)

  function put(next: GradeDraft | null) {
    setDraft(next)
    if (next && !sameDraft(next, draftOf(grade))) gradeDrafts.save(user.id, submission.id, next)
    else gradeDrafts.remove(user.id, submission.id)
  }

  async function send(override: GradeOverride, seen: number, word: string): Promise<boolean> {
    const body = { ...override, revision: seen }
    const params = { assignmentId: submission.assignment_id, submissionId: submission.id, gradeId: grade.id }
    try {
      const stored = await sending.send({ params, body })
      put(null)
      saved(stored)
      toast.success(word)
      return true
    } catch (cause) {
      // Shown beside the button.
      if (asApiError(cause).code === 'conflict') {
        setEditedRevision(null)
        await changedElsewhere()
      }
      return false
    }
  }

  const unsaved = draft !== null && !sameDraft(draft, draftOf(grade))
  return {
    grade,
    editing: draft !== null,
    draft: draft ?? draftOf(grade),
    restored: kept !== null && unsaved,
    regraded: draft !== null && editedId !== grade.id,
    unsaved,
    problems,
    refusedSaves: refused,
    saving: sending.sending,
    error: sending.error,
    edit() {
      if (draft) return
      setEditedId(grade.id)
      setEditedRevision(grade.revision)
      put(draftOf(grade))
    },
    change(part) {
      if (!draft) return
      setProblems((now) => ({
        ...now,
        ...Object.fromEntries(Object.keys(part).map((key) => [key, undefined])),
      }))
      put({ ...draft, ...part })
    },
    discard() {
      put(null)
      setProblems({})
      sending.clear()
    },
    async save() {
      if (!draft || sending.sending) return false
      const read = parseDraft(draft, grade)
      setProblems(read.problems ?? {})
      if (read.problems) setRefused((times) => times + 1)
      // A new grade is announced above the form: saving then applies to the new one.
      const seen = editedId === grade.id ? (editedRevision ?? grade.revision) : grade.revision
      return read.override ? await send(read.override, seen, 'Manual overrides for grade updated successfully.') : false
    },
    async approve() {
      return sending.sending ? false : await send(approvalOf(grade), grade.revision, 'Grade approved.')
    },
  }
}
