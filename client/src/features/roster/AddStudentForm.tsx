import { addStudent } from '@assay/shared/roster.ts'
import { Button, TextInput } from '@mantine/core'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import classes from './RosterPage.module.css'
import type { RosterMessage } from './roster-message.ts'

interface Props {
  courseId: number
  showMessage: (message: RosterMessage | null) => void
  added: () => void
}

/** One student by address; people without an account are invited. */
export function AddStudentForm({ courseId, showMessage, added }: Props) {
  const { send } = useSend(addStudent)
  const form = useContractForm(addStudent, {
    initialValues: { email: '', external_user_id: '', sis_user_id: '' },
    toBody: ({ email, external_user_id, sis_user_id }) => ({
      email,
      external_user_id: external_user_id.trim() || null,
      sis_user_id: sis_user_id.trim() || null,
    }),
  })
  const submit = form.submit(
    async (body) => {
      showMessage(null)
      const { success, message } = await send({ params: { courseId }, body })
      showMessage({ tone: success ? 'note' : 'bad', text: message })
      if (!success) return
      form.reset()
      added()
      form.getInputNode('email')?.focus()
    },
    {
      failed: (error) =>
        showMessage({ tone: 'bad', text: messageOf(error, 'Failed to add student. Please try again.') }),
    },
  )

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput label="Email" type="email" required autoComplete="off" {...form.getInputProps('email')} />
      <div className={classes.pair}>
        <TextInput
          label="LMS user ID (optional)"
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps('external_user_id')}
        />
        <TextInput
          label="Student number (optional)"
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps('sis_user_id')}
        />
      </div>
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={form.values.email.trim() === ''} loading={form.submitting}>
          Add Student
        </Button>
        <p className={classes.hint}>People without an account get an email invitation.</p>
      </div>
    </form>
  )
}
