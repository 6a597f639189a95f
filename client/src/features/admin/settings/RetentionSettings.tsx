import panel from '../../../components/layout/Panel.module.css'
import { Panel } from '../../../components/layout/Panel.tsx'
import { retentionOptions } from '../../retention/retention-options.ts'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

/** For how long student work is kept where a course says nothing else. */
export function RetentionSettings({ form }: { form: SettingsFormState }) {
  const { value } = form.settings.values.retention_months
  return (
    <Panel title="Keeping student work">
      <p className={panel.about}>
        Papers, answers, grades and feedback of an assignment are deleted once nothing has happened in it for this long.
        Teachers are told two weeks before, and may choose another rule for their course.
      </p>
      <div className={classes.fields}>
        <SettingField form={form} name="retention_months" label="Student work" choices={retentionOptions(value)} />
      </div>
    </Panel>
  )
}
