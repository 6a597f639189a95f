import type { CourseDetail } from '@assay/shared/courses.ts'
import { type CourseLlm, changeCourseLlm, removeCourseLlm, testCourseLlm } from '@assay/shared/llm/llm.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { type QueryResult, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { useContractDraft } from '../../lib/forms/useContractDraft.ts'
import { toast } from '../../lib/toast.ts'
import { LlmSettingsEditor } from './LlmSettingsEditor.tsx'
import { defaultSettings, formValuesOf, llmForm, parseFormValues } from './llm-settings-form.ts'

interface Props {
  course: CourseDetail
  own: CourseLlm['own']
  loaded: QueryResult<CourseLlm>
  tested: () => void
  /** Done with it, or never begun. */
  close: () => void
}

const noKey = { has_key: false, key_ends: null, key_unreadable: false }

/** The LLM that the course’s teachers pay for themselves. */
export function CourseLlmEditor({ course, own, loaded, tested, close }: Props) {
  const params = { courseId: course.id }
  const [removing, setRemoving] = useState(false)
  const save = useSend(changeCourseLlm)
  const test = useSend(testCourseLlm)
  const remove = useSend(removeCourseLlm)
  const refresh = useRevalidate()
  const form = useContractDraft(changeCourseLlm, {
    ...llmForm(formValuesOf(own?.settings ?? defaultSettings)),
    toBody: (texts) => parseFormValues(texts).body,
  })

  return (
    <>
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
            <Button size="sm" variant="subtle" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )
        }
      />
      <ConfirmModal
        opened={removing}
        close={() => setRemoving(false)}
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
      </ConfirmModal>
    </>
  )
}
