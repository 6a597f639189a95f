import { fireTestCompletion } from '@assay/shared/test-pages.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useSession } from '../../lib/session/session.tsx'
import classes from './TestPage.module.css'

const NOT_A_NUMBER = 'Enter a whole number above 0'
const wholeNumber = (text: string) => (/^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null)

/** Fires the notification that an assignment has been graded, at oneself or, for administrators, at anyone. */
export function CompletionTester() {
  const session = useSession()
  if (session.status !== 'signedIn') return <Notice>Sign in to send yourself a notification.</Notice>
  return <Form ownId={session.user.id} />
}

function Form({ ownId }: { ownId: number }) {
  const { send } = useSend(fireTestCompletion)
  const [message, setMessage] = useState('')
  const form = useContractForm(
    { body: fireTestCompletion.query },
    {
      initialValues: { user: String(ownId), assignment: '1', title: 'Test assignment' },
      toBody: ({ assignment, title }) => ({
        assignment_id: wholeNumber(assignment),
        assignment_title: title.trim() || undefined,
      }),
      names: { assignment_id: 'assignment', assignment_title: 'title', userId: 'user' },
      check: ({ user, assignment }) => ({
        ...(wholeNumber(user) ? {} : { user: NOT_A_NUMBER }),
        ...(wholeNumber(assignment) ? {} : { assignment: NOT_A_NUMBER }),
      }),
      checkAsTyped: true,
    },
  )
  const submit = form.submit(async (_, { user, assignment, title }) => {
    const [userId, assignment_id] = [wholeNumber(user), wholeNumber(assignment)]
    if (!userId || !assignment_id) return
    setMessage('')
    const query = { assignment_id, ...(title.trim() ? { assignment_title: title } : {}) }
    setMessage((await send({ params: { userId }, query })).message)
  })

  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.form}>
        <TextInput label="User ID" inputMode="numeric" {...form.getInputProps('user')} />
        <TextInput label="Assignment ID" inputMode="numeric" {...form.getInputProps('assignment')} />
        <TextInput label="Assignment title" maxLength={200} {...form.getInputProps('title')} />
        <Button
          type="submit"
          size="sm"
          loading={form.submitting}
          disabled={!wholeNumber(form.values.user) || !wholeNumber(form.values.assignment)}
        >
          Send Test Notification
        </Button>
      </div>
      <div className={classes.stage} role="status">
        {message}
      </div>
      {form.failure && <Notice tone="bad">{messageOf(form.failure, 'The notification could not be sent.')}</Notice>}
    </form>
  )
}
