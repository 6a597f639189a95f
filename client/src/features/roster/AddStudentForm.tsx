import { addStudent } from '@assay/shared/roster.ts'
import { emailProblem } from '@assay/shared/rules/email.ts'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import classes from './RosterPage.module.css'
import type { RosterMessage } from './RosterPage.tsx'

const empty = { email: '', external_user_id: '', sis_user_id: '' }

interface Props {
  courseId: number
  say: (said: RosterMessage | null) => void
  added: () => void
}

/** One student by address; whoever has no account is invited. */
export function AddStudentForm({ courseId, say, added }: Props) {
  const { send, sending, error, clear } = useSend(addStudent)
  const [fields, setFields] = useState(empty)
  const [problem, setProblem] = useState<string | null>(null)
  const email = useRef<HTMLInputElement>(null)
  const wrong = error?.fields ?? {}

  const change = (part: Partial<typeof empty>) => {
    setFields({ ...fields, ...part })
    setProblem(null)
    clear()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = emailProblem(fields.email)
    setProblem(found)
    if (found) return void email.current?.focus()
    say(null)
    try {
      const body = {
        email: fields.email.trim(),
        external_user_id: fields.external_user_id.trim() || null,
        sis_user_id: fields.sis_user_id.trim() || null,
      }
      const { success, message } = await send({ params: { courseId }, body })
      say({ tone: success ? 'note' : 'bad', words: message })
      if (!success) return
      setFields(empty)
      added()
      email.current?.focus()
    } catch (cause) {
      const failure = asApiError(cause)
      if (Object.keys(failure.fields).length > 0) return // Shown at the fields.
      say({ tone: 'bad', words: messageOf(failure, 'Failed to add student. Please try again.') })
    }
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        ref={email}
        label="Email"
        type="email"
        required
        autoComplete="off"
        value={fields.email}
        onChange={(event) => change({ email: event.currentTarget.value })}
        error={problem ?? wrong.email}
      />
      <div className={classes.pair}>
        <TextInput
          label="External user ID (optional)"
          autoComplete="off"
          maxLength={100}
          value={fields.external_user_id}
          onChange={(event) => change({ external_user_id: event.currentTarget.value })}
          error={wrong.external_user_id}
        />
        <TextInput
          label="SIS user ID (optional)"
          autoComplete="off"
          maxLength={100}
          value={fields.sis_user_id}
          onChange={(event) => change({ sis_user_id: event.currentTarget.value })}
          error={wrong.sis_user_id}
        />
      </div>
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={fields.email.trim() === ''} loading={sending}>
          Add Student
        </Button>
        <p className={classes.hint}>People without an account get an email invitation.</p>
      </div>
    </form>
  )
}
