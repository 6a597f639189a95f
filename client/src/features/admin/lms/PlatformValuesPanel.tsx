import { changePlatform, type Platform } from '@assay/shared/lti-platforms.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { UnsavedChangesModal } from '../../../components/feedback/UnsavedChangesModal.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useUnsavedChanges } from '../../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'
import { DeploymentFields, EndpointFields, IdentityFields } from './PlatformFields.tsx'
import { fieldErrors, type PlatformFormValues, parsePlatformForm, platformFormValues } from './platform-form.ts'

interface Props {
  platform: Platform
  changed: (after: Platform) => void
}

/** The LMS's values, to look at and to change. Only what was changed is sent. */
export function PlatformValuesPanel({ platform, changed }: Props) {
  const [draft, setDraft] = useState<Partial<PlatformFormValues>>({})
  const save = useSend(changePlatform)
  const refresh = useRevalidate()
  const stored = platformFormValues(platform)
  const texts = { ...stored, ...draft }
  const fields = (Object.keys(texts) as (keyof PlatformFormValues)[]).filter((field) => texts[field] !== stored[field])
  const guard = useUnsavedChanges(fields.length > 0)
  const errors = fieldErrors(save.error?.fields ?? {})
  const set = (change: Partial<PlatformFormValues>) => setDraft((now) => ({ ...now, ...change }))

  async function submit(event: FormEvent) {
    event.preventDefault()
    const values = parsePlatformForm(texts)
    const body = Object.fromEntries(fields.map((field) => [field, values[field]]))
    try {
      changed(await save.send({ params: { platformId: platform.id }, body }))
      setDraft({})
      toast.good('Saved.')
      void refresh('/admin')
    } catch {
      // Shown at the fields and beside the button.
    }
  }

  return (
    <Panel title="Values">
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <IdentityFields texts={texts} set={set} errors={errors} />
        <EndpointFields texts={texts} set={set} errors={errors} />
        <DeploymentFields texts={texts} set={set} errors={errors} />
        {save.error && (
          <Notice tone="bad">
            {Object.keys(errors).length > 0
              ? 'Nothing was saved. Please correct the marked fields.'
              : messageOf(save.error, 'Nothing was saved. Please try again.')}
          </Notice>
        )}
        <div className={classes.buttons}>
          <Button type="submit" size="sm" loading={save.sending} disabled={fields.length === 0}>
            Save Changes
          </Button>
          <Button
            size="sm"
            variant="default"
            disabled={fields.length === 0 || save.sending}
            onClick={() => {
              setDraft({})
              save.clear()
            }}
          >
            Cancel
          </Button>
          <span role="status" className={classes.dim}>
            {fields.length > 0 && 'You have unsaved changes'}
          </span>
        </div>
      </form>
      <UnsavedChangesModal opened={guard.asking} stay={guard.stay} discard={guard.leave}>
        The LMS’s values have not been saved. What you entered would be lost.
      </UnsavedChangesModal>
    </Panel>
  )
}
