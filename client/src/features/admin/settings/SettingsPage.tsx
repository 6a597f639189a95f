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
import { useUnsavedChanges } from '../../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../../lib/toast.ts'
import { GradingSettings } from './GradingSettings.tsx'
import { LimitSettings } from './LimitSettings.tsx'
import { LlmPanel } from './LlmPanel.tsx'
import { LmsPanel } from './LmsPanel.tsx'
import { MailSettings } from './MailSettings.tsx'
import { RegistrationSettings } from './RegistrationSettings.tsx'
import type { SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'
import { StoragePanel } from './StoragePanel.tsx'
import { changedSettingNames, type SettingsDraft, settingsBody } from './settings-form.ts'

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
  const [draft, setDraft] = useState<SettingsDraft>({})
  const save = useSend(changeSystemSettings)
  const refresh = useRevalidate()
  const changed = changedSettingNames(settings, draft)
  const guard = useUnsavedChanges(changed.length > 0)

  async function send(body: ReturnType<typeof settingsBody>, said: string) {
    const sent = { ...draft }
    try {
      const after = await save.send({ body })
      loaded.patch(() => after)
      // What was typed while it was on its way is kept.
      setDraft((now) =>
        Object.fromEntries(
          Object.entries(now).filter(([name, text]) => !(name in body) || text !== sent[name as keyof SettingsDraft]),
        ),
      )
      toast.success(said)
      void refresh('/settings/public', '/admin/audit', '/admin/dashboard')
    } catch {
      // Shown at the fields and beside the button.
    }
  }

  const errors = save.error?.fields ?? {}
  const form: SettingsFormState = {
    settings,
    draft,
    errors,
    busy: save.sending,
    setText: (name, text) => setDraft((now) => ({ ...now, [name]: text })),
    resetToDefault: (name) => void send({ [name]: null }, 'Default restored.'),
  }

  return (
    <>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send(settingsBody(settings, draft), 'Settings saved.')
        }}
      >
        <RegistrationSettings form={form} />
        <MailSettings form={form} unsaved={changed.some((name) => name === 'smtp_url' || name === 'mail_from')} />
        <LimitSettings form={form} />
        <GradingSettings form={form} />
        <div className={classes.save}>
          {save.error && (
            <Notice tone="bad">
              {Object.keys(errors).length > 0
                ? 'Nothing was saved. Please correct the marked fields.'
                : messageOf(save.error, 'Failed to save the settings. Please try again.')}
            </Notice>
          )}
          <div className={classes.buttons}>
            <Button type="submit" size="sm" loading={save.sending} disabled={changed.length === 0}>
              Save Changes
            </Button>
            <Button
              size="sm"
              variant="default"
              disabled={changed.length === 0 || save.sending}
              onClick={() => {
                setDraft({})
                save.clear()
              }}
            >
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
