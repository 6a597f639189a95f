import { type Grade, overrideGrade } from '@assay/shared/grades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useRef, useState } from 'react'
import { asApiError } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useUser } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { approvalOf, draftErrors, draftOf, type GradeDraft, gradeDrafts, overrideOf, sameDraft } from './grade-form.ts'
import { useCriterionFields } from './useCriterionFields.ts'

export type GradeReview = ReturnType<typeof useGradeReview>

type GradedSubmission = Submission & { grade: Grade }

export function useGradeReview(
  submission: GradedSubmission,
  { saved, changedElsewhere }: { saved: (grade: Grade) => void; changedElsewhere: () => Promise<unknown> },
) {
  const { grade } = submission
  const user = useUser()
  const params = { assignmentId: submission.assignment_id, submissionId: submission.id, gradeId: grade.id }
  const [storedDraft] = useState(() => gradeDrafts.find(user.id, submission.id))
  const [editing, setEditing] = useState(storedDraft !== null)
  const [editedId, setEditedId] = useState(grade.id)
  // From when editing began; null once a conflict was shown with the current grade.
  const editedRevision = useRef<number | null>(grade.revision)
  const saving = useSend(overrideGrade)
  const approving = useSend(overrideGrade)
  const fields = useCriterionFields(submission, {
    stored: (now, was) => {
      if (editedRevision.current === was) editedRevision.current = now.revision
      saved(now)
    },
    changedElsewhere,
  })
  const form = useContractForm(overrideGrade, {
    initialValues: storedDraft ?? draftOf(grade),
    toBody: overrideOf,
    names: { overall_score: 'score', human_review_notes: 'feedback' },
  })
  const draft = editing ? form.values : draftOf(grade)
  const unsavedForm = editing && !sameDraft(draft, draftOf(grade))

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
        editedRevision.current = null
        await changedElsewhere()
      }
      throw cause
    }
  }

  const submit = (now: Grade) =>
    form.submit((body) => {
      // A new grade is announced above the form: saving then applies to it.
      const revision = editedId === now.id ? (editedRevision.current ?? now.revision) : now.revision
      const sending = saving.send({ params: { ...params, gradeId: now.id }, body: { ...body, revision } })
      return store(sending, 'Manual overrides for grade updated successfully.')
    })()

  return {
    grade,
    editing,
    draft,
    fields,
    /** Typed text came back from an earlier visit. */
    restored: storedDraft !== null && unsavedForm,
    regraded: editing && editedId !== grade.id,
    unsavedForm,
    unsaved: unsavedForm || fields.unsaved,
    errors: editing ? { ...draftErrors(draft), ...form.errors } : form.errors,
    saving: form.submitting || approving.sending,
    error: form.failure ?? approving.error,
    edit() {
      if (editing) return
      setEditedId(grade.id)
      editedRevision.current = grade.revision
      form.setValues(draftOf(grade))
      setEditing(true)
    },
    change(part: Partial<GradeDraft>) {
      form.change(part)
      const typed = form.getValues()
      if (sameDraft(typed, draftOf(grade))) gradeDrafts.remove(user.id, submission.id)
      else gradeDrafts.save(user.id, submission.id, typed)
    },
    discard() {
      leave()
      approving.clear()
    },
    /** True once everything typed is stored; a failure is in `error` or at its field. */
    async save() {
      approving.clear()
      const now = await fields.settle()
      if (!now) return false
      return editing ? await submit(now) : true
    },
    async approve() {
      if (approving.sending) return false
      const now = await fields.settle()
      if (!now) return false
      const body = { ...approvalOf(now), revision: now.revision }
      return await store(approving.send({ params: { ...params, gradeId: now.id }, body }), 'Grade approved.').then(
        () => true,
        () => false,
      )
    },
  }
}
