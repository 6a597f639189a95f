import { changePlatform, type Platform } from '@assay/shared/lti/lti-platforms.ts'
import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { UnsavedChangesModal } from '../../../components/feedback/UnsavedChangesModal.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractDraft } from '../../../lib/forms/useContractDraft.ts'
import { useUnsavedChanges } from '../../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'
import { DeploymentFields, EndpointFields, IdentityFields } from './PlatformFields.tsx'
import { parsePlatformForm, platformFormValues } from './platform-form.ts'

interface Props {
  platform: Platform
  changed: (after: Platform) => void
}

/** The LMS's values, to look at and to change. Only what was changed is sent. */
export function PlatformValuesPanel({ platform, changed }: Props) {
  const save = useSend(changePlatform)
  const refresh = useRevalidate()
  const form = useContractDraft(changePlatform, {
    stored: platformFormValues(platform),
    toBody: (texts, fields) => {
      const values = parsePlatformForm(texts)
      return Object.fromEntries(fields.map((field) => [field, values[field]]))
    },
  })
  const dirty = form.changed.length > 0
  const guard = useUnsavedChanges(dirty)
  const submit = form.submit(async (body) => {
    changed(await save.send({ params: { platformId: platform.id }, body }))
    toast.success('Saved.')
    void refresh('/admin')
  })
  const fields = { texts: form.values, set: form.change, errors: form.errors }

  return (
    <Panel title="Values">
      <form className={classes.form} noValidate onSubmit={submit}>
        <IdentityFields {...fields} />
        <EndpointFields {...fields} />
        <DeploymentFields {...fields} />
        {form.failure && <Notice tone="bad">{messageOf(form.failure, 'Nothing was saved. Please try again.')}</Notice>}
        {Object.keys(form.errors).length > 0 && (
          <Notice tone="bad">Nothing was saved. Please correct the marked fields.</Notice>
        )}
        <div className={classes.buttons}>
          <Button type="submit" size="sm" loading={form.submitting} disabled={!dirty}>
            Save Changes
          </Button>
          <Button size="sm" variant="default" disabled={!dirty || form.submitting} onClick={form.reset}>
            Cancel
          </Button>
          <span role="status" className={classes.dim}>
            {dirty && 'You have unsaved changes'}
          </span>
        </div>
      </form>
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        The LMS’s values have not been saved. Your changes will be lost.
      </UnsavedChangesModal>
    </Panel>
  )
}
