import { changeSystemSettings, getSystemSettings, type SystemSettings } from '@assay/shared/settings.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { UnsavedChangesModal } from '../../../components/feedback/UnsavedChangesModal.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractDraft } from '../../../lib/forms/useContractDraft.ts'
import { useUnsavedChanges } from '../../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../../lib/toast.ts'
import { GradingSettings } from './GradingSettings.tsx'
import { LimitSettings } from './LimitSettings.tsx'
import { LlmPanel } from './LlmPanel.tsx'
import { LmsPanel } from './LmsPanel.tsx'
import { MailSettings } from './MailSettings.tsx'
import { RegistrationSettings } from './RegistrationSettings.tsx'
import { RetentionSettings, useSchoolRule } from './RetentionSettings.tsx'
import type { SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'
import { StoragePanel } from './StoragePanel.tsx'
import { settingsBody, settingsFormValues } from './settings-form.ts'

export function SettingsPage() {
  const settings = useGet(getSystemSettings)
  return (
    <Page width="standard">
      <PageHeader
        title="System Settings"
        subtitle="Changes take effect immediately. Settings from the server’s environment cannot be changed here."
      />
      {body()}
    </Page>
  )

  function body() {
    if (settings.data) return <SettingsEditor settings={settings.data} loaded={settings} />
    if (settings.error) return <LoadError error={settings.error} retry={settings.reload} />
    return <RowSkeletons label="Loading the settings" />
  }
}

function SettingsEditor({ settings, loaded }: { settings: SystemSettings; loaded: QueryResult<SystemSettings> }) {
  const save = useSend(changeSystemSettings)
  const refresh = useRevalidate()
  const form = useContractDraft(changeSystemSettings, { stored: settingsFormValues(settings), toBody: settingsBody })
  const { changed } = form
  const guard = useUnsavedChanges(changed.length > 0)

  async function send(body: ReturnType<typeof settingsBody>, message: string) {
    const after = await save.send({ body })
    loaded.patch(() => after)
    toast.success(message)
    void refresh('/settings/public', '/admin/audit', '/admin/dashboard')
  }

  const fields: SettingsFormState = {
    settings,
    values: form.values,
    errors: form.errors,
    busy: form.submitting,
    setText: (name, text) => form.change({ [name]: text }),
    resetToDefault: (name) => {
      const typed = form.getValues()[name]
      void form.attempt(async () => {
        await send({ [name]: null }, 'Default restored.')
        // What was typed during the request stays.
        if (form.getValues()[name] === typed) form.change({ [name]: undefined })
      })
    },
  }

  const rule = useSchoolRule(fields)
  const [asking, setAsking] = useState(false)
  const submit = form.submit((body) => send(body, 'Settings saved.'))

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (rule.mayDelete) setAsking(true)
    else void submit()
  }

  return (
    <>
      <form className={classes.form} noValidate onSubmit={onSubmit}>
        <RegistrationSettings form={fields} />
        <MailSettings form={fields} unsaved={changed.some((name) => name === 'smtp_url' || name === 'mail_from')} />
        <LimitSettings form={fields} />
        <GradingSettings form={fields} />
        <RetentionSettings form={fields} rule={rule} asking={asking} close={() => setAsking(false)} save={submit} />
        <div className={classes.save}>
          {form.failure && (
            <Notice tone="bad">{messageOf(form.failure, 'Failed to save the settings. Please try again.')}</Notice>
          )}
          {Object.keys(form.errors).length > 0 && (
            <Notice tone="bad">Nothing was saved. Please correct the marked fields.</Notice>
          )}
          <div className={classes.buttons}>
            <Button type="submit" size="sm" loading={form.submitting} disabled={changed.length === 0}>
              Save Changes
            </Button>
            <Button size="sm" variant="default" disabled={changed.length === 0 || form.submitting} onClick={form.reset}>
              Cancel
            </Button>
            <span role="status" className={classes.unsaved}>
              {changed.length > 0 && 'You have unsaved changes'}
            </span>
          </div>
        </div>
      </form>
      <LlmPanel />
      <LmsPanel />
      <StoragePanel />
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        Your changes to the settings have not been saved and will be lost.
      </UnsavedChangesModal>
    </>
  )
}
