import { MAX_REGRADE_REASON_LENGTH, requestRegrade } from '@assay/shared/regrades.ts'
import type { PointsAmended } from '@assay/shared/rubric-amendments.ts'
import type { StudentAssignmentDetails } from '@assay/shared/students.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useRef, useState } from 'react'
import { CancelButton } from '../../components/display/buttons.tsx'
import { UnsavedChangesModal } from '../../components/feedback/ConfirmModal.tsx'
import { ErrorNotice, Notice } from '../../components/feedback/Notice.tsx'
import { MathTextarea } from '../../components/math/MathTextarea.tsx'
import { useSend } from '../../lib/api/api-hooks.ts'
import { formatPoints } from '../../lib/format.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../lib/toast.ts'
import { criterionTags, criterionTitle } from '../grades/grade-labels.ts'
import { RegradeHistory } from './RegradeHistory.tsx'
import classes from './regrades.module.css'

interface Props {
  assignment: Pick<
    StudentAssignmentDetails,
    'id' | 'regrades' | 'points_amended' | 'can_ask_regrade' | 'criterion_grades' | 'unscored_points'
  >
  onRequested: () => Promise<unknown>
}

export function StudentRegradeSection({ assignment, onRequested }: Props) {
  const { regrades, points_amended, can_ask_regrade } = assignment
  const [asking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <section aria-labelledby="regrade">
      <h2 id="regrade" className={classes.title}>
        Regrade request
      </h2>
      {points_amended.map((change) => (
        <div key={change.at} className={classes.amended}>
          <Notice>{amendedWords(change)}</Notice>
        </div>
      ))}
      <RegradeHistory regrades={regrades} who="student" />
      {assignment.unscored_points > 0 && (
        <p className={classes.note}>You can request a regrade once your instructor has graded all your answers.</p>
      )}
      {can_ask_regrade && !asking && (
        <>
          <p className={classes.note}>
            Does something look wrong? Your instructor will review your request and answer. You can send one request per
            grade.
          </p>
          <Button ref={button} variant="default" onClick={() => setAsking(true)}>
            Request a regrade
          </Button>
        </>
      )}
      {can_ask_regrade && asking && (
        <RegradeRequestForm
          assignment={assignment}
          onRequested={async () => {
            await onRequested()
            setAsking(false)
          }}
          cancel={() => {
            setAsking(false)
            setTimeout(() => button.current?.focus())
          }}
        />
      )}
    </section>
  )
}

function amendedWords({ kind, question_number, points_before, points_after }: PointsAmended): string {
  const why =
    kind === 'alternative'
      ? `Your instructor accepted another answer for question ${question_number}`
      : `Your instructor clarified how question ${question_number} is graded`
  const before = points_before === null ? 'not graded' : formatPoints(points_before)
  return `${why}: ${before} → ${formatPoints(points_after)} points.`
}

function RegradeRequestForm({ assignment, onRequested, cancel }: Props & { cancel: () => void }) {
  const { send } = useSend(requestRegrade)
  const tags = criterionTags(assignment.criterion_grades)
  // Rubric items given by a teacher, one a line, which a request can name.
  const items = assignment.criterion_grades.flatMap(({ id, feedback, feedback_by }, index) =>
    (feedback_by === 'teacher' ? feedback.split('\n').filter(Boolean) : []).map((words, line) => {
      return { value: `${id}/${line}`, words, label: `${tags[index]}. ${words}` }
    }),
  )
  const form = useContractForm(requestRegrade, {
    initialValues: { reason: '', criterion_id: '' },
    toBody: ({ reason, criterion_id: about }) => {
      const item = items.find(({ value }) => value === about)
      return {
        reason: item && reason.trim() ? `About “${item.words}”: ${reason}` : reason,
        criterion_id: about ? Number(about.split('/')[0]) : null,
      }
    },
  })
  const guard = useUnsavedChanges(form.values.reason.trim() !== '')
  const submit = form.submit(async (body) => {
    await send({ params: { assignmentId: assignment.id }, body })
    guard.allowNextNavigation()
    toast.success('Regrade request sent.')
    await onRequested()
  })

  return (
    <form className="stack" noValidate onSubmit={submit}>
      <NativeSelect
        label="What is it about?"
        {...form.getInputProps('criterion_id')}
        data={[
          { value: '', label: 'The whole paper' },
          ...assignment.criterion_grades.flatMap(({ id, ...criterion }, index) => [
            { value: String(id), label: `${tags[index]}. ${criterionTitle(criterion)}` },
            ...items.filter(({ value }) => value.startsWith(`${id}/`)),
          ]),
        ]}
      />
      <MathTextarea
        label="Reason"
        description="What was overlooked or misread?"
        minRows={3}
        maxRows={12}
        maxLength={MAX_REGRADE_REASON_LENGTH}
        autoFocus
        required
        {...form.getInputProps('reason')}
      />
      <ErrorNotice error={form.failure} fallback="Your request was not sent. Please try again." />
      <div className="button-row">
        <Button type="submit" loading={form.submitting}>
          Send request
        </Button>
        <CancelButton disabled={form.submitting} onClick={cancel} />
      </div>
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        Your request has not been sent.
      </UnsavedChangesModal>
    </form>
  )
}
