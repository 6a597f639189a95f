import { JOIN_CODE_LENGTH, JoinCode } from '@assay/shared/rules/join-code.ts'
import { joinCourse } from '@assay/shared/students.ts'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useUser } from '../../../lib/session/session.tsx'
import { toast } from '../../../lib/toast.ts'
import classes from './JoinCoursePage.module.css'

/** A code off the board, and one is in the course. */
export function JoinCoursePage() {
  const user = useUser()
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const { send, sending, error, clear } = useSend(joinCourse)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const read = JoinCode.safeParse(code)
    setProblem(read.success ? null : (read.error.issues[0]?.message ?? null))
    if (!read.success) return field.current?.focus()
    try {
      const course = await send({ body: { code: read.data } })
      toast.good(`You have joined ${course.name}.`)
      await refresh('/student')
      await navigate(`/student/courses/${course.id}`)
    } catch {
      // Shown at the field, with the code still in it.
      field.current?.focus()
    }
  }

  return (
    <Page width="narrow">
      <PageHeader
        title="Join Course"
        crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: 'Join Course' }]}
      />
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextInput
          ref={field}
          label="Course code"
          description={`${JOIN_CODE_LENGTH} letters and digits from your instructor. Dashes and capitals are ignored.`}
          classNames={{ input: classes.code }}
          placeholder="K7QM-3XPB"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          size="md"
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value)
            setProblem(null)
            clear()
          }}
          error={problem ?? (error && messageOf(error, 'You could not join the course. Please try again.'))}
        />
        <div className={classes.buttons}>
          <Button type="submit" loading={sending}>
            Join Course
          </Button>
          <Button component={Link} to="/student/dashboard" variant="default">
            Cancel
          </Button>
        </div>
      </form>
      <p className={classes.other}>
        No code? Your instructor can enroll you with your user ID, <strong>{user.id}</strong>, or your email address.
      </p>
    </Page>
  )
}
