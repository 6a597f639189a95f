import {
  changeSystemLlm,
  getSystemLlm,
  getSystemLlmUsage,
  type SystemLlm,
  testSystemLlm,
} from '@assay/shared/llm/llm.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../components/layout/Page.tsx'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { useContractDraft } from '../../lib/forms/useContractDraft.ts'
import { coursePath } from '../../paths.ts'
import classes from './Llm.module.css'
import { LlmSettingsEditor } from './LlmSettingsEditor.tsx'
import { dollarInputProps, textFieldProps } from './LlmSettingsFields.tsx'
import { LlmUsage, usageRows } from './LlmUsage.tsx'
import { formValuesOf, type LlmFieldsProps, llmForm, parseFormValues } from './llm-settings-form.ts'

export function SystemLlmPage() {
  const model = useGet(getSystemLlm)
  return (
    <Page width="standard">
      <PageHeader
        title="AI model"
        crumbs={[{ label: 'System Settings', to: '/admin/settings' }, { label: 'AI model' }]}
        subtitle="Choose the AI model that suggests grades. Teachers make the final decision."
      />
      <Loaded query={model} skeleton={<RowSkeletons label="Loading the AI model’s settings" />}>
        {(data) => <LoadedSystemLlm model={data} loaded={model} />}
      </Loaded>
    </Page>
  )
}

function LoadedSystemLlm({ model, loaded }: { model: SystemLlm; loaded: QueryResult<SystemLlm> }) {
  const [month, setMonth] = useState<string | null>(null)
  const usage = useGet(getSystemLlmUsage, undefined, month ? { month } : {}, { keepPreviousData: true })
  const save = useSend(changeSystemLlm)
  const test = useSend(testSystemLlm)
  const refresh = useRevalidate()
  const form = useContractDraft(changeSystemLlm, {
    ...llmForm(formValuesOf(model.settings, model)),
    toBody: (texts) => {
      const { body, course_budget } = parseFormValues(texts)
      return { ...body, course_budget, teachers_keys: texts.teachers_keys }
    },
  })
  return (
    <div className={classes.page}>
      <LlmSettingsEditor
        form={form}
        fixedFields={model.fixed}
        storedKey={model}
        publicOnly={false}
        save={async (body) => {
          const after = await save.send({ body })
          loaded.patch(() => after)
          void refresh('/admin/dashboard', '/admin/audit', '/admin/settings', '/courses')
        }}
        test={{
          ...test,
          async send(settings, only, signal) {
            const reply = await test.send({ body: { settings, only }, signal })
            void usage.reload()
            void loaded.reload()
            return reply
          },
        }}
        extraFields={(fields) => <TeacherFields {...fields} own={model.own_courses} />}
      />
      <LlmUsage
        usage={usage}
        month={month}
        choose={setMonth}
        budget={model.month}
        rows={({ courses }) => [
          {
            title: 'By course',
            rows: usageRows(courses, 'Course', 'Connection tests, and assignments outside courses', (id) =>
              coursePath(id, 'model'),
            ),
          },
        ]}
      />
    </div>
  )
}

function TeacherFields({ own, ...fields }: LlmFieldsProps & { own: number }) {
  const { values, set } = fields
  const text = textFieldProps(fields)
  return (
    <fieldset className={classes.fields}>
      <legend>Courses</legend>
      {values.provider !== 'offline' && (
        <TextInput
          {...text(
            'course_budget',
            'Monthly limit per course',
            'Part of this model’s budget. Leave empty for no limit.',
          )}
          {...dollarInputProps}
        />
      )}
      <Checkbox
        label="Let teachers use their own keys"
        description={`Teachers can then use their own model, at a public internet address, in their courses.${
          own > 0 ? ` ${plural(own, 'course has', 'courses have')} one now.` : ''
        }`}
        checked={values.teachers_keys}
        onChange={(event) => set({ teachers_keys: event.currentTarget.checked })}
      />
    </fieldset>
  )
}
