import { fireTestCompletion } from '@assay/shared/test-pages.ts'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useSession } from '../../lib/session/session.tsx'
import classes from './TestPage.module.css'

const wholeNumber = (text: string) => (/^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null)

/** Fires the notification that an assignment has been graded, at oneself or, for administrators, at anyone. */
export function CompletionTester() {
  const session = useSession()
  if (session.status !== 'signedIn') return <Notice>Sign in to send yourself a notification.</Notice>
  return <Form ownId={session.user.id} />
}

function Form({ ownId }: { ownId: number }) {
  const firing = useSend(fireTestCompletion)
  const [user, setUser] = useState(String(ownId))
  const [assignment, setAssignment] = useState('1')
  const [title, setTitle] = useState('Test assignment')
  const [said, setSaid] = useState('')
  const [userId, assignmentId] = [wholeNumber(user), wholeNumber(assignment)]

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!userId || !assignmentId) return
    setSaid('')
    try {
      const query = { assignment_id: assignmentId, ...(title.trim() ? { assignment_title: title } : {}) }
      setSaid((await firing.send({ params: { userId }, query })).message)
    } catch {
      // Shown below.
    }
  }

  const notANumber = 'Enter a whole number above 0'
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className={classes.form}>
        <TextInput
          label="User ID"
          inputMode="numeric"
          value={user}
          error={userId ? undefined : notANumber}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <TextInput
          label="Assignment ID"
          inputMode="numeric"
          value={assignment}
          error={assignmentId ? undefined : notANumber}
          onChange={(event) => setAssignment(event.currentTarget.value)}
        />
        <TextInput
          label="Assignment title"
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={firing.sending} disabled={!userId || !assignmentId}>
          Send Test Notification
        </Button>
      </div>
      <div className={classes.stage} role="status">
        {said}
      </div>
      {firing.error && <Notice tone="bad">{messageOf(firing.error, 'The notification could not be sent.')}</Notice>}
    </form>
  )
}
