import {
  changeSystemModel,
  getSystemModel,
  getSystemModelUsage,
  type SystemModel,
  testSystemModel,
} from '@assay/shared/model.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { RowSkeletons } from '../../components/PageSkeleton.tsx'
import { type Loaded, useGet, useRefresh, useSend } from '../../lib/api.ts'
import { plural } from '../../lib/format.ts'
import classes from './Model.module.css'
import { ModelEditor } from './ModelEditor.tsx'
import type { ModelFieldsProps } from './ModelFields.tsx'
import { textsOf } from './model-form.ts'
import { Usage } from './Usage.tsx'

/** Which model grades for the whole school, what it may cost and what it has cost. */
export function SystemModelPage() {
  const model = useGet(getSystemModel)
  return (
    <Page width="standard">
      <PageHeader
        title="AI model"
        crumbs={[{ label: 'System Settings', to: '/admin/settings' }, { label: 'AI model' }]}
        subtitle="Who suggests the grades. The teacher decides, whoever it is."
      />
      {body()}
    </Page>
  )

  function body() {
    if (model.data) return <Opened model={model.data} loaded={model} />
    if (model.error) return <LoadFailed error={model.error} retry={model.reload} />
    return <RowSkeletons label="Loading the model’s settings" />
  }
}

function Opened({ model, loaded }: { model: SystemModel; loaded: Loaded<SystemModel> }) {
  const [month, setMonth] = useState<string | null>(null)
  const usage = useGet(getSystemModelUsage, undefined, month ? { month } : {}, { keep: true })
  const save = useSend(changeSystemModel)
  const test = useSend(testSystemModel)
  const refresh = useRefresh()
  return (
    <div className={classes.page}>
      <ModelEditor
        stored={textsOf(model.settings, model)}
        fixed={model.fixed}
        kept={model}
        publicOnly={false}
        save={{
          ...save,
          async send(body, { teachers_keys }, course_budget) {
            const after = await save.send({ body: { ...body, teachers_keys, course_budget } })
            loaded.patch(() => after)
            void refresh('/admin/dashboard', '/admin/audit', '/admin/settings', '/courses')
          },
        }}
        test={{
          ...test,
          async send(settings, only, signal) {
            const told = await test.send({ body: { settings, only }, signal })
            void usage.reload()
            void loaded.reload()
            return told
          },
        }}
        more={(fields) => <TeacherFields {...fields} own={model.own_courses} />}
      />
      <Usage
        usage={usage}
        month={month}
        choose={setMonth}
        budget={model.month}
        rows={({ courses }) => [
          {
            title: 'By course',
            rows: courses.map(({ id, name, ...sums }) => ({
              ...sums,
              key: String(id),
              name:
                id === null ? (
                  'Connection tests, and assignments outside courses'
                ) : name === null ? (
                  `Course ${id} (deleted)`
                ) : (
                  <Link to={`/courses/${id}/model`}>{name}</Link>
                ),
            })),
          },
        ]}
      />
    </div>
  )
}

/** What an administrator leaves to the teachers. */
function TeacherFields({ texts, set, errors, own }: ModelFieldsProps & { own: number }) {
  return (
    <fieldset className={classes.fields}>
      <legend>Courses</legend>
      {texts.provider !== 'offline' && (
        <TextInput
          label="The most one course may spend a month"
          description="Of this model’s budget. Empty: as much as there is."
          value={texts.course_budget}
          error={errors.course_budget}
          inputMode="decimal"
          leftSection="$"
          autoComplete="off"
          onChange={(event) => set({ course_budget: event.currentTarget.value })}
        />
      )}
      <Checkbox
        label="Teachers may use keys of their own"
        description={`For their course a teacher’s own model then goes before this one, at an address on the public internet.${
          own > 0 ? ` ${plural(own, 'course has', 'courses have')} one now.` : ''
        }`}
        checked={texts.teachers_keys}
        onChange={(event) => set({ teachers_keys: event.currentTarget.checked })}
      />
    </fieldset>
  )
}
