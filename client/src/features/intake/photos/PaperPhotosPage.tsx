import { getAssignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { uploadPhotos } from '@assay/shared/photo-drafts.ts'
import { Button, Checkbox, Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Page, PageHeader } from '../../../components/layout/Page.tsx'
import { useGet, useGetAll, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { toast } from '../../../lib/toast.ts'
import { submissionsPath } from '../../../paths.ts'
import { selectableStudents, studentLabel } from '../../users/selectable-students.ts'
import { PhotoPages } from './PhotoPages.tsx'
import classes from './photos.module.css'
import { usePhotoDraft } from './usePhotoDraft.ts'
import { usePhotoSubmission } from './usePhotoSubmission.tsx'

export function PaperPhotosPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const title = assignment.data?.title ?? 'Assignment'
  const submissions = submissionsPath(assignmentId)
  return (
    <Page width="reading">
      <PageHeader
        title="Photos of a paper"
        tabTitle={`Photos of a paper, ${title}`}
        subtitle="Each photo becomes a page, as you see it here. Photograph one student’s paper at a time."
        crumbs={[{ label: title, to: submissions }, { label: 'Photos' }]}
      />
      <UploadForm
        assignmentId={assignmentId}
        courseId={assignment.data?.course_id ?? null}
        namesHidden={assignment.data?.anonymous?.names_hidden === true}
      />
    </Page>
  )
}

interface FormProps {
  assignmentId: number
  courseId: number | null
  namesHidden: boolean
}

function UploadForm({ assignmentId, courseId, namesHidden }: FormProps) {
  const photos = usePhotoDraft(assignmentId)
  const { pages } = photos
  const withRoster = courseId !== null && !namesHidden
  const roster = useGetAll(listCourseStudents, { courseId: courseId ?? 0 }, { enabled: withRoster })
  const students = useMemo(
    () =>
      selectableStudents(roster.data ?? []).map((student) => ({
        value: String(student.id),
        label: studentLabel(student),
      })),
    [roster.data],
  )
  const { send } = useSend(uploadPhotos)
  const refresh = useRevalidate()
  const [studentId, setStudentId] = useState<string | null>(null)
  const { submit, sending, isReady, failure, handwritten } = usePhotoSubmission(photos, {
    words: { refused: 'Not uploaded', unclear: 'We could not check whether the paper was uploaded' },
    send: (seen) => {
      const whose = studentId === null ? null : Number(studentId)
      return send({ params: { assignmentId }, body: { ...seen, student_id: whose } })
    },
    sent: () => {
      toast.success('Paper uploaded')
      setStudentId(null)
      void refresh(`/assignments/${assignmentId}`)
    },
  })

  return (
    <form className="wide-stack" aria-label="Upload photos" onSubmit={(event) => void submit(event)}>
      <PhotoPages photos={photos} off={sending} />
      {withRoster && (
        <Select
          label="Student"
          description="You can also match the paper later."
          placeholder="Choose from the roster"
          data={students}
          value={studentId}
          onChange={setStudentId}
          searchable
          limit={30}
          nothingFoundMessage="No student with that name"
          disabled={sending}
        />
      )}
      <Checkbox label="The paper is handwritten" {...handwritten} />
      {failure}
      <Button type="submit" className={classes.submit} loading={sending} disabled={!isReady}>
        {pages.length === 0 ? 'Upload' : `Upload ${plural(pages.length, 'page')}`}
      </Button>
    </form>
  )
}
