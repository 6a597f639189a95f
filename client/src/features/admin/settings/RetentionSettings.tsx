import { previewSchoolRetention } from '@assay/shared/retention.ts'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Panel } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { RulePreview, retentionChoices } from '../../privacy/retention/RulePreview.tsx'
import { SettingField } from './SettingField.tsx'
import classes from './SettingsPage.module.css'
import type { SettingsFormState } from './settings-form.ts'

type SchoolRule = ReturnType<typeof useSchoolRule>

export function useSchoolRule({ settings, values }: Pick<SettingsFormState, 'settings' | 'values'>) {
  const months = Number(values.retention_months)
  const changed = months !== settings.values.retention_months.value
  const preview = useGet(previewSchoolRetention, undefined, { months }, { enabled: changed })
  // It may also while that is not known.
  return { preview, changed, mayDelete: changed && months > 0 && preview.data?.assignments !== 0 }
}

interface RetentionSettingsProps {
  form: SettingsFormState
  rule: SchoolRule
  asking: boolean
  close: () => void
  save: () => Promise<unknown>
}

export function RetentionSettings({ form, rule: { changed, preview }, asking, close, save }: RetentionSettingsProps) {
  return (
    <Panel title="Keeping student work">
      <div className={classes.fields}>
        <SettingField
          form={form}
          name="retention_months"
          label="Student work of courses without a rule of their own"
          hint="Counted by assignment from its last activity. Instructors are emailed 14 days before anything is deleted, and can set another rule for their course."
          choices={retentionChoices(form.settings.values.retention_months.value)}
        />
        <RulePreview preview={changed && !asking ? preview : null} />
      </div>
      <ConfirmModal
        opened={asking}
        close={close}
        title="Delete student work by this rule?"
        confirmLabel="Save Changes"
        dangerous
        disabled={!preview.data && !preview.error}
        onConfirm={save}
      >
        <div className={classes.fields}>
          <RulePreview preview={preview} />
          <p>
            The instructors of these courses are emailed 14 days before. Until the deletion, a longer rule or any new
            activity takes it back.
          </p>
        </div>
      </ConfirmModal>
    </Panel>
  )
}
