import { type Grade, overrideGrade } from '@assay/shared/grades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import type { FormErrors } from '@mantine/form'
import { useState } from 'react'
import { type ApiError, asApiError } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useUser } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { gradeDrafts } from './grade-drafts.ts'
import { approvalOf, draftErrors, draftOf, type GradeDraft, overrideOf, pointsErrors, sameDraft } from './grade-form.ts'

export interface GradeReview {
  grade: Grade
  /** Something is being changed: in the form, or points alone. */
  editing: boolean
  /** The form for the score and the feedback is open. */
  formOpen: boolean
  draft: GradeDraft
  /** What was typed came back from an earlier visit. */
  restored: boolean
  /** The paper was graded again while this grade was being edited. */
  regraded: boolean
  unsaved: boolean
  /** By field; of points `points.` and the criterion. */
  errors: FormErrors
  saving: boolean
  error: ApiError | null
  /** Opens the form. */
  edit: () => void
  /** Typing points begins to edit by itself, and ends when nothing is left of it. */
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
  const params = { assignmentId: submission.assignment_id, submissionId: submission.id, gradeId: grade.id }
  const [storedDraft] = useState(() => gradeDrafts.find(user.id, submission.id))
  const [editing, setEditing] = useState<false | 'points' | 'form'>(storedDraft === null ? false : 'form')
  const [editedId, setEditedId] = useState(grade.id)
  // What was on screen when editing began; null once a conflict has been shown, with the current grade.
  const [editedRevision, setEditedRevision] = useState<number | null>(grade.revision)
  const saving = useSend(overrideGrade)
  const approving = useSend(overrideGrade)
  const form = useContractForm(overrideGrade, {
    initialValues: storedDraft ?? draftOf(grade),
    toBody: (draft) => ({
      ...overrideOf(draft, grade),
      // A new grade is announced above the form: saving then applies to the new one.
      revision: editedId === grade.id ? (editedRevision ?? grade.revision) : grade.revision,
    }),
    names: { overall_score: 'score', human_review_notes: 'feedback' },
    check: (draft) => pointsErrors(draft, grade),
  })
  const draft = editing ? form.values : draftOf(grade)
  const unsaved = editing !== false && !sameDraft(draft, draftOf(grade))

  function begin(how: 'points' | 'form', values: GradeDraft) {
    setEditedId(grade.id)
    setEditedRevision(grade.revision)
    form.setValues(values)
    setEditing(how)
  }

  function leave() {
    setEditing(false)
    form.setValues(draftOf(grade))
    gradeDrafts.remove(user.id, submission.id)
  }

  async function store(sending: Promise<Grade>, word: string) {
    try {
      const stored = await sending
      leave()
      saved(stored)
      toast.success(word)
    } catch (cause) {
      if (asApiError(cause).code === 'conflict') {
        setEditedRevision(null)
        await changedElsewhere()
      }
      throw cause
    }
  }

  const submit = form.submit((body) =>
    store(saving.send({ params, body }), 'Manual overrides for grade updated successfully.'),
  )

  return {
    grade,
    editing: editing !== false,
    // It says what to do about a new suggestion.
    formOpen: editing === 'form' || (editing === 'points' && editedId !== grade.id),
    draft,
    restored: storedDraft !== null && unsaved,
    regraded: editing !== false && editedId !== grade.id,
    unsaved,
    errors: editing ? { ...draftErrors(draft, grade), ...form.errors } : form.errors,
    saving: form.submitting || approving.sending,
    error: form.failure ?? approving.error,
    edit() {
      if (editing) setEditing('form')
      else begin('form', draftOf(grade))
    },
    change(part) {
      if (editing) form.change(part)
      else begin('points', { ...draft, ...part })
      const typed = form.getValues()
      if (!sameDraft(typed, draftOf(grade))) gradeDrafts.save(user.id, submission.id, typed)
      else if (editing === 'points') leave()
      else gradeDrafts.remove(user.id, submission.id)
    },
    discard() {
      leave()
      approving.clear()
    },
    async save() {
      if (!editing) return false
      approving.clear()
      return await submit()
    },
    async approve() {
      if (approving.sending) return false
      const body = { ...approvalOf(grade), revision: grade.revision }
      return await store(approving.send({ params, body }), 'Grade approved.').then(
        () => true,
        // Shown beside the button.
        () => false,
      )
    },
  }
}
