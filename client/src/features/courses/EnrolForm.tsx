import { type CourseStudent, enrolStudent } from '@assay/shared/courses.ts'
import { Button, TextInput } from '@mantine/core'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { toast } from '../../lib/toast.ts'
import classes from './CourseStudents.module.css'

export function EnrolForm({ courseId, enrolled }: { courseId: number; enrolled: (student: CourseStudent) => void }) {
  const { send } = useSend(enrolStudent)
  const form = useContractForm(enrolStudent, {
    initialValues: { user_id: '' },
    toBody: ({ user_id }) => ({ user_id: /^\d{1,15}$/.test(user_id.trim()) ? Number(user_id) : 0 }),
    fieldErrors: (error) => ({ user_id: messageOf(error, 'Failed to enroll student') }),
  })
  const submit = form.submit(async (body) => {
    const student = await send({ params: { courseId }, body })
    toast.success(`${student.username} enrolled`)
    enrolled(student)
    form.reset()
    form.getInputNode('user_id')?.focus()
  })

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput label="User ID" inputMode="numeric" autoComplete="off" autoFocus {...form.getInputProps('user_id')} />
      <Button type="submit" size="sm" disabled={form.values.user_id.trim() === ''} loading={form.submitting}>
        Enroll
      </Button>
    </form>
  )
}
