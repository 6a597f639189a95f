import { type CourseStudent, enrolStudent } from '@assay/shared/courses.ts'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { toast } from '../../lib/toast.ts'
import classes from './CourseStudents.module.css'

const INVALID = 'Please enter a valid user ID'

export function EnrolForm({ courseId, enrolled }: { courseId: number; enrolled: (student: CourseStudent) => void }) {
  const { send, sending, error, clear } = useSend(enrolStudent)
  const [text, setText] = useState('')
  const [invalid, setInvalid] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const id = /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0
    setInvalid(id < 1)
    if (id < 1) return
    try {
      const student = await send({ params: { courseId }, body: { user_id: id } })
      toast.good(`${student.username} enrolled`)
      enrolled(student)
      setText('')
    } catch {
      // Shown at the field.
    }
    field.current?.focus()
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        ref={field}
        label="User ID"
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setInvalid(false)
          clear()
        }}
        error={invalid ? INVALID : error && messageOf(error, 'Failed to enroll student')}
      />
      <Button type="submit" size="sm" disabled={text.trim() === ''} loading={sending}>
        Enroll
      </Button>
    </form>
  )
}
