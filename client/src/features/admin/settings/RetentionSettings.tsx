import { previewSchoolRetention } from '@assay/shared/retention.ts'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { RulePreview } from '../../retention/RulePreview.tsx'
import { retentionChoices } from '../../retention/retention-words.ts'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

export function RetentionSettings({ form }: { form: SettingsFormState }) {
  const { value } = form.settings.values.retention_months
  const chosen = Number(form.values.retention_months)
  const changed = chosen !== value
  const preview = useGet(previewSchoolRetention, undefined, { months: chosen }, { enabled: changed })
  return (
    <Panel title="Keeping student work">
      <div className={classes.fields}>
        <SettingField
          form={form}
          name="retention_months"
          label="Student work of courses without a rule of their own"
          hint="Counted by assignment from its last activity. Instructors are emailed 14 days before anything is deleted, and can set another rule for their course."
          choices={retentionChoices(value)}
        />
        <RulePreview preview={changed ? preview : null} />
      </div>
    </Panel>
  )
}
