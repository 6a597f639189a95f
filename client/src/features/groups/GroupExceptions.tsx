import { setException } from '@assay/shared/groups.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SubtleButton } from '../../components/display/buttons.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { useSend } from '../../lib/api/api-hooks.ts'
import classes from './Groups.module.css'

type Student = NonNullable<Submission['student']>

/** For the paper of a group: other points for one of them, with a sentence for them alone. */
export function GroupExceptions({ submission, changed }: { submission: Submission; changed: () => Promise<unknown> }) {
  const { id, assignment_id, student, partners, exceptions = [] } = submission
  const [editing, setEditing] = useState<Student | null>(null)
  if (!student || !partners) return null
  const exceptionOf = (one: Student) => exceptions.find(({ student_id }) => student_id === one.id)
  return (
    <section aria-label="Group">
      {[student, ...partners].map((one) => {
        const own = exceptionOf(one)
        return (
          <div key={one.id} className={classes.row}>
            <span className={classes.words}>
              {nameOf(one)}
              {own && `: ${own.points < 0 ? '−' : '+'}${Math.abs(own.points)}, ${own.reason}`}
            </span>
            <SubtleButton
              size="compact-sm"
              aria-label={`${own ? 'Change' : 'Exception'} for ${nameOf(one)}`}
              onClick={() => setEditing(one)}
            >
              {own ? 'Change' : 'Exception'}
            </SubtleButton>
          </div>
        )
      })}
      {editing && (
        <ExceptionModal
          params={{ assignmentId: assignment_id, submissionId: id, studentId: editing.id }}
          name={nameOf(editing)}
          before={exceptionOf(editing) ?? { points: 0, reason: '' }}
          close={() => setEditing(null)}
          changed={changed}
        />
      )}
    </section>
  )
}

interface ModalProps {
  params: Record<'assignmentId' | 'submissionId' | 'studentId', number>
  name: string
  before: { points: number; reason: string }
  close: () => void
  changed: () => Promise<unknown>
}

function ExceptionModal({ params, name, before, close, changed }: ModalProps) {
  const [points, setPoints] = useState<number | string>(before.points)
  const [reason, setReason] = useState(before.reason)
  const set = useSend(setException)
  const exception = Number(points) === 0 ? null : { points: Number(points), reason: reason.trim() }
  return (
    <ConfirmModal
      opened
      close={close}
      title={`Points for ${name} alone`}
      confirmLabel="Save"
      disabled={exception?.reason === ''}
      failed="The exception could not be saved. Please try again."
      onConfirm={async () => {
        await set.send({ params, body: { exception } })
        await changed()
      }}
    >
      <NumberInput
        label="Points more or less"
        description="Than the paper got; 0 for none."
        value={points}
        onChange={setPoints}
        min={-1000}
        max={1000}
        decimalScale={2}
      />
      <TextInput
        label={`Why, for ${name} to read`}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmModal>
  )
}
