import type { CourseDetail } from '@assay/shared/courses.ts'
import {
  type CourseLlm,
  changeCourseLlm,
  getCourseLlm,
  getCourseLlmUsage,
  removeCourseLlm,
  testCourseLlm,
} from '@assay/shared/llm/llm.ts'
import { useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { AskFirst } from '../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Loaded, Page, PageHeader, Panel, RowSkeletons } from '../../components/layout/Page.tsx'
import panel from '../../components/layout/Panel.module.css'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDollars } from '../../lib/format.ts'
import { useContractDraft } from '../../lib/forms/useContractDraft.ts'
import { toast } from '../../lib/toast.ts'
import { coursePath, submissionsPath } from '../../paths.ts'
import { ConnectionTest } from '../llm/ConnectionTest.tsx'
import classes from '../llm/Llm.module.css'
import { DataSharingNotice, LlmSettingsEditor } from '../llm/LlmSettingsEditor.tsx'
import { LlmUsage, usageRows } from '../llm/LlmUsage.tsx'
import { providerNames } from '../llm/llm-labels.ts'
import { defaultSettings, formValuesOf, llmForm, parseFormValues } from '../llm/llm-settings-form.ts'
import { WithCourse } from './WithCourse.tsx'

export function CourseLlmPage() {
  return <WithCourse>{(course) => <CourseLlmContent course={course} />}</WithCourse>
}

function CourseLlmContent({ course }: { course: CourseDetail }) {
  const model = useGet(getCourseLlm, { courseId: course.id })
  return (
    <Page width="standard">
      <PageHeader
        title="AI model"
        tabTitle={`AI model of ${course.name}`}
        crumbs={[
          { label: 'My Courses', to: '/courses' },
          { label: course.name, to: coursePath(course.id) },
          { label: 'AI model' },
        ]}
        subtitle="Choose the AI model that suggests grades for this course. You make the final decision."
      />
      <Loaded query={model} skeleton={<RowSkeletons label="Loading the AI model’s settings" />}>
        {(data) => <LoadedCourseLlm course={course} model={data} loaded={model} />}
      </Loaded>
    </Page>
  )
}

interface Props {
  course: CourseDetail
  model: CourseLlm
  loaded: QueryResult<CourseLlm>
}

function LoadedCourseLlm({ course, model, loaded }: Props) {
  const params = { courseId: course.id }
  const [month, setMonth] = useState<string | null>(null)
  const [beginning, setBeginning] = useState(false)
  const usage = useGet(getCourseLlmUsage, params, month ? { month } : {}, { keepPreviousData: true })
  const test = useSend(testCourseLlm)
  const { own, school, in_force, may_have_own } = model
  const editing = may_have_own && (own !== null || beginning)

  return (
    <div className={classes.page}>
      <Panel title="Grading model">
        <SchoolLlmSummary school={school} inForce={in_force === 'school'} />
        {own && !may_have_own && (
          <Notice tone="warn">
            This course has its own model, but the administrator has turned off course models, so it is not used.
          </Notice>
        )}
        {may_have_own && !editing && (
          <SecondaryButton className={classes.own} onClick={() => setBeginning(true)}>
            Use our own model
          </SecondaryButton>
        )}
      </Panel>
      {editing ? (
        <CourseLlmEditor
          course={course}
          own={own}
          loaded={loaded}
          tested={() => void usage.reload()}
          close={() => setBeginning(false)}
        />
      ) : (
        school.provider !== 'offline' && (
          <ConnectionTest
            about={`Sends three short test requests to “${school.model}”, paid for by the school.`}
            run={async (only, signal) => {
              const reply = await test.send({ params, body: { only }, signal })
              void usage.reload()
              return reply
            }}
          />
        )
      )}
      <LlmUsage
        usage={usage}
        month={month}
        choose={setMonth}
        budget={in_force === 'course' && own ? own.month : school.month}
        rows={({ assignments, runs }) => [
          { title: 'By assignment', rows: usageRows(assignments, 'Assignment', 'Connection tests', submissionsPath) },
          {
            title: 'By run',
            rows: runs
              .slice(0, 20)
              .map(({ run_id, assignment_id, ...sums }) => ({
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

interface CourseLlmEditorProps extends Pick<Props, 'course' | 'loaded'> {
  own: CourseLlm['own']
  tested: () => void
  close: () => void
}

const noKey = { has_key: false, key_ends: null, key_unreadable: false }

function CourseLlmEditor({ course, own, loaded, tested, close }: CourseLlmEditorProps) {
  const params = { courseId: course.id }
  const save = useSend(changeCourseLlm)
  const test = useSend(testCourseLlm)
  const remove = useSend(removeCourseLlm)
  const refresh = useRevalidate()
  const form = useContractDraft(changeCourseLlm, {
    ...llmForm(formValuesOf(own?.settings ?? defaultSettings)),
    toBody: (texts) => parseFormValues(texts).body,
  })

  return (
    <LlmSettingsEditor
      form={form}
      isNew={own === null}
      fixedFields={[]}
      storedKey={own ?? noKey}
      publicOnly
      save={async (body) => {
        const after = await save.send({ params, body })
        loaded.patch(() => after)
        void refresh('/assignments')
      }}
      test={{
        ...test,
        async send(settings, only, signal) {
          const reply = await test.send({ params, body: { settings, only }, signal })
          tested()
          return reply
        },
      }}
      {...(own === null ? { cancel: close } : {})}
      buttons={
        own && (
          <AskFirst
            button={(ask) => (
              <SubtleButton size="sm" onClick={ask}>
                Remove
              </SubtleButton>
            )}
            title="Remove this course’s own model?"
            confirmLabel="Remove"
            dangerous
            onConfirm={async () => {
              const after = await remove.send({ params })
              close()
              loaded.patch(() => after)
              toast.success('This course now uses the school’s model.')
              void refresh('/assignments')
            }}
          >
            <p>
              Its key is deleted and cannot be restored. The school’s model will grade this course again. Past usage is
              kept.
            </p>
          </AskFirst>
        )
      }
    />
  )
}

function SchoolLlmSummary({ school, inForce }: { school: CourseLlm['school']; inForce: boolean }) {
  const { provider, model, host, pictures, month } = school
  const offline = provider === 'offline'
  const name = offline
    ? 'the built-in grader'
    : `${model} (${provider === 'openai-compatible' ? host : providerNames[provider]})`
  return (
    <>
      <p className={panel.about}>
        {inForce ? (
          <>
            This course is graded by <strong>{name}</strong>, as your school has set.
          </>
        ) : (
          <>
            This course uses its own model, set below. Other courses are graded by <strong>{name}</strong>.
          </>
        )}
        {offline && inForce && ' It runs on this server: no papers leave it and it costs nothing.'}
      </p>
      {inForce && !offline && (
        <>
          <p className={panel.about}>
            This month the course has spent {formatDollars(month.spent)}
            {month.budget === null
              ? ' from the school’s budget. This course has no limit.'
              : ` of the ${formatDollars(month.budget)} limit. Your administrator can raise it.`}
            {!month.enforceable && ' No prices are set, so the cost is unknown.'}
          </p>
          <DataSharingNotice host={host} pictures={pictures} />
        </>
      )}
    </>
  )
}
