import { Panel } from '../../../components/layout/Panel.tsx'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

export function GradingSettings({ form }: { form: SettingsFormState }) {
  return (
    <Panel title="Grading">
      <div className={classes.fields}>
        <SettingField
          form={form}
          name="grading_concurrency"
          kind="count"
          label="Papers processed in parallel"
          hint="A higher number is faster if the server has free CPUs. 1 to 64."
        />
      </div>
    </Panel>
  )
}
