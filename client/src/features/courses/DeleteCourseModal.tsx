import { type CourseDetail, deleteCourse } from '@assay/shared/courses.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { ApiError, asApiError } from '../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { courseChangeErrorMessage } from './course-error-messages.ts'

const MISMATCH = 'Course name does not match. Please type the exact course name to confirm deletion.'

/** A whole course is deleted only after its name was typed. */
export function DeleteCourseModal({
  course,
  opened,
  close,
}: {
  course: CourseDetail
  opened: boolean
  close: () => void
}) {
  const [typed, setTyped] = useState('')
  const { send } = useSend(deleteCourse)
  const refresh = useRevalidate()
  const navigate = useNavigate()
  const matches = typed.trim() === course.name.trim()

  async function remove() {
    try {
      const { message } = await send({ params: { courseId: course.id } })
      toast.success(message)
    } catch (cause) {
      const error = asApiError(cause)
      throw new ApiError(error.status, {
        ...error.reply,
        detail: courseChangeErrorMessage(error, 'Course information not available', 'Failed to delete course'),
      })
    }
    navigate('/courses')
    void refresh('/courses', '/assignments')
  }

  return (
    <ConfirmModal
      opened={opened}
      close={() => {
        setTyped('')
        close()
      }}
      title={`Delete “${course.name}”?`}
      confirmLabel="Delete Course"
      dangerous
      disabled={!matches}
      onConfirm={remove}
    >
      <p>This permanently deletes:</p>
      <ul>
        <li>{plural(course.assignment_count, 'assignment')} with all submissions, grades and files</li>
        <li>{plural(course.student_count, 'enrollment')} (student accounts are kept)</li>
      </ul>
      <p>This action cannot be undone.</p>
      <TextInput
        label={`Type ${course.name} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={typed.trim() !== '' && !matches ? MISMATCH : undefined}
        autoComplete="off"
      />
    </ConfirmModal>
  )
}
