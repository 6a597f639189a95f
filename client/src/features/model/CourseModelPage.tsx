import { type CourseDetail, getCourse } from '@assay/shared/courses.ts'
import {
  type CourseModel,
  getCourseModel,
  getCourseModelUsage,
  testCourseModel,
} from '@assay/shared/model.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PageSkeleton, RowSkeletons } from '../../components/PageSkeleton.tsx'
import { Panel } from '../../components/Panel.tsx'
import { type Loaded, useGet, useSend } from '../../lib/api.ts'
import { useIds } from '../../lib/useIds.ts'
import { CourseFailed } from '../courses/CourseStates.tsx'
import { ConnectionTest } from './ConnectionTest.tsx'
import classes from './Model.module.css'
import { OwnModel } from './OwnModel.tsx'
import { SchoolModel } from './SchoolModel.tsx'
import { Usage } from './Usage.tsx'

/** Which model grades a course: the school’s, or one its teachers pay for themselves. */
export function CourseModelPage() {
  const { courseId } = useIds('courseId')
  const course = useGet(getCourse, { courseId })
  if (course.data) return <OfCourse key={course.data.id} course={course.data} />
  if (course.error) return <CourseFailed error={course.error} retry={course.reload} />
  return <PageSkeleton label="Loading course" />
}

function OfCourse({ course }: { course: CourseDetail }) {
  const model = useGet(getCourseModel, { courseId: course.id })
  return (
    <Page width="standard">
      <PageHeader
        title="AI model"
        tabTitle={`AI model of ${course.name}`}
        crumbs={[
          { label: 'My Courses', to: '/courses' },
          { label: course.name, to: `/courses/${course.id}` },
          { label: 'AI model' },
        ]}
        subtitle="Who suggests this course’s grades. You decide, whoever it is."
      />
      {body()}
    </Page>
  )

  function body() {
    if (model.data) return <Opened course={course} model={model.data} loaded={model} />
    if (model.error) return <LoadFailed error={model.error} retry={model.reload} />
    return <RowSkeletons label="Loading the model’s settings" />
  }
}

interface Props {
  course: CourseDetail
  model: CourseModel
  loaded: Loaded<CourseModel>
}

function Opened({ course, model, loaded }: Props) {
  const params = { courseId: course.id }
  const [month, setMonth] = useState<string | null>(null)
  const [beginning, setBeginning] = useState(false)
  const usage = useGet(getCourseModelUsage, params, month ? { month } : {}, { keep: true })
  const test = useSend(testCourseModel)
  const { own, school, in_force, may_have_own } = model
  const editing = may_have_own && (own !== null || beginning)

  return (
    <div className={classes.page}>
      <Panel title="Who grades">
        <SchoolModel school={school} inForce={in_force === 'school'} />
        {own && !may_have_own && (
          <Notice tone="warn">
            This course has a model of its own, but the administrator has switched those off: it is not asked.
          </Notice>
        )}
        {may_have_own && !editing && (
          <Button variant="default" className={classes.own} onClick={() => setBeginning(true)}>
            Use a model of our own
          </Button>
        )}
      </Panel>
      {editing ? (
        <OwnModel
          course={course}
          own={own}
          loaded={loaded}
          tested={() => void usage.reload()}
          close={() => setBeginning(false)}
        />
      ) : (
        school.provider !== 'offline' && (
          <ConnectionTest
            about={`Asks “${school.model}” three small questions, at the school’s expense.`}
            run={async (only, signal) => {
              const told = await test.send({ params, body: { only }, signal })
              void usage.reload()
              return told
            }}
          />
        )
      )}
      <Usage
        usage={usage}
        month={month}
        choose={setMonth}
        budget={in_force === 'course' && own ? own.month : school.month}
        rows={({ assignments, runs }) => [
          {
            title: 'By assignment',
            rows: assignments.map(({ id, name, ...sums }) => ({
              ...sums,
              key: String(id),
              name:
                id === null ? (
                  'Connection tests'
                ) : name === null ? (
                  `Assignment ${id} (deleted)`
                ) : (
                  <Link to={`/assignments/${id}/submissions`}>{name}</Link>
                ),
            })),
          },
          {
            title: 'By run',
            rows: runs.slice(0, 20).map(({ run_id, assignment_id, ...sums }) => ({
              ...sums,
              key: String(run_id),
              name: `Run ${run_id}${titleOf(assignment_id)}`,
            })),
          },
        ]}
      />
    </div>
  )

  function titleOf(assignmentId: number | null): string {
    const name = usage.data?.assignments.find(({ id }) => id === assignmentId)?.name
    return name ? ` of ${name}` : ''
  }
}
