import { type CourseDetail, getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PageSkeleton } from '../../components/PageSkeleton.tsx'
import { Panel } from '../../components/Panel.tsx'
import { useGet, useRefresh } from '../../lib/api.ts'
import { plural } from '../../lib/format.ts'
import { useIds } from '../../lib/useIds.ts'
import { CourseFailed } from '../courses/CourseStates.tsx'
import { rosterWords } from '../courses/course-words.ts'
import { LmsRosterPanel } from '../lti/roster/LmsRosterPanel.tsx'
import { Outsiders } from '../lti/roster/Outsiders.tsx'
import { AddStudentForm } from './AddStudentForm.tsx'
import { CsvUpload } from './CsvUpload.tsx'
import { RosterList } from './RosterList.tsx'
import classes from './RosterPage.module.css'

export interface Said {
  tone: 'note' | 'bad'
  words: string
}

export function RosterPage() {
  const { courseId } = useIds('courseId')
  const course = useGet(getCourse, { courseId })
  if (course.data) return <Roster key={courseId} course={course.data} />
  if (course.error) return <CourseFailed error={course.error} retry={course.reload} words={rosterWords} />
  return <PageSkeleton label="Loading roster" />
}

function Roster({ course }: { course: CourseDetail }) {
  const [said, setSaid] = useState<Said | null>(null)
  const refresh = useRefresh()
  const waiting =
    useGet(listCourseStudents, { courseId: course.id }, { state: 'waiting', limit: 1 }).total ?? 0
  // The course's figures and every page of its list.
  const changed = () => void refresh('/courses')
  const enrolled = `${plural(course.student_count, 'student')} enrolled`
  const fromLms = course.lms_names.length > 0
  const ways = (
    <div className={classes.ways}>
      <Panel title="Add Individual Student">
        <AddStudentForm courseId={course.id} say={setSaid} added={changed} />
      </Panel>
      <Panel title="Bulk Upload Students">
        <CsvUpload courseId={course.id} say={setSaid} changed={changed} />
      </Panel>
    </div>
  )

  return (
    <Page width="wide">
      <PageHeader
        title="Roster Management"
        tabTitle={`Roster · ${course.name}`}
        crumbs={[
          { label: 'My Courses', to: '/courses' },
          { label: course.name, to: `/courses/${course.id}` },
          { label: 'Roster Management' },
        ]}
        beside={course.course_code && <span className={classes.code}>{course.course_code}</span>}
        subtitle={waiting > 0 ? `${enrolled} · ${waiting} waiting for confirmation` : enrolled}
      />
      <div role="status" className={classes.said}>
        {said && (
          <Notice
            tone={said.tone}
            actions={
              <Button variant="default" onClick={() => setSaid(null)}>
                Dismiss
              </Button>
            }
          >
            {said.words}
          </Notice>
        )}
      </div>
      <LmsRosterPanel courseId={course.id} changed={changed} />
      {!fromLms && ways}
      <RosterList course={course} waiting={waiting} say={setSaid} changed={changed} />
      {fromLms && (
        <div className={classes.outsiders}>
          <Outsiders lms={course.lms_names}>{ways}</Outsiders>
        </div>
      )}
    </Page>
  )
}
